// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Read fills part of a pooled buffer and says how much. Who then goes through all of the buffer, element by
// element until there are no more, comes to what the last user left in it.

// judgePartRead reports functions that do so, and that use the number for nothing that could bound it.
func (a *analysis) judgePartRead() {
	f := a.uses()
	for c := range a.productCalls() {
		read, ok := c.(*ssa.Call)
		if !ok || !mayFillPart(read) {
			continue
		}
		count := 0
		for _, b := range read.Call.Args {
			if !isBytes(b.Type()) {
				continue
			}
			n := part(read, count)
			count++
			if n == nil && !readsPart(read) || !f.fromTaken(b, 0) || n != nil && a.mayBound(n, 0) {
				continue
			}
			var all ssa.Instruction
			if n != nil && readsPart(read) {
				all = f.goneThrough(read, b)
			}
			if all == nil && (n == nil || !comparesMore(n, 0)) {
				all = f.usedWhole(read, b)
			}
			if all != nil {
				ev := instrPos(all)
				a.reportFound(finding{
					pattern: missingReset, pos: ev, fn: all.Parent(),
					message: fmt.Sprintf("all of %s is gone through here, and not only what was read into it (%s): behind that is what its last user left; cut it to the number that the Read gave", apposed(a.valueName(b), "a pooled buffer", "a pooled buffer"), a.line(instrPos(read))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(read), Message: "read into here, the whole or a part"}},
				})
			}
		}
	}
}

// readsPart reports whether a call may fill only the first part of a slice of bytes, and says by its first results how
// much of each it did.
func readsPart(c *ssa.Call) bool {
	m := calledMethod(c)
	if m == nil || m.Signature().Results().Len() < 2 || !isInteger(m.Signature().Results().At(0).Type()) || !endsInError(m.Signature()) {
		return false
	}
	name := strings.ToLower(m.Name())
	if strings.Contains(name, "full") || strings.Contains(name, "atleast") {
		return false
	}
	return strings.HasPrefix(name, "read") || strings.HasPrefix(name, "recv") || strings.HasPrefix(name, "receive") || strings.HasPrefix(name, "fill")
}

func endsInError(sig *types.Signature) bool {
	return isError(sig.Results().At(sig.Results().Len() - 1).Type())
}

// fromTaken reports whether a value was reached from what the function took from a pool, and is not cut at its end.
func (f *forgotten) fromTaken(v ssa.Value, depth int) bool {
	if depth > 10 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && f.fromTaken(v.X, depth+1)
	case *ssa.FieldAddr:
		return f.fromTaken(v.X, depth+1)
	case *ssa.IndexAddr:
		return f.fromTaken(v.X, depth+1)
	case *ssa.Slice:
		return v.High == nil && f.fromTaken(v.X, depth+1)
	case *ssa.TypeAssert:
		return f.fromTaken(v.X, depth+1)
	case *ssa.ChangeType:
		return f.fromTaken(v.X, depth+1)
	case *ssa.Alloc: // a variable that a closure has, too
		x := storedOnce(v)
		return x != nil && f.fromTaken(x, depth+1)
	case *ssa.Call:
		return f.gets0(f.a, v)
	}
	return false
}

// mayBound reports whether a number may bound what is done: it cuts a slice, or somebody is given it.
func (a *analysis) mayBound(n ssa.Value, depth int) bool {
	if depth > 6 {
		return true
	}
	for _, r := range referrers(n) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if isInteger(r.Type()) && a.mayBound(r, depth+1) {
				return true
			}
		case *ssa.Convert:
			if a.mayBound(r, depth+1) {
				return true
			}
		case *ssa.Store:
			fa, ok := r.Addr.(*ssa.FieldAddr)
			if !ok || r.Val != n || fieldAt(fa).Exported() || a.asksFor(fieldAt(fa)) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// asksFor reports whether the package reads a field.
func (a *analysis) asksFor(v *types.Var) bool {
	ff := a.uses().facts[v]
	return ff == nil || ff.open || len(ff.reads) > 0
}

// goneThrough is a call after a read whose callee goes through all of the slice that was read into.
func (f *forgotten) goneThrough(read *ssa.Call, b ssa.Value) ssa.Instruction {
	for i := range instrsOf(read.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || c == read || c.Block() != read.Block() && !reaches(read.Block(), c.Block()) || c.Block() == read.Block() && instrPos(c) < instrPos(read) {
			continue
		}
		fn := f.a.calledFunction(c)
		if fn == nil || c.Call.IsInvoke() {
			continue
		}
		for k, x := range c.Call.Args {
			if k < len(fn.Params) && uncutSlice(x, b) && toTheEnd(fn.Params[k]) {
				return c
			}
		}
	}
	return nil
}

// uncutSlice reports whether x is b, or b without its start, or what the same field of a struct holds.
func uncutSlice(x, b ssa.Value) bool {
	for {
		s, ok := x.(*ssa.Slice)
		if !ok {
			break
		}
		if s.High != nil {
			return false
		}
		x = s.X
	}
	if oneRead(x, b, 0) {
		return true
	}
	v, _ := fieldLoad(x)
	w, _ := fieldLoad(b)
	return v != nil && v == w
}

// toTheEnd reports whether a function goes through a slice until there is nothing left of it: it shortens the slice in
// a loop and asks there for its length.
func toTheEnd(p *ssa.Parameter) bool {
	if !isBytes(p.Type()) {
		return false
	}
	for _, r := range referrers(p) {
		phi, ok := r.(*ssa.Phi)
		if !ok || !inLoop(phi.Block()) {
			if s, ok := r.(*ssa.Slice); ok && s.High == nil {
				if slices.ContainsFunc(referrers(s), func(r ssa.Instruction) bool { return isShortened(r) }) {
					return true
				}
			}
			continue
		}
		if isShortened(phi) {
			return true
		}
	}
	return false
}

// isShortened reports whether an instruction is a slice in a loop that is cut from its start there, and asked for its
// length.
func isShortened(i ssa.Instruction) bool {
	phi, ok := i.(*ssa.Phi)
	if !ok || !inLoop(phi.Block()) {
		return false
	}
	cut := slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
		s, ok := e.(*ssa.Slice)
		return ok && s.High == nil && s.X == ssa.Value(phi)
	})
	return cut && slices.ContainsFunc(referrers(phi), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := c.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool { _, cmp := r.(*ssa.BinOp); return cmp })
	})
}
