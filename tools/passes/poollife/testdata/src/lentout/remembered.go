package lentout

import "sync"

type page struct{ text []byte }

var pages = sync.Pool{New: func() any { return new(page) }}

// shown is what was rendered last.
var shown []byte

func show(b []byte) { shown = b }

// A function that keeps its argument in a variable of the package puts nothing.
func render(name string) int {
	p := pages.Get().(*page)
	p.text = append(p.text[:0], name...)
	n := len(p.text)
	show([]byte(name))
	pages.Put(p)
	return n
}

func renderAndKeep(name string) {
	p := pages.Get().(*page)
	p.text = append(p.text[:0], name...)
	show(p.text) // want `variable shown keeps memory of p`
	pages.Put(p)
}
