// Package plain pools a type of a package that has no pool, and calls its functions.
package plain

import (
	"bytes"
	"sync"

	"plainpkg"
)

var bufs = sync.Pool{New: func() any { return new(plainpkg.Buf) }}

func getter(s string) []byte {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in bufs`
}

func slicing(s string) []byte {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	return b.From(1) // want `memory of b is returned`
}

func nested() []byte {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	return b.Rest() // want `memory of b is returned`
}

func copies(s string) []byte {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	return b.Copy()
}

func text() string {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	return b.Name()
}

func setter(s string, m *plainpkg.Msg) {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	m.SetBody(b.Bytes()) // want `field Body keeps memory of b after the value was put in bufs`
}

func setsCopy(s string, m *plainpkg.Msg) {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	m.CopyBody(b.Bytes())
}

func setsOwn(s string, send func(*plainpkg.Msg)) {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	b.Add(s)
	m := new(plainpkg.Msg)
	m.SetBody(b.Bytes())
	println(len(m.Body))
}

var std = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func trimmed(s string) []byte {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(s)
	return plainpkg.Trim(b.Bytes()) // want `memory of b is returned`
}

func same(s string) []byte {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(s)
	return plainpkg.Same(b.Bytes()) // want `memory of b is returned`
}

func cloned(s string) []byte {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(s)
	return plainpkg.Clone(b.Bytes())
}
