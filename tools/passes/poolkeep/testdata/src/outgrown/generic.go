// SPDX-License-Identifier: BSD-3-Clause

package outgrown

import (
	"io"
	"sync"
)

// What a generic wrapper puts has the type that its user gave it.
type recycler[T any] struct{ pool sync.Pool }

func (r *recycler[T]) get() *T {
	if v, ok := r.pool.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (r *recycler[T]) put(v *T) { r.pool.Put(v) } // want `pages keeps v, put at line 20, whatever its size`

type page struct{ text []byte }

var pages recycler[page]

func render(w io.Writer, title string) {
	p := pages.get()
	p.text = append(append(p.text[:0], title...), '\n')
	w.Write(p.text)
	pages.put(p)
}

type smallRecycler[T any] struct{ pool sync.Pool }

func (r *smallRecycler[T]) get() *T {
	if v, ok := r.pool.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (r *smallRecycler[T]) put(v *T) { r.pool.Put(v) }

type card struct{ text []byte }

var cards smallRecycler[card]

func print(w io.Writer, title string) {
	c := cards.get()
	c.text = append(append(c.text[:0], title...), '\n')
	w.Write(c.text)
	if cap(c.text) <= 4096 {
		cards.put(c)
	}
}
