// SPDX-License-Identifier: BSD-3-Clause

// Package probe uses package buffer as a user's package would, for a test that
// reads what the compiler says about it.
package probe

import (
	"io"

	"github.com/spare-go/spare/buffer"
)

func writers(p []byte, s string) int {
	b := buffer.New()
	b.Write(p)
	b.WriteString(s)
	b.WriteByte('x')
	b.WriteRune('y')
	n := b.Len() + len(b.Bytes())
	b.Release()
	return n
}

func str(s string) string {
	b := buffer.New()
	defer b.Release()
	b.WriteString(s)
	return b.String()
}

func readers(p []byte, s string) int {
	b := buffer.New()
	b.WriteString(s)
	b.Read(p)
	b.ReadByte()
	b.UnreadByte()
	b.ReadRune()
	b.UnreadRune()
	n := len(b.Next(1))
	q, _ := b.Peek(1)
	n += len(q) + len(b.AvailableBuffer()) + b.Cap() + b.Available()
	line, _ := b.ReadBytes('\n')
	b.Grow(1)
	b.Truncate(0)
	b.Reset()
	b.Release()
	return n + len(line)
}

func reader(p []byte) int {
	b := buffer.New()
	b.Write(p)
	n, _ := b.Reader().Read(p)
	return n
}

// writeTo is the counterexample: w may keep what it is given.
func writeTo(w io.Writer, p []byte) {
	b := buffer.New()
	b.Write(p)
	b.WriteTo(w)
	b.Release()
}

// detach is another: what it returns outlives it.
func detach(p []byte) []byte {
	b := buffer.New()
	b.Write(p)
	return b.Detach()
}
