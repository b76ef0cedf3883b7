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

// A source is given a buffer to read into, and gives a slice of that, or else one of memory that it has itself. Who
// keeps what it gave in the field that the buffer came from has somebody else's memory there, and lends that to be
// written over, as a buffer, to the next source.

// judgeLentBack reports such fields, of values that are used again.
func (a *analysis) judgeLentBack() {
	for fn, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok || !isSlice(s.Val.Type()) {
			continue
		}
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		f := fieldAt(fa)
		c, nth := gaveIt(s.Val)
		n := pointee(fa.X.Type())
		if f == nil || f.Pkg() != a.pkg.Pkg || c == nil || n == nil || !a.usedAgain(n) {
			continue
		}
		k := slices.IndexFunc(c.Call.Args, func(x ssa.Value) bool {
			if cut, ok := x.(*ssa.Slice); ok && cut.Low == nil {
				x = cut.X
			}
			g, of := fieldLoad(x)
			return g == f && a.whereKept(of) == a.whereKept(fa.X)
		})
		if k < 0 || a.letGoOf(f) {
			continue
		}
		into, own := a.whatGiven(c, k, nth)
		if into == nil || own == nil {
			continue
		}
		a.reportFound(finding{
			pattern: storeAlias, pos: instrPos(s), fn: fn, cause: instrPos(own),
			message: fmt.Sprintf("%s may have memory of others then (%s), and is the buffer of the next call, which may read into it (%s): keep the buffer in a field of its own", f.Name(), a.line(instrPos(own)), a.line(instrPos(into))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(own), Message: "not the buffer is returned here"},
				{Pos: instrPos(into), Message: "the buffer is returned here"},
			},
		})
	}
}

// gaveIt is the call that gave a value, and which of its results that is.
func gaveIt(v ssa.Value) (*ssa.Call, int) {
	if x, ok := v.(*ssa.Extract); ok {
		c, _ := x.Tuple.(*ssa.Call)
		return c, x.Index
	}
	c, _ := v.(*ssa.Call)
	return c, 0
}

// usedAgain reports whether values of a type go to a pool of the package's own.
func (a *analysis) usedAgain(n *types.Named) bool {
	if slices.ContainsFunc(a.uses().sites.gets, func(s poolSite) bool { return s.typ == n.Origin() }) {
		return true
	}
	for obj := range a.freeLists {
		if ch, ok := obj.Type().Underlying().(*types.Chan); ok && pointee(ch.Elem()) != nil && pointee(ch.Elem()).Origin() == n.Origin() {
			return true
		}
	}
	for l := range a.sliceLists.takes {
		if t := pointee(l.Type()); t != nil && t.Origin() == n.Origin() {
			return true
		}
	}
	return false
}

// letGoOf reports whether the package sets a field to nil, or to what another field has, somewhere.
func (a *analysis) letGoOf(f *types.Var) bool {
	for _, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		if fieldAt(s.Addr) == f {
			v := s.Val
			if cut, ok := v.(*ssa.Slice); ok {
				v = cut.X
			}
			if g := fieldOfValue(v); isNilConst(v) || g != nil && g != f {
				return true
			}
		}
		if t := structOf(s.Addr.Type()); t != nil && hasField(t, f) {
			if _, made := s.Addr.(*ssa.Alloc); !made {
				return true // all of it
			}
		}
	}
	return false
}

// whatGiven are returns of what a call may call: one that gives a slice of its n-th argument, and one that gives a slice of
// memory that another argument leads to.
func (a *analysis) whatGiven(c *ssa.Call, n, nth int) (into, own ssa.Instruction) {
	var fns []*ssa.Function
	if fn := a.calledFunction(c); fn != nil {
		fns = append(fns, fn)
	} else if it, ok := c.Call.Value.Type().Underlying().(*types.Interface); ok && c.Call.IsInvoke() {
		for _, fn := range a.fns {
			if fn.Name() == c.Call.Method.Name() && fn.Signature.Recv() != nil && !a.inTest(fn) && types.Implements(fn.Params[0].Type(), it) {
				fns = append(fns, fn)
			}
		}
	}
	if c.Call.IsInvoke() {
		n++
	}
	for _, fn := range fns {
		if n >= len(fn.Params) {
			continue
		}
		for i := range instrsOf(fn) {
			r, ok := i.(*ssa.Return)
			if !ok || nth >= len(r.Results) {
				continue
			}
			switch givenFrom(r.Results[nth], map[ssa.Value]bool{}) {
			case fn.Params[n]:
				into = r
			case nil:
			default:
				own = r
			}
		}
	}
	return into, own
}

// givenFrom is the parameter that a slice is one of, or in whose memory it was found; nil if that is not known.
func givenFrom(v ssa.Value, seen map[ssa.Value]bool) (of *ssa.Parameter) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Parameter:
		return x
	case *ssa.Slice:
		return givenFrom(x.X, seen)
	case *ssa.ChangeType:
		return givenFrom(x.X, seen)
	case *ssa.FieldAddr:
		return givenFrom(x.X, seen)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		if al, ok := x.X.(*ssa.Alloc); ok {
			if only := storedOnce(al); only != nil {
				return givenFrom(only, seen)
			}
			return nil
		}
		return givenFrom(x.X, seen)
	case *ssa.Call:
		if isBuiltin(x, "append") {
			return givenFrom(x.Call.Args[0], seen)
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			p := givenFrom(e, seen)
			if p != nil && of != nil && p != of {
				return nil
			}
			if p != nil {
				of = p // whatever is new on the other ways
			}
		}
		return of
	}
	return nil
}
