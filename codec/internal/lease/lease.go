// SPDX-License-Identifier: BSD-3-Clause

// Package lease is what gzippool and zstdpool have in common: codecs that are
// lent for a turn, and that no late user of an earlier turn can reach.
//
// A codec lies outside of what its pool keeps. A handle that is used after its
// turn comes as far as the codec's lock, where it finds another turn's number, while
// nobody may touch memory that is in a pool.
package lease

import (
	"sync"

	"github.com/spare-go/spare"
)

// A Codec is what is lent. Its methods are called by the owner of a turn.
type Codec interface {
	// Whole reports whether it may serve another user.
	Whole() bool
	// Forget lets go of all that is the user's. It may find that the codec is not
	// whole.
	Forget()
	// Size returns about how many bytes the codec holds.
	Size() int
}

// A Pool keeps idle codecs of one kind.
type Pool[C Codec] struct{ idle spare.Pool[slot[C]] }

type slot[C Codec] struct{ lease *Lease[C] }

// A Lease is a codec with the number of the turn that it is in.
type Lease[C Codec] struct {
	Codec C

	mu   sync.Mutex
	turn uint64
	home *Pool[C]
	slot *slot[C]
}

// A Handle is the right to a codec for one turn. That of the zero Handle is over.
type Handle[C Codec] struct {
	lease *Lease[C]
	turn  uint64
}

// Init makes p ready. It is called once, before any other method but Stats and
// Drain.
func (p *Pool[C]) Init(name string, maxIdle int, newCodec func() C) {
	p.idle.New = func() *slot[C] {
		l := &Lease[C]{Codec: newCodec(), home: p}
		l.slot = &slot[C]{l}
		return l.slot
	}
	p.idle.Keep = func(s *slot[C]) bool { return s.lease.Codec.Whole() }
	p.idle.Size = func(s *slot[C]) int { return s.lease.Codec.Size() }
	p.idle.MaxIdle = maxIdle
	p.idle.Name = name
}

// Get begins a turn.
func (p *Pool[C]) Get() *Lease[C] { return p.idle.Get().lease }

// Handle returns the handle for the turn that the caller has begun.
func (l *Lease[C]) Handle() Handle[C] { return Handle[C]{l, l.turn} }

// Lock locks the codec and returns it if the turn of h is not over, and nil
// otherwise.
func (h Handle[C]) Lock() *Lease[C] {
	l := h.lease
	if l == nil {
		return nil
	}
	l.mu.Lock()
	if l.turn != h.turn {
		l.mu.Unlock()
		return nil
	}
	return l
}

// Unlock ends what Lock began.
func (l *Lease[C]) Unlock() { l.mu.Unlock() }

// Return ends the turn, unlocks the codec and gives it back.
func (l *Lease[C]) Return() {
	l.turn++
	l.Codec.Forget()
	l.mu.Unlock()
	l.home.idle.Put(l.slot)
}

// End is Return for a turn of which there is no handle, and without the lock.
func (l *Lease[C]) End() {
	l.Codec.Forget()
	l.home.idle.Put(l.slot)
}

// Stats returns the sum of the stats of all codecs.
func Stats[E, D Codec](encoders []Pool[E], decoders *Pool[D]) spare.Stats {
	sum := decoders.idle.Stats()
	for i := range encoders {
		s := encoders[i].idle.Stats()
		sum.Gets += s.Gets
		sum.News += s.News
		sum.Puts += s.Puts
		sum.Drops += s.Drops
		sum.Idle += s.Idle
		sum.IdleBytes += s.IdleBytes
	}
	return sum
}

// Drain lets every idle codec go.
func Drain[E, D Codec](encoders []Pool[E], decoders *Pool[D]) {
	for i := range encoders {
		encoders[i].idle.Drain()
	}
	decoders.idle.Drain()
}
