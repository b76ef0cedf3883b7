// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function may note in a container all values that it takes from a pool, for another one to put them all at the
// end, and send each to somebody who puts it when it was used. What is put twice then is told by the loop that puts
// all of the container; who puts a value and takes it out of the container has it for himself.

// containerAt is the field or variable of the container of which an address is an element.
func (a *analysis) containerAt(addr *sym) *types.Var {
	if addr.kind != kElem {
		return nil
	}
	for x := addr.a; x != nil; x = x.a {
		switch x.kind {
		case kAppend, kView, kAdv:
			continue
		case kLoad:
			if x.a == nil || x.a.obj == nil {
				return nil
			}
			var obj *types.Var
			switch o := x.a.obj.(type) {
			case *types.Var:
				obj = o.Origin()
			case *ssa.Global:
				obj, _ = o.Object().(*types.Var)
			}
			if obj == nil || obj.Pkg() != a.pkg.Pkg || obj.Exported() {
				return nil
			}
			return obj
		}
		return nil
	}
	return nil
}

// putOfAll is a call that puts each element of a container in a loop, where the elements are in no other
// way taken out of it.
func (a *analysis) putOfAll(home *types.Var) ssa.CallInstruction {
	s := a.uses().sites
	var put ssa.CallInstruction
	for fn, i := range a.instrsBeyondTests() {
		if a.takesOutIn(i, home) && !a.loopsOver(fn, home) {
			return nil
		}
		c, ok := i.(*ssa.Call)
		if !ok || put != nil || !inLoop(c.Block()) || c.Call.IsInvoke() {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			at := a.eachOf(unboxed(c.Call.Args[n]), home)
			if at != nil && eachRound(at.Block(), c.Block()) && instrPos(c).IsValid() && !a.putsByMark(c, n) {
				put = c
			}
		}
	}
	return put
}

// putsByMark reports whether what a call calls to put an argument asks something of it first, such as whether it was put.
func (a *analysis) putsByMark(c ssa.CallInstruction, n int) bool {
	fn := a.calledFunction(c)
	if fn == nil || n >= len(fn.Params) || len(fn.Blocks) == 0 {
		return false
	}
	var ofParam func(v ssa.Value, depth int) bool
	ofParam = func(v ssa.Value, depth int) bool {
		if v == ssa.Value(fn.Params[n]) {
			return true
		}
		i, ok := v.(ssa.Instruction)
		if !ok || depth > 8 {
			return false
		}
		if call, ok := i.(*ssa.Call); ok && (isBuiltin(call, "cap") || isBuiltin(call, "len")) {
			return false
		}
		return slices.ContainsFunc(i.Operands(nil), func(x *ssa.Value) bool { return *x != nil && ofParam(*x, depth+1) })
	}
	for _, b := range fn.Blocks {
		if t, ok := lastInstr(b).(*ssa.If); ok && ofParam(t.Cond, 0) {
			return true
		}
	}
	return false
}

// eachOf is where a loop over all of a container has the element that a value is.
func (a *analysis) eachOf(v ssa.Value, home *types.Var) ssa.Instruction {
	over := func(key ssa.Value) *ssa.Next {
		e, ok := key.(*ssa.Extract)
		if !ok {
			return nil
		}
		n, ok := e.Tuple.(*ssa.Next)
		if !ok {
			return nil
		}
		if r, ok := n.Iter.(*ssa.Range); ok && shelfVar(a.pkg.Pkg, r.X) == home {
			return n
		}
		return nil
	}
	if l := lookupOf(v); l != nil {
		if shelfVar(a.pkg.Pkg, l.X) == home && over(l.Index) != nil {
			return l
		}
		return nil
	}
	switch x := v.(type) {
	case *ssa.Extract:
		if over(x) != nil && x.Index == 2 {
			return x
		}
	case *ssa.UnOp:
		e, ok := x.X.(*ssa.IndexAddr)
		if !ok || x.Op != token.MUL || !inLoop(x.Block()) || shelfVar(a.pkg.Pkg, e.X) != home {
			return nil
		}
		if _, fixed := e.Index.(*ssa.Const); !fixed {
			return x
		}
	}
	return nil
}

// loopsOver reports whether a function goes through all of a container.
func (a *analysis) loopsOver(fn *ssa.Function, home *types.Var) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Extract:
			if a.eachOf(i, home) != nil {
				return true
			}
		case *ssa.UnOp:
			if a.eachOf(i, home) != nil {
				return true
			}
		case *ssa.Lookup:
			if a.eachOf(i, home) != nil {
				return true
			}
		}
	}
	return false
}

