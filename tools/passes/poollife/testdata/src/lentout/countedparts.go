// SPDX-License-Identifier: BSD-3-Clause

package lentout

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Objects that count references and put what they hold in the end are lent as well, and a lender may do
// otherwise where the function that it called failed.

var samplePool = sync.Pool{New: func() any { return &[]float64{} }}

type samples interface {
	len() int
	retain()
	free()
}

type sampleBlock struct {
	holders atomic.Int32
	vals    *[]float64
}

func newSampleBlock(vals []float64) *sampleBlock {
	if len(vals) > 1024 {
		vals = vals[:1024]
	}
	p := samplePool.Get().(*[]float64)
	*p = append((*p)[:0], vals...)
	b := &sampleBlock{vals: p}
	b.holders.Store(1)
	return b
}

func (b *sampleBlock) len() int { return len(*b.vals) }

func (b *sampleBlock) retain() { b.holders.Add(1) }

func (b *sampleBlock) free() {
	if b.holders.Add(-1) == 0 && cap(*b.vals) <= 1024 {
		samplePool.Put(b.vals)
	}
}

type series interface {
	walk(f func(s samples) error) error
}

type blocks struct{ list []*sampleBlock }

// walk frees each block after f, and all that are left where f fails.
func (b *blocks) walk(f func(s samples) error) error {
	for n, block := range b.list {
		if err := f(block); err != nil {
			for _, rest := range b.list[n+1:] {
				rest.free()
			}
			return err
		}
		block.free()
	}
	return nil
}

var errShort = errors.New("short")

func count(all []series) (n int, err error) {
	for _, s := range all {
		if err := s.walk(func(s samples) error {
			n += s.len()
			s.free() // want `s is released here and again by walk, which only lends it`
			return nil
		}); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// countLent leaves that to walk.
func countLent(all []series) (n int, err error) {
	for _, s := range all {
		if err := s.walk(func(s samples) error {
			n += s.len()
			return nil
		}); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// countLong frees what walk leaves to it: the block for which it fails.
func countLong(all []series) (n int, err error) {
	for _, s := range all {
		err = s.walk(func(s samples) error {
			if s.len() < 10 {
				s.free()
				return errShort
			}
			n += s.len()
			return nil
		})
	}
	return n, err
}

// countRetained frees its own reference.
func countRetained(all []series) (n int, err error) {
	for _, s := range all {
		err = s.walk(func(s samples) error {
			s.retain()
			n += s.len()
			s.free()
			return nil
		})
	}
	return n, err
}
