// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The steps of some work may be a list of functions that a constructor sets a field to. A field that is set once in the
// package, to a literal of functions, and only read elsewhere has these functions in this order: a loop over it
// calls each of them in turn.

// funcList is the list that a field is known to have, or nil.
func (a *analysis) funcList(v *types.Var) []*ssa.Function {
	if a.funcLists == nil {
		a.collectFuncLists()
	}
	return a.funcLists[v]
}

// listOf is the list of functions that a slice, read from a field, is known to be.
func (a *analysis) listOf(x *sym) []*ssa.Function {
	if x.kind != kLoad || x.a.kind != kField {
		return nil
	}
	v, ok := x.a.obj.(*types.Var)
	if !ok {
		return nil
	}
	return a.funcList(v)
}

// listRounds is how many functions a loop over such a list calls, of a block in the loop; 0 for others.
func (a *analysis) listRounds(b *ssa.BasicBlock) int {
	if n, known := a.rounds[b]; known {
		return n
	}
	if a.rounds == nil {
		a.rounds = map[*ssa.BasicBlock]int{}
	}
	n := 0
	for h := b; h != nil && n == 0; h = h.Idom() {
		if h.Comment == "rangeindex.loop" && (h == b || reaches(b, h)) {
			n = a.listRange(h)
		}
	}
	a.rounds[b] = n
	return n
}

// listRange is the number of functions in the list that a loop with this head goes over.
func (a *analysis) listRange(head *ssa.BasicBlock) int {
	t, ok := lastInstr(head).(*ssa.If)
	if !ok {
		return 0
	}
	o, ok := t.Cond.(*ssa.BinOp)
	if !ok {
		return 0
	}
	c, ok := o.Y.(*ssa.Call)
	if !ok || !isBuiltin(c, "len") {
		return 0
	}
	if v, _ := fieldLoad(c.Call.Args[0]); v != nil {
		return len(a.funcList(v))
	}
	return funcsWritten(c.Call.Args[0])
}

// funcsWritten is the number of functions in a literal that is ranged over where it stands; 0 for others.
func funcsWritten(v ssa.Value) int {
	s, ok := v.(*ssa.Slice)
	if !ok || !isFuncSlice(s.Type()) || !literalSlice(s) {
		return 0
	}
	arr, ok := deref(s.X.Type()).Underlying().(*types.Array)
	if !ok || arr.Len() > maxListed {
		return 0
	}
	return int(arr.Len())
}

// listed is the function at an address in such a list, or nil.
func (a *analysis) listed(addr *sym) *sym {
	if addr.kind != kElem || addr.b == nil || addr.b.kind != kConst {
		return nil
	}
	list := a.listOf(addr.a)
	if k, ok := constant.Int64Val(addr.b.val); ok && 0 <= k && int(k) < len(list) {
		return a.syms.intern(symKey{kind: kFunc, obj: list[k]}, list[k].Type())
	}
	return nil
}

func (a *analysis) collectFuncLists() {
	a.funcLists = map[*types.Var][]*ssa.Function{}
	other := map[*types.Var]bool{}
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || !isFuncSlice(deref(fa.Type())) {
			continue
		}
		v := fieldAt(fa)
		if v == nil || v.Exported() || v.Pkg() != a.pkg.Pkg {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.Store:
				list := funcsListed(r.Val)
				if r.Addr != ssa.Value(fa) || list == nil || a.funcLists[v] != nil || inLoop(r.Block()) {
					other[v] = true
				}
				a.funcLists[v] = list
			case *ssa.UnOp:
				for _, q := range referrers(r) {
					switch q := q.(type) {
					case *ssa.IndexAddr:
						for _, u := range referrers(q) {
							if _, reads := u.(*ssa.UnOp); !reads {
								other[v] = true
							}
						}
					case *ssa.Call:
						if !isBuiltin(q, "len") {
							other[v] = true
						}
					case *ssa.DebugRef:
					default:
						other[v] = true
					}
				}
			case *ssa.DebugRef:
			default:
				other[v] = true
			}
		}
	}
	for v := range other {
		delete(a.funcLists, v)
	}
}

func isFuncSlice(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	_, ok = s.Elem().Underlying().(*types.Signature)
	return ok
}

// maxListed bounds the lists: loops over longer ones are not followed to their end.
const maxListed = 6

// funcsListed are the functions of a literal, in order; nil where one is not known.
func funcsListed(v ssa.Value) []*ssa.Function {
	s, ok := v.(*ssa.Slice)
	if !ok || !literalSlice(s) {
		return nil
	}
	arr, ok := deref(s.X.Type()).Underlying().(*types.Array)
	if !ok || arr.Len() == 0 || arr.Len() > maxListed {
		return nil
	}
	list := make([]*ssa.Function, arr.Len())
	for _, r := range referrers(s.X) {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		k, isConst := ia.Index.(*ssa.Const)
		for _, q := range referrers(ia) {
			st, ok := q.(*ssa.Store)
			if !ok || !isConst {
				return nil
			}
			f := st.Val
			if c, ok := f.(*ssa.ChangeType); ok {
				f = c.X
			}
			fn, ok := f.(*ssa.Function)
			if !ok {
				return nil
			}
			list[k.Int64()] = fn
		}
	}
	for _, fn := range list {
		if fn == nil {
			return nil
		}
	}
	return list
}

// ranBefore reports whether a loop over a list of which the order is not known has called a function in an earlier round:
// each stands there once, as a rule.
func (a *analysis) ranBefore(st *state, i ssa.CallInstruction, f *sym) bool {
	l, ok := i.Common().Value.(*ssa.UnOp)
	if !ok {
		return false
	}
	if ia, ok := l.X.(*ssa.IndexAddr); !ok || ia.Block().Comment != "rangeindex.body" {
		return false
	}
	mark := a.syms.intern(symKey{kind: kOk, a: f, obj: i, val: "ran"}, types.Typ[types.Bool])
	if st.f.visits[i.Block().Index] > 1 && st.truth[mark] {
		return true
	}
	st.truth[mark] = true
	return false
}
