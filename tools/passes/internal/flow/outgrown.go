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

// A slice in a field of a pooled struct grows with what comes and stays in the struct.
// Whoever bounds one slice of a struct that goes to a pool, or lets go of it when it is
// large, means the others as well.

// A heldSlice is what a package does with a slice field of a pooled struct.
type heldSlice struct {
	field *types.Var
	grows ssa.Instruction // by what comes from outside
	kept  bool            // no store lets go of it
	limit *ssa.BinOp      // a test that is a limit on its size
}

// judgeOutgrown reports slices of pooled structs that grow without a limit.
func (a *analysis) judgeOutgrown() {
	f := a.uses()
	var limits map[*types.Var]*ssa.BinOp
	for _, p := range f.pooledHere() {
		t := p.typ
		s, ok := t.Underlying().(*types.Struct)
		if !ok || t.TypeParams().Len() > 0 {
			continue
		}
		if limits == nil {
			limits = a.sizeLimits()
		}
		var bounded *heldSlice
		var open []*heldSlice
		for v := range s.Fields() {
			if _, ok := v.Type().Underlying().(*types.Slice); !ok {
				continue
			}
			h := a.held(f, v.Origin())
			h.limit = limits[v.Origin()]
			if h.limit != nil {
				if bounded == nil && a.letsGo(h) {
					bounded = h
				}
			} else if h.kept && h.grows != nil {
				open = append(open, h)
			}
		}
		if len(open) == 0 || a.wholeStored(f, s) {
			continue
		}
		h := open[0]
		if bounded == nil {
			if other, limit := a.boundedBeside(f, t, limits); other != nil && !a.foundIn(oversizeRetention, p.fn) {
				a.reportFound(finding{
					pattern: oversizeRetention, pos: instrPos(p.instr), fn: p.fn,
					message: fmt.Sprintf("what %s leads to is dropped where its %s is above a limit (%s), but field %s, which grows as well (%s), goes to the pool at any size", a.putIn(p.instr, t), other.Name(), a.line(instrPos(limit)), h.field.Name(), a.line(instrPos(h.grows))),
					typed:   t,
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(h.grows), Message: "grows here"},
						{Pos: instrPos(limit), Message: other.Name() + " is bounded here"},
					},
				})
			}
			continue
		}
		message := fmt.Sprintf("field %s of the pooled %s is let go of above a limit (%s), but field %s, which grows as well (%s), goes to the pool at any size", bounded.field.Name(), t.Obj().Name(), a.line(instrPos(bounded.limit)), h.field.Name(), a.line(instrPos(h.grows)))
		related := []goanalysis.RelatedInformation{
			{Pos: instrPos(h.grows), Message: "grows here"},
			{Pos: instrPos(bounded.limit), Message: bounded.field.Name() + " is bounded here"},
		}
		a.reportFound(finding{pattern: oversizeRetention, pos: instrPos(p.instr), fn: p.fn, message: message, related: related})
	}
}

// boundedBeside finds a limit on the size of another pooled struct's slice, where values of t are
// put: what is above it is not put.
func (a *analysis) boundedBeside(f *forgotten, t *types.Named, limits map[*types.Var]*ssa.BinOp) (*types.Var, *ssa.BinOp) {
	region := f.putRegion(t)
	var best *types.Var
	for v, o := range limits {
		if !slices.Contains(region, o.Parent()) || best != nil && v.Pos() > best.Pos() {
			continue
		}
		for _, q := range f.puts {
			if q.typ == t || q.fn != o.Parent() || !slices.Contains(o.Block().Succs, q.instr.Block()) {
				continue
			}
			if s := structOf(q.typ); s != nil && hasField(s, v) {
				best = v
			}
		}
	}
	return best, limits[best]
}

// wholeStored reports whether the struct is overwritten as a whole, its slices with it.
func (a *analysis) wholeStored(f *forgotten, s *types.Struct) bool {
	for _, fn := range a.fns {
		found := false
		eachStore(fn, func(st *ssa.Store) {
			if types.Identical(st.Val.Type().Underlying(), s) && !f.isFresh(st.Addr) {
				found = true
			}
		})
		if found {
			return true
		}
	}
	return false
}

// held finds what is stored in a slice field.
func (a *analysis) held(f *forgotten, v *types.Var) *heldSlice {
	h := &heldSlice{field: v, kept: true}
	ff := f.facts[v]
	if ff == nil || ff.open && a.addressLeaves(v) {
		h.kept = false
		return h
	}
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok {
			continue
		}
		if !h.stores(a, st.Val, 0) {
			h.kept = false
		}
	}
	return h
}

