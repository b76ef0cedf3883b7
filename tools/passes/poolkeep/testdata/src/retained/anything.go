// SPDX-License-Identifier: BSD-3-Clause

package retained

import "sync"

// A pool of anything, which boxes what it keeps: what is in a slice is known where that is put.

type anyPool[T any] struct{ p sync.Pool }

type kept[T any] struct{ v T }

func (p *anyPool[T]) get() (v T, ok bool) {
	k, ok := p.p.Get().(*kept[T])
	if !ok {
		return v, false
	}
	return k.v, true
}

func (p *anyPool[T]) put(v T) { p.p.Put(&kept[T]{v}) }

type needle struct{ name string }

type conifer struct {
	leaves anyPool[[]*needle]
	clean  anyPool[[]*needle]
	counts anyPool[[]int]
}

func (t *conifer) names(in []*needle) (n int) {
	list, _ := t.leaves.get()
	for _, l := range in {
		list = append(list, l)
	}
	for _, l := range list {
		n += len(l.name)
	}
	t.leaves.put(list[:0]) // want `field v is cut to length 0 \(line 21\) but not cleared`
	return n
}

func (t *conifer) namesCleared(in []*needle) (n int) {
	list, _ := t.clean.get()
	for _, l := range in {
		list = append(list, l)
	}
	for _, l := range list {
		n += len(l.name)
	}
	clear(list)
	t.clean.put(list[:0])
	return n
}

func (t *conifer) sum(in []int) (n int) {
	list, _ := t.counts.get()
	list = append(list, in...)
	for _, c := range list {
		n += c
	}
	t.counts.put(list[:0])
	return n
}
