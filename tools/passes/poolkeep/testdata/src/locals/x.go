package locals

import (
	"encoding/json"
	"sync"
)

type form struct {
	Names []string `json:"names"`
	Count int      `json:"count"`
}

// A pool of a function, used by the closure that it returns.
func decodes() func([]byte) (int, error) {
	forms := sync.Pool{New: func() any { return new(form) }}
	return func(b []byte) (int, error) {
		f := forms.Get().(*form)
		defer forms.Put(f)
		if err := json.Unmarshal(b, f); err != nil { // want `f, taken from forms at line 17, is decoded into without a reset`
			return 0, err
		}
		return len(f.Names) + f.Count, nil
	}
}

// Two closures deep.
func decodesDeep() func() func([]byte) (int, error) {
	var forms sync.Pool
	forms.New = func() any { return new(form) }
	return func() func([]byte) (int, error) {
		return func(b []byte) (int, error) {
			f := forms.Get().(*form)
			defer forms.Put(f)
			err := json.Unmarshal(b, f) // want `f, taken from forms at line 32, is decoded into without a reset`
			return f.Count, err
		}
	}
}

// Right: emptied first.
func empties() func([]byte) (int, error) {
	forms := sync.Pool{New: func() any { return new(form) }}
	return func(b []byte) (int, error) {
		f := forms.Get().(*form)
		defer forms.Put(f)
		*f = form{}
		err := json.Unmarshal(b, f)
		return len(f.Names) + f.Count, err
	}
}

// Right: every field is set.
func sets() func([]byte) (int, error) {
	forms := sync.Pool{New: func() any { return new(form) }}
	return func(b []byte) (int, error) {
		f := forms.Get().(*form)
		defer forms.Put(f)
		f.Names, f.Count = nil, 0
		err := json.Unmarshal(b, f)
		return len(f.Names) + f.Count, err
	}
}

// Not known: others have the pool.
func lends(keep func(*sync.Pool)) func([]byte) (int, error) {
	forms := sync.Pool{New: func() any { return new(form) }}
	keep(&forms)
	return func(b []byte) (int, error) {
		f := forms.Get().(*form)
		defer forms.Put(f)
		err := json.Unmarshal(b, f)
		return len(f.Names) + f.Count, err
	}
}

// A batch asks for a capacity when it is put, but extends nothing.

type batch struct {
	keys  []*form
	total int
}

func (b *batch) reset() {
	b.total = 0
	b.keys = b.keys[:0]
}

var batches = sync.Pool{New: func() any { return &batch{keys: make([]*form, 0, 64)} }}

func (b *batch) add(f *form) {
	b.keys = append(b.keys, f)
	b.total += f.Count
}

func release(b *batch) {
	if cap(b.keys) > 64 {
		return
	}
	b.reset()
	batches.Put(b) // want `b\.keys is cut to length 0 \(line 85\) but not cleared before it goes to batches \(line 100\)`
}

func sum(fs []*form) int {
	b := batches.Get().(*batch)
	for _, f := range fs {
		b.add(f)
	}
	n := b.total
	release(b)
	return n
}
