package a

import "sync"

type line struct {
	buf  []byte
	boot [64]byte
}

var lines = sync.Pool{New: func() any {
	l := &line{}
	l.buf = l.boot[:0] // want `field buf is made a slice of its own struct's array boot for a pool`
	return l
}}

type word struct {
	text struct{ buf []byte }
	boot [16]byte
}

func newWord() *word {
	w := new(word)
	w.init()
	return w
}

func (w *word) init() {
	w.text.buf = w.boot[:0] // want `field buf is made a slice of its own struct's array boot for a pool`
}

var words sync.Pool

func init() { words.New = func() any { return newWord() } }

type page struct {
	buf  []byte
	boot [64]byte
}

// A pool of something else.
func newPage() *page {
	p := &page{}
	p.buf = p.boot[:0]
	return p
}

type sheet struct {
	buf  []byte
	next *sheet
	boot [64]byte
}

// The array is that of another sheet, and the slice of the last is made.
var sheets = sync.Pool{New: func() any {
	s := &sheet{buf: make([]byte, 0, 64), next: new(sheet)}
	s.buf = s.next.boot[:0]
	return s
}}
