package goroutineuse

import (
	"io"
	"sync"
)

type leaflet struct {
	data []byte
	refs int
}

var leaflets = sync.Pool{New: func() any { return &leaflet{data: make([]byte, 0, 100)} }}

// Only who has the last reference may come here.
func (l *leaflet) release() {
	l.refs--
	if l.refs != 0 {
		panic("leaflet in use")
	}
	leaflets.Put(l)
}

type letter struct {
	data []byte
	leaf *leaflet
	kind byte
}

type head struct {
	token []byte
	retry bool
}

type postRoom struct {
	w       io.Writer
	letters chan *letter
}

func (p *postRoom) read(r io.Reader) error {
	for {
		l := leaflets.Get().(*leaflet)
		l.refs = 1
		n, err := r.Read(l.data[:cap(l.data)])
		if err != nil {
			l.release()
			return err
		}
		p.letters <- &letter{data: l.data[:n], leaf: l}
	}
}

func headOf(data []byte) *head { return &head{token: data[1:3], retry: data[0] == 1} }

func (p *postRoom) run() {
	for l := range p.letters {
		if !p.handle(l) {
			l.leaf.release() // want `l.leaf is put in leaflets while the goroutine started at line \d+ may still use it`
		}
	}
}

// The goroutine has the head, which has a piece of the letter, and the letter.
func (p *postRoom) handle(l *letter) bool {
	h := headOf(l.data)
	if len(h.token) == 0 {
		go func() {
			if h.retry {
				p.w.Write(l.data)
			}
		}()
		return false
	}
	return false
}

func (p *postRoom) runKind() {
	for l := range p.letters {
		if !p.handleKind(l) {
			l.leaf.release()
		}
	}
}

// This one looks at nothing but what kind of letter it is.
func (p *postRoom) handleKind(l *letter) bool {
	h := headOf(l.data)
	kind := l.kind
	go func() {
		if h.retry {
			p.w.Write([]byte{kind})
		}
	}()
	return false
}
