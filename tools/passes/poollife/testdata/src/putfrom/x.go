// SPDX-License-Identifier: BSD-3-Clause

// Package putfrom puts by the address of a variable, which is nil from then on.
package putfrom

import (
	"io"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
)

type T struct{ n int }

var slices spare.Slices[byte]
var pool spare.Pool[T]

// Right: nothing to report.
func Right(w io.Writer, text string) error {
	s := slices.Get(len(text))
	s = append(s, text...)
	_, err := w.Write(s)
	slices.PutFrom(&s)
	return err
}

func RightDeferred(w io.Writer, text string) error {
	s := slices.Get(len(text))
	defer slices.PutFrom(&s)
	s = append(s, text...)
	_, err := w.Write(s)
	return err
}

func RightPool(n int) int {
	x := pool.Get()
	x.n += n
	n = x.n
	pool.PutFrom(&x)
	return n
}

func RightBuffer(w io.Writer) error {
	b := buffer.Get()
	b.WriteString("x")
	_, err := w.Write(b.Bytes())
	buffer.ReleaseFrom(&b)
	return err
}

// Twice is harmless.
func Twice(text string) int {
	s := slices.Get(len(text))
	s = append(s, text...)
	n := len(s)
	slices.PutFrom(&s)
	slices.Put(s)
	return n
}

func TwiceBuffer() {
	b := buffer.Get()
	b.WriteString("x")
	buffer.ReleaseFrom(&b)
	buffer.ReleaseFrom(&b)
}

// Wrong: early return without a put.
func Missing(text string) int {
	s := slices.Get(len(text)) // want `s, taken from slices at line \d+, is not put back`
	if len(text) == 3 {
		return 0
	}
	n := len(s)
	slices.PutFrom(&s)
	return n
}

// Wrong: an alias is used after the put.
func Alias(text string) byte {
	s := slices.Get(len(text))
	s = append(s, text...)
	t := s[1:]
	slices.PutFrom(&s)
	return t[0] // want `s is read after it was put in slices`
}

func AliasBuffer() byte {
	b := buffer.Get()
	b.WriteString("x")
	t := b.Bytes()
	buffer.ReleaseFrom(&b)
	return t[0] // want `b is read after it was put in buffer.Buffer`
}

func AliasPool() int {
	x := pool.Get()
	y := x
	pool.PutFrom(&x)
	return y.n // want `x is read after it was put in pool`
}

// Wrong: what the variable held is put by another name.
func Other(text string) {
	s := slices.Get(len(text))
	t := s
	slices.PutFrom(&s)
	slices.Put(t) // want `put in slices a second time`
}

// A field is nil after the first Close, so that the second puts nothing.
type Reader struct{ x *T }

func NewReader() *Reader { return &Reader{x: pool.Get()} }

func (r *Reader) Close() error {
	if r.x != nil {
		pool.PutFrom(&r.x)
	}
	return nil
}
