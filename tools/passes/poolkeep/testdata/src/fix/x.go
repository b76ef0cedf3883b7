package fix

import (
	"bytes"
	"encoding/json"
	"sync"
)

type entry struct{ p *int }

type list struct{ items []entry }

var lists = sync.Pool{New: func() any { return new(list) }}

func put(l *list) {
	l.items = l.items[:0]
	lists.Put(l) // want `l\.items is cut to length 0 \(line 16\) but not cleared`
}

var refs = sync.Pool{New: func() any { return new([]*int) }}

func putRefs(p *[]*int) {
	*p = (*p)[:0]
	refs.Put(p) // want `\*p is cut to length 0 \(line 23\) but not cleared`
}

type entry2 struct {
	buf   []byte
	flags uint8
}

var entries = sync.Pool{New: func() any { return new(entry2) }}

func logged(msg string, emit func([]byte)) {
	e := entries.Get().(*entry2)
	e.buf = append(e.buf, msg...) // want `field buf of e, taken from entries at line 35, is appended to as the last user left it`
	emit(e.buf)
	if cap(e.buf) < 1<<16 {
		entries.Put(e)
	}
}

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	b.WriteString(s) // want `b, taken from bufs at line 46, is written to without a reset`
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
	defer signups.Put(s)
	if err := json.Unmarshal(data, s); err != nil { // want `s, taken from signups at line 63, is decoded into without a reset`
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
	decoders.Put(d) // want `field src still leads to what it was given`
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
