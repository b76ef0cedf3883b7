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

// A slice that is kept in a field while it is read, and whose start moves on with
// what was read, is put without the part before. The move and the Put lie in
// different calls, so that the package is searched for what it does with the field.

// A sliceHome is where a slice is kept.
type sliceHome struct {
	field *types.Var
	how   homeKind
}

type homeKind uint8

const (
	inField       homeKind = iota // x.f
	inElement                     // x.f[i]
	behind                        // *x.f
	behindElement                 // *x.f[i]
)

// homeAt is the home of a slice at an address.
func homeAt(addr ssa.Value) (h sliceHome, ok bool) {
	of := func(v ssa.Value) *types.Var {
		l, ok := v.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			return nil
		}
		return fieldAt(l.X)
	}
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		if f := fieldAt(x); f != nil && isSlice(f.Type()) {
			return sliceHome{f, inField}, true
		}
	case *ssa.IndexAddr:
		if f := of(x.X); f != nil && isSlice(f.Type()) && isSlice(f.Type().Underlying().(*types.Slice).Elem()) {
			return sliceHome{f, inElement}, true
		}
	case *ssa.UnOp:
		if f := of(x); f != nil && isPtr(f.Type()) && isSlice(deref(f.Type())) {
			return sliceHome{f, behind}, true
		}
		if f := elementOfField(x); f != nil && pointsToSlice(f.Type().Underlying().(*types.Slice).Elem()) {
			return sliceHome{f, behindElement}, true
		}
	}
	return h, false
}

// elementOfField is the field of a slice that a value was read from an element of.
func elementOfField(l *ssa.UnOp) *types.Var {
	ia, ok := l.X.(*ssa.IndexAddr)
	if !ok || l.Op != token.MUL {
		return nil
	}
	list, ok := ia.X.(*ssa.UnOp)
	if !ok || list.Op != token.MUL {
		return nil
	}
	f := fieldAt(list.X)
	if f == nil || !isSlice(f.Type()) {
		return nil
	}
	return f
}

func pointsToSlice(t types.Type) bool { return isPtr(t) && isSlice(deref(t)) }

// listedWith are the other fields to which a function appends what it appends to f.
func (a *analysis) listedWith(f *types.Var) map[*types.Var]bool {
	with := map[*types.Var]bool{}
	for _, fn := range a.fns {
		to := map[ssa.Value][]*types.Var{}
		eachStore(fn, func(st *ssa.Store) {
			v := fieldAt(st.Addr)
			c, ok := st.Val.(*ssa.Call)
			if v == nil || !ok {
				return
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(c.Call.Args) != 2 {
				return
			}
			for _, x := range variadicValues(c.Call.Args[1]) {
				to[x] = append(to[x], v)
			}
		})
		for _, list := range to {
			if slices.Contains(list, f) {
				for _, v := range list {
					with[v] = true
				}
			}
		}
	}
	return with
}

// variadicValues are the values in a slice that a call's arguments were packed into.
func variadicValues(v ssa.Value) (list []ssa.Value) {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil
	}
	for _, r := range referrers(al) {
		if ia, ok := r.(*ssa.IndexAddr); ok {
			for _, q := range referrers(ia) {
				if st, ok := q.(*ssa.Store); ok && st.Addr == ia {
					list = append(list, st.Val)
				}
			}
		}
	}
	return list
}

// fieldAt is the field whose address a value is.
func fieldAt(v ssa.Value) *types.Var {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	return nthField(fa.X, fa.Field)
}

// selfKind says how a stored slice is made from what its home held.
type selfKind uint8

const (
	notSelf  selfKind = iota
	asItWas           // grown, or cut at its end
	cutShort          // cut to length 0
	movedOn           // without its head
)

// fromHome says how v is made from what h held.
func fromHome(v ssa.Value, h sliceHome, depth int) selfKind {
	if depth > 6 {
		return notSelf
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if g, ok := homeAt(x.X); ok && x.Op == token.MUL && g == h {
			return asItWas
		}
	case *ssa.Slice:
		k := fromHome(x.X, h, depth+1)
		if k == notSelf || x.Low == nil {
			if c, ok := x.High.(*ssa.Const); k == asItWas && ok && c.Value != nil && isZero(c.Value) {
				return cutShort
			}
			return k
		}
		if c, ok := x.Low.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			return k
		}
		return movedOn
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return fromHome(x.Call.Args[0], h, depth+1)
		}
	case *ssa.Phi:
		k := notSelf
		for _, e := range x.Edges {
			if f := fromHome(e, h, depth+2); f > k {
				k = f
			}
		}
		return k
	}
	return notSelf
}

