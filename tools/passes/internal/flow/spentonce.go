// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A sync.Once in a pooled struct is spent with the first user. Where what its function works
// out is of one use, as those who put or take the struct empty it, or what it is made from,
// the next user finds nothing, or what the last one worked out.

// A onceField is what a package does with a sync.Once that lies in a struct.
type onceField struct {
	do      []*ssa.Call
	renewed bool // or something that is not understood
}

// judgeSpent reports such fields that nobody renews.
func (a *analysis) judgeSpent() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		region := f.region(p.typ)
		collectFields(p.typ, 0, func(v *types.Var, s *types.Struct) {
			if types.TypeString(v.Type(), nil) != "sync.Once" || a.toldOf[v] {
				return
			}
			if ff := f.facts[v]; ff != nil && len(ff.stores) > 0 {
				return
			}
			o := a.onceField(v)
			if o.renewed {
				return
			}
			for _, c := range o.do {
				if f.spent(p, v, s, region, c) {
					return
				}
			}
		})
	}
}

// onceField finds what is done with a field.
func (a *analysis) onceField(v *types.Var) (o onceField) {
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, r := range referrers(fa) {
			switch c := r.(type) {
			case *ssa.Call:
				if f := calledMethod(c); f != nil && funcKey(f) == "sync.Once.Do" && c.Call.Args[0] == fa {
					o.do = append(o.do, c)
					continue
				}
				o.renewed = true
			case *ssa.DebugRef:
			default:
				o.renewed = true
			}
		}
	}
	return o
}

// spent judges one call of Do.
func (f *forgotten) spent(p poolSite, once *types.Var, s *types.Struct, region []*ssa.Function, do *ssa.Call) bool {
	body := doneOnce(f.a, do.Call.Args[1])
	if len(body) == 0 {
		return false
	}
	in := func(i ssa.Instruction) bool { return slices.Contains(body, i.Parent()) }
	// emptied is where those who put or take the struct empty a field, and whether that is
	// more than a cut or a clear, which keep the memory.
	emptied := func(ff *fieldFacts) (at ssa.Instruction, whole bool) {
		for _, st := range ff.stores {
			if st.what != wZero || in(st.instr) || !slices.Contains(region, st.instr.Parent()) {
				continue
			}
			_, isStore := st.instr.(*ssa.Store)
			if at == nil {
				at = st.instr
			}
			whole = whole || isStore && !cutsOnly(st.instr)
		}
		return at, whole
	}
	var from *fieldFacts // what the function reads, of one use
	var fromAt ssa.Instruction
	for v := range s.Fields() {
		ff := f.facts[v.Origin()]
		if ff == nil || !slices.ContainsFunc(ff.reads, in) || slices.ContainsFunc(ff.stores, func(st fieldStore) bool { return in(st.instr) }) || slices.ContainsFunc(ff.keys, in) {
			continue
		}
		if at, _ := emptied(ff); at != nil && from == nil {
			from, fromAt = ff, at
		}
	}
	for v := range s.Fields() {
		ff := f.facts[v.Origin()]
		if ff == nil || v.Origin() == once || f.a.toldOf[v.Origin()] {
			continue
		}
		var fills ssa.Instruction
		fresh := true // only memory is made
		for _, st := range ff.stores {
			if in(st.instr) && st.what != wZero {
				if fills == nil {
					fills = st.instr
				}
				fresh = fresh && st.what == wFresh
			}
		}
		for _, k := range ff.keys {
			if in(k) {
				fills, fresh = k, false
			}
		}
		if fills == nil {
			continue
		}
		// Set elsewhere in use as well, the field does not depend on the Once.
		if slices.ContainsFunc(ff.stores, func(st fieldStore) bool { return !in(st.instr) && st.what != wZero }) ||
			slices.ContainsFunc(ff.keys, func(k ssa.Instruction) bool { return !in(k) }) {
			continue
		}
		at, whole := emptied(ff)
		message := ""
		switch {
		case at != nil && (whole || !fresh):
			message = fmt.Sprintf("field %s of the pooled %s is emptied for the next user (%s), but the sync.Once %s that fills it (%s) is not renewed: the next user does not get it filled", v.Name(), p.typ.Obj().Name(), f.a.line(instrPos(at)), once.Name(), f.a.line(instrPos(fills)))
		case at == nil && from != nil && !fresh:
			at = fromAt
			message = fmt.Sprintf("field %s of the pooled %s is worked out from %s under the sync.Once %s (%s), which is not renewed: the next user gets what was worked out for the last one", v.Name(), p.typ.Obj().Name(), from.field.Name(), once.Name(), f.a.line(instrPos(fills)))
		default:
			continue
		}
		f.a.toldOf[once] = true
		f.a.reportFound(finding{
			pattern: missingReset, pos: instrPos(at), fn: at.Parent(),
			message: message,
			related: []goanalysis.RelatedInformation{{Pos: instrPos(do), Message: "done once here"}, {Pos: instrPos(fills), Message: v.Name() + " is filled here"}, {Pos: instrPos(p.instr), Message: "the Put"}},
		})
		return true
	}
	return false
}

// doneOnce are the function that a Once runs, its closures, and what it calls in the package.
func doneOnce(a *analysis, v ssa.Value) (body []*ssa.Function) {
	var add func(fn *ssa.Function, depth int)
	add = func(fn *ssa.Function, depth int) {
		if fn == nil || depth > 3 || slices.Contains(body, fn) {
			return
		}
		body = append(body, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon, depth+1)
		}
		for i := range instrsOf(fn) {
			if c, ok := i.(ssa.CallInstruction); ok {
				add(a.calledFunction(c), depth+1)
			}
		}
	}
	fn := writtenFunc(v)
	if fn != nil && isBound(fn) {
		m, ok := fn.Object().(*types.Func)
		if !ok {
			return nil
		}
		fn = a.prog.FuncValue(m)
	}
	if fn != nil {
		add(origin(fn), 0)
	}
	return body
}
