// SPDX-License-Identifier: BSD-3-Clause

package a

import (
	"io"
	"sync"
	"sync/atomic"
)

// A count that has not come to its end puts nothing.

var countedData = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type countedPage struct {
	data *[]byte
	n    int
	refs atomic.Int32
}

func newCountedPage(r io.Reader) (*countedPage, error) {
	data := countedData.Get().(*[]byte)
	n, err := r.Read(*data)
	if err != nil {
		countedData.Put(data)
		return nil, err
	}
	p := &countedPage{data: data, n: n}
	p.refs.Store(1)
	return p, nil
}

func (p *countedPage) share() { p.refs.Add(1) }

func (p *countedPage) drop() {
	if p.refs.Add(-1) > 0 {
		return
	}
	countedData.Put(p.data)
	p.data = nil
}

func (p *countedPage) bytes() []byte { return (*p.data)[:p.n] }

// Right: two references, and two that are given up.
func toBoth(r io.Reader, w, log io.Writer) error {
	p, err := newCountedPage(r)
	if err != nil {
		return err
	}
	p.share()
	_, err = log.Write(p.bytes())
	p.drop()
	if err == nil {
		_, err = w.Write(p.bytes())
	}
	p.drop()
	return err
}

type bareLists struct{ full, empty sync.Pool }

func (l *bareLists) take(room int) (b []byte) {
	if h, ok := l.full.Get().(*[]byte); ok {
		b, *h = *h, nil
		l.empty.Put(h)
	}
	if cap(b) < room {
		b = make([]byte, 0, room)
	}
	return b[:0]
}

func (l *bareLists) give(b []byte) {
	h, ok := l.empty.Get().(*[]byte)
	if !ok {
		h = new([]byte)
	}
	*h = b
	l.full.Put(h)
}

var bareLines bareLists

// Right: there is room for the line.
func bareLine(w io.Writer, name string, values []byte) error {
	out := bareLines.take(len(name) + 2*len(values))
	defer bareLines.give(out)
	out = append(out, name...)
	for _, v := range values {
		out = append(out, '=', v)
	}
	_, err := w.Write(out)
	return err
}
