// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What is swapped out of an atomic pointer is not its swapper's alone: somebody who loaded
// the pointer before may still read through it. Without a count of readers, or a wait for
// them, it is the garbage collector's to take back, not a pool's.

// A cellUse is a call of an atomic operation on a pointer in a field or variable.
type cellUse struct {
	call *ssa.Call
	cell types.Object
	op   string // Load, Swap, CompareAndSwap or Store
}

// judgeLockFree reports values that are put after they were swapped out of an atomic pointer
// that others load and read through.
func (a *analysis) judgeLockFree() {
	s := a.uses().sites
	var all []cellUse
	for c := range a.productCalls() {
		if u, ok := atomicCell(c); ok {
			all = append(all, u)
		}
	}
	if len(all) == 0 {
		return
	}
	for c := range a.productCalls() {
		if _, isGo := c.(*ssa.Go); isGo {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			if out := a.swappedOut(unboxed(c.Common().Args[n]), c, all); out != nil {
				a.checkSwappedOut(c, *out, all)
			}
		}
	}
}

// atomicCell tells which pointer an atomic operation works on.
func atomicCell(i ssa.CallInstruction) (cellUse, bool) {
	c, ok := i.(*ssa.Call)
	f := calledMethod(i)
	if !ok || f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || len(c.Call.Args) == 0 {
		return cellUse{}, false
	}
	op := strings.TrimSuffix(f.Name(), "Pointer")
	if !slices.Contains([]string{"Load", "Swap", "CompareAndSwap", "Store"}, op) {
		return cellUse{}, false
	}
	if recv := f.Signature().Recv(); recv != nil && !strings.HasPrefix(strings.TrimPrefix(types.TypeString(recv.Type(), nil), "*sync/atomic."), "Pointer") && !strings.HasSuffix(types.TypeString(recv.Type(), nil), ".Value") {
		return cellUse{}, false
	}
	switch x := c.Call.Args[0].(type) {
	case *ssa.FieldAddr:
		return cellUse{c, fieldAt(x), op}, true
	case *ssa.Global:
		return cellUse{c, x.Object(), op}, x.Object() != nil
	}
	return cellUse{}, false
}

// swappedOut is the operation that took a value out of an atomic pointer, on every way to
// where it is put.
func (a *analysis) swappedOut(v ssa.Value, put ssa.CallInstruction, all []cellUse) *cellUse {
	v = a.whatIs(v, 0)
	for k := range all {
		u := &all[k]
		if v != ssa.Value(u.call) {
			continue
		}
		if u.op == "Swap" {
			return u
		}
		for _, o := range all {
			if o.cell == u.cell && o.op == "CompareAndSwap" && o.call.Parent() == u.call.Parent() && len(o.call.Call.Args) > 1 &&
				a.whatIs(unboxed(o.call.Call.Args[1]), 0) == v && (put.Parent() != o.call.Parent() || o.call.Block().Dominates(put.Block())) {
				return u
			}
		}
	}
	return nil
}

// whatIs follows a value through boxes, assertions and variables that are set once to what
// made it.
func (a *analysis) whatIs(v ssa.Value, depth int) ssa.Value {
	if depth > 8 {
		return v
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return a.whatIs(x.X, depth+1)
	case *ssa.ChangeType:
		return a.whatIs(x.X, depth+1)
	case *ssa.Convert:
		return a.whatIs(x.X, depth+1)
	case *ssa.TypeAssert:
		return a.whatIs(x.X, depth+1)
	case *ssa.Extract:
		if t, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 0 {
			return a.whatIs(t.X, depth+1)
		}
	case *ssa.UnOp:
		switch addr := x.X.(type) {
		case *ssa.Alloc:
			if only := storedOnce(addr); only != nil {
				return a.whatIs(only, depth+1)
			}
		case *ssa.FreeVar:
			if m := calledInPlace(addr.Parent()); m != nil {
				if w := a.captured(x, m); w != nil {
					return a.whatIs(w, depth+1)
				}
			}
		}
	}
	return v
}

// storedOnce is what the variable at an address is set to, in the one place where it is.
func storedOnce(al ssa.Value) ssa.Value {
	var only ssa.Value
	for _, r := range referrers(al) {
		if st, ok := r.(*ssa.Store); ok && st.Addr == al {
			if only != nil {
				return nil
			}
			only = st.Val
		}
	}
	return only
}

