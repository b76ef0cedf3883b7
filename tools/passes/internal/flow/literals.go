// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A slice variable of the package that is set to a literal and never again has as many
// elements as that has: a function that puts slices from some capacity on drops it.

// literalLen is the length, and capacity, of what a package-level variable holds.
func (a *analysis) literalLen(x *sym) (n int, ok bool) {
	if x.kind != kLoad || x.a.kind != kGlobal {
		return 0, false
	}
	g, ok := x.a.obj.(*ssa.Global)
	if !ok || g.Pkg != a.pkg || token.IsExported(g.Name()) {
		return 0, false
	}
	if a.literals == nil {
		a.collectLiterals()
	}
	n, ok = a.literals[g]
	return n, ok
}

func (a *analysis) collectLiterals() {
	a.literals = map[*ssa.Global]int{}
	other := map[*ssa.Global]bool{} // set otherwise, or its address taken
	fns := a.fns
	if init := a.pkg.Func("init"); init != nil {
		fns = append(fns[:len(fns):len(fns)], init)
	}
	seen := map[*ssa.Function]bool{}
	for _, fn := range fns {
		if seen[fn] {
			continue
		}
		seen[fn] = true
		for i := range instrsOf(fn) {
			if l, ok := i.(*ssa.UnOp); ok && l.Op == token.MUL {
				continue
			}
			s, isStore := i.(*ssa.Store)
			for _, r := range i.Operands(nil) {
				g, ok := (*r).(*ssa.Global)
				if !ok {
					continue
				}
				if isStore && s.Addr == ssa.Value(g) && s.Val != ssa.Value(g) {
					if n, ok := sliceLiteral(s.Val); ok && a.literals[g] == 0 {
						a.literals[g] = n
						continue
					}
				}
				if _, debug := i.(*ssa.DebugRef); !debug {
					other[g] = true
				}
			}
		}
	}
	for g := range other {
		delete(a.literals, g)
	}
}

// sliceLiteral is the number of elements of a slice literal.
func sliceLiteral(v ssa.Value) (int, bool) {
	s, ok := v.(*ssa.Slice)
	if !ok || s.Low != nil || s.High != nil {
		return 0, false
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok || al.Comment != "slicelit" {
		return 0, false
	}
	arr, ok := al.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || arr.Len() == 0 {
		return 0, false
	}
	return int(arr.Len()), true
}

// wholeLiteral is the turn of the view that is the slice of a literal, as long as that.
const wholeLiteral = -1

// literalSlice reports whether an instruction makes the slice of a literal of its elements.
func literalSlice(i *ssa.Slice) bool {
	x, ok := i.X.(*ssa.Alloc)
	return ok && x.Comment == "slicelit" && i.Low == nil && i.High == nil && i.Max == nil
}

// wholeLen is the length of a slice that is a literal.
func wholeLen(x *sym) (n int, ok bool) {
	if x.kind != kView || x.turn != wholeLiteral && !(varargs(x.a) && x.b == nil && x.idx == 0) || x.a.typ == nil {
		return 0, false
	}
	if arr, ok := deref(x.a.typ).Underlying().(*types.Array); ok {
		return int(arr.Len()), true
	}
	return 0, false
}

// hasElement reports whether a number is the length of what an append of one element at least gave.
func hasElement(x *sym) bool {
	if x.kind != kLen || x.a == nil || x.a.kind != kAlloc && x.a.kind != kAppend {
		return false
	}
	c, ok := x.a.obj.(*ssa.Call)
	if !ok || !isBuiltin(c, "append") || len(c.Call.Args) != 2 {
		return false
	}
	s, ok := c.Call.Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	v, ok := s.X.(*ssa.Alloc)
	return ok && v.Comment == "varargs"
}
