package dropped

import (
	"container/heap"
	"sync"
)

type cursor interface {
	Advance() bool
	Key() int
	Close()
}

type listCursor struct {
	keys []int
	at   int
}

var cursors = sync.Pool{New: func() any { return new(listCursor) }}

func newCursor(keys []int) cursor {
	c := cursors.Get().(*listCursor)
	c.keys, c.at = keys, 0
	return c
}

func (c *listCursor) Advance() bool { c.at++; return c.at < len(c.keys) }
func (c *listCursor) Key() int      { return c.keys[c.at] }
func (c *listCursor) Close()        { c.keys = nil; cursors.Put(c) }

type byKey []cursor

func (h byKey) Len() int           { return len(h) }
func (h byKey) Less(i, j int) bool { return h[i].Key() < h[j].Key() }
func (h byKey) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byKey) Push(x any)        { *h = append(*h, x.(cursor)) }
func (h *byKey) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type merge struct{ heap byKey }

func (m *merge) add(keys []int) { heap.Push(&m.heap, newCursor(keys)) }

func (m *merge) Advance() {
	if m.heap[0].Advance() {
		heap.Fix(&m.heap, 0)
		return
	}
	heap.Pop(&m.heap) // want `what is taken off heap is dropped: elements that stay there are put in the end`
}

func (m *merge) AdvanceRight() {
	if m.heap[0].Advance() {
		heap.Fix(&m.heap, 0)
		return
	}
	heap.Pop(&m.heap).(cursor).Close()
}

func (m *merge) AdvanceFirst() {
	if c := m.heap[0]; !c.Advance() {
		c.Close()
		heap.Remove(&m.heap, 0)
	}
}

func (m *merge) Take() cursor {
	c := m.heap[0]
	heap.Pop(&m.heap)
	return c
}

func (m *merge) Close() {
	for _, c := range m.heap {
		c.Close()
	}
	m.heap = nil
}

// Nobody closes what is in this one: its elements are somebody else's.
type view struct{ shown byKey }

func (v *view) next() {
	if !v.shown[0].Advance() {
		heap.Pop(&v.shown)
	}
}
