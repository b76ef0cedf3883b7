package pools

import "sync"

// Boxed keeps the boxes of its items, full ones and empty ones, in two pools.
type Boxed[T any] struct{ full, empty sync.Pool }

func (p *Boxed[T]) Get() T {
	v := p.full.Get()
	if v == nil {
		var zero T
		return zero
	}
	box := v.(*T)
	item := *box
	p.empty.Put(box)
	return item
}

func (p *Boxed[T]) Put(item T) {
	box, ok := p.empty.Get().(*T)
	if !ok {
		box = new(T)
	}
	*box = item
	p.full.Put(box)
}
