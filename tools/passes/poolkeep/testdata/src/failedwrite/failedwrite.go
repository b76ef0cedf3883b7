// SPDX-License-Identifier: BSD-3-Clause

// Package failedwrite writes pooled buffers to what may not take all.
package failedwrite

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Wrong: what the writer did not take is in front of the next page.
func send(w io.Writer, text string) {
	b := pages.Get().(*bytes.Buffer)
	b.WriteString(text) // want `b, taken from pages at line 17, is written to without a reset`
	b.WriteTo(w)
	if b.Cap() <= 1<<16 {
		pages.Put(b)
	}
}

var checked = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Right: what failed is emptied.
func sendChecked(w io.Writer, text string) {
	b := checked.Get().(*bytes.Buffer)
	b.WriteString(text)
	if _, err := b.WriteTo(w); err != nil {
		b.Reset()
	}
	if b.Cap() <= 1<<16 {
		checked.Put(b)
	}
}

var emptied = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Right: emptied in any case.
func sendEmptied(w io.Writer, text string) {
	b := emptied.Get().(*bytes.Buffer)
	b.WriteString(text)
	b.WriteTo(w)
	b.Reset()
	if b.Cap() <= 1<<16 {
		emptied.Put(b)
	}
}

var joined = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Right: a builder takes all.
func join(words []string) string {
	var s strings.Builder
	for _, w := range words {
		b := joined.Get().(*bytes.Buffer)
		b.WriteString(w)
		b.WriteTo(&s)
		if b.Cap() <= 1<<16 {
			joined.Put(b)
		}
	}
	return s.String()
}
