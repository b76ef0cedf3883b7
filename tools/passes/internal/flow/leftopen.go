// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An iterator that a function makes has values from a pool as long as it goes on: it puts them when it came to its end, or when it is
// closed. A function that leaves its loop before the end, for what it was given to do failed or it has enough, and does not close
// the iterator on that way, loses what that has by then.

// A closable is a type with a method that puts what fields hold, of it or of what it leads to.
type closable struct {
	end    *ssa.Function
	fields []*types.Var
}

// judgeLeftOpen reports such iterators.
func (c *custody) judgeLeftOpen() {
	kinds := map[*types.TypeName]*closable{}
	for _, end := range c.a.fns {
		n := recvType(end)
		if !endsObject(end) || c.a.inTest(end) || n == nil || kinds[n] != nil {
			continue
		}
		k := &closable{end: end}
		for f, putters := range c.putsField {
			if len(c.takesField[f]) > 0 && c.comesToAny(end, putters) {
				k.fields = append(k.fields, f)
			}
		}
		if len(k.fields) > 0 {
			slices.SortFunc(k.fields, func(x, y *types.Var) int { return int(x.Pos() - y.Pos()) })
			kinds[n] = k
		}
	}
	if len(kinds) == 0 {
		return
	}
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !c.a.relevant[fn] || len(fn.Blocks) == 0 || c.a.foundIn(missingPut, fn) {
			continue
		}
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if !ok || call.Call.IsInvoke() || !inLoop(call.Block()) {
				continue
			}
			next := c.a.calledFunction(call)
			if next == nil || next.Signature.Recv() == nil || endsByName(next.Name()) {
				continue
			}
			if k := kinds[recvType(next)]; k != nil && c.leftOpen(fn, call, next, k, kinds) {
				break
			}
		}
	}
}

// comesToAny reports whether a function is or leads to one of those that a map has.
func (c *custody) comesToAny(fn *ssa.Function, to map[*ssa.Function]ssa.Instruction) bool {
	within := c.reaches(fn)
	for g := range to {
		if within[g] {
			return true
		}
	}
	return false
}

// leftOpen looks at one call for the next part of an iterator.
func (c *custody) leftOpen(fn *ssa.Function, call *ssa.Call, next *ssa.Function, k *closable, kinds map[*types.TypeName]*closable) bool {
	if leavesBefore(call, nil) == nil || !c.madeAndDropped(fn, kinds) {
		return false
	}
	for _, f := range k.fields {
		if !c.comesToAny(next, c.takesField[f]) || !c.mayHold(next, f) || givesHeld(fn, f) {
			continue
		}
		closes, known := c.closesBeside(fn, next, f)
		if !known {
			continue
		}
		if leave := leavesBefore(call, closes); leave != nil {
			var put ssa.Instruction
			for _, i := range c.putsField[f] {
				if put == nil || instrPos(i) < instrPos(put) {
					put = i
				}
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: instrPos(leave), fn: fn,
				message: fmt.Sprintf("%s is left here before its end, and not closed: what %s holds by then, taken from a pool, is not put back; defer its %s", orElse(c.a.argText(call, 0), "the "+recvType(next).Name()), f.Name(), k.end.Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(call), Message: "its next part is asked for here"}, {Pos: instrPos(put), Message: "put here"}},
			})
			return true
		}
	}
	return false
}

// leavesBefore is a return, or the test at the end of a block, by which a function leaves a loop whose last call told that there is more,
// without one of some other calls before.
func leavesBefore(call *ssa.Call, but []*ssa.Call) ssa.Instruction {
	b, more, end := endTested(call)
	if b == nil {
		return nil
	}
	// Where the ways meet that have an end behind them and those that have none, nothing tells them apart.
	round := map[*ssa.BasicBlock]bool{b: true, call.Block(): true}
	after, other := blocksAfter(more, round), blocksAfter(end, round)
	after[more], other[end] = true, true
	for _, x := range b.Parent().Blocks {
		if r, ok := lastInstr(x).(*ssa.Return); ok && after[x] && !other[x] && !slices.ContainsFunc(but, func(c *ssa.Call) bool { return c.Block() == x || reaches(c.Block(), x) }) {
			return r
		}
	}
	if len(but) > 0 {
		return nil
	}
	next := call.Block()
	for _, x := range b.Parent().Blocks {
		test, ok := lastInstr(x).(*ssa.If)
		if !ok || !after[x] || other[x] || round[x] || !reaches(x, next) {
			continue
		}
		for _, s := range x.Succs {
			if s == next || reaches(s, next) || !slices.ContainsFunc(b.Parent().Blocks, func(r *ssa.BasicBlock) bool {
				_, isReturn := lastInstr(r).(*ssa.Return)
				return isReturn && (r == s || reaches(s, r))
			}) {
				continue
			}
			if at, ok := test.Cond.(ssa.Instruction); ok {
				return at
			}
		}
	}
	return nil
}