// restOfParam reports whether a slice is what a loop that takes pieces from the start of a parameter leaves of it.
func restOfParam(v ssa.Value, moved bool, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		return moved && isBytes(x.Type())
	case *ssa.Slice:
		c, isConst := x.Low.(*ssa.Const)
		return restOfParam(x.X, moved || x.Low != nil && !(isConst && isZero(c.Value)), depth+1)
	case *ssa.Phi:
		if !inLoop(x.Block()) {
			return false
		}
		from, on := false, false
		for _, e := range x.Edges {
			if _, ok := e.(*ssa.Parameter); ok {
				from = isBytes(e.Type())
			}
			if s, ok := e.(*ssa.Slice); ok && s.X == ssa.Value(x) && s.Low != nil && s.High == nil {
				on = true
			}
		}
		return from && on
	}
	return false
}

// A movedHome is what the package does with a home.
type movedHome struct {
	sliceHome
	moved    ssa.Instruction
	cut      bool
	restored bool
}

// judgeAdvanced reports Puts of slices whose start moved on where they were kept.
func (a *analysis) judgeAdvanced() {
	homes := map[sliceHome]*movedHome{}
	var order []*movedHome
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			h, ok := homeAt(s.Addr)
			if !ok {
				return
			}
			m := homes[h]
			if m == nil {
				m = &movedHome{sliceHome: h}
				homes[h] = m
				order = append(order, m)
			}
			switch fromHome(s.Val, h, 0) {
			case movedOn:
				if m.moved == nil || instrPos(s) < instrPos(m.moved) {
					m.moved = s
				}
			case cutShort:
				m.cut = true
			case notSelf:
				if restOfParam(s.Val, false, 0) {
					if m.moved == nil || instrPos(s) < instrPos(m.moved) {
						m.moved = s
					}
					return
				}
				m.restored = m.restored || restores(s.Val, 0)
			}
		})
	}
	order = slices.DeleteFunc(order, func(m *movedHome) bool { return m.moved == nil || m.restored })
	if len(order) == 0 {
		return
	}
	slices.SortFunc(order, func(x, y *movedHome) int { return cmp.Compare(instrPos(x.moved), instrPos(y.moved)) })
	for _, m := range order {
		if m.how != behindElement {
			continue
		}
		for v := range a.listedWith(m.field) {
			if h := (sliceHome{v, behindElement}); homes[h] == nil {
				homes[h] = m
			}
		}
	}
	told := map[sliceHome]bool{}
	f := a.uses()
	for _, near := range []bool{true, false} { // where the slice is read first, then in what it is passed to
		for fn, i := range a.instrsBeyondTests() {
			c, ok := i.(ssa.CallInstruction)
			if !ok || c.Common().IsInvoke() {
				continue
			}
			for _, n := range f.putArgs(a, c) {
				h, ok := a.homeOfPut(c.Common().Args[n], c, 0)
				if m := homes[h]; ok && m != nil && m.moved != nil && !m.restored && !told[m.sliceHome] && (!near || dealsWith(fn, m.field)) {
					told[m.sliceHome] = true
					if near {
						a.reportAdvanced(c, m, "the slice")
						continue
					}
					a.reportFound(finding{
						pattern: staleHeader, pos: instrPos(m.moved), fn: m.moved.Parent(),
						message: fmt.Sprintf("field %s is left without the part before its start, and goes to the pool so (%s): the pool loses that part, or drops the slice for its capacity; keep the whole slice beside", m.field.Name(), a.line(instrPos(c))),
						related: []goanalysis.RelatedInformation{{Pos: instrPos(c), Message: "put here"}},
					})
				}
			}
		}
	}
	// A queue in a pooled struct, emptied to be filled again.
	for _, m := range order {
		if m.how != inField || !m.cut || told[m.sliceHome] {
			continue
		}
		for _, p := range f.puts {
			if s := structOf(p.typ); s == nil || p.typ.Obj().Pkg() != a.pkg.Pkg || a.madeOutside(p.typ) || a.inTest(p.fn) || !hasField(s, m.field) || told[m.sliceHome] {
				continue
			}
			told[m.sliceHome] = true
			a.reportAdvanced(p.instr.(ssa.CallInstruction), m, "field "+m.field.Name())
		}
	}
}

func dealsWith(fn *ssa.Function, f *types.Var) bool {
	for i := range instrsOf(fn) {
		if fa, ok := i.(*ssa.FieldAddr); ok && fieldAt(fa) == f {
			return true
		}
	}
	return false
}

