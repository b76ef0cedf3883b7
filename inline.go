// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// The compiler inlines a function of internal/magazine
// into a method that is instantiated in a user's package only if this
// package's export data carries the function's body, and it carries the bodies
// that were inlined in this package, outside generic code: here. Without this
// file each Get and Put costs five calls instead of two. A test counts them.

// Pool.Put needs the body of atomic.Uint32's Load as well, Slices.Put that of
// Sample.
var (
	_ = func(mode *atomic.Uint32) uint32 { return mode.Load() }
	_ = func(s *magazine.Shard) bool { return s.Sample() }
)

// The fast paths of Get, in a form that is compiled here.
var _ = func(m *magazine.Pool) unsafe.Pointer {
	if pid := magazine.Pin(); m.Has(pid) {
		s := m.At(pid)
		if n := s.Len(); n > s.Floor() {
			x := s.Pop(n)
			magazine.Unpin()
			return x
		}
		if x := s.PopFull(); x != nil {
			magazine.Unpin()
			return x
		}
	}
	magazine.Unpin()
	return nil
}

// And of Put.
var _ = func(m *magazine.Pool, x unsafe.Pointer) bool {
	if pid := magazine.Pin(); m.Has(pid) {
		s := m.At(pid)
		if n := s.Len(); n < s.Limit() {
			s.Push(n, x)
			magazine.Unpin()
			return true
		}
		if s.PushFull(x) {
			magazine.Unpin()
			return true
		}
	}
	magazine.Unpin()
	return false
}

// tryFrom takes a value from m, whose fast path had none. It counts no miss.
func tryFrom(m *magazine.Pool) unsafe.Pointer {
	if !race.Enabled {
		return m.GetSlow(false)
	}
	race.Disable()
	x := m.GetSlow(false)
	race.Enable()
	return acquired(x)
}

// surplusFrom takes a value that those who ask for m do not need, for a user who asked for
// so many bytes.
func surplusFrom(m *magazine.Pool, asked int) unsafe.Pointer {
	if !race.Enabled {
		return m.Surplus(asked)
	}
	race.Disable()
	x := m.Surplus(asked)
	race.Enable()
	return acquired(x)
}

// acquired tells the race detector that x was taken, if it was.
func acquired(x unsafe.Pointer) unsafe.Pointer {
	if x != nil {
		race.Acquire(x)
	}
	return x
}

// putNeeded gives m, whose fast path had no room, a value of the given size, of which
// the user needed so many bytes.
func putNeeded(m *magazine.Pool, x unsafe.Pointer, size, needed int) (kept bool) {
	if !race.Enabled {
		return m.PutNeeded(x, needed)
	}
	race.WriteRange(x, size)
	race.ReleaseMerge(x)
	race.Disable()
	kept = m.PutNeeded(x, needed)
	race.Enable()
	return kept
}
