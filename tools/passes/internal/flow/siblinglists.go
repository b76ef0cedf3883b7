// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who calls a method of an interface with a list of pooled values, and leaves it at that, has given them away: the types
// whose methods put them, on all ways, show that this is how it is meant. The method of another type that only looks at them loses them.

// judgeSiblingLists reports such methods.
func (c *custody) judgeSiblingLists() {
	type listArg struct {
		m *types.Func
		k int
	}
	leaves := map[listArg]bool{}
	var all []listArg
	in := map[listArg]*types.Interface{}
	for call := range c.a.productCalls() {
		cc := call.Common()
		if !cc.IsInvoke() || cc.Method.Pkg() != c.a.pkg.Pkg {
			continue
		}
		it, ok := cc.Value.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for k, x := range cc.Args {
			s, ok := x.Type().Underlying().(*types.Slice)
			if !ok || pointee(s.Elem()) == nil {
				continue
			}
			l := listArg{cc.Method, k}
			if p, ok := x.(*ssa.Parameter); ok && p.Parent().Name() == cc.Method.Name() && slices.Index(p.Parent().Params, p) == k+1 && c.putsListAlways(p.Parent(), p) == nil {
				continue // one of the methods passes on what it is given
			}
			if _, seen := leaves[l]; !seen {
				leaves[l] = true
				all = append(all, l)
				in[l] = it
			}
			leaves[l] = leaves[l] && c.leavesList(call, x, 0) && !c.putsOneAfter(call, x)
		}
	}
	for _, l := range all {
		if leaves[l] {
			c.siblingLists(l.m, l.k+1, in[l])
		}
	}
}

// putsOneAfter reports whether who made a list for a call puts something that is in it after the call.
func (c *custody) putsOneAfter(call ssa.CallInstruction, list ssa.Value) bool {
	cut, ok := list.(*ssa.Slice)
	if !ok {
		return false
	}
	for _, r := range referrers(cut.X) {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(ia) {
			st, ok := u.(*ssa.Store)
			if !ok {
				continue
			}
			i, ok := st.Val.(ssa.Instruction)
			if !ok {
				return true
			}
			after := blocksAfter(call.Block(), map[*ssa.BasicBlock]bool{i.Block(): i.Block() != call.Block()})
			for _, u := range referrers(st.Val) {
				if _, ok := u.(*ssa.Defer); !ok && !after[u.Block()] && !(u.Block() == call.Block() && precedes(call, u)) {
					continue
				}
				if slices.Contains(c.putBy(u), st.Val) {
					return true
				}
			}
		}
	}
	return false
}

// siblingLists compares what the methods of the types behind an interface do with a list.
func (c *custody) siblingLists(m *types.Func, k int, it *types.Interface) {
	var put ssa.Instruction
	var looks []*ssa.Function
	for _, t := range c.a.implementers(it) {
		fn := c.a.methodNamed(t, m)
		if fn == nil || len(fn.Blocks) == 0 || fn.Synthetic != "" || k >= len(fn.Params) || c.a.inTest(fn) {
			continue
		}
		if p := c.putsListAlways(fn, fn.Params[k]); p != nil {
			if put == nil {
				put = p
			}
			continue
		}
		l := &looking{c: c, seen: map[ssa.Value]bool{}}
		if l.only(fn.Params[k]) && l.reads && slices.IndexFunc(c.a.callsOf(fn), func(o ssa.CallInstruction) bool { return !o.Common().IsInvoke() }) < 0 {
			looks = append(looks, fn)
		}
	}
	if put == nil {
		return
	}
	for _, fn := range looks {
		p := fn.Params[k]
		if c.a.lostIn(fn) {
			continue
		}
		c.a.reportFound(finding{
			pattern: missingPut, pos: p.Pos(), fn: fn,
			message: fmt.Sprintf("what is in %s is not put here, as the %s method of another type does with what it is given (%s): who calls it leaves that to it", p.Name(), fn.Name(), c.a.line(instrPos(put))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "this one puts it"}},
		})
	}
}

