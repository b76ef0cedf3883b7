package asksempty

import (
	"bytes"
	"sync"
)

const limit = 1 << 16

// The length of what was reset is no limit.

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(s string, out func([]byte)) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	out(b.Bytes())
	b.Reset()
	if b.Len() < limit {
		buffers.Put(b) // want `buffers keeps b, put at line 20, whatever its size`
	}
}

// In a field, behind Truncate.

type page struct{ buf bytes.Buffer }

var pages = sync.Pool{New: func() any { return new(page) }}

func putPage(p *page) {
	p.buf.Truncate(0)
	if p.buf.Len() > limit {
		return
	}
	pages.Put(p) // want `pages keeps p, put at line 35, whatever its size`
}

func show(s string, out func([]byte)) {
	p := pages.Get().(*page)
	defer putPage(p)
	p.buf.WriteString(s)
	out(p.buf.Bytes())
}

// Of a slice that was cut.

var slices = sync.Pool{New: func() any { return new([]byte) }}

func join(parts []string, out func([]byte)) {
	p := slices.Get().(*[]byte)
	for _, s := range parts {
		*p = append(*p, s...)
	}
	out(*p)
	*p = (*p)[:0]
	if len(*p) > limit {
		return
	}
	slices.Put(p) // want `slices keeps p, put at line 59, whatever its size`
}
