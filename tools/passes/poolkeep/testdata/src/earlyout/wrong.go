package earlyout

import (
	"errors"
	"sync"
)

var errStop = errors.New("stop")

// Cleared behind the loop, put in a defer.

type sums struct{ by map[string]int }

var pool = sync.Pool{New: func() any { return &sums{map[string]int{}} }}

func (s *sums) add(k string, n int) { s.by[k] += n }

func report(keys []string, out func(string, int) error) error {
	s := pool.Get().(*sums)
	defer pool.Put(s) // want `field by of the pooled sums is emptied on some ways only \(line 29\)`
	for _, k := range keys {
		s.add(k, len(k))
	}
	for k, n := range s.by {
		if err := out(k, n); err != nil {
			return err
		}
	}
	clear(s.by)
	return nil
}

// By a helper; a deferred closure puts.

type seen struct {
	keys map[string]bool
	n    int
}

var seens = sync.Pool{New: func() any { return &seen{keys: map[string]bool{}} }}

func (s *seen) empty() {
	for k := range s.keys {
		delete(s.keys, k)
	}
}

func unique(list []string) (int, error) {
	s := seens.Get().(*seen)
	defer func() { seens.Put(s) }() // want `seens keeps s, put at line 50, whatever its size` `field keys of the pooled seen is emptied on some ways only`
	for _, k := range list {
		if k == "" {
			return 0, errStop
		}
		s.keys[k] = true
	}
	n := len(s.keys)
	s.empty()
	return n, nil
}

// A put of its own for the way of an error.

type batch struct{ ids []int }

var batches = sync.Pool{New: func() any { return new(batch) }}

func send(ids []int, out func([]int) error) error {
	b := batches.Get().(*batch)
	for _, id := range ids {
		b.ids = append(b.ids, id) // want `field ids of b, taken from batches at line 69, is appended to as the last user left it`
	}
	if err := out(b.ids); err != nil {
		batches.Put(b) // want `batches keeps b, put at line 74, whatever its size`
		return err
	}
	b.ids = b.ids[:0]
	batches.Put(b)
	return nil
}