// putsListAlways is where a function puts all of a list, or has it put by another one, on each way to its end.
func (c *custody) putsListAlways(fn *ssa.Function, p *ssa.Parameter) (put ssa.Instruction) {
	by := map[*ssa.BasicBlock]bool{}
	for i := range instrsOf(fn) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		callee := c.a.calledFunction(call)
		if callee == nil || call.Common().IsInvoke() {
			continue
		}
		for n, x := range call.Common().Args {
			if x == ssa.Value(p) && n < len(callee.Params) && c.putsElements(callee, callee.Params[n]) != nil {
				put, by[i.Block()] = i, true
			}
		}
	}
	if put == nil {
		put = c.putsElements(fn, p)
		if put == nil {
			return nil
		}
		// The loop may have no turn: its head is what all ways come through.
		for _, b := range fn.Blocks {
			if b.Dominates(put.Block()) && reaches(put.Block(), b) {
				by[b] = true
			}
		}
	}
	if returnsAround(fn.Blocks[0], by) {
		return nil
	}
	return put
}

// A looking follows a list of pooled values, and the bytes in them, through a function that does no more than read or
// change these.
type looking struct {
	c     *custody
	seen  map[ssa.Value]bool
	reads bool
}

// bare reports whether a type leads to bytes alone, and not to the values that these are in.
func bare(t types.Type) bool {
	for {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Pointer:
			if _, named := types.Unalias(u.Elem()).(*types.Named); named && structOf(u.Elem()) != nil {
				return false
			}
			t = u.Elem()
		default:
			return !hasPointers(t) || isText(t)
		}
	}
}

// only reports whether nobody gets a value, or bytes of it for longer than a call.
func (l *looking) only(v ssa.Value) bool {
	if l.seen[v] {
		return true
	}
	l.seen[v] = true
	if len(l.seen) > 200 || v.Referrers() == nil {
		return false
	}
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool { return !l.borrows(r, v) })
}

func (l *looking) borrows(r ssa.Instruction, v ssa.Value) bool {
	follow := func(x ssa.Value) bool { return !hasPointers(x.Type()) || l.only(x) }
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.UnOp:
		l.reads = true
		return follow(r)
	case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.Field, *ssa.Index, *ssa.Range, *ssa.Next, *ssa.Extract:
		return follow(r.(ssa.Value))
	case *ssa.Convert:
		return isText(r.Type())
	case *ssa.Store:
		if r.Val != v {
			return true
		}
		if !bare(v.Type()) {
			cell, ok := r.Addr.(*ssa.Alloc)
			return ok && l.only(cell)
		}
		switch addr := r.Addr.(type) {
		case *ssa.Alloc:
			return l.only(addr)
		case *ssa.IndexAddr: // of a list of bytes that is made here
			switch addr.X.(type) {
			case *ssa.MakeSlice, *ssa.Alloc:
				return l.only(addr.X)
			}
		}
		return false
	case *ssa.Return:
		return bare(v.Type()) // of a function that the call is followed from
	case *ssa.Call:
		return l.lent(r, v)
	}
	return false
}

// lent reports whether a call only looks at what it is given.
func (l *looking) lent(call *ssa.Call, v ssa.Value) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "copy", "clear":
			return true
		case "append":
			return bare(v.Type()) && l.only(call)
		}
		return false
	}
	fn := l.c.a.calledFunction(call)
	if fn != nil && l.c.a.inPackage(fn) && len(fn.Blocks) > 0 && !call.Call.IsInvoke() {
		for k, x := range call.Call.Args {
			if x == v && (k >= len(fn.Params) || l.c.puts[fn][k] || !l.only(fn.Params[k])) {
				return false
			}
		}
		return !hasPointers(call.Type()) || isError(call.Type()) || l.only(call)
	}
	// Code out of view has bytes for the time of the call.
	return bare(v.Type()) && call.Call.Value != v && onlyTells(call.Call.Signature().Results())
}
