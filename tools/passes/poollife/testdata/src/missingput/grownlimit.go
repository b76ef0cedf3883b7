package missingput

import (
	"encoding/binary"
	"io"
	"sync"
)

// What was made larger in use is asked for its size before the Put, by a method.

type pane struct {
	buf  []byte
	offs []int
}

var panes = sync.Pool{New: func() any { return new(pane) }}

func (p *pane) load(r io.Reader) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := int(binary.BigEndian.Uint16(head[:]))
	if cap(p.buf) < n {
		p.buf = make([]byte, n)
	}
	p.buf = p.buf[:n]
	_, err := io.ReadFull(r, p.buf)
	return err
}

func (p *pane) reset() bool {
	p.buf, p.offs = p.buf[:0], p.offs[:0]
	return cap(p.buf) <= 1<<12 && cap(p.offs) <= 1<<10
}

func sumPane(r io.Reader) (s int, err error) {
	p := panes.Get().(*pane)
	defer func() {
		if p.reset() {
			panes.Put(p)
		}
	}()
	if err := p.load(r); err != nil {
		return 0, err
	}
	for _, b := range p.buf {
		s += int(b)
	}
	return s, nil
}

// Wrong: nothing is asked where there is nothing to sum up.
func sumFilled(r io.Reader) (s int, err error) {
	p := panes.Get().(*pane) // want `p, taken from panes .* is not put back`
	err = p.load(r)
	if len(p.buf) == 0 {
		return 0, err
	}
	for _, b := range p.buf {
		s += int(b)
	}
	if p.reset() {
		panes.Put(p)
	}
	return s, err
}
