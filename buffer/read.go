// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/spare-go/spare/internal/checked"
)

// Read copies unread bytes to p and returns how many. The error is io.EOF if
// there are none and p is not empty, and nil otherwise.
func (b *Buffer) Read(p []byte) (n int, err error) {
	if checked.Enabled {
		b.check("Read")
	}
	if len(b.buf) <= b.off {
		b.Reset()
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	b.lastRead = opInvalid
	n = copy(p, b.buf[b.off:])
	if n > 0 {
		b.off += n
		b.lastRead = opRead
	}
	return n, nil
}

// Next returns the next n unread bytes, or as many as there are, which are read
// then. The slice is a part of the Buffer, valid until its next modification.
// Next panics if n is negative.
func (b *Buffer) Next(n int) []byte {
	if checked.Enabled {
		b.check("Next")
	}
	b.lastRead = opInvalid
	n = min(n, len(b.buf)-b.off)
	data := b.buf[b.off : b.off+n]
	b.off += n
	if n > 0 {
		b.lastRead = opRead
	}
	return data
}

// Peek returns the next n unread bytes, which remain unread, or as many as
// there are and io.EOF. The slice is a part of the Buffer, valid until its next
// modification. Peek panics if n is negative.
func (b *Buffer) Peek(n int) ([]byte, error) {
	if checked.Enabled {
		b.check("Peek")
	}
	if len(b.buf)-b.off < n {
		return b.buf[b.off:], io.EOF
	}
	return b.buf[b.off : b.off+n], nil
}

// ReadByte returns the next unread byte, or io.EOF if there is none.
func (b *Buffer) ReadByte() (byte, error) {
	if checked.Enabled {
		b.check("ReadByte")
	}
	if len(b.buf) <= b.off {
		b.Reset()
		return 0, io.EOF
	}
	c := b.buf[b.off]
	b.off++
	b.lastRead = opRead
	return c, nil
}

// ReadRune returns the code point that the next unread bytes encode in UTF-8,
// and their number. If they are no valid encoding, that is U+FFFD and 1. The
// error is io.EOF if there are none.
func (b *Buffer) ReadRune() (r rune, size int, err error) {
	if checked.Enabled {
		b.check("ReadRune")
	}
	if len(b.buf) <= b.off {
		b.Reset()
		return 0, 0, io.EOF
	}
	r, size = rune(b.buf[b.off]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRune(b.buf[b.off:])
	}
	b.off += size
	b.lastRead = readOp(size)
	return r, size, nil
}

// UnreadRune makes the code point unread that ReadRune returned. It returns an
// error unless that was the last operation on the Buffer, and successful.
func (b *Buffer) UnreadRune() error {
	if checked.Enabled {
		b.check("UnreadRune")
	}
	if b.lastRead <= opInvalid {
		return errUnreadRune
	}
	if size := int(b.lastRead); b.off >= size {
		b.off -= size
	}
	b.lastRead = opInvalid
	return nil
}

// UnreadByte makes the last byte unread that was read. It returns an error
// unless the last operation on the Buffer was one that read bytes.
func (b *Buffer) UnreadByte() error {
	if checked.Enabled {
		b.check("UnreadByte")
	}
	if b.lastRead == opInvalid {
		return errUnreadByte
	}
	b.lastRead = opInvalid
	if b.off > 0 {
		b.off--
	}
	return nil
}

// ReadBytes returns a copy of the unread bytes up to the first delim, and with
// it. If there is no delim, it returns all of them and io.EOF.
func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	if checked.Enabled {
		b.check("ReadBytes")
	}
	part, err := b.readTo(delim)
	return append(line, part...), err
}

// ReadString is ReadBytes for a string.
func (b *Buffer) ReadString(delim byte) (line string, err error) {
	if checked.Enabled {
		b.check("ReadString")
	}
	part, err := b.readTo(delim)
	return string(part), err
}

// readTo returns the bytes for ReadBytes in the Buffer's own memory.
func (b *Buffer) readTo(delim byte) (part []byte, err error) {
	part = b.buf[b.off:]
	if i := bytes.IndexByte(part, delim); i >= 0 {
		part = part[:i+1]
	} else {
		err = io.EOF
	}
	b.off += len(part)
	b.lastRead = opRead
	return part, err
}
