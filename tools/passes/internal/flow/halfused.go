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

// A loop takes an object, hands it to handlers that add to it by its methods, and empties it
// where a turn of the loop succeeded. An error leaves the loop past that, and the object goes to
// the pool with what the handlers added. The field may have a type with methods of its own that
// add and empty.

// judgeHalfUsed reports Puts that some ways reach past the reset from a call of code that is
// chosen at run time.
func (a *analysis) judgeHalfUsed() {
	f := a.uses()
	for _, put := range f.puts {
		t := put.typ
		if t.Obj().Pkg() != a.pkg.Pkg || t.TypeParams().Len() > 0 || a.inTest(put.fn) {
			continue
		}
		if !slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == t && g.fn == put.fn }) {
			continue
		}
		told := false
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			ff := f.facts[v]
			if told || ff == nil || a.toldOf[v] {
				return
			}
			switch v.Type().Underlying().(type) {
			case *types.Slice, *types.Map:
			default:
				return
			}
			add, reset := f.pastReset(ff, put, t)
			if add == nil {
				return
			}
			told, a.toldOf[v] = true, true
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(put.instr), fn: put.fn,
				message: fmt.Sprintf("field %s of the pooled %s is emptied on some ways only (%s), and one leads here without that from a call of code that may add to it (%s): the next user finds what is left", v.Name(), t.Obj().Name(), a.line(instrPos(reset)), a.line(instrPos(add))),
				typed:   t,
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(add), Message: v.Name() + " may be added to here"},
					{Pos: instrPos(reset), Message: "emptied here, on another way"},
				},
			})
		})
	}
}

// pastReset is a call of code chosen at run time in the function that puts, from which a way
// leads to the Put past the resets of the field, and such a reset.
func (f *forgotten) pastReset(ff *fieldFacts, put poolSite, t *types.Named) (add, reset ssa.Instruction) {
	empties, adds, ok := f.fillings(ff)
	if !ok || len(empties) == 0 || !slices.ContainsFunc(adds, func(i ssa.Instruction) bool {
		fn := i.Parent()
		return fn.Signature.Recv() != nil && token.IsExported(fn.Name()) && recvType(fn) == t.Obj()
	}) {
		return nil, nil
	}
	emptiers := map[*ssa.Function]bool{}
	for _, i := range empties {
		if fn := i.Parent(); fn != put.fn {
			emptiers[fn] = true
		}
	}
	for fn := range emptiers {
		if f.taken[fn] || len(f.callers[fn]) == 0 || fn.Parent() != nil || token.IsExported(fn.Name()) {
			return nil, nil
		}
		for _, c := range f.callers[fn] {
			if _, ok := c.(*ssa.Call); !ok || c.Parent() != put.fn && !f.a.inTest(c.Parent()) {
				return nil, nil
			}
		}
	}
	resets := map[ssa.Instruction]bool{}
	for _, b := range put.fn.Blocks {
		for _, i := range b.Instrs {
			c, isCall := i.(*ssa.Call)
			if !slices.Contains(empties, i) && !(isCall && emptiers[f.a.calledFunction(c)]) {
				continue
			}
			if byFlag(b) {
				return nil, nil
			}
			resets[i] = true
			if reset == nil {
				reset = i
			}
		}
	}
	if reset == nil {
		return nil, nil
	}
	h := &halfReset{forgotten: f, ff: ff, fn: put.fn}
	for i := range instrsOf(put.fn) {
		c, ok := i.(*ssa.Call)
		if !ok || !f.handsOut(c, t) {
			continue
		}
		for r := range resets {
			if precedes(r, i) {
				return nil, nil // emptied before it is used
			}
		}
		if add == nil && h.leads(i, put.instr, resets) && h.fromGet(i, t, resets) {
			add = i
		}
	}
	return add, reset
}

// handsOut reports whether a call gives a value of the type to code that is chosen at run time.
func (f *forgotten) handsOut(c *ssa.Call, t *types.Named) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok || c.Call.StaticCallee() != nil || f.a.calledFunction(c) != nil {
		return false
	}
	return slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return pointee(x.Type()) == t })
}

// fillings are the instructions that empty a slice or map in a field, and those that add to it,
// also by methods of its type; ok is false where something else is done with its address.
func (f *forgotten) fillings(ff *fieldFacts) (empties, adds []ssa.Instruction, ok bool) {
	for _, s := range ff.stores {
		switch {
		case s.what == wZero:
			empties = append(empties, s.instr)
		case s.more:
			adds = append(adds, s.instr)
		default:
			return nil, nil, false
		}
	}
	adds = append(adds, ff.keys...)
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			fa, isAddr := i.(*ssa.FieldAddr)
			if !isAddr || nthField(fa.X, fa.Field) != ff.field {
				continue
			}
			for _, r := range referrers(fa) {
				c, isCall := r.(ssa.CallInstruction)
				if !isCall {
					continue
				}
				m := f.a.calledFunction(c)
				if m == nil || len(c.Common().Args) == 0 || c.Common().Args[0] != fa || len(m.Params) == 0 {
					return nil, nil, false
				}
				switch e, more, other := fillsParam(m); {
				case other:
					return nil, nil, false
				case e:
					empties = append(empties, r)
				case more:
					adds = append(adds, r)
				}
			}
		}
	}
	return empties, adds, true
}

// fillsParam tells what a function does with the slice or map that its first parameter points
// to: it empties it, adds to it, or does something else with its address.
func fillsParam(fn *ssa.Function) (empties, adds, other bool) {
	p := fn.Params[0]
	loaded := func(v ssa.Value) bool {
		l, ok := v.(*ssa.UnOp)
		return ok && l.X == p
	}
	for _, r := range referrers(p) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != p {
				return false, false, true
			}
			switch v := r.Val.(type) {
			case *ssa.Const:
				empties = empties || v.Value == nil
			case *ssa.Slice:
				if c, ok := v.High.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
					empties = true
				} else if !loaded(v.X) {
					return false, false, true
				}
			case *ssa.Call:
				if b, ok := v.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" {
					return false, false, true
				}
				adds = true
			case *ssa.MakeMap:
			default:
				return false, false, true
			}
		case *ssa.UnOp:
			for _, u := range referrers(r) {
				switch u := u.(type) {
				case *ssa.MapUpdate:
					adds = true
				case *ssa.Call:
					if b, ok := u.Call.Value.(*ssa.Builtin); ok && b.Name() == "clear" && !isSlice(r.Type()) {
						empties = true
					}
				}
			}
		case *ssa.DebugRef:
		default:
			return false, false, true
		}
	}
	return empties, adds, false
}
