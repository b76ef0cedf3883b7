// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
)

// A Trace is a call stack.
type Trace struct {
	n  int
	pc [24]uintptr
}

// Callers returns the stack of the caller.
//
//go:norace
func Callers() *Trace {
	t := new(Trace)
	t.n = runtime.Callers(2, t.pc[:])
	return t
}

// String returns the stack with a line for each function and one for its place,
// without what belongs to the pools at its top.
//
//go:norace
func (t *Trace) String() string {
	if t == nil || t.n == 0 {
		return "\t(not known)\n"
	}
	pcs := make([]uintptr, t.n)
	for i := range pcs {
		pcs[i] = t.pc[i]
	}
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for more, top := true, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if top && more && ours(f.Function) {
			continue
		}
		top = false
		if f.Function == "runtime.goexit" || f.Function == "runtime.main" {
			continue
		}
		fmt.Fprintf(&b, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
	}
	if t.n == len(t.pc) {
		b.WriteString("\t...\n")
	}
	return b.String()
}

// ours reports whether a function is the pools' own.
func ours(name string) bool {
	return strings.HasPrefix(name, "github.com/spare-go/spare.") ||
		strings.HasPrefix(name, "github.com/spare-go/spare/internal/checked.") ||
		strings.HasPrefix(name, "github.com/spare-go/spare/buffer.") ||
		strings.HasPrefix(name, "github.com/spare-go/spare/internal/magazine.")
}

// A Section of a report is a stack with a title.
type Section struct {
	Title string
	Trace *Trace
}

// Report makes a report of misuse that the caller found.
func Report(what, advice string, stacks ...Section) {
	var b strings.Builder
	fmt.Fprintf(&b, "spare: %s\n", what)
	for _, s := range stacks {
		switch {
		case s.Trace != nil:
			fmt.Fprintf(&b, "\n%s:\n%s", s.Title, s.Trace.String())
		case s.Title == "Get":
			b.WriteString("\nGet:\n\t(none: append, make or new made it, and no Get returned it)\n")
		}
	}
	fmt.Fprintf(&b, "\nWhat to do: %s\n", advice)
	if h := handler.Load(); h != nil {
		(*h)(b.String())
		return
	}
	panic(b.String())
}

var handler atomic.Pointer[func(string)]

// SetHandler has f called with each report, or lets it panic if f is nil. It
// returns the handler before.
func SetHandler(f func(report string)) (old func(report string)) {
	var h *func(string)
	if f != nil {
		h = &f
	}
	if p := handler.Swap(h); p != nil {
		old = *p
	}
	return old
}

// Traces are the stacks of the last Get and the last Put of something that watches
// itself.
type Traces struct{ get, put atomic.Pointer[Trace] }

// Get and Put note the stack of the caller.
func (t *Traces) Get() {
	if !settings.guardOnly.Load() {
		t.get.Store(Callers())
		t.put.Store(nil)
	}
}

func (t *Traces) Put() {
	if !settings.guardOnly.Load() {
		t.put.Store(Callers())
	}
}

// Sections are the stacks for a report.
func (t *Traces) Sections() (s []Section) {
	if g := t.get.Load(); g != nil {
		s = append(s, Section{"Get", g})
	}
	if p := t.put.Load(); p != nil {
		s = append(s, Section{"Release", p})
	}
	return s
}
