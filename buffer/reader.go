// SPDX-License-Identifier: BSD-3-Clause

package buffer

import "io"

// A Reader is the reading half of a Buffer: whoever has it can read and unread,
// and neither write nor release. What is read is gone from the Buffer, too. It
// is valid as long as the Buffer is, and must be used by one goroutine at a
// time together with it.
type Reader struct{ b *Buffer }

var (
	_ io.Reader      = Reader{}
	_ io.WriterTo    = Reader{}
	_ io.ByteScanner = Reader{}
	_ io.RuneScanner = Reader{}
)

// Reader returns the reading half of b.
func (b *Buffer) Reader() Reader { return Reader{b} }

// Len returns the number of unread bytes.
func (r Reader) Len() int { return r.b.Len() }

// Read is [Buffer.Read].
func (r Reader) Read(p []byte) (n int, err error) { return r.b.Read(p) }

// WriteTo is [Buffer.WriteTo].
func (r Reader) WriteTo(w io.Writer) (n int64, err error) { return r.b.WriteTo(w) }

// ReadByte is [Buffer.ReadByte].
func (r Reader) ReadByte() (byte, error) { return r.b.ReadByte() }

// UnreadByte is [Buffer.UnreadByte].
func (r Reader) UnreadByte() error { return r.b.UnreadByte() }

// ReadRune is [Buffer.ReadRune].
func (r Reader) ReadRune() (c rune, size int, err error) { return r.b.ReadRune() }

// UnreadRune is [Buffer.UnreadRune].
func (r Reader) UnreadRune() error { return r.b.UnreadRune() }

// ReadBytes is [Buffer.ReadBytes].
func (r Reader) ReadBytes(delim byte) (line []byte, err error) { return r.b.ReadBytes(delim) }

// ReadString is [Buffer.ReadString].
func (r Reader) ReadString(delim byte) (line string, err error) { return r.b.ReadString(delim) }
