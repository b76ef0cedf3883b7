// SPDX-License-Identifier: BSD-3-Clause

//go:build !spare_checked

// Package checked is the switch of the checked build (-tags spare_checked), in
// which misuse of pooled memory is found and reported, and what finds it.
// Without the tag Enabled is a false constant, and what depends on it is not
// compiled.
package checked

import "unsafe"

// Enabled reports whether this is a checked build.
const Enabled = false

// Poison overwrites released memory.
func Poison(p []byte) {}

// Poisoned reports whether p is as Poison left it.
func Poisoned(p []byte) bool { return true }

// A Pool is what the checks know about one pool. It takes no room.
type Pool struct{}

// A Kind says what the checks may do with the memory of a pool.
type Kind struct {
	Type        string // "Pool[T]" or "Slices[E]"
	Name        string
	Slices      bool // Put takes memory of any origin
	PointerFree bool
	Wiped       bool // Put leaves nothing but zeros
	Drop        bool // values that leave are handed to a callback
	Foreign     bool // Get returns memory of any origin

	Restore func(x, saved unsafe.Pointer) // sets a value to what was saved
}

// An Outcome says what is to be done with a value that is put.
type Outcome int

const (
	Proceed Outcome = iota // it is given up
	Ignore                 // misuse, which was reported
	Guarded                // it is on guard pages, and taken care of
)

// Use is called at the first use of the pool at owner.
func (p *Pool) Use(owner unsafe.Pointer, k Kind) {}

// Ref returns a Pool that stands for p and does not keep it alive.
func (p *Pool) Ref() *Pool { return p }

// Got notes that new memory of n bytes at x is handed out.
func (p *Pool) Got(x unsafe.Pointer, n uintptr) {}

// Again verifies x, which was idle, and reports whether it may be handed out.
func (p *Pool) Again(x unsafe.Pointer) bool { return true }

// Putting checks a Put of n bytes at x.
func (p *Pool) Putting(x unsafe.Pointer, n uintptr) Outcome { return Proceed }

// Wipes reports whether a value that is put, and that nobody but its users knows, is
// to be copied and set to zero, before Keeping: because no user wants what it was.
func (p *Pool) Wipes() bool { return false }

// Keeping notes that x is about to become idle, and that n bytes of it must not change
// until it is not. saved is what it was before it was wiped, or nil.
func (p *Pool) Keeping(x unsafe.Pointer, n uintptr, saved unsafe.Pointer) {}

// LetGo notes that the pool does not hold x any more.
func (p *Pool) LetGo(x unsafe.Pointer) {}

// MakesNone notes that Get returned nil: its callers make values.
func (p *Pool) MakesNone() {}

// Guard returns n bytes on guard pages, for one in a number of calls, or nil.
func (p *Pool) Guard(n uintptr) unsafe.Pointer { return nil }

// Exempt leaves the pool at owner without checks.
func Exempt(owner unsafe.Pointer) {}

// Outstanding returns the stacks of the Gets of what the pool at owner handed out and
// did not get back, each with how often it occurs, the most frequent first.
func Outstanding(owner unsafe.Pointer) []Stack { return nil }

// A Stack is a call stack that was seen Count times.
type Stack struct {
	Count int
	Text  string
}

// SetHandler has f called with each report, or lets it panic if f is nil. It
// returns the handler before.
func SetHandler(f func(report string)) (old func(report string)) { return nil }

// Report makes a report of misuse that the caller found.
func Report(what, advice string, stacks ...Section) {}

// A Section of a report is a stack with a title.
type Section struct {
	Title string
	Trace *Trace
}

// A Trace is a call stack.
type Trace struct{}

// Callers returns the stack of the caller.
func Callers() *Trace { return nil }

// Sweep verifies all idle memory now.
func Sweep() {}

// Explain describes the memory that is or was at addr, if a pool knows it.
func Explain(addr uintptr) (text string, ok bool) { return "", false }

// Traces are the stacks of the last Get and the last Put of something that watches
// itself.
type Traces struct{}

// Get and Put note the stack of the caller.
func (t *Traces) Get() {}
func (t *Traces) Put() {}

// Bury keeps memory for a while that was released for ever and filled by Poison, to
// see whether it is written to.
func (t *Traces) Bury(p []byte) {}

// Unreported reports whether nobody has reported yet that p, which was given to
// Bury, was written to.
func Unreported(p []byte) bool { return true }

// Sections are the stacks for a report.
func (t *Traces) Sections() []Section { return nil }