// calledInPlace is where a literal is made that is only called, now or when the function
// around it returns.
func calledInPlace(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() == nil {
		return nil
	}
	for i := range instrsOf(fn.Parent()) {
		m, ok := i.(*ssa.MakeClosure)
		if !ok || m.Fn != fn {
			continue
		}
		for _, r := range referrers(m) {
			switch r := r.(type) {
			case *ssa.Defer:
				if r.Call.Value != ssa.Value(m) {
					return nil
				}
			case *ssa.Call:
				if r.Call.Value != ssa.Value(m) {
					return nil
				}
			default:
				return nil
			}
		}
		return m
	}
	return nil
}

// checkSwappedOut looks for readers of the pointer that do not hold off the Put.
func (a *analysis) checkSwappedOut(put ssa.CallInstruction, out cellUse, all []cellUse) {
	if waitsForOthers(out.call.Parent()) || waitsForOthers(put.Parent()) {
		return
	}
	for i := range instrsOf(out.call.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || !countsDown(c) || !precedes(c, out.call) {
			continue
		}
		if slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool { _, tested := r.(*ssa.BinOp); return tested }) {
			return // of those who counted themselves, the last
		}
	}
	changes, loads := map[*ssa.Function]bool{}, map[*ssa.Function]int{}
	for _, u := range all {
		if u.cell == out.cell && u.op != "Load" {
			changes[u.call.Parent()] = true
		} else if u.cell == out.cell {
			loads[u.call.Parent()]++ // twice to see whether what it read is valid
		}
	}
	for _, u := range all {
		if u.cell != out.cell || u.op != "Load" || changes[u.call.Parent()] || loads[u.call.Parent()] > 1 || locked(u.call) && locked(out.call) {
			continue
		}
		read := a.readThrough(u.call, 0)
		if read == nil {
			continue
		}
		a.reportFound(finding{
			pattern: goroutineUse, pos: instrPos(put), fn: put.Parent(),
			message: fmt.Sprintf("%s is put while who loaded that pointer before may still read it (%s)", apposed(a.putNameAt(put), "swapped out of "+out.cell.Name()+" at "+a.line(instrPos(out.call)), "what was swapped out of "+out.cell.Name()), a.line(instrPos(read))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(out.call), Message: "taken out here"},
				{Pos: instrPos(u.call), Message: "loaded here"},
				{Pos: instrPos(read), Message: "read here"},
			},
		})
		return
	}
}

// readThrough is the instruction that uses what a loaded pointer points to, where that is
// done without any sign of a count or state by which the reader holds it.
func (a *analysis) readThrough(v ssa.Value, depth int) (read ssa.Instruction) {
	if v.Referrers() == nil || depth > 3 {
		return nil
	}
	note := func(i ssa.Instruction) {
		if read == nil && instrPos(i).IsValid() {
			read = i
		}
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, u := range referrers(r) {
				switch u := u.(type) {
				case *ssa.UnOp:
					note(u)
				case ssa.CallInstruction:
					if f := calledMethod(u); f == nil || f.Pkg() == nil || f.Pkg().Path() == "sync/atomic" || f.Pkg().Path() == "sync" {
						return nil
					}
				}
			}
		case *ssa.UnOp:
			note(r)
		case *ssa.TypeAssert, *ssa.ChangeType, *ssa.Convert:
			w := r.(ssa.Value)
			if i := a.readThrough(w, depth+1); i != nil {
				note(i)
			}
		case *ssa.Extract:
			if i := a.readThrough(r, depth+1); i != nil {
				note(i)
			}
		case ssa.CallInstruction:
			if a.countsUp(r) {
				return nil
			}
			fn := a.calledFunction(r)
			if fn == nil {
				continue
			}
			for k, x := range r.Common().Args {
				if x == v && k < len(fn.Params) && depth < 3 {
					if a.readThrough(fn.Params[k], depth+1) != nil {
						note(r)
					}
				}
			}
		}
	}
	return read
}

// waitsForOthers reports whether a function waits for something, which may be readers.
func waitsForOthers(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Select:
			return true
		case *ssa.UnOp:
			if _, isChan := i.X.Type().Underlying().(*types.Chan); isChan {
				return true
			}
		case ssa.CallInstruction:
			if f := calledMethod(i); f != nil && (strings.Contains(f.Name(), "Wait") || f.Name() == "Sleep" || strings.Contains(f.Name(), "Synchronize") || f.Name() == "Gosched") {
				return true
			}
		}
	}
	return false
}
