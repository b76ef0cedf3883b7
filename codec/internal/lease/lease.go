// SPDX-License-Identifier: BSD-3-Clause

// Package lease is what gzippool and zstdpool have in common: codecs that are
// lent for a turn, and that no late user of an earlier turn can reach.
//
// A codec lies outside of what its pool keeps. A handle that is used after its
// turn comes as far as the lease's state, where it finds another turn's number,
// while nobody may touch memory that is in a pool.
//
// # Calls
//
// One word holds the number of the turn and whether a call is under way. Nobody
// waits for it: a call runs the user's reader or writer, which may block for
// ever, and which may use the handle itself. So a second call is refused while
// one is under way, and End leaves the codec to the call: whoever clears the
// busy bit, and finds that the turn is over, gives the codec back. Up to then
// the codec is in no pool, and afterwards nobody has the number of its turn.
package lease

import (
	"sync/atomic"

	"github.com/spare-go/spare"
)

// A Codec is what is lent. Its methods are called by whoever may use it.
type Codec interface {
	// Whole reports whether it may serve another user.
	Whole() bool
	// Forget lets go of all that is the user's. It may find that the codec is not
	// whole.
	Forget()
	// Size returns how many bytes the codec holds, or somewhat more. It does not
	// change while the codec is idle.
	Size() int
}

// A Pool keeps idle codecs of one kind.
type Pool[C Codec] struct{ idle spare.Pool[slot[C]] }

type slot[C Codec] struct{ lease *Lease[C] }

// A Lease is a codec with the number of the turn that it is in.
type Lease[C Codec] struct {
	Codec C

	state atomic.Uint64 // the turn's number, a multiple of oneTurn, and busy
	home  *Pool[C]
	slot  *slot[C]
}

const (
	busy    = 1 // a call is under way, of this turn or of the one before
	oneTurn = 2
)

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
func (l *Lease[C]) Handle() Handle[C] { return Handle[C]{l, l.state.Load()} }

// Enter begins a call and returns the codec's lease. It returns nil if the turn of
// h is over, or if another call is under way. Which of them it is, Over tells.
// Each Enter that returned a lease is followed by Leave or Finish, also after a
// panic.
func (h Handle[C]) Enter() *Lease[C] {
	if h.lease != nil && h.lease.state.CompareAndSwap(h.turn, h.turn|busy) {
		return h.lease
	}
	return nil
}

// Leave ends the call, and gives the codec back if its turn has ended meanwhile.
func (h Handle[C]) Leave() {
	l := h.lease
	if l.state.CompareAndSwap(h.turn|busy, h.turn) {
		return
	}
	h.Finish()
}

// Finish ends the call and its turn, and gives the codec back.
func (h Handle[C]) Finish() {
	h.lease.state.Store(h.turn + oneTurn)
	h.lease.Return()
}

// End ends the turn. The codec goes back now or, if a call is under way, at the end of
// that, which may be the caller's own. End reports whether the turn was not over
// before.
func (h Handle[C]) End() bool {
	for l := h.lease; !h.Over(); {
		if l.state.CompareAndSwap(h.turn|busy, (h.turn+oneTurn)|busy) {
			return true
		}
		if l.state.CompareAndSwap(h.turn, h.turn+oneTurn) {
			l.Return()
			return true
		}
	}
	return false
}

// Over reports whether the turn of h is over.
func (h Handle[C]) Over() bool {
	return h.lease == nil || h.lease.state.Load()&^busy != h.turn
}

// Return gives back a codec of whose turn there is no handle.
func (l *Lease[C]) Return() {
	l.Codec.Forget()
	l.home.idle.Put(l.slot)
}

// Stats returns the sum of the stats of all codecs.
func Stats[E, D Codec](encoders []Pool[E], decoders *Pool[D]) spare.Stats {
	sum := decoders.idle.Stats()
	for i := range encoders {
		sum = sum.Plus(encoders[i].idle.Stats())
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
