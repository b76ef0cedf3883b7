// Package spare is a stub of the real package's interface.
package spare

type Pool[T any] struct{ New func() *T }

func (p *Pool[T]) Get() *T  { return new(T) }
func (p *Pool[T]) Put(x *T) {}

func (p *Pool[T]) PutFrom(x **T) { *x = nil }

type Slices[E any] struct{ MaxCap int }

func (p *Slices[E]) Get(n int) []E         { return make([]E, 0, n) }
func (p *Slices[E]) Put(s []E)             {}
func (p *Slices[E]) PutFrom(s *[]E)        { *s = nil }
func (p *Slices[E]) Grow(s []E, n int) []E { return s }
