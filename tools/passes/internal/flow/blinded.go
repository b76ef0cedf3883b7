// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that sets a field to nil, or cuts it to no elements, and after that looks in
// it for what there is to put, finds nothing: what the field held is lost.

// judgeBlinded reports such fields.
func (c *custody) judgeBlinded() {
	for _, fn := range c.a.fns {
		if !c.a.relevant[fn] || c.a.inTest(fn) {
			continue
		}
		emptied := c.emptiedIn(fn)
		if len(emptied) == 0 {
			continue
		}
		told := map[ssa.Instruction]bool{}
		for i := range instrsOf(fn) {
			if _, isCall := i.(ssa.CallInstruction); !isCall {
				continue
			}
			for _, v := range c.putBy(i) {
				element := map[ssa.Value]bool{} // containers of whose elements the put is
				c.back(v, func(x ssa.Value) bool {
					switch x := x.(type) {
					case *ssa.IndexAddr:
						element[x.X] = true
					case *ssa.Range:
						element[x.X] = true
					case *ssa.Lookup:
						element[x.X] = true
					}
					l, ok := x.(*ssa.UnOp)
					if !ok || fieldOfValue(l) == nil {
						return true
					}
					fa := l.X.(*ssa.FieldAddr)
					for _, e := range emptied {
						if told[e.at] || e.parts && !element[l] || e.field != fieldOfValue(l) || !sameObject(e.base, fa.X) || !precedes(e.at, l) || c.setBetween(e, l) || !c.looksFirst(l, i) {
							continue
						}
						told[e.at] = true
						c.a.reportFound(finding{
							pattern: missingPut, pos: instrPos(e.at), fn: fn,
							message: fmt.Sprintf("field %s is emptied here, before it is looked at for what to put back (%s): what it held is lost", e.field.Name(), c.a.line(instrPos(i))),
							related: []goanalysis.RelatedInformation{{Pos: instrPos(i), Message: "the Put that finds nothing"}},
						})
					}
					return true
				})
			}
		}
	}
}

// An emptying is a store, or a call, after which a field has nothing to put.
type emptying struct {
	field *types.Var
	base  ssa.Value // the object
	parts bool      // the container stays, without its elements
	at    ssa.Instruction
}

// emptiedIn finds the fields that a function empties, itself or by a method that it calls.
func (c *custody) emptiedIn(fn *ssa.Function) (list []emptying) {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			if ok && empties(i, fa) {
				if f := nthField(fa.X, fa.Field); f != nil {
					_, cut := i.Val.(*ssa.Slice)
					list = append(list, emptying{f, fa.X, cut, i})
				}
			}
			// The object as a whole.
			if k, ok := i.Val.(*ssa.Const); ok && k.Value == nil {
				if s, ok := k.Type().Underlying().(*types.Struct); ok {
					for f := range s.Fields() {
						list = append(list, emptying{f.Origin(), i.Addr, false, i})
					}
				}
			}
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "clear" {
				if u, ok := i.Call.Args[0].Type().Underlying().(*types.Slice); ok && !hasPointers(u.Elem()) {
					continue
				}
				if l, ok := i.Call.Args[0].(*ssa.UnOp); ok {
					if fa, ok := l.X.(*ssa.FieldAddr); ok {
						if f := nthField(fa.X, fa.Field); f != nil {
							list = append(list, emptying{f, fa.X, true, i})
						}
					}
				}
				continue
			}
			callee := c.a.calledFunction(i)
			if callee == nil || callee == fn || i.Call.IsInvoke() || len(callee.Blocks) == 0 || len(callee.Params) == 0 || len(i.Call.Args) == 0 {
				continue
			}
			for _, e := range c.emptiedOnce(callee) {
				if e.base == callee.Params[0] {
					list = append(list, emptying{e.field, i.Call.Args[0], e.parts, i})
				}
			}
		}
	}
	return list
}

// emptiedOnce finds what a function empties, whichever way it goes.
func (c *custody) emptiedOnce(fn *ssa.Function) (list []emptying) {
	stores := map[*types.Var][]*ssa.Store{}
	eachStore(fn, func(s *ssa.Store) {
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
			if f := nthField(fa.X, fa.Field); f != nil {
				stores[f] = append(stores[f], s)
			}
		}
	})
	for f, all := range stores {
		last := all[len(all)-1]
		fa := last.Addr.(*ssa.FieldAddr)
		others := slices.ContainsFunc(all, func(s *ssa.Store) bool {
			return s != last && !empties(s, s.Addr.(*ssa.FieldAddr)) && mayFollow(last, s)
		})
		if alwaysRuns(last) && !others && empties(last, fa) && !c.putsIn(fn) {
			_, cut := last.Val.(*ssa.Slice)
			list = append(list, emptying{f, fa.X, cut, last})
		}
	}
	return list
}

// putsIn reports whether a function puts anything itself.
func (c *custody) putsIn(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if len(c.putBy(i)) > 0 {
			return true
		}
	}
	return false
}

