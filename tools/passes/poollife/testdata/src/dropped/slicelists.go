package dropped

import (
	"errors"
	"io"
	"sync"
)

// A list of spare pages behind a lock: a slice that serves as a pool.
type page struct {
	body []byte
	n    int
}

type pages struct {
	mu    sync.Mutex
	spare []*page
}

func (p *pages) take() *page {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := len(p.spare) - 1; k >= 0 {
		x := p.spare[k]
		p.spare[k] = nil
		p.spare = p.spare[:k]
		return x
	}
	return &page{body: make([]byte, 512)}
}

func (p *pages) give(x *page) {
	x.n = 0
	p.mu.Lock()
	p.spare = append(p.spare, x)
	p.mu.Unlock()
}

var errOdd = errors.New("odd")

func (p *pages) fill(r io.Reader) error {
	x := p.take() // want `x, taken from the list spare at line 42, is not put back on the path that ends here`
	n, err := r.Read(x.body)
	if err != nil {
		p.give(x)
		return err
	}
	if n%2 == 1 {
		return errOdd
	}
	p.give(x)
	return nil
}

func (p *pages) fillAll(r io.Reader) error {
	x := p.take()
	defer p.give(x)
	n, err := r.Read(x.body)
	if err != nil {
		return err
	}
	if n%2 == 1 {
		return errOdd
	}
	return nil
}

// The callback may say stop.
func (p *pages) each(r io.Reader, visit func([]byte) bool) error {
	for {
		x := p.take() // want `x, taken from the list spare at line 71, is not put back on the path that ends here`
		n, err := r.Read(x.body)
		if err != nil {
			p.give(x)
			return err
		}
		if !visit(x.body[:n]) {
			return nil
		}
		p.give(x)
	}
}

func (p *pages) eachOf(r io.Reader, visit func([]byte) bool) error {
	for {
		x := p.take()
		n, err := r.Read(x.body)
		more := err == nil && visit(x.body[:n])
		p.give(x)
		if !more {
			return err
		}
	}
}

// lend gives memory and what gives it back.
func (p *pages) lend() ([]byte, func()) {
	x := p.take()
	return x.body, func() { p.give(x) }
}

func (p *pages) borrow(r io.Reader) (int, error) {
	b, done := p.lend() // want `b, taken from the list spare at line 103, is not put back on the path that ends here`
	n, err := r.Read(b)
	if err != nil {
		return 0, err
	}
	done()
	return n, nil
}

func (p *pages) borrowRight(r io.Reader) (int, error) {
	b, done := p.lend()
	defer done()
	n, err := r.Read(b)
	if err != nil {
		return 0, err
	}
	return n, nil
}

// A stack of work: who finds it empty makes nothing. What is taken is done with.
type jobs struct{ todo []*page }

func (j *jobs) pop() *page {
	if len(j.todo) == 0 {
		return nil
	}
	x := j.todo[len(j.todo)-1]
	j.todo = j.todo[:len(j.todo)-1]
	return x
}

func (j *jobs) push(x *page) { j.todo = append(j.todo, x) }

func (j *jobs) run(r io.Reader) error {
	x := j.pop()
	if x == nil {
		return nil
	}
	if _, err := r.Read(x.body); err != nil {
		j.push(x)
		return err
	}
	return nil
}

// The elements are walked, too: this is more than a pool.
type roster struct{ all []*page }

func (r *roster) next() *page {
	if n := len(r.all); n > 0 {
		x := r.all[n-1]
		r.all = r.all[:n-1]
		return x
	}
	return new(page)
}

func (r *roster) add(x *page) { r.all = append(r.all, x) }

func (r *roster) sum() (n int) {
	for _, x := range r.all {
		n += x.n
	}
	return n
}

func (r *roster) drop(in io.Reader) error {
	x := r.next()
	if _, err := in.Read(x.body); err != nil {
		r.add(x)
		return err
	}
	return nil
}
