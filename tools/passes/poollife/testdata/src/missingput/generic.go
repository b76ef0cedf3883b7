package missingput

import "sync"

// Who is given a record says what becomes of it, whatever its type.

type resetter[T any] interface {
	*T
	Reset()
}

type player[T any, P resetter[T]] struct{ free sync.Pool }

func (p *player[T, P]) borrow() P {
	if r, ok := p.free.Get().(P); ok {
		return r
	}
	return P(new(T))
}

func (p *player[T, P]) release(r P) {
	r.Reset()
	p.free.Put(r)
}

func (p *player[T, P]) each(n int, f func(P) bool) {
	r := p.borrow()
	for range n {
		if f(r) {
			r = p.borrow() // it is theirs
		}
	}
	p.release(r)
}

// Wrong: nobody was given this one.
func (p *player[T, P]) first(n int, f func(P) bool) bool {
	r := p.borrow() // want `r, taken from free .* is not put back`
	if n == 0 {
		return false
	}
	ok := f(r)
	p.release(r)
	return ok
}
