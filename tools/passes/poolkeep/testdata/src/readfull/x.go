package readfull

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"sync"
)

type upper struct{ w io.Writer }

func (u upper) Write(b []byte) (int, error) { return io.WriteString(u.w, strings.ToUpper(string(b))) }

func shout(w io.Writer, words []string) {
	u := upper{upper{w}}
	for _, s := range words {
		io.WriteString(u, s)
	}
}

// Wrong: what shout writes by way of two writers stays in the buffer.
var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func text(words []string) string {
	b := texts.Get().(*bytes.Buffer)
	shout(b, words)
	s := b.String() // want `b, taken from texts at line 26, is read without a reset`
	texts.Put(b)
	return s
}

// Right: emptied before the Put.
var clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func text2(words []string) string {
	b := clean.Get().(*bytes.Buffer)
	shout(b, words)
	s := b.String()
	b.Reset()
	clean.Put(b)
	return s
}

// Right: emptied by a function that was given the buffer itself.
var begun = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var begin = func(b *bytes.Buffer) { b.Reset() }

func text3(words []string) string {
	b := begun.Get().(*bytes.Buffer)
	begin(b)
	shout(b, words)
	s := b.String()
	begun.Put(b)
	return s
}

// Right: read to its end.
var drained = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func text4(w io.Writer, words []string) {
	b := drained.Get().(*bytes.Buffer)
	shout(b, words)
	b.WriteTo(w)
	drained.Put(b)
}

// Right: nothing is written, the content is the same for all.
var fixed = sync.Pool{New: func() any { return bytes.NewBufferString("fixed") }}

func text5() string {
	b := fixed.Get().(*bytes.Buffer)
	s := hex.EncodeToString(b.Bytes())
	fixed.Put(b)
	return s
}
