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

// A pooled struct whose list of pointers is cut to length 0, lengthened again over what lies behind, and
// filled only where there is nil with what a caller gave, gives the next user the entries of the last one.
// That is meant where something is done with an entry that is already there: it is reset, or its fields are
// set (those that are set only where they apply are partly.go's).

// oldEntries is what the functions of a package do with the list in a field.
type oldEntries struct {
	cut    *ssa.Slice // to length 0
	longer *ssa.Slice // over what lies behind, after a look at the capacity
	filled bool       // where there is nil
	named  bool       // what is filled in depends on the user
	ready  bool       // something makes entries ready for the next user, or may
}

// judgeOldEntries reports such lists.
func (a *analysis) judgeOldEntries() {
	fields := map[*types.Var]*oldEntries{}
	for _, g := range a.uses().sites.gets {
		if g.typ == nil || g.typ.Obj().Pkg() != a.pkg.Pkg || a.inTest(g.fn) {
			continue
		}
		s, ok := g.typ.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if l, ok := f.Type().Underlying().(*types.Slice); ok && pointee(l.Elem()) != nil && structOf(l.Elem()) != nil {
				fields[f.Origin()] = new(oldEntries)
			}
		}
	}
	if len(fields) == 0 {
		return
	}
	var order []*types.Var
	for _, i := range a.instrsBeyondTests() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fields[fieldAt(fa)] == nil {
			continue
		}
		if !slices.Contains(order, fieldAt(fa)) {
			order = append(order, fieldAt(fa))
		}
		a.seeEntries(fields[fieldAt(fa)], fa)
	}
	for _, f := range order {
		e := fields[f]
		if e.cut == nil || e.longer == nil || !e.filled || e.ready || !e.named {
			continue
		}
		at, other, what := e.cut, e.longer, "lengthened over them here"
		if e.cut.Parent() == e.longer.Parent() {
			at, other, what = e.longer, e.cut, "cut here"
		}
		a.reportFound(finding{
			pattern: missingReset, pos: instrPos(at), fn: at.Parent(),
			message: fmt.Sprintf("the entries of %s stay behind its new length when it is cut to 0, and come back as the last user left them when it is lengthened (%s): clear the list, or reset the entries", f.Name(), a.line(instrPos(e.longer))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(other), Message: what}},
		})
	}
}

// seeEntries looks at one use of the field.
func (a *analysis) seeEntries(e *oldEntries, fa *ssa.FieldAddr) {
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.UnOp:
			a.seeList(e, r, fa, 0)
		default:
			e.ready = true // who knows
		}
	}
}

// seeList looks at what is done with the list.
func (a *analysis) seeList(e *oldEntries, list ssa.Value, fa *ssa.FieldAddr, depth int) {
	if depth > 4 || list.Referrers() == nil {
		e.ready = true
		return
	}
	for _, r := range referrers(list) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Store:
		case *ssa.Slice:
			n, isConst := r.High.(*ssa.Const)
			switch {
			case isConst && isZero(n.Value):
				e.cut = r
			case r.High != nil && r.Low == nil && !isConst && asksCap(r.Parent(), fieldAt(fa)):
				e.longer = r
			}
			a.seeList(e, r, fa, depth+1)
		case *ssa.Phi:
			a.seeList(e, r, fa, depth+1)
		case *ssa.IndexAddr:
			a.seeEntryAddr(e, r)
		case *ssa.Call:
			b, ok := r.Call.Value.(*ssa.Builtin)
			switch {
			case !ok:
				e.ready = true
			case b.Name() == "len", b.Name() == "cap":
			case b.Name() == "append" && r.Call.Args[0] == list:
			default:
				e.ready = true // clear, copy
			}
		default:
			e.ready = true
		}
	}
}

// seeEntryAddr looks at what is done with a slot of the list.
func (a *analysis) seeEntryAddr(e *oldEntries, at *ssa.IndexAddr) {
	for _, r := range referrers(at) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if isNilConst(r.Val) || r.Addr != ssa.Value(at) {
				e.ready = true
			} else if al, ok := r.Val.(*ssa.Alloc); ok {
				e.named = e.named || holdsGiven(al)
			}
		case *ssa.UnOp:
			a.seeEntry(e, r, 0)
		default:
			e.ready = true
		}
	}
}

// holdsGiven reports whether a new struct is given something that its function was given.
func holdsGiven(al *ssa.Alloc) bool {
	for _, r := range referrers(al) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, q := range referrers(fa) {
			if s, ok := q.(*ssa.Store); ok && s.Addr == ssa.Value(fa) && dependsOnElement(s.Val, 0) {
				return true
			}
		}
	}
	return false
}

// dependsOnElement reports whether a value comes from an element of a list that its function was given.
func dependsOnElement(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.IndexAddr:
		_, given := v.X.(*ssa.Parameter)
		return given || dependsOnElement(v.X, depth+1)
	case *ssa.UnOp:
		return dependsOnElement(v.X, depth+1)
	case *ssa.FieldAddr:
		return dependsOnElement(v.X, depth+1)
	case *ssa.Convert:
		return dependsOnElement(v.X, depth+1)
	case *ssa.ChangeType:
		return dependsOnElement(v.X, depth+1)
	case *ssa.Slice:
		return dependsOnElement(v.X, depth+1)
	}
	return false
}

// seeEntry looks at what is done with an entry.
func (a *analysis) seeEntry(e *oldEntries, v ssa.Value, depth int) {
	if depth > 3 || v.Referrers() == nil {
		e.ready = true
		return
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if isNilConst(r.X) || isNilConst(r.Y) {
				e.filled = true
			}
		case *ssa.UnOp: // the whole is read
		case *ssa.Phi:
			a.seeEntry(e, r, depth+1)
		case *ssa.FieldAddr:
			for _, q := range referrers(r) {
				if l, ok := q.(*ssa.UnOp); !ok || l.Op != token.MUL {
					e.ready = true // it is set
				}
			}
		default:
			e.ready = true
		}
	}
}