// endTested is the block that tests what a call tells of the end of what it goes through, a flag, an error or nil, and where it leads
// if there is more, and if there is not.
func endTested(call *ssa.Call) (b, more, end *ssa.BasicBlock) {
	told := []ssa.Value{call}
	for _, r := range referrers(call) {
		if e, ok := r.(*ssa.Extract); ok {
			told = append(told, e)
		}
	}
	// A flag tells more than an error beside it, and that more than the value.
	rank := func(v ssa.Value) int {
		switch {
		case types.Identical(v.Type().Underlying(), types.Typ[types.Bool]):
			return 0
		case isError(v.Type()):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(told, func(x, y ssa.Value) int { return rank(x) - rank(y) })
	for _, v := range told {
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.If:
				return r.Block(), r.Block().Succs[0], r.Block().Succs[1]
			case *ssa.BinOp:
				if !isNilConst(r.X) && !isNilConst(r.Y) {
					continue
				}
				for _, u := range referrers(r) {
					if i, ok := u.(*ssa.If); ok {
						isNil, isNot := i.Block().Succs[0], i.Block().Succs[1]
						if r.Op == token.NEQ {
							isNil, isNot = isNot, isNil
						}
						if isError(v.Type()) {
							return i.Block(), isNil, isNot
						}
						return i.Block(), isNot, isNil
					}
				}
			}
		}
	}
	return nil, nil, nil
}