// empties reports whether a store sets a field to nil or cuts what it holds to nothing.
func empties(s *ssa.Store, fa *ssa.FieldAddr) bool {
	switch v := s.Val.(type) {
	case *ssa.Const:
		return v.Value == nil && hasPointers(v.Type())
	case *ssa.Slice:
		k, ok := v.High.(*ssa.Const)
		if !ok || k.Int64() != 0 {
			return false
		}
		// The elements, not the memory itself, are what a Put would look for.
		e, isSlice := v.Type().Underlying().(*types.Slice)
		l, ok := v.X.(*ssa.UnOp)
		if !ok || !isSlice || !hasPointers(e.Elem()) {
			return false
		}
		same, ok := l.X.(*ssa.FieldAddr)
		return ok && same.Field == fa.Field && sameObject(same.X, fa.X)
	}
	return false
}

// sameObject reports whether two pointers are the same one.
func sameObject(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	if lx, ok := x.(*ssa.UnOp); ok {
		ly, ok := y.(*ssa.UnOp)
		return ok && lx.Op == token.MUL && lx.X == ly.X && keepsOne(lx.X)
	}
	fx, ok := x.(*ssa.FieldAddr)
	fy, ok2 := y.(*ssa.FieldAddr)
	return ok && ok2 && fx.Field == fy.Field && sameObject(fx.X, fy.X)
}

// keepsOne reports whether a variable is set once.
func keepsOne(v ssa.Value) bool {
	al, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	stores := 0
	for _, r := range referrers(al) {
		if s, ok := r.(*ssa.Store); ok && s.Addr == al {
			stores++
		}
	}
	return stores == 1
}

// setBetween reports whether the field may be set again between the emptying and a load.
func (c *custody) setBetween(e emptying, l *ssa.UnOp) bool {
	from, to := e.at.Block(), l.Block()
	between := map[*ssa.BasicBlock]bool{}
	var down func(b *ssa.BasicBlock)
	down = func(b *ssa.BasicBlock) {
		if !between[b] {
			between[b] = true
			if b != to {
				for _, s := range b.Succs {
					down(s)
				}
			}
		}
	}
	down(from)
	for b := range between {
		after := b != from
		for _, i := range b.Instrs {
			if i == e.at {
				after = true
				continue
			}
			if i == l && (b == to && (from != to || after)) {
				break
			}
			if !after {
				continue
			}
			switch i := i.(type) {
			case *ssa.Store:
				if fieldOfAddr(i.Addr) == e.field {
					return true
				}
				if _, whole := i.Val.Type().Underlying().(*types.Struct); whole {
					return true
				}
			case *ssa.MapUpdate:
				if fieldOfAddr(i.Map) == e.field {
					return true
				}
			case ssa.CallInstruction:
				if _, builtin := i.Common().Value.(*ssa.Builtin); builtin {
					continue
				}
				if f := c.a.calledFunction(i); f != nil && !c.setsField(f, e.field) {
					continue
				}
				for _, x := range append(i.Common().Args, i.Common().Value) {
					if types.Identical(x.Type(), e.base.Type()) {
						return true
					}
				}
			}
		}
	}
	return false
}

// setsField reports whether a function or one that it calls sets a field.
func (c *custody) setsField(fn *ssa.Function, f *types.Var) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			switch i := i.(type) {
			case *ssa.Store:
				if fieldOfAddr(i.Addr) == f {
					return true
				}
			case *ssa.MapUpdate:
				if fieldOfAddr(i.Map) == f {
					return true
				}
			}
		}
	}
	return false
}

// looksFirst reports whether a put depends on what was found in the field: it stands in
// a loop over it or under a test of it.
func (c *custody) looksFirst(l *ssa.UnOp, put ssa.Instruction) bool {
	if callee := c.a.calledFunction(put.(ssa.CallInstruction)); callee != nil && len(callee.Blocks) > 1 {
		return true // it looks itself
	}
	fa := l.X.(*ssa.FieldAddr)
	for b := put.Block(); b != nil; b = b.Idom() {
		if !l.Block().Dominates(b) && b != l.Block() {
			// The test may be of an earlier load of the field.
			if t, ok := lastInstr(b).(*ssa.If); !ok || !asks(t.Cond, fa, 0) {
				continue
			}
			return true
		}
		if t, ok := lastInstr(b).(*ssa.If); ok && b != put.Block() && asks(t.Cond, fa, 0) {
			return true
		}
	}
	return false
}

// asks reports whether a condition is about what a field holds.
func asks(v ssa.Value, fa *ssa.FieldAddr, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.Field == fa.Field && sameObject(v.X, fa.X)
	case *ssa.UnOp:
		return asks(v.X, fa, depth+1)
	case *ssa.BinOp:
		return asks(v.X, fa, depth+1) || asks(v.Y, fa, depth+1)
	case *ssa.Extract:
		return asks(v.Tuple, fa, depth+1)
	case *ssa.TypeAssert:
		return asks(v.X, fa, depth+1)
	case *ssa.Next:
		return asks(v.Iter, fa, depth+1)
	case *ssa.Range:
		return asks(v.X, fa, depth+1)
	case *ssa.Lookup:
		return asks(v.X, fa, depth+1)
	case *ssa.Call:
		if _, ok := v.Call.Value.(*ssa.Builtin); ok {
			for _, x := range v.Call.Args {
				if asks(x, fa, depth+1) {
					return true
				}
			}
		}
	}
	return false
}
