// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object that lends what it has to one of another type, which puts it at its own end, loses it: it uses it on,
// and puts it again at its end. That is right where it lets go of the value when it lends it, or where the other one
// looks at more than whether it has one. Only a Close comes in any case: what puts a value where something failed
// does not put what was given on.

// A lentOut is a field whose value a field of another type is set to.
type lentOut struct {
	from, to *types.Var
	at       ssa.Instruction
}

// judgeTwoOwners reports the Puts of those who were lent a value.
func (c *custody) judgeTwoOwners() {
	for _, l := range c.lentFields() {
		ours, theirs := c.putsField[l.from], c.putsField[l.to]
		if len(ours) == 0 || len(theirs) == 0 || c.letsGo(l.from) {
			continue
		}
		own := firstPut(ours)
		at := firstPut(theirs)
		if !endsObject(own.Parent()) && !(renews(own, l.from) && endsObject(outermost(at.Parent()))) || len(theirs) != 1 || !c.onlyIfThere(at, l.to) || !c.onlyIfThere(own, l.from) || c.uses(at.Parent(), l.from) || counted(l.from.Type()) {
			continue
		}
		c.a.reportFound(finding{
			pattern: doublePut, pos: instrPos(at), fn: at.Parent(), cause: instrPos(at),
			message: fmt.Sprintf("field %s puts here what it was lent by field %s (%s), which keeps it and puts it again in %s (%s)", l.to.Name(), ownerName(l.from, l.at)+l.from.Name(), c.a.line(instrPos(l.at)), own.Parent().Name(), c.a.line(instrPos(own))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(l.at), Message: "lent here"},
				{Pos: instrPos(own), Message: "put again here"},
			},
		})
	}
}

// renews reports whether the function with a Put of what a field holds sets the field to something new then: it is made to
// be called again, and what it finds in the field is what it set when it was called before.
func renews(put ssa.Instruction, f *types.Var) bool {
	found := false
	eachStore(put.Parent(), func(s *ssa.Store) {
		found = found || fieldAt(s.Addr) == f && !isNilConst(s.Val) && precedes(put, s)
	})
	return found
}

// ownerName is the name of the struct that has a field, with a dot, as it is loaded at an instruction's function.
func ownerName(f *types.Var, at ssa.Instruction) string {
	for i := range instrsOf(at.Parent()) {
		if fa, ok := i.(*ssa.FieldAddr); ok && fieldAt(fa) == f {
			if n := pointee(fa.X.Type()); n != nil {
				return n.Obj().Name() + "."
			}
		}
	}
	return ""
}

func firstPut(puts map[*ssa.Function]ssa.Instruction) ssa.Instruction {
	return slices.MinFunc(slices.Collect(maps.Values(puts)), func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) })
}

// lentFields finds the fields whose value goes to a field of another type.
func (c *custody) lentFields() (list []lentOut) {
	for fn, i := range c.a.instrsBeyondTests() {
		load, ok := i.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		from, owner := fieldLoad(load)
		if p, isParam := owner.(*ssa.Parameter); from == nil || !isParam || p.Parent() != fn || from.Exported() || from.Pkg() != c.a.pkg.Pkg || len(c.putsField[from]) == 0 || pointee(from.Type()) == nil {
			continue
		}
		lent := func(to *types.Var, at ssa.Instruction) {
			if to != nil && to != from && !to.Exported() && types.Identical(to.Type(), from.Type()) && len(c.putsField[to]) > 0 &&
				!slices.ContainsFunc(list, func(l lentOut) bool { return l.from == from && l.to == to }) {
				list = append(list, lentOut{from, to, at})
			}
		}
		for _, to := range c.keptAs(load, deref(owner.Type()), 0) {
			lent(to, load)
		}
	}
	return list
}

// keptAs are the fields of other types that a function, or one that it calls, sets to a value.
func (c *custody) keptAs(v ssa.Value, not types.Type, depth int) (list []*types.Var) {
	if depth > 3 {
		return nil
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Store:
			if fa, ok := r.Addr.(*ssa.FieldAddr); ok && r.Val == v && !types.Identical(deref(fa.X.Type()), not) {
				list = append(list, fieldAt(fa))
			}
		case *ssa.Call:
			g := c.a.calledFunction(r)
			if g == nil || r.Call.IsInvoke() || len(g.Params) != len(r.Call.Args) {
				continue
			}
			for k, x := range r.Call.Args {
				if x == v {
					list = append(list, c.keptAs(g.Params[k], not, depth+1)...)
				}
			}
		}
	}
	return list
}

// letsGo reports whether a function that does not put what a field holds sets the field.
func (c *custody) letsGo(f *types.Var) bool {
	for fn, i := range c.a.instrs() {
		s, ok := i.(*ssa.Store)
		if !ok || c.putsField[f][fn] != nil {
			continue
		}
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok && fieldAt(fa) == f {
			if _, made := fa.X.(*ssa.Alloc); !made {
				return true
			}
		}
	}
	return false
}

// uses reports whether a function deals with a field.
func (c *custody) uses(fn *ssa.Function, f *types.Var) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			if fa, ok := i.(*ssa.FieldAddr); ok && fieldAt(fa) == f {
				return true
			}
		}
	}
	return false
}

// onlyIfThere reports whether a Put depends on nothing but whether the field has a value.
func (c *custody) onlyIfThere(put ssa.Instruction, f *types.Var) bool {
	for b := put.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		iff, ok := lastInstr(b.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := iff.Cond.(*ssa.BinOp)
		if !ok || !isNilConst(cmp.X) && !isNilConst(cmp.Y) {
			return false
		}
		x := cmp.X
		if isNilConst(x) {
			x = cmp.Y
		}
		if g, _ := fieldLoad(x); g != f {
			return false
		}
	}
	return true
}

// counted reports whether the values of a type count who has them.
func counted(t types.Type) bool {
	n := pointee(t)
	if n == nil {
		return true
	}
	for m := range n.Methods() {
		if name := strings.ToLower(m.Name()); strings.Contains(name, "ref") || strings.Contains(name, "retain") || strings.Contains(name, "acquire") || strings.Contains(name, "clone") {
			return true
		}
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range s.Fields() {
		if strings.Contains(strings.ToLower(f.Name()), "ref") {
			return true
		}
	}
	return false
}