// madeAndDropped reports whether all objects of some types that a function has were made there, and are given to nobody but one another.
func (c *custody) madeAndDropped(fn *ssa.Function, kinds map[*types.TypeName]*closable) bool {
	of := func(t types.Type) bool { return closableOf(t, kinds) }
	for _, p := range fn.Params {
		if of(p.Type()) {
			return false
		}
	}
	for _, v := range fn.FreeVars {
		if p, ok := v.Type().Underlying().(*types.Pointer); ok && (of(v.Type()) || of(p.Elem())) {
			return false
		}
	}
	for i := range instrsOf(fn) {
		v, ok := i.(ssa.Value)
		if ok && givesOwnPool(v) {
			return false // its pool may go with it
		}
		if !ok || !of(v.Type()) {
			continue
		}
		switch v := v.(type) {
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.Phi, *ssa.Slice:
		case *ssa.Call:
			if !isBuiltin(v, "append") && !c.makesNew(v, kinds) {
				return false
			}
		case *ssa.Extract:
			if maker, ok := v.Tuple.(*ssa.Call); !ok || v.Index != 0 || !c.makesNew(maker, kinds) {
				return false
			}
		default:
			return false
		}
		for _, u := range referrers(v) {
			switch u := u.(type) {
			case *ssa.DebugRef, *ssa.Phi, *ssa.FieldAddr, *ssa.Slice, *ssa.BinOp:
			case *ssa.Store:
				if u.Val == v && !inNewObject(u.Addr) {
					return false
				}
			case *ssa.Call:
				g := c.a.calledFunction(u)
				if isBuiltin(u, "append") || isBuiltin(u, "len") || c.makesNew(u, kinds) {
					continue
				}
				if g == nil || g.Signature.Recv() == nil || u.Call.Args[0] != v || u.Call.IsInvoke() {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// inNewObject reports whether an address is that of a field or element of what was made in the function.
func inNewObject(addr ssa.Value) bool {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		_, ok := x.X.(*ssa.Alloc)
		return ok
	case *ssa.IndexAddr:
		_, ok := x.X.(*ssa.Alloc)
		return ok
	}
	return false
}

// closableOf reports whether a type is one of some kinds, or a slice of such.
func closableOf(t types.Type, kinds map[*types.TypeName]*closable) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	n := pointee(t)
	return n != nil && kinds[n.Origin().Obj()] != nil
}

// makesNew reports whether a call is of a function of the package whose first result is an object that it makes, and that
// gives neither that nor others of some kinds to anybody else.
func (c *custody) makesNew(call *ssa.Call, kinds map[*types.TypeName]*closable) bool {
	fn := c.a.calledFunction(call)
	if fn == nil || call.Call.IsInvoke() || len(fn.AnonFuncs) > 0 {
		return false
	}
	var made *ssa.Alloc
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) == 0 {
			return false
		}
		if isNilConst(r.Results[0]) {
			continue
		}
		al, isNew := r.Results[0].(*ssa.Alloc)
		if !isNew || made != nil && al != made {
			return false
		}
		made = al
	}
	if made == nil || hasOwnSyncPool(made.Type().Underlying().(*types.Pointer).Elem(), 0) {
		return false
	}
	// What is stored in the object is its own.
	into := func(addr ssa.Value) bool {
		fa, ok := addr.(*ssa.FieldAddr)
		return ok && fa.X == ssa.Value(made)
	}
	for i := range instrsOf(fn) {
		v, ok := i.(ssa.Value)
		if !ok {
			continue
		}
		if givesOwnPool(v) || closableOf(v.Type(), kinds) && v != ssa.Value(made) {
			return false
		}
	}
	for _, u := range referrers(made) {
		switch u.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.Return:
		default:
			return false
		}
	}
	for _, p := range fn.Params {
		if !closableOf(p.Type(), kinds) {
			continue
		}
		for _, u := range referrers(p) {
			switch u := u.(type) {
			case *ssa.DebugRef, *ssa.BinOp:
			case *ssa.Store:
				if !into(u.Addr) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// givesOwnPool reports whether a value is an object with a pool that its function made, or that a call gave.
func givesOwnPool(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
		p, ok := v.Type().Underlying().(*types.Pointer)
		return ok && hasOwnSyncPool(p.Elem(), 0)
	}
	return false
}

// hasOwnSyncPool reports whether values of a type are or have pools.
func hasOwnSyncPool(t types.Type, depth int) bool {
	if isSyncPool(t) || isSyncPool(types.NewPointer(t)) {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range s.Fields() {
		if hasOwnSyncPool(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// mayHold reports whether an iterator that tells of more may have something in a field then: none of the functions that lead to where it
// is taken puts it on every way to that.
func (c *custody) mayHold(next *ssa.Function, f *types.Var) bool {
	for fn := range c.reaches(next) {
		var takes, puts []ssa.Instruction
		for i := range instrsOf(fn) {
			take, put := c.takesField[f][fn] == i, c.putsField[f][fn] == i
			if call, ok := i.(ssa.CallInstruction); ok {
				if g := c.a.calledFunction(call); g != nil && g != fn {
					take = take || c.comesToAny(g, c.takesField[f])
					put = put || c.comesToAny(g, c.putsField[f])
				}
			}
			if take {
				takes = append(takes, i)
			} else if put {
				puts = append(puts, i)
			}
		}
		for _, t := range takes {
			if !returnsMore(t, puts) {
				return false
			}
		}
	}
	return true
}

// returnsMore reports whether a function may come from an instruction to a return of something else than false, nil, or an error, without one
// of others on the way.
func returnsMore(from ssa.Instruction, but []ssa.Instruction) bool {
	stops := map[*ssa.BasicBlock]bool{}
	for _, i := range but {
		if _, isDefer := i.(*ssa.Defer); isDefer || i.Block() == from.Block() {
			return false
		}
		stops[i.Block()] = true
	}
	after := blocksAfter(from.Block(), stops)
	after[from.Block()] = true
	for _, b := range from.Parent().Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || !after[b] {
			continue
		}
		if len(r.Results) == 0 {
			return true
		}
		k, isConst := r.Results[0].(*ssa.Const)
		if !isConst || k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) {
			return true
		}
	}
	return false
}

// closesBeside are the calls of methods, other than of one, by which a function puts what a field holds, if it has no other ways to do so,
// and puts nothing itself.
func (c *custody) closesBeside(fn, but *ssa.Function, f *types.Var) (closes []*ssa.Call, known bool) {
	for g := range c.reaches(fn) {
		if g != fn && g.Parent() != fn {
			continue
		}
		for i := range instrsOf(g) {
			call, ok := i.(ssa.CallInstruction)
			var to *ssa.Function
			if ok {
				to = c.a.calledFunction(call)
			}
			leads := to != nil && to != fn && to != but && c.comesToAny(to, c.putsField[f])
			if now, isCall := i.(*ssa.Call); leads && isCall && g == fn && endsObject(to) {
				closes = append(closes, now)
			} else if leads || c.putsField[f][g] == i || len(c.putBy(i)) > 0 {
				return nil, false
			}
		}
	}
	return closes, true
}

// givesHeld reports whether a function gives a value of the type of what a field holds to somebody, who may put it.
func givesHeld(fn *ssa.Function, f *types.Var) bool {
	held := f.Type()
	elem := held
	switch t := held.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Map:
		elem = t.Elem()
	}
	given := func(list ...ssa.Value) bool {
		return slices.ContainsFunc(list, func(v ssa.Value) bool {
			v = unboxed(v)
			return types.Identical(v.Type(), held) || types.Identical(v.Type(), elem)
		})
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case ssa.CallInstruction:
			if _, builtin := i.Common().Value.(*ssa.Builtin); !builtin && given(i.Common().Args...) {
				return true
			}
		case *ssa.Return:
			if given(i.Results...) {
				return true
			}
		case *ssa.Send:
			if given(i.X) {
				return true
			}
		case *ssa.Store:
			if _, local := i.Addr.(*ssa.Alloc); !local && given(i.Val) {
				return true
			}
		}
	}
	return false
}
