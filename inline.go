// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// getFrom and putTo are the engine's Get and Put for a value of known size, with
// what the race detector has to know.
//
// They have a second use. The compiler inlines a function of internal/magazine
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

func getFrom(m *magazine.Pool) (x unsafe.Pointer) {
	if !race.Enabled {
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
		return m.GetSlow()
	}
	race.Disable()
	x = m.Get()
	race.Enable()
	if x != nil {
		race.Acquire(x)
	}
	return x
}

func putTo(m *magazine.Pool, x unsafe.Pointer, size int) (kept bool) {
	if !race.Enabled {
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
		return m.PutSlow(x)
	}
	race.WriteRange(x, size)
	race.ReleaseMerge(x)
	race.Disable()
	kept = m.Put(x)
	race.Enable()
	return kept
}
