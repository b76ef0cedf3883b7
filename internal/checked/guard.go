// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"
)

var guardCalls atomic.Int64

// The lowest and the highest address that guard pages ever began at. The
// collected heap lies elsewhere, so that they rule out most slices.
var guardLow, guardHigh atomic.Uintptr

func mayBeGuarded(x uintptr) bool {
	lo, hi := guardLow.Load(), guardHigh.Load()
	return lo != 0 && lo <= x && (x <= hi || x-hi <= maxGuardBytes) // the sum may not fit 32 bits
}

// Guard returns n bytes on guard pages, for one in a number of calls, or nil. They are
// zero, and stay readable until they are put.
//
//go:norace
func (p *Pool) Guard(n uintptr) unsafe.Pointer {
	every := settings.guard.Load()
	if every == 0 || n == 0 || guardCalls.Add(1)%every != 0 {
		return nil
	}
	in := p.watched()
	if in == nil {
		return nil
	}
	got := Callers()
	lock()
	defer unlock()
	if registry.guardBytes+n > maxGuardBytes {
		return nil
	}
	pages := mapPages(n)
	if pages == nil {
		return nil
	}
	registry.guardBytes += uintptr(len(pages))
	x := unsafe.Pointer(unsafe.SliceData(pages))
	if lo := guardLow.Load(); lo == 0 || uintptr(x) < lo {
		guardLow.Store(uintptr(x))
	}
	if uintptr(x) > guardHigh.Load() {
		guardHigh.Store(uintptr(x))
	}
	in.fed = true
	registry.insert(&record{pool: in, lo: uintptr(x), hi: uintptr(x) + uintptr(len(pages)), pages: pages, got: got})
	return x
}

// enclose makes the pages of r inaccessible. The caller holds the lock.
//
//go:norace
func enclose(r *record) {
	r.state = gone
	if err := forbid(r.pages); err != nil {
		// Too many mappings, say. Nothing is lost but the guard.
		registry.remove(r)
		registry.guardBytes -= uintptr(len(r.pages))
		unmapPages(r.pages)
		return
	}
	if len(registry.guards) == maxGuards {
		old := registry.guards[0]
		copyDown(registry.guards)
		registry.guards = registry.guards[:maxGuards-1]
		registry.remove(old)
		registry.guardBytes -= uintptr(len(old.pages))
		unmapPages(old.pages)
	}
	registry.guards = grown(registry.guards, r)
}

//go:norace
func copyDown(list []*record) {
	for i := 1; i < len(list); i++ {
		list[i-1] = list[i]
	}
}

//go:norace
func grown(list []*record, r *record) []*record {
	if cap(list) == 0 {
		list = make([]*record, 0, maxGuards)
	}
	list = list[:len(list)+1]
	list[len(list)-1] = r
	return list
}

// Explain describes the memory that is or was at addr, if a pool knows it.
//
//go:norace
func Explain(addr uintptr) (text string, ok bool) {
	lock()
	r := find(addr, addr+1)
	if r == nil {
		unlock()
		return "", false
	}
	in, was, got, put, lo := r.pool, r.state, r.got, r.put, r.lo
	unlock()
	var b strings.Builder
	if was == out {
		fmt.Fprintf(&b, "spare: address %#x is byte %d of memory that %s handed out\n", addr, addr-lo, in)
	} else {
		fmt.Fprintf(&b, "spare: use after Put: address %#x is byte %d of memory that was put into %s\n", addr, addr-lo, in)
	}
	fmt.Fprintf(&b, "\nGet:\n%s", got.String())
	if put != nil {
		fmt.Fprintf(&b, "\nPut:\n%s", put.String())
	}
	b.WriteString("\nWhat to do: the line that faulted still uses a slice that was given up by this Put; copy what is needed before it, or put later\n")
	return b.String(), true
}
