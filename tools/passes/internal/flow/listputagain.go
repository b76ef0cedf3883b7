// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A list in a field gathers what a method puts, one entry after the other. That such a method is called again is its
// custom, or is seen: it empties the list on other paths, or the one that adds to the list calls it. On a path that leaves
// in the list what was put, the next call puts that again.

// A listPutAgain is what was found when such a method was played twice.
type listPutAgain struct {
	fn    *ssa.Function
	field *types.Var
	f     finding
}

// goesOnNames begin the names of methods after which an object is used on.
var goesOnNames = []string{"Flush", "Reset", "Clear", "Drain", "Sync", "Truncate", "Emit", "Send"}

// playList calls a method again that leaves entries in the list of its receiver's that it put.
func (a *analysis) playList(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || fn.Synthetic != "" || ends(fn.Name()) || givesUp(fn.Name()) || a.inTest(fn) || a.pendingIn(fn) {
		return false
	}
	recv := a.syms.find(symKey{kind: kParam, obj: fn.Params[0]})
	if recv == nil {
		return false
	}
	f, put := entriesLeftIn(e.st, recv)
	if f == nil || f.Exported() || slices.ContainsFunc(a.closings.lists, func(l listPutAgain) bool { return l.fn == fn && l.field == f }) {
		return false
	}
	play(func() {
		a.methodOn(e.st, fn, recv, nil, func(k findingKey, found *finding) bool {
			if k.pattern == doublePut || k.pattern == useAfterPut {
				found.pos, found.fn = instrPos(put.stack[0]), fn
				found.related = []goanalysis.RelatedInformation{{Pos: instrPos(e.ret), Message: "the list has it still here"}}
				a.closings.lists = append(a.closings.lists, listPutAgain{fn, f, *found})
			}
			return false // judgeListsPutAgain has the last word
		})
	})
	return true
}

// entriesLeftIn is the field of an object with a list that has entries still which the path put, and such a Put.
func entriesLeftIn(st *state, obj *sym) (*types.Var, *release) {
	for _, x := range sortedKeys(st.rel) {
		if x.kind != kLoad || x.a.kind != kElem || st.rel[x].async || st.gone[x] || x.a.a == nil {
			continue
		}
		list := memory(x.a.a)
		if list.kind != kLoad || list.a.kind != kField || list.a.a != obj {
			continue
		}
		if now := st.mem[x.a]; now != nil && now != x {
			continue
		}
		if now := st.mem[list.a]; now != nil && memory(now) != list {
			continue
		}
		if f, ok := list.a.obj.(*types.Var); ok {
			return f.Origin(), st.rel[x]
		}
	}
	return nil, nil
}

// judgeListsPutAgain reports what the next call of a method puts again.
func (a *analysis) judgeListsPutAgain() {
	done := map[*ssa.Function]bool{}
	for _, twice := range []bool{true, false} {
		for _, l := range a.closings.lists {
			if done[l.fn] || (l.f.pattern == doublePut) != twice || !a.goesOnAfter(l.fn, l.field) {
				continue
			}
			done[l.fn] = true
			if _, known := a.found[findingKey{l.f.pattern, l.f.pos}]; known {
				continue
			}
			what := "uses it again"
			if twice {
				what = "puts it again"
			}
			l.f.message = fmt.Sprintf("what %s puts stays in the list %s: the next call of %s %s", l.fn.Name(), l.field.Name(), l.fn.Name(), what)
			a.reportFound(l.f)
		}
	}
}

// goesOnAfter reports whether the object of a method is used on when it has returned, and nobody else empties the list.
func (a *analysis) goesOnAfter(fn *ssa.Function, f *types.Var) bool {
	empties, adds := false, false
	var others []*ssa.Function
	for g, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok || fieldRoot[*ssa.Alloc](s.Addr) != nil {
			continue
		}
		if t, ok := s.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) {
			return false // the object becomes another
		}
		if fieldAt(s.Addr) != f {
			continue
		}
		if c, ok := s.Val.(*ssa.Call); ok && isBuiltin(c, "append") && fieldOfValue(c.Call.Args[0]) == f {
			adds = adds || g != fn
		} else if g == fn || slices.ContainsFunc(a.callsOf(g), func(c ssa.CallInstruction) bool { return c.Parent() == fn }) {
			empties = true
		} else {
			others = append(others, g)
		}
	}
	if !adds || !empties && len(others) > 0 {
		return false
	}
	goesOn := exportedRoot(fn) && recvType(fn).Exported()
	for _, c := range a.callsOf(fn) {
		by := c.Parent()
		if a.inTest(by) || ends(by.Name()) {
			continue
		}
		if slices.Contains(others, by) || endsAnother(a, by, fn) || len(c.Common().Args) == 0 || replacesOwner(c) {
			return false
		}
		switch c.Common().Args[0].(type) {
		case *ssa.Parameter, *ssa.FreeVar, *ssa.UnOp:
			goesOn = true
		}
	}
	if !empties {
		return goesOn && exportedRoot(fn) && hasPrefix(fn.Name(), goesOnNames)
	}
	return goesOn && !slices.ContainsFunc(others, func(g *ssa.Function) bool {
		return ends(g.Name()) || givesUp(g.Name()) || hasPrefix(g.Name(), restartNames) || hasPrefix(g.Name(), []string{"Clear", "Truncate", "Drop"})
	})
}

// replacesOwner reports whether a function sets the place anew from which it had the object that it calls a method on.
func replacesOwner(c ssa.CallInstruction) bool {
	l, ok := c.Common().Args[0].(*ssa.UnOp)
	if !ok {
		return false
	}
	home, found := fieldAt(l.X), false
	eachStore(c.Parent(), func(s *ssa.Store) { found = found || s.Addr == l.X || home != nil && fieldAt(s.Addr) == home })
	return found
}

// endsAnother reports whether a function calls a method by which objects of the type that a method is of end.
func endsAnother(a *analysis, by, fn *ssa.Function) bool {
	for i := range instrsOf(by) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if g := a.calledFunction(c); g != nil && recvType(g) == recvType(fn) && (ends(g.Name()) || givesUp(g.Name())) {
			return true
		}
	}
	return false
}
