// Package kinds has a pool for each kind of reader, and one function that puts them all.
package kinds

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"sync"
)

var gzips, zlibs, plains sync.Pool

type plain struct{ r io.Reader }

func (p *plain) Read(b []byte) (int, error) { return p.r.Read(b) }

func get(r io.Reader, kind string) (io.Reader, error) {
	switch kind {
	case "gzip":
		v := gzips.Get()
		if v == nil {
			return gzip.NewReader(r)
		}
		z := v.(*gzip.Reader)
		return z, z.Reset(r)
	case "zlib":
		v := zlibs.Get()
		if v == nil {
			return zlib.NewReader(r)
		}
		z := v.(zlib.Resetter) // of a type that only package zlib can name
		if err := z.Reset(r, nil); err != nil {
			return nil, err
		}
		return z.(io.ReadCloser), nil
	}
	v := plains.Get()
	if v == nil {
		v = &plain{}
	}
	p := v.(*plain)
	p.r = r
	return p, nil
}

func put(r io.Reader) {
	switch t := r.(type) {
	case *gzip.Reader:
		gzips.Put(t)
	case zlib.Resetter:
		zlibs.Put(t)
	case *plain:
		t.r = nil
		plains.Put(t)
	}
}

func use(r io.Reader, kind string, f func([]byte)) error {
	z, err := get(r, kind)
	if err != nil {
		return err
	}
	defer put(z)
	b, err := io.ReadAll(z)
	f(b)
	return err
}

// Both pools have buffers, and the one that is asked for is not the one that gets it.
var small, large = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuf(v any) {
	switch b := v.(type) {
	case *bytes.Buffer:
		b.Reset()
		large.Put(b)
	case *plain:
		plains.Put(b)
	}
}

func swapped(s string, out io.Writer) {
	v := small.Get()
	b := v.(*bytes.Buffer)
	b.WriteString(s)
	b.WriteTo(out)
	putBuf(v) // want `v was taken from small but is put in large`
}
