package fixed

import (
	"bytes"
	"encoding/json"
	"sync"
)

type entry struct{ p *int }

type list struct{ items []entry }

var lists = sync.Pool{New: func() any { return new(list) }}

func put(l *list) {
	clear(l.items)
	l.items = l.items[:0]
	lists.Put(l)
}

var refs = sync.Pool{New: func() any { return new([]*int) }}

func putRefs(p *[]*int) {
	clear(*p)
	*p = (*p)[:0]
	refs.Put(p)
}

type entry2 struct {
	buf   []byte
	flags uint8
}

var entries = sync.Pool{New: func() any { return new(entry2) }}

func logged(msg string, emit func([]byte)) {
	e := entries.Get().(*entry2)
	e.buf = e.buf[:0]
	e.buf = append(e.buf, msg...)
	emit(e.buf)
	if cap(e.buf) < 1<<16 {
		entries.Put(e)
	}
}

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	out := b.String()
	if b.Cap() < 1<<16 {
		bufs.Put(b)
	}
	return out
}

type signup struct {
	Name  string
	Admin bool
}

var signups = sync.Pool{New: func() any { return new(signup) }}

func decode(data []byte) (string, bool, error) {
	s := signups.Get().(*signup)
	*s = signup{}
	defer signups.Put(s)
	if err := json.Unmarshal(data, s); err != nil {
		return "", false, err
	}
	return s.Name, s.Admin, nil
}

type block struct{ data []byte }

type decoder struct {
	src *block
	off int
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func putDecoder(d *decoder) {
	d.off = 0
	d.src = nil
	decoders.Put(d)
}

func sum(b *block) (n int) {
	d := decoders.Get().(*decoder)
	d.src = b
	for d.off = 0; d.off < len(d.src.data); d.off++ {
		n += int(d.src.data[d.off])
	}
	putDecoder(d)
	return n
}
