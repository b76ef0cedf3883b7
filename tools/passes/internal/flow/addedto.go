// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Bits that are set and counts that go up, in an array or slice of a pooled struct, start
// from what the last user left. When all that the package ever stores in the elements is
// made from what they held, and nothing clears them, no user starts from zero.

// An addedTo is what a package does with the elements of a field.
type addedTo struct {
	a      *analysis
	field  *types.Var
	adds   ssa.Instruction
	other  bool                // set, cleared, or out of view
	cut    bool                // to length 0, and
	longer bool                // given a length again, which brings the elements back
	back   map[*ssa.Store]bool // of the slice that the field had, cut or lengthened
	seen   map[ssa.Value]bool  // whether it is returned
}

// judgeAddedTo reports such fields.
func (a *analysis) judgeAddedTo() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			if a.toldOf[v] || !numbers(v.Type()) || v.Exported() && t.Obj().Exported() {
				return
			}
			if ff := f.facts[v]; ff != nil && slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
				return s.what != wDerived && s.what != wFresh && s.what != wOther && !(s.what == wZero && cutsOnly(s.instr)) || s.given
			}) {
				return // set anew
			}
			e := a.elementsOf(v)
			if e.other || e.adds == nil || e.cut && !e.longer {
				return
			}
			a.toldOf[v] = true
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("the elements of field %s of the pooled %s are added to (%s) and never cleared: the next user starts from what the last one left", v.Name(), t.Obj().Name(), a.line(instrPos(e.adds))),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(e.adds), Message: "added to here"}},
			})
		})
	}
}

// pooledHere is the first Put of each type of the package that is pooled and taken there.
func (f *forgotten) pooledHere() []poolSite {
	var out []poolSite
	for _, p := range f.puts {
		t := p.typ
		if t.Obj().Pkg() != f.a.pkg.Pkg || f.a.inTest(p.fn) || !slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == t }) {
			continue
		}
		k := slices.IndexFunc(out, func(o poolSite) bool { return o.typ == t })
		if k < 0 {
			out = append(out, p)
		} else if cmp.Compare(instrPos(p.instr), instrPos(out[k].instr)) < 0 {
			out[k] = p
		}
	}
	return out
}

// numbers reports whether a type is an array or slice of numbers that count or sum up.
func numbers(t types.Type) bool {
	e := listElem(t)
	if e == nil {
		return false
	}
	b, ok := e.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0 && b.Kind() != types.Byte
}

// elementsOf finds what is done with the elements of a field.
func (a *analysis) elementsOf(v *types.Var) *addedTo {
	e := &addedTo{a: a, field: v, back: map[*ssa.Store]bool{}, seen: map[ssa.Value]bool{}}
	var sets []*ssa.Store
	for _, i := range a.instrsBeyondTests() {
		if x, ok := i.(*ssa.Field); ok && structOf(x.X.Type()).Field(x.Field).Origin() == v {
			e.other = true // a copy of the struct
		}
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.UnOp:
				if isSlice(v.Type()) && e.follow(r, 0) {
					e.other = true // returned to others
				}
			case *ssa.IndexAddr:
				e.element(r)
			case *ssa.Store:
				if r.Addr != fa || !isSlice(v.Type()) {
					e.other = true
				} else if !a.uses().isFresh(fa.X) {
					sets = append(sets, r)
				}
			case *ssa.DebugRef:
			default:
				e.other = true
			}
		}
	}
	for _, st := range sets {
		if !e.back[st] && !e.forRoom(st) {
			e.other = true
		}
	}
	return e
}

// element sees what is done with an element.
func (e *addedTo) element(x *ssa.IndexAddr) {
	for _, r := range referrers(x) {
		switch r := r.(type) {
		case *ssa.Store:
			o, ok := r.Val.(*ssa.BinOp)
			if r.Addr != x || !ok || o.Op != token.OR && o.Op != token.ADD || !loads(o.X, x) {
				e.other = true
				continue
			}
			if e.adds == nil || instrPos(r) < instrPos(e.adds) {
				e.adds = r
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			e.other = true
		}
	}
}

// loads reports whether a value is what an element holds.
func loads(v ssa.Value, x *ssa.IndexAddr) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	if l.X == ssa.Value(x) {
		return true
	}
	y, ok := l.X.(*ssa.IndexAddr)
	return ok && y.Index == x.Index
}
