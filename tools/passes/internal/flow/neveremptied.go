// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What a pool of buffers gives may be written by code that is not in view, a handler say, by way of an object's field.
// Where all names that the package has for it are in view, and no one empties it, each user sends what all before it wrote.

// judgeNeverEmptied reports the pools of buffers that are written, read as a whole, and never emptied.
func (a *analysis) judgeNeverEmptied() {
	taken := tally[[]*ssa.Call]{}
	for c := range a.poolCalls("Get") {
		if call, ok := c.(*ssa.Call); ok {
			if home := poolHome(call.Call.Args[0]); home != nil && home.Pkg() == a.pkg.Pkg && !home.Exported() {
				list := taken.of(home)
				*list = append(*list, call)
			}
		}
	}
	homes := slices.SortedFunc(maps.Keys(taken), func(x, y types.Object) int { return a.inOrder(x.Pos(), y.Pos()) })
	for _, home := range homes {
		gets, u := taken[home], a.usesOfPools()[home]
		put := a.firstPut(home)
		if u == nil || u.open || put == nil {
			continue
		}
		g := &gathering{a: a, seen: map[ssa.Value]bool{}, taker: func(*ssa.Function) bool { return false }, bare: true}
		for _, get := range *gets {
			g.taken(get)
		}
		if g.drained != nil {
			if !g.open && !g.emptied && len(g.grown) > 0 {
				a.putUndrained(home, g)
			}
			continue
		}
		if g.open || g.emptied || g.read == nil || len(g.grown) == 0 || a.toldNear(missingReset, append(g.grown, g.read, put)) {
			continue
		}
		slices.SortFunc(g.grown, func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) })
		a.reportFound(finding{
			pattern: missingReset, pos: instrPos(put), fn: put.Parent(),
			message: fmt.Sprintf("what %s gives is written (%s) and read as a whole (%s), and nothing in the package empties it: the next user finds what the last ones left", home.Name(), a.line(instrPos(g.grown[0])), a.line(instrPos(g.read))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(g.grown[0]), Message: "written here"}, {Pos: instrPos(g.read), Message: "read here"}},
		})
	}
}

// toldNear reports whether a pattern was found in the source of a function with one of the instructions.
func (a *analysis) toldNear(pattern string, list []ssa.Instruction) bool {
	return slices.ContainsFunc(list, func(i ssa.Instruction) bool {
		n := outermost(i.Parent()).Syntax()
		for k := range a.found {
			if k.pattern == pattern && n != nil && n.Pos() <= k.pos && k.pos < n.End() {
				return true
			}
		}
		return false
	})
}

// firstPut is the first call that puts to a pool of the package.
func (a *analysis) firstPut(home types.Object) (first ssa.CallInstruction) {
	for c := range a.poolCalls("Put") {
		if poolHome(c.Common().Args[0]) == home && (first == nil || instrPos(c) < instrPos(first)) {
			first = c
		}
	}
	return first
}

// taken follows what a pool gives, if it is a buffer or builder.
func (g *gathering) taken(get *ssa.Call) {
	for _, r := range referrers(get) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.TypeAssert:
			t, isPtr := r.AssertedType.Underlying().(*types.Pointer)
			if !isPtr || !gathers(t.Elem()) {
				g.open = true
				return
			}
			g.follow(r, 0)
		default:
			g.open = true
			return
		}
	}
}

// returned follows a result to those who call the function, where all of them are in view.
func (g *gathering) returned(r *ssa.Return, v ssa.Value, depth int) bool {
	fn := r.Parent()
	calls := g.a.callsOf(origin(fn))
	if callableElsewhere(fn) || fn.Parent() != nil || g.a.uses().taken[fn] || len(calls) == 0 {
		return false
	}
	for k, x := range r.Results {
		if x != v {
			continue
		}
		for _, c := range calls {
			call, ok := c.(*ssa.Call)
			if !ok {
				return false
			}
			if len(r.Results) == 1 {
				g.follow(call, depth+1)
			} else if p := part(call, k); p != nil {
				g.follow(p, depth+1)
			}
		}
	}
	return true
}

// keptIn follows all that a field of the package's own has, where the value is stored in one.
func (g *gathering) keptIn(st *ssa.Store) bool {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	f := fieldAt(fa)
	if f == nil || f.Exported() || f.Pkg() != g.a.pkg.Pkg || !types.Identical(f.Type(), st.Val.Type()) {
		return false
	}
	for fn, i := range g.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == f {
				g.follow(i, 1)
			}
		case *ssa.FieldAddr:
			if fieldAt(i) != f || g.a.inTest(fn) {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.UnOp:
					g.follow(r, 1)
				case *ssa.Store:
					if r.Addr != i {
						g.open = true
					}
				default:
					g.open = true
				}
			}
		}
	}
	return true
}
