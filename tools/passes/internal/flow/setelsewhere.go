// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A method that puts what a field holds only where a flag is not set, and sets the flag, asks whether it did so
// before. Where another method sets the flag too, while the field has a value that it does not put, nobody puts that
// any more.

// judgeSetElsewhere reports such Puts.
func (c *custody) judgeSetElsewhere() {
	for f, puts := range c.putsField {
		if f.Exported() || pointee(f.Type()) == nil || len(c.takesField[f]) == 0 || len(puts) != 1 {
			continue
		}
		for fn, put := range puts {
			if fn.Parent() != nil || c.a.inTest(fn) || c.startedFrom(fn) {
				continue
			}
			flag := c.flagBefore(put, f)
			if flag == nil {
				continue
			}
			if s := c.otherSetter(flag, f, fn); s != nil && c.onlyReadBeside(put, f) {
				c.a.reportFound(finding{
					pattern: missingPut, pos: instrPos(put), fn: fn,
					message: fmt.Sprintf("what %s holds is put only where %s is not set: %s sets that as well (%s) and puts nothing, so that it is lost", f.Name(), flag.Name(), s.Parent().Name(), c.a.line(instrPos(s))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(s), Message: "set here, and not put"}},
				})
			}
		}
	}
}

// flagBefore is the flag of an object that is not set where what a field of the object holds is put, and that the same
// function sets there.
func (c *custody) flagBefore(put ssa.Instruction, f *types.Var) *types.Var {
	var owner ssa.Value
	c.back(c.putBy(put)[0], func(x ssa.Value) bool {
		if g, o := fieldLoad(x); g == f {
			owner = o
		}
		return owner == nil
	})
	if owner == nil {
		return nil
	}
	for b := put.Block(); b.Idom() != nil; b = b.Idom() {
		test, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, unset := test.Cond, b.Idom().Succs[1] == b
		if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
			cond, unset = n.X, !unset
		}
		g, o := fieldLoad(cond)
		if g == nil || !isBool(g.Type()) || g.Exported() || !unset || !sameOwner(o, owner) {
			continue
		}
		sets := false
		eachStore(put.Parent(), func(s *ssa.Store) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			sets = sets || ok && fieldAt(fa) == g && sameOwner(fa.X, owner) && storesTrue(s.Val) && (s.Block() == b || b.Dominates(s.Block()))
		})
		if sets {
			return g
		}
	}
	return nil
}

// otherSetter is where another function sets a flag of an object of which it used what a field holds, neither
// puts that nor sets the field, and is not run by the one that does.
func (c *custody) otherSetter(flag, f *types.Var, putter *ssa.Function) (set *ssa.Store) {
	for _, fn := range c.a.fns {
		if fn == putter || c.a.inTest(fn) || set != nil || c.reaches(putter)[fn] || c.reaches(fn)[putter] {
			continue
		}
		var at *ssa.Store
		sets := false
		eachStore(fn, func(s *ssa.Store) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok {
				return
			}
			switch fieldAt(fa) {
			case f:
				sets = true
			case flag:
				if storesTrue(s.Val) && hadBefore(s, f, fa.X) {
					at = s
				}
			}
		})
		// Who calls it may give the value back for it.
		called := false
		for _, call := range c.a.callsOf(fn) {
			called = called || c.reaches(call.Parent())[putter]
		}
		if at != nil && !sets && !called {
			set = at
		}
	}
	return set
}

// hadBefore reports whether what a field of an object holds was used on all ways to an instruction, so that there
// is something.
func hadBefore(at ssa.Instruction, f *types.Var, owner ssa.Value) bool {
	for i := range instrsOf(at.Parent()) {
		l, ok := i.(*ssa.UnOp)
		if !ok {
			continue
		}
		if g, o := fieldLoad(l); g != f || !sameOwner(o, owner) {
			continue
		}
		for _, r := range referrers(l) {
			if _, isField := r.(*ssa.FieldAddr); isField && r.Block() != at.Block() && r.Block().Dominates(at.Block()) {
				return true
			}
		}
	}
	return false
}

// onlyReadBeside reports whether nothing is done with what a field holds but to read it, beside one Put: nobody has it
// from there.
func (c *custody) onlyReadBeside(put ssa.Instruction, f *types.Var) bool {
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != f {
				continue
			}
			for _, r := range referrers(fa) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != ssa.Value(fa) {
						return false
					}
				case *ssa.UnOp:
					if !staysThere(r, 0) && !onlyGivenTo(r, put) {
						return false
					}
				default:
					return false
				}
			}
		}
	}
	return true
}

// onlyGivenTo reports whether a value goes to one instruction only.
func onlyGivenTo(v ssa.Value, to ssa.Instruction) bool {
	for _, r := range referrers(v) {
		switch x := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			if !onlyGivenTo(x, to) {
				return false
			}
		default:
			if r != to {
				return false
			}
		}
	}
	return true
}
