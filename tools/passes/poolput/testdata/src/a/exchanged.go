// SPDX-License-Identifier: BSD-3-Clause

package a

import (
	"math/bits"
	"sync"
)

// Full boxes in a pool for each size, and empty ones in another: what is taken from one goes to the
// other, and back.

type parcel struct{ data []byte }

type parcels struct {
	bySize [24]sync.Pool
	empty  sync.Pool
}

func (p *parcels) take(n int) []byte {
	class := bits.Len32(uint32(n - 1))
	if x := p.bySize[class].Get(); x != nil {
		box := x.(*parcel)
		data := box.data[:n]
		box.data = nil
		p.empty.Put(x)
		return data
	}
	return make([]byte, 1<<class)[:n]
}

func (p *parcels) give(data []byte) {
	room := cap(data)
	if room == 0 || room > 1<<23 {
		return
	}
	class := bits.Len32(uint32(room)) - 1
	var box *parcel
	if x := p.empty.Get(); x != nil {
		box = x.(*parcel)
	} else {
		box = new(parcel)
	}
	box.data = data
	p.bySize[class].Put(box)
}

// One way only is none.
type letters struct{ open, sealed sync.Pool }

type letter struct{ text []byte }

func (l *letters) start() *letter {
	x, _ := l.open.Get().(*letter)
	if x == nil {
		x = new(letter)
	}
	return x
}

func (l *letters) finish(text []byte) {
	x := l.start()
	x.text = append(x.text[:0], text...)
	l.sealed.Put(x) // want `x was taken from open but is put in sealed`
}

// The same with pools of the package, by size in a slice.

var emptyParcels = sync.Pool{New: func() any { return new(parcel) }}

var fullParcels = []*sync.Pool{{New: newParcel(256)}, {New: newParcel(4096)}}

func newParcel(n int) func() any {
	return func() any {
		box := emptyParcels.Get().(*parcel)
		box.data = make([]byte, n)
		return box
	}
}

func parcelOf(k int) []byte {
	box := fullParcels[k].Get().(*parcel)
	data := box.data
	box.data = nil
	emptyParcels.Put(box)
	return data
}

func parcelBack(k int, data []byte) {
	if cap(data) != 256<<(4*k) {
		return
	}
	box := emptyParcels.Get().(*parcel)
	box.data = data
	fullParcels[k].Put(box)
}
