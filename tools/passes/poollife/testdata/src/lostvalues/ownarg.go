package lostvalues

import "sync"

var chunkPool = sync.Pool{New: func() any { return new(piece) }}

type piece struct{ b *[]byte }

var pieceBytes = sync.Pool{New: func() any { return new([]byte) }}

func (p *piece) fill() { p.b = pieceBytes.Get().(*[]byte) }

func (p *piece) Recycle() {
	if p.b != nil {
		pieceBytes.Put(p.b)
		p.b = nil
	}
}

type recycler interface{ Recycle() }

// What is captured is released, and not what is given.

func recycleWith[T any](newT func() T) func(T) {
	if rc, ok := any(newT()).(recycler); ok {
		return func(t T) {
			rc.Recycle() // want `the function is given t to release, but releases a value that it captured`
		}
	}
	return func(T) {}
}

func recyclePiece(make func() *piece) func(*piece) {
	proto := make()
	return func(p *piece) { proto.Recycle() } // want `the function is given p to release, but releases a value that it captured`
}

func putPiece() func(*piece) {
	proto := new(piece)
	return func(p *piece) { chunkPool.Put(proto) } // want `the function is given p to release, but releases a value that it captured`
}

type hooks struct{ free func(*piece) }

func newHooks() *hooks {
	h := &hooks{}
	sample := new(piece)
	h.free = func(p *piece) {
		defer sample.Recycle() // want `the function is given p to release, but releases a value that it captured`
	}
	return h
}

// What is given is released; the parameter is another's, or has no name.

func recycleGiven[T any](newT func() T) func(T) {
	if _, ok := any(newT()).(recycler); ok {
		return func(t T) {
			if rc, ok := any(t).(recycler); ok {
				rc.Recycle()
			}
		}
	}
	return func(T) {}
}

func recycleGivenPiece() func(*piece) { return func(p *piece) { p.Recycle() } }

func nameless() func(*piece) {
	p := new(piece)
	return func(*piece) { p.Recycle() }
}

func otherParameter() func(n int) {
	p := new(piece)
	p.fill()
	return func(n int) { p.Recycle() }
}

func itsOwn() (*piece, func(*piece)) {
	p := chunkPool.Get().(*piece)
	return p, func(q *piece) { chunkPool.Put(p) }
}
