package scarce // What is left over: slots that are told by a number, values of which there are no more, Puts that wait for the end of a loop, references that nobody gives up; and pools that are shared by closures.

import (
	"errors"
	"sync"
)

type res struct {
	id  int
	bad bool
	buf []byte
}

// No more are made than there may be: who finds none waits.
type limited struct {
	mu   sync.Mutex
	cond *sync.Cond
	idle []*res
	made int
	max  int
}

func (p *limited) take() *res {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) == 0 && p.made >= p.max {
		p.cond.Wait()
	}
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return r
	}
	p.made++
	return &res{id: p.made}
}

func (p *limited) give(r *res) {
	p.mu.Lock()
	p.idle = append(p.idle, r)
	p.mu.Unlock()
	p.cond.Signal()
}

func (p *limited) drop(r *res) {
	p.mu.Lock()
	p.made--
	p.mu.Unlock()
	p.cond.Signal()
}

var errBad = errors.New("bad")

func (r *res) fill(s string) error {
	if r.bad {
		return errBad
	}
	r.buf = append(r.buf[:0], s...)
	return nil
}

func filled(p *limited, s string) (*res, error) {
	r := p.take() // want `r, taken from the list idle at line 63, is not put back on the path that ends here`
	if err := r.fill(s); err != nil {
		return nil, err
	}
	return r, nil
}

func filledOrDrop(p *limited, s string) (*res, error) {
	r := p.take()
	if err := r.fill(s); err != nil {
		p.drop(r)
		return nil, err
	}
	return r, nil
}

func filledOrGive(p *limited, s string) (*res, error) {
	r := p.take()
	if err := r.fill(s); err != nil {
		p.give(r)
		return nil, err
	}
	return r, nil
}

func fillOnce(p *limited, s string) error {
	r := p.take() // want `r, taken from the list idle at line 89, is not put back on the path that ends here`
	if s == "" {
		return errBad
	}
	err := r.fill(s)
	p.give(r)
	return err
}

type holder struct {
	r *res
	p *limited
}

func (h *holder) close() { h.p.give(h.r) }

func open(p *limited) *holder { return &holder{p.take(), p} }

func openFilled(p *limited, s string) (*holder, error) {
	h := open(p) // want `h, taken from the list idle at line 108, is not put back on the path that ends here`
	if err := h.r.fill(s); err != nil {
		return nil, err
	}
	return h, nil
}

func openFilledOrClose(p *limited, s string) (_ *holder, err error) {
	h := open(p)
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if err := h.r.fill(s); err != nil {
		return nil, err
	}
	return h, nil
}
