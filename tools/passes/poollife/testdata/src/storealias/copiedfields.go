package storealias

import (
	"sync"
	"unsafe"
)

// A loop sets the fields of all elements to copies.

type pair struct{ name, value string }

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 1<<10); return &b }}

func lent(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func owned(list []pair) {
	for i := range list {
		list[i].name = string([]byte(list[i].name))
		list[i].value = string([]byte(list[i].value))
	}
}

func ownedNames(list []pair) {
	for i := range list {
		list[i].name = string([]byte(list[i].name))
	}
}

type pairIndex struct{ pairs []pair }

func (x *pairIndex) add(body []byte) {
	buf := bodies.Get().(*[]byte)
	*buf = append((*buf)[:0], body...)
	list := []pair{}
	for n := 0; n+4 <= len(*buf); n += 4 {
		list = append(list, pair{lent((*buf)[n : n+2]), lent((*buf)[n+2 : n+4])})
	}
	owned(list)
	x.pairs = append(x.pairs, list...)
	bodies.Put(buf)
}

// Here the values are still those of the buffer.
func (x *pairIndex) addNames(body []byte) {
	buf := bodies.Get().(*[]byte)
	*buf = append((*buf)[:0], body...)
	list := []pair{}
	for n := 0; n+4 <= len(*buf); n += 4 {
		list = append(list, pair{lent((*buf)[n : n+2]), lent((*buf)[n+2 : n+4])})
	}
	ownedNames(list)
	x.pairs = append(x.pairs, list...) // want `an element of a slice or map keeps memory of buf`
	bodies.Put(buf)
}
