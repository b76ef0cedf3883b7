package pickedbyvalue

import "sync"

// Two kinds of batches, told apart by a field: a path on which one of the first kind had an index is none.

type batch struct {
	db    *db
	data  []byte
	index *int
}

type indexed struct {
	batch batch
	order int
}

type db struct{ seq uint64 }

var (
	batches = sync.Pool{New: func() any { return new(batch) }}
	sorted  = sync.Pool{New: func() any { return new(batch) }}
)

func newBatch(d *db) *batch {
	b := batches.Get().(*batch)
	b.db = d
	return b
}

func newSorted(d *db) *batch {
	b := sorted.Get().(*batch)
	b.db = d
	b.index = new(int)
	return b
}

func (b *batch) release() {
	b.db = nil
	b.data = b.data[:0]
	if b.index == nil {
		batches.Put(b)
	} else {
		b.index = nil
		sorted.Put(b)
	}
}

func (d *db) set(key []byte) int {
	b := newBatch(d)
	b.data = append(b.data, key...)
	n := len(b.data)
	b.release()
	return n
}

func (d *db) setSorted(key []byte) int {
	b := newSorted(d)
	b.data = append(b.data, key...)
	n := len(b.data)
	b.release()
	return n
}

// What decides has nothing to do with the value.

var (
	small = sync.Pool{New: func() any { return new(batch) }}
	large = sync.Pool{New: func() any { return new(batch) }}
)

func take() *batch { return small.Get().(*batch) }

func takeLarge() *batch { return large.Get().(*batch) }

func (d *db) done(b *batch) {
	if d.seq == 0 {
		small.Put(b)
	} else {
		large.Put(b)
	}
}

func (d *db) add(key []byte) int {
	b := take()
	b.data = append(b.data[:0], key...)
	n := len(b.data)
	d.done(b) // want `b was taken from small but is put in large`
	return n
}

func (d *db) addMore(key []byte) int {
	b := takeLarge()
	b.data = append(b.data[:0], key...)
	n := len(b.data)
	if b.index != nil {
		b.index = nil
	}
	small.Put(b) // want `b was taken from large but is put in small`
	return n
}
