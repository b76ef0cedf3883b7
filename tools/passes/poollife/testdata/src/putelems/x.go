// Package putelems has lists of pooled values that are pooled as well.
package putelems

import "sync"

var (
	texts = sync.Pool{New: func() any { return new([64]byte) }}
	lists = sync.Pool{New: func() any { return make([]*[64]byte, 16) }}
)

type page struct{ list []*[64]byte }

func (p *page) open() { p.list = lists.Get().([]*[64]byte) }

func (p *page) at(k int) *[64]byte {
	if p.list[k] == nil {
		p.list[k] = texts.Get().(*[64]byte)
	}
	return p.list[k]
}

func (p *page) close() {
	for k := range p.list {
		if p.list[k] != nil {
			texts.Put(p.list[k]) // want `the entries of list are put here, and stay in it when it is put as well`
		}
	}
	lists.Put(p.list)
	p.list = nil
}

type leaf struct{ own []*[64]byte }

func (l *leaf) open() { l.own = lists.Get().([]*[64]byte) }

func (l *leaf) at(k int) *[64]byte {
	if l.own[k] == nil {
		l.own[k] = texts.Get().(*[64]byte)
	}
	return l.own[k]
}

func (l *leaf) close() {
	for k := range l.own {
		if l.own[k] != nil {
			texts.Put(l.own[k])
			l.own[k] = nil
		}
	}
	lists.Put(l.own)
	l.own = nil
}
