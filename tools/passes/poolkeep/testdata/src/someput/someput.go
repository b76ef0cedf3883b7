// SPDX-License-Identifier: BSD-3-Clause

package someput

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

// One Put drops what is large, another of the same pool does not.

const keep = 1 << 16

type text struct{ b []byte }

func (t *text) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	return len(p), nil
}

var texts = sync.Pool{New: func() any { return &text{b: make([]byte, 0, 1024)} }}

func Format(dst []byte, format string, args ...any) []byte {
	t := texts.Get().(*text)
	t.b = fmt.Appendf(t.b[:0], format, args...)
	dst = append(dst, t.b...)
	if cap(t.b) <= keep {
		texts.Put(t)
	}
	return dst
}

func Encode(dst []byte, v any) []byte {
	t := texts.Get().(*text)
	t.b = t.b[:0]
	if json.NewEncoder(t).Encode(v) == nil {
		dst = append(dst, t.b...)
	}
	texts.Put(t) // want `t, which grew with its input, goes to texts at any size, although another Put drops what is large`
	return dst
}

// A number needs no look at the size.
func Number(dst []byte, n int) []byte {
	t := texts.Get().(*text)
	t.b = fmt.Appendf(t.b[:0], "%d", 7)
	dst = append(dst, t.b...)
	texts.Put(t)
	return dst
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func release(b *bytes.Buffer) {
	if b.Cap() > keep {
		return
	}
	b.Reset()
	buffers.Put(b)
}

func Join(list []string) string {
	b := buffers.Get().(*bytes.Buffer)
	defer release(b)
	for _, s := range list {
		b.WriteString(s)
	}
	return b.String()
}

func Quote(v any) string {
	b := buffers.Get().(*bytes.Buffer)
	fmt.Fprintf(b, "%q", v)
	s := b.String()
	b.Reset()
	buffers.Put(b) // want `b, which grew with its input, goes to buffers at any size, although another Put drops what is large`
	return s
}

// All are bounded by one function.

var bounded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBounded(b *bytes.Buffer) {
	if b.Cap() <= keep {
		b.Reset()
		bounded.Put(b)
	}
}

func One(s string) string {
	b := bounded.Get().(*bytes.Buffer)
	defer putBounded(b)
	b.WriteString(s)
	return b.String()
}

func Two(s, t string) string {
	b := bounded.Get().(*bytes.Buffer)
	defer putBounded(b)
	b.WriteString(s)
	b.WriteString(t)
	return b.String()
}
