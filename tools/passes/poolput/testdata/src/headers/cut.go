package headers

import (
	"io"
	"sync"
)

var pages = sync.Pool{New: func() any { return make([]byte, 4096) }}

var others = sync.Pool{New: func() any { return make([]byte, 4096) }}

// The capacity is cut to the length, and then the slice is put.

func writeCut(w io.Writer, n int) {
	b := pages.Get().([]byte)[:n]
	b = b[:len(b):len(b)]
	w.Write(b)
	pages.Put(b) // want `with its capacity cut to its length` `b, a \[\]byte, is put in pages by value`
}

func readCut(r io.Reader, use func([]byte)) {
	b := others.Get().([]byte)
	n, _ := r.Read(b)
	b = b[:n:n]
	use(b)
	others.Put(b) // want `with its capacity cut to its length` `b, a \[\]byte, is put in others by value`
}

func giveBack(b []byte) {
	if cap(b) >= 4096 {
		pages.Put(b) // want `with its capacity cut to its length` `b, a \[\]byte, is put in pages by value`
	}
}

func helperCut(w io.Writer, n int) {
	b := pages.Get().([]byte)[:n]
	b = b[:len(b):len(b)]
	w.Write(b)
	giveBack(b)
}

func someCut(w io.Writer, in <-chan []byte, bad bool) {
	for b := range in {
		if !bad {
			b = b[:len(b):len(b)]
			w.Write(b)
		}
		pages.Put(b[:0]) // want `with its capacity cut to its length` `b, a \[\]byte, is put in pages by value`
	}
}

var boxes = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func boxedCut(w io.Writer, p *[]byte, n int) {
	b := (*p)[:n]
	b = b[:len(b):len(b)]
	w.Write(b)
	boxes.Put(&b) // want `with its capacity cut to its length` `.*`
}

// A copy of the header is cut.

func writeCopy(w io.Writer, n int) {
	b := pages.Get().([]byte)[:n]
	c := b[:len(b):len(b)]
	w.Write(c)
	pages.Put(b) // want `b, a \[\]byte, is put in pages by value`
}

func readCopy(r io.Reader, use func([]byte)) {
	b := others.Get().([]byte)
	n, _ := r.Read(b)
	use(b[:n:n])
	others.Put(b) // want `b, a \[\]byte, is put in others by value`
}

// Cut to what a class promises, and to what is there.

func toClass(b []byte) {
	n := cap(b) &^ 1023
	pages.Put(b[:n:n]) // want `b, a \[\]byte, is put in pages by value`
}

func toCap(b []byte) {
	pages.Put(b[:0:cap(b)]) // want `b, a \[\]byte, is put in pages by value`
}

func toConst(b []byte) {
	if cap(b) >= 4096 {
		pages.Put(b[:4096:4096]) // want `b, a \[\]byte, is put in pages by value`
	}
}

// Made with the length that it has.
func exact(n int) {
	b := make([]byte, n)
	b = b[:len(b):len(b)]
	pages.Put(b) // want `b, a \[\]byte, is put in pages by value`
}
