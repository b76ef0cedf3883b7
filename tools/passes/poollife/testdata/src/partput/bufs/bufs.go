// SPDX-License-Identifier: BSD-3-Clause

// Package bufs keeps buffers in a channel, and what that has no room for in a pool.
package bufs

import (
	"sync"
	"sync/atomic"
)

type Shelf struct {
	size  uint64
	spare sync.Pool
	near  chan []byte
}

type box struct{ b []byte }

var shelf = &Shelf{size: 64, near: make(chan []byte, 8)}

func Take() []byte { return shelf.Take() }

func Give(b []byte) { shelf.Give(b) }

func (s *Shelf) Take() []byte {
	select {
	case b := <-s.near:
		return b
	default:
		if v := s.spare.Get(); v != nil {
			return v.(*box).b
		}
		return make([]byte, 0, atomic.LoadUint64(&s.size))
	}
}

func (s *Shelf) Give(b []byte) {
	b = b[:0]
	if cap(b) > 1<<20 {
		s.spare.Put(&box{b})
		return
	}
	select {
	case s.near <- b:
	default:
		s.spare.Put(&box{b})
	}
}