// addressLeaves reports whether a field's address goes elsewhere.
func (a *analysis) addressLeaves(v *types.Var) bool {
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.Store:
				if r.Addr != fa {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// stores sees a value that a field is set to. It reports whether that keeps the field's own
// array, or a larger one.
func (h *heldSlice) stores(a *analysis, v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if al, ok := x.X.(*ssa.Alloc); ok {
			return al.Comment == "makeslice"
		}
		return h.stores(a, x.X, depth+1)
	case *ssa.UnOp:
		return fieldAt(x.X) == h.field
	case *ssa.Phi:
		for _, e := range x.Edges {
			if p, ok := e.(*ssa.Phi); ok && depth > 2 {
				_ = p
				return false
			}
			if !h.stores(a, e, depth+2) {
				return false
			}
		}
		return true
	case *ssa.MakeSlice:
		if a.namedByInput(x.Cap, 0) {
			h.grow(x)
		}
		return true
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			if unbounded(x) {
				h.grow(x)
			}
			return h.stores(a, x.Call.Args[0], depth+1)
		}
		if f := calledMethod(x); f != nil && funcKey(f) == "slices.Grow" && len(x.Call.Args) == 2 {
			if a.namedByInput(x.Call.Args[1], 0) {
				h.grow(x)
			}
			return h.stores(a, x.Call.Args[0], depth+1)
		}
	}
	return false
}

func (h *heldSlice) grow(i ssa.Instruction) {
	if h.grows == nil || instrPos(i) < instrPos(h.grows) {
		h.grows = i
	}
}

// namedByInput reports whether a size, or the bytes that are appended, is what a caller from outside the package
// gives, or a call of other code.
func (a *analysis) namedByInput(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		switch x.Op {
		case token.ADD, token.MUL, token.SHL, token.SUB:
			return a.namedByInput(x.X, depth+1) || a.namedByInput(x.Y, depth+1)
		}
	case *ssa.Convert:
		return a.namedByInput(x.X, depth+1)
	case *ssa.Slice:
		return x.High == nil && a.namedByInput(x.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return a.namedByInput(e, depth+2) })
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "len" && a.namedByInput(x.Call.Args[0], depth+1)
		}
	case *ssa.Parameter:
		fn := x.Parent()
		if fn.Parent() == nil && token.IsExported(fn.Name()) { // also by an interface
			return true
		}
		k := slices.Index(fn.Params, x)
		for _, c := range a.callsOf(fn) {
			if !c.Common().IsInvoke() && k < len(c.Common().Args) && !a.inTest(c.Parent()) && a.namedByInput(c.Common().Args[k], depth+1) {
				return true
			}
		}
	}
	return false
}

// letsGo reports whether a field is set to nil, or to a new slice, somewhere: what a
// limit on its size is for.
func (a *analysis) letsGo(h *heldSlice) bool {
	ff := a.uses().facts[h.field]
	if ff == nil {
		return false
	}
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok {
			continue
		}
		switch x := st.Val.(type) {
		case *ssa.Const:
		case *ssa.MakeSlice:
		case *ssa.Slice:
			if al, ok := x.X.(*ssa.Alloc); !ok || al.Comment != "makeslice" {
				continue
			}
		case *ssa.Phi:
			if !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { _, ok := e.(*ssa.Const); return ok }) {
				continue
			}
		default:
			continue
		}
		if slices.Contains(h.limit.Block().Succs, st.Block()) {
			return true
		}
	}
	return false
}

// sizeLimits finds the tests of sizes that are limits, by the field whose size they test.
func (a *analysis) sizeLimits() map[*types.Var]*ssa.BinOp {
	limits := map[*types.Var]*ssa.BinOp{}
	for fn, i := range a.instrs() {
		o, ok := i.(*ssa.BinOp)
		if !ok || o.Op != token.LSS && o.Op != token.LEQ && o.Op != token.GTR && o.Op != token.GEQ || loopBound(o) || asksEmpty(o) || makesRoom(o) {
			continue
		}
		for _, x := range []ssa.Value{o.X, o.Y} {
			a.limited(fn, o, x, limits, 0)
		}
	}
	return limits
}

func (a *analysis) limited(fn *ssa.Function, o *ssa.BinOp, x ssa.Value, limits map[*types.Var]*ssa.BinOp, depth int) {
	if depth > 3 {
		return
	}
	switch x := unconverted(x).(type) {
	case *ssa.BinOp:
		a.limited(fn, o, x.X, limits, depth+1)
		a.limited(fn, o, x.Y, limits, depth+1)
	case *ssa.Call:
		if sizeCall(x) == "" {
			return
		}
		arg := x.Call.Args[0]
		for {
			s, ok := arg.(*ssa.Slice)
			if !ok {
				break
			}
			arg = s.X
		}
		switch y := arg.(type) {
		case *ssa.UnOp:
			if v := fieldAt(y.X); v != nil {
				if limits[v] == nil {
					limits[v] = o
				}
				return
			}
		case *ssa.Parameter:
			k := slices.Index(fn.Params, y)
			for _, c := range a.callsOf(fn) {
				if c.Common().IsInvoke() || k >= len(c.Common().Args) {
					continue
				}
				if l, ok := c.Common().Args[k].(*ssa.UnOp); ok {
					if v := fieldAt(l.X); v != nil && limits[v] == nil {
						limits[v] = o
					}
				}
			}
		}
	}
}
