// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function that outgrows what a field holds takes something larger from the pool, copies,
// and sets the field: what was there is lost if nothing was done with it but read.

// replacesRead reports whether a path set a field of its receiver to t while the field held
// something that was only read from.
func (a *analysis) replacesRead(st *state, addr, t *sym) bool {
	fn := a.root
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || addr.a.kind != kParam || addr.a.obj != any(fn.Params[0]) {
		return false
	}
	old := a.syms.find(symKey{kind: kLoad, a: addr})
	ev := st.stores[addr]
	f, ok := addr.obj.(*types.Var)
	if old == nil || ev == nil || !ok || a.fields0.seen[addr] || st.epochOf(addr) > 0 || asksSibling(st, addr) || st.measured[t] > forRoom {
		return false
	}
	if _, isPtr := f.Type().Underlying().(*types.Pointer); !isPtr {
		return false
	}
	if a.released(st, old) != nil || st.gone[old] || st.gone[addr.a] || st.handed[old] {
		return false
	}
	// Read through, it is not nil.
	if isNil, known := a.known(st, a.syms.nilTest(old)); known && isNil {
		return false
	}
	through := false
	for _, i := range append(ev.stack[:len(ev.stack):len(ev.stack)], nil) {
		g := fn
		if i != nil {
			g = i.Parent()
		}
		reads, only := readOnlyIn(g, f)
		if !only {
			return false
		}
		through = through || reads
	}
	return through
}

// readOnlyIn reports whether a function reads through what a field holds, and whether it does
// nothing else with it.
func readOnlyIn(fn *ssa.Function, f *types.Var) (reads, only bool) {
	for i := range instrsOf(fn) {
		l, ok := i.(*ssa.UnOp)
		if !ok || l.Op != token.MUL || nthFieldOf(l) != f.Origin() {
			continue
		}
		if !staysThere(l, 0) {
			return reads, false
		}
		for _, r := range referrers(l) {
			if fa, ok := r.(*ssa.FieldAddr); ok {
				reads = true
				if !partsBorrowed(fa) {
					return reads, false
				}
			} else if part, ok := r.(*ssa.UnOp); ok && !borrowed(part, 0) {
				return reads, false
			}
		}
	}
	return reads, true
}

// partsBorrowed reports whether what is read from a field goes nowhere.
func partsBorrowed(fa *ssa.FieldAddr) bool {
	for _, r := range referrers(fa) {
		if l, ok := r.(*ssa.UnOp); ok && !borrowed(l, 0) {
			return false
		}
	}
	return true
}

// borrowed reports whether memory is only looked at, copied, or passed to calls; a result of
// append may go back where it came from.
func borrowed(v ssa.Value, depth int) bool {
	if !hasPointers(v.Type()) {
		return true
	}
	if depth > 3 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.IndexAddr, *ssa.Range, *ssa.FieldAddr, *ssa.UnOp:
		case *ssa.Slice:
			if !borrowed(r, depth+1) {
				return false
			}
		case *ssa.Store:
			if _, isField := r.Addr.(*ssa.FieldAddr); !isField || depth == 0 || !backInField(r, v) {
				return false
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(r.Call.Args) > 0 && r.Call.Args[0] == v && !borrowed(r, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// backInField reports whether a store writes a slice to the field, of some object, that it was
// made of.
func backInField(s *ssa.Store, v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.Call:
			if len(x.Call.Args) == 0 {
				return false
			}
			v = x.Call.Args[0]
		case *ssa.UnOp:
			f, g := nthFieldOf(x), nthFieldOf(s.Addr)
			return f != nil && f == g
		default:
			return false
		}
	}
}
