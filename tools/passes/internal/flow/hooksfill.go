// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An exported map that is made empty with its struct, read in the package and never written there, is for
// others to write to: the hooks or handlers that are given the struct. Where that is pooled, and nobody
// empties the map, the next user finds what they added.

// judgeHooksFill reports such maps.
func (a *analysis) judgeHooksFill() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		s, ok := t.Underlying().(*types.Struct)
		if !ok || !t.Obj().Exported() || t.TypeParams().Len() > 0 || f.leavesPackage(t) {
			continue
		}
		var given ssa.CallInstruction
		looked := false
		for v := range s.Fields() {
			m, isMap := v.Type().Underlying().(*types.Map)
			ff := f.facts[v]
			if !isMap || !isString(m.Key()) || !v.Exported() || ff == nil || a.toldOf[v] || ff.open || len(ff.stores) > 0 || len(ff.keys) > 0 || !a.madeEmpty(f, v) {
				continue
			}
			var read ssa.Instruction
			if slices.ContainsFunc(ff.reads, func(r ssa.Instruction) bool {
				x, ok := r.(ssa.Value)
				return !ok || !onlyLookedAt(a, x, &read, 0)
			}) || read == nil {
				continue
			}
			if !looked {
				given, looked = f.givenToHook(t), true
			}
			if given == nil {
				break
			}
			a.toldOf[v] = true
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("field %s of the pooled %s is a map for others to add to, who are given the %s (%s), and nobody empties it: the next user finds what the last ones left", v.Name(), t.Obj().Name(), t.Obj().Name(), a.line(instrPos(given))),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(given), Message: "given here"}, {Pos: instrPos(read), Message: v.Name() + " is read here"}},
			})
		}
	}
}

// madeEmpty reports whether a field is set to an empty map in each new struct that has it, and in one at least. One that
// stays out of pools may have a map of its own that was filled.
func (a *analysis) madeEmpty(f *forgotten, v *types.Var) bool {
	made := false
	for _, i := range a.instrsBeyondTests() {
		st, ok := i.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != v {
			continue
		}
		m, ok := unboxed(st.Val).(*ssa.MakeMap)
		if al, isNew := st.Addr.(*ssa.FieldAddr).X.(*ssa.Alloc); isNew && (ok || clonesMap(st.Val)) && a.staysOut(al) {
			continue
		}
		if !ok || slices.ContainsFunc(referrers(m), func(r ssa.Instruction) bool {
			_, isStore := r.(*ssa.Store)
			_, isDebug := r.(*ssa.DebugRef)
			_, isType := r.(*ssa.ChangeType)
			return !isStore && !isDebug && !isType
		}) {
			return false
		}
		made = true
	}
	return made
}

// clonesMap reports whether a value is a copy of a map.
func clonesMap(v ssa.Value) bool {
	c, ok := unboxed(v).(*ssa.Call)
	if !ok {
		return false
	}
	m := calledMethod(c)
	return m != nil && funcKey(m) == "maps.Clone"
}

// onlyLookedAt reports whether what is done with a map, in the package, only reads it: it is gone through, searched, or
// given to a function of the standard library, be it in a struct made for that. Where it is gone through or given, read
// is set.
func onlyLookedAt(a *analysis, v ssa.Value, read *ssa.Instruction, depth int) bool {
	if depth > 6 || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Range:
			*read = r
		case *ssa.Lookup:
			if r.X != v {
				return false
			}
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
			if !onlyLookedAt(a, r.(ssa.Value), read, depth+1) {
				return false
			}
		case *ssa.UnOp:
			if !onlyLookedAt(a, r, read, depth+1) {
				return false
			}
		case *ssa.Store:
			var in ssa.Value
			switch addr := r.Addr.(type) {
			case *ssa.FieldAddr:
				in = addr.X
			case *ssa.IndexAddr:
				in = addr.X // among variable arguments
			}
			al, ok := in.(*ssa.Alloc)
			if !ok || r.Val != v {
				return false
			}
			for _, q := range referrers(al) {
				switch q := q.(type) {
				case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
				case *ssa.UnOp, *ssa.MakeInterface, *ssa.Slice:
					if !onlyLookedAt(a, q.(ssa.Value), read, depth+1) {
						return false
					}
				default:
					return false
				}
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() != "len" {
					return false
				}
				continue
			}
			if fn := a.calledFunction(r); fn != nil && !r.Call.IsInvoke() {
				k := slices.Index(r.Call.Args, v)
				if k < 0 || k >= len(fn.Params) || !onlyLookedAt(a, fn.Params[k], read, depth+1) {
					return false
				}
				continue
			}
			m := calledMethod(r)
			if m == nil || r.Call.IsInvoke() || m.Pkg() == nil || !isStdPath(m.Pkg().Path()) || m.Pkg().Path() == "maps" && !readsMap(r, slices.Index(r.Call.Args, v)) {
				return false
			}
			*read = r
		default:
			return false
		}
	}
	return true
}

// givenToHook is a call of code that others write, by an exported type of interface or function, which has a pointer to
// a struct of the pooled type, in what is done with one that was taken.
func (f *forgotten) givenToHook(t *types.Named) ssa.CallInstruction {
	var todo []*ssa.Function
	add := func(fn *ssa.Function) {
		if !slices.Contains(todo, fn) && len(todo) < 40 {
			todo = append(todo, fn)
		}
	}
	for _, g := range f.gets {
		if g.typ == t && !f.a.inTest(g.fn) {
			add(origin(g.fn))
		}
	}
	for k := 0; k < len(todo); k++ {
		for i := range instrsOf(todo[k]) {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, x := range c.Common().Args {
				isPtr := pointee(x.Type()) != nil && pointee(x.Type()).Origin() == t
				n, _ := types.Unalias(x.Type()).(*types.Named)
				if !isPtr && (n == nil || n.Origin() != t) {
					continue
				}
				if fn := f.a.calledFunction(c); fn != nil {
					add(fn)
				} else if isPtr && writtenByOthers(c.Common()) {
					return c
				}
			}
		}
	}
	return nil
}

// writtenByOthers reports whether a call is one of an interface or a function whose type the package exports.
func writtenByOthers(c *ssa.CallCommon) bool {
	n, ok := types.Unalias(c.Value.Type()).(*types.Named)
	if !ok || !n.Obj().Exported() {
		return false
	}
	return c.IsInvoke() || isFuncType(n)
}

func isFuncType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}