// madeOutside reports whether objects of a pooled type are made by more than New functions
// of pools and functions that take one from a pool: some never see a pool.
func (a *analysis) madeOutside(t *types.Named) bool {
	f := a.uses()
	news := map[*ssa.Function]bool{}
	for _, list := range a.news {
		for _, fn := range list {
			news[fn] = true
		}
	}
	for _, fn := range a.fns {
		if a.inTest(fn) || news[fn] || f.getter[fn] || f.callsGet(fn, t) {
			continue
		}
		for i := range instrsOf(fn) {
			if al, ok := i.(*ssa.Alloc); ok && pointee(al.Type()) != nil && pointee(al.Type()).Origin() == t {
				if !f.calledBy(fn, news) {
					return true
				}
			}
		}
	}
	return false
}

// calledBy reports whether all calls of a function are in functions of a set.
func (f *forgotten) calledBy(fn *ssa.Function, set map[*ssa.Function]bool) bool {
	calls := f.callers[fn]
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return !set[c.Parent()] })
}

func hasField(s *types.Struct, v *types.Var) bool {
	for f := range s.Fields() {
		if f.Origin() == v {
			return true
		}
	}
	return false
}

// restores reports whether a store may give a home the whole of a slice again: what
// it had in another variable.
func restores(v ssa.Value, depth int) bool {
	if depth > 6 {
		return true
	}
	switch x := v.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return false
	case *ssa.Slice:
		if al, ok := x.X.(*ssa.Alloc); ok {
			return !al.Heap // an array
		}
		return restores(x.X, depth+1)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() != "append" || restores(x.Call.Args[0], depth+1)
		}
		return false // new, or from the pool
	case *ssa.TypeAssert, *ssa.Extract:
		return false
	case *ssa.UnOp:
		switch x.X.(type) {
		case *ssa.TypeAssert, *ssa.Extract, *ssa.Call:
			return false
		}
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return restores(e, depth+2) })
	}
	return true
}

// homeOfPut is the home that a value which is put was read from.
func (a *analysis) homeOfPut(v ssa.Value, at ssa.Instruction, depth int) (sliceHome, bool) {
	if depth > 6 {
		return sliceHome{}, false
	}
	switch x := unboxed(v).(type) {
	case *ssa.FieldAddr:
		return homeAt(x)
	case *ssa.Slice:
		if c, ok := x.Low.(*ssa.Const); x.Low == nil || ok && c.Value != nil && isZero(c.Value) {
			return a.homeOfPut(x.X, at, depth+1)
		}
	case *ssa.Alloc:
		var last *ssa.Store
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x && precedes(st, at) && (last == nil || precedes(last, st)) {
				last = st
			}
		}
		if last != nil {
			return a.homeOfPut(last.Val, last, depth+1)
		}
	case *ssa.UnOp:
		if x.Op != token.MUL {
			break
		}
		if al, ok := x.X.(*ssa.Alloc); ok {
			return a.homeOfPut(al, x, depth+1)
		}
		if f := fieldAt(x.X); f != nil && isPtr(f.Type()) && isSlice(deref(f.Type())) {
			return sliceHome{f, behind}, true
		}
		if f := elementOfField(x); f != nil && pointsToSlice(x.Type()) {
			return sliceHome{f, behindElement}, true
		}
		return homeAt(x.X)
	case *ssa.Parameter:
		fn := x.Parent()
		if !isSlice(x.Type()) && !(isPtr(x.Type()) && isSlice(deref(x.Type()))) {
			break
		}
		k := slices.Index(fn.Params, x)
		for _, c := range a.callsOf(fn) {
			if c.Common().IsInvoke() || k >= len(c.Common().Args) || a.inTest(c.Parent()) {
				continue
			}
			if h, ok := a.homeOfPut(c.Common().Args[k], c, depth+2); ok {
				return h, ok
			}
		}
	}
	return sliceHome{}, false
}

func (a *analysis) reportAdvanced(put ssa.CallInstruction, m *movedHome, what string) {
	a.reportFound(finding{
		pattern: staleHeader, pos: instrPos(put), fn: put.Parent(),
		message: fmt.Sprintf("%s goes to the pool without the part before its start, which moved on where it was kept (%s): the pool loses that part, or drops the slice for its capacity; keep the position beside the slice", what, a.line(instrPos(m.moved))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(m.moved), Message: "the start moves on here"}},
	})
}