// takesOutIn reports whether an instruction takes an element out of a container, or sets it to nil.
func (a *analysis) takesOutIn(i ssa.Instruction, home *types.Var) bool {
	switch i := i.(type) {
	case *ssa.MapUpdate:
		return isNilConst(i.Value) && shelfVar(a.pkg.Pkg, i.Map) == home
	case *ssa.Store:
		if e, ok := i.Addr.(*ssa.IndexAddr); ok && isNilConst(i.Val) {
			return shelfVar(a.pkg.Pkg, e.X) == home
		}
		if sl, ok := i.Val.(*ssa.Slice); ok && (sl.Low != nil || sl.High != nil && !zeroConst(sl.High)) {
			return shelfVar(a.pkg.Pkg, i.Addr) == home
		}
		if c, ok := i.Val.(*ssa.Call); ok && shelfVar(a.pkg.Pkg, i.Addr) == home {
			f := calledMethod(c)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "slices" || isBuiltin(c, "append") && isCutHead(c.Call.Args[0])
		}
	case *ssa.Call:
		return isBuiltin(i, "delete") && shelfVar(a.pkg.Pkg, i.Call.Args[0]) == home
	}
	return false
}

// isCutHead reports whether a slice is the part of another one before some element.
func isCutHead(v ssa.Value) bool {
	sl, ok := v.(*ssa.Slice)
	return ok && sl.High != nil && !zeroConst(sl.High)
}

// takenOutByPutter reports whether those that a release leaves to put a value may take it out of a container.
func (a *analysis) takenOutByPutter(r *release, home *types.Var) bool {
	if len(r.stack) == 0 {
		return false
	}
	c := &custody{a: a, reached: map[*ssa.Function]map[*ssa.Function]bool{}}
	within := func(fn *ssa.Function) bool {
		for g := range c.reaches(fn) {
			for i := range instrsOf(g) {
				if a.takesOutIn(i, home) {
					return true
				}
			}
		}
		return false
	}
	s := a.uses().sites
	takes := func(fn *ssa.Function) bool {
		if !within(fn) {
			return false
		}
		// Who takes it out only when it was put leaves it there for others in between.
		var puts []ssa.Instruction
		late, found := true, false
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if ok && len(s.putArgs(a, call)) > 0 {
				puts = append(puts, call)
			}
		}
		for i := range instrsOf(fn) {
			out := a.takesOutIn(i, home)
			if call, ok := i.(*ssa.Call); ok && !out {
				g := a.calledFunction(call)
				out = g != nil && a.inPackage(g) && within(g)
			}
			if out {
				found = true
				late = late && slices.ContainsFunc(puts, func(p ssa.Instruction) bool { return runsBefore(p, i) })
			}
		}
		return !found || !late
	}
	switch i := r.stack[len(r.stack)-1].(type) {
	case *ssa.Send:
		on := placeOf(loaded(i.Chan))
		if on == nil {
			return false
		}
		receives := func(j ssa.Instruction) bool {
			switch j := j.(type) {
			case *ssa.UnOp:
				return j.Op == token.ARROW && placeOf(loaded(j.X)) == on
			case *ssa.Select:
				return slices.ContainsFunc(j.States, func(s *ssa.SelectState) bool {
					return s.Dir == types.RecvOnly && placeOf(loaded(s.Chan)) == on
				})
			}
			return false
		}
		for fn, j := range a.instrsBeyondTests() {
			if receives(j) && takes(fn) {
				return true
			}
		}
	case ssa.CallInstruction:
		for _, x := range append(slices.Clone(i.Common().Args), i.Common().Value) {
			if m, ok := x.(*ssa.MakeClosure); ok && takes(m.Fn.(*ssa.Function)) {
				return true
			}
		}
		if fn := a.calledFunction(i); fn != nil && a.inPackage(fn) && takes(fn) {
			return true
		}
	}
	return false
}

// runsBefore reports whether one instruction of a function ran whenever another one runs.
func runsBefore(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return x.Block().Dominates(y.Block())
	}
	list := x.Block().Instrs
	return slices.Index(list, x) < slices.Index(list, y)
}

// putWithAll looks at a value that is kept in a container and left to somebody who puts it. It reports that all of the container
// is put as well; done is set where nothing more is to be said.
func (a *analysis) putWithAll(addr *sym, r *release) (done bool) {
	home := a.containerAt(addr)
	if home == nil || !r.async {
		return false
	}
	if a.takenOutByPutter(r, home) {
		return true
	}
	put := a.putOfAll(home)
	if put == nil {
		return false
	}
	a.report(finding{
		pattern: doublePut, pos: instrPos(put), fn: put.Parent(), cause: r.pos(), put: r.stack,
		message: "the values in " + home.Name() + " are put here, and so they are by whoever is given each of them (" + a.line(r.pos()) + "), who leaves it in " + home.Name(),
		related: []goanalysis.RelatedInformation{{Pos: r.pos(), Message: "given to somebody else who puts it"}},
	})
	return true
}
