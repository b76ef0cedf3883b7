// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// That Close may be called once only is a custom that callers of an interface do not all
// keep, and that most types leave to them. Not so a type one of whose methods lets go of what it puts:
// a Read that takes each buffer off the list that it puts says that the list has those that are still to be
// put, and then the Close that puts the rest, and leaves them on the list, puts them again when it is called again.

// closings are what was found when Close was played twice, and which fields methods let go of.
type closings struct {
	twice []closedTwice
	letGo map[*types.Var]string // by the name of such a method
	lists []listPutAgain
}

type closedTwice struct {
	f      finding
	fields []*types.Var // that still have what was put
}

// noteLetGo records the fields of a method's receiver of which a path put what they had, or an element, and
// that it set to the rest of it, or to nil.
func (a *analysis) noteLetGo(fn *ssa.Function, e exit) {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || fn.Name() == "Close" || len(e.st.rel)+len(e.st.gone) == 0 {
		return
	}
	recv := a.syms.find(symKey{kind: kParam, obj: fn.Params[0]})
	if recv == nil {
		return
	}
	note := func(x *sym) {
		if x.kind != kLoad || x.base() != recv {
			return
		}
		for y := x; y != nil; y = y.a {
			if y.kind != kLoad || y.a.kind != kField {
				continue
			}
			f, ok := y.a.obj.(*types.Var)
			if now := e.st.mem[y.a]; ok && now != nil && now != y && (now.kind == kNil || memory(now) == y) {
				if a.closings.letGo == nil {
					a.closings.letGo = map[*types.Var]string{}
				}
				if old := a.closings.letGo[f]; old == "" || fn.Name() < old {
					a.closings.letGo[f] = fn.Name()
				}
			}
		}
	}
	for x, r := range e.st.rel {
		if !r.async {
			note(x)
		}
	}
	for x := range e.st.gone {
		note(x) // put by a count, or in turn
	}
}

// playClose calls Close of an object again that still has what it put.
func (a *analysis) playClose(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Name() != "Close" || fn.Signature.Recv() == nil || len(fn.Params) != 1 || !a.closedByOthers(fn.Params[0].Type()) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if !a.leavesReleased(e.st, recv) {
		return false
	}
	var fields []*types.Var
	for x := range e.st.rel {
		for y := x; y != nil && x.base() == recv; y = y.a {
			if f, ok := y.obj.(*types.Var); ok && y.kind == kField {
				fields = append(fields, f)
			}
		}
	}
	play(func() {
		a.methodOn(e.st, fn, recv, nil, func(k findingKey, f *finding) bool {
			if k.pattern == doublePut {
				for _, r := range f.related {
					if strings.HasSuffix(r.Message, "the second Put") {
						f.pos, f.fn = r.Pos, fn // the last one is in Close itself
					}
				}
				a.closings.twice = append(a.closings.twice, closedTwice{*f, fields})
			}
			return false // judgeClosings has the last word
		})
	})
	return true
}

// closedByOthers reports whether code out of view may close objects of a type: it is exported, or
// made an interface that has the method, or is a reader or writer that nobody in view closes.
func (a *analysis) closedByOthers(t types.Type) bool {
	if n := recvName(t); n == nil || n.Exported() {
		return n != nil
	}
	inView := false
	for _, i := range a.instrs() {
		if c, ok := i.(ssa.CallInstruction); ok && calledMethod(c) != nil && calledMethod(c).Name() == "Close" {
			args := c.Common().Args
			inView = inView || !c.Common().IsInvoke() && len(args) > 0 && types.Identical(args[0].Type(), t)
			continue
		}
		m, ok := i.(*ssa.MakeInterface)
		if !ok || !types.Identical(m.X.Type(), t) {
			continue
		}
		for f := range m.Type().Underlying().(*types.Interface).Methods() {
			if f.Name() == "Close" {
				return true
			}
		}
	}
	return !inView && isStream(t)
}

// isStream reports whether a type has the methods of an io.ReadCloser or an io.WriteCloser.
func isStream(t types.Type) bool {
	set := types.NewMethodSet(t)
	has := func(name string, results ...types.Type) bool {
		m := set.Lookup(nil, name)
		if m == nil {
			return false
		}
		r := m.Type().(*types.Signature).Results()
		return slices.EqualFunc(slices.Collect(r.Variables()), results, func(v *types.Var, t types.Type) bool { return types.Identical(v.Type(), t) })
	}
	err := types.Universe.Lookup("error").Type()
	n := types.Typ[types.Int]
	return has("Close", err) && (has("Read", n, err) || has("Write", n, err))
}

// judgeClosings reports what a second Close puts again.
func (a *analysis) judgeClosings() {
	for _, c := range a.closings.twice {
		slices.SortFunc(c.fields, func(f, g *types.Var) int { return int(f.Pos() - g.Pos()) })
		for _, f := range c.fields {
			by := a.closings.letGo[f]
			if by == "" {
				continue
			}
			if _, known := a.found[findingKey{doublePut, c.f.pos}]; known || c.f.pos == token.NoPos {
				break
			}
			c.f.message = "each call of Close puts what " + f.Name() + " has in the pool again: " + by + " lets go of what it puts, Close does not"
			a.reportFound(c.f)
			break
		}
	}
}
