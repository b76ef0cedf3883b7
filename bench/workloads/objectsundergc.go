// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"sync"

	"github.com/spare-go/spare"
)

// object is a small object with pointers in it: 80 bytes on 64-bit machines.
type object struct {
	next *object
	name string
	id   uint64
	data [6]uint64
}

func (o *object) reset() { *o = object{} }

// objectRound takes an object for each element of held, links and fills them,
// sums them up, and lets all of them go again. It leaves held cleared.
type objectRound func(held []*object, name string) uint64

func objectRoundNaive(held []*object, name string) uint64 {
	for i := range held {
		held[i] = new(object)
	}
	sum := useObjects(held, name)
	clear(held)
	return sum
}

var objects = sync.Pool{New: func() any { return new(object) }}

func objectRoundSyncPool(held []*object, name string) uint64 {
	for i := range held {
		held[i] = objects.Get().(*object)
	}
	sum := useObjects(held, name)
	for _, o := range held {
		o.reset()
		objects.Put(o)
	}
	clear(held)
	return sum
}

var spareObjects = spare.Pool[object]{Reset: (*object).reset}

func objectRoundSpare(held []*object, name string) uint64 {
	for i := range held {
		held[i] = spareObjects.Get()
	}
	sum := useObjects(held, name)
	for _, o := range held {
		spareObjects.Put(o)
	}
	clear(held)
	return sum
}

// useObjects links and fills the objects of held, which must be zero, and adds
// up what they then hold along the links: an object held twice, or not zero,
// changes the sum.
func useObjects(held []*object, name string) uint64 {
	var last *object
	for i, o := range held {
		o.next = last
		o.name = name
		o.id += uint64(i)
		for j := range o.data {
			o.data[j] += o.id
		}
		last = o
	}
	var sum uint64
	// The count ends the walk where an object held twice made a ring of the links.
	for o, left := last, len(held); o != nil && left > 0; o, left = o.next, left-1 {
		sum += o.id + uint64(len(o.name))
		for _, d := range o.data {
			sum += d
		}
	}
	return sum
}
