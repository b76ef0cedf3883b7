// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Not all that goes to pools by size was made by them: callers grow it, or make their own.

// foreignMemory is memory that a Put may be given and that the pool did not make.
type foreignMemory struct {
	at   ssa.Instruction // where it is made, nil where callers out of view may
	size int64           // its capacity, 0 for any
}

// foreign finds memory that is put and has another capacity than the pool gave it.
func (j *sizeJudge) foreign(p *sizedFunc) *foreignMemory {
	if p.fn.Parent() == nil && outOfView(p.fn) {
		return &foreignMemory{}
	}
	if s := structOf(p.fn.Params[p.param].Type()); s != nil {
		return j.grown(s)
	}
	var sized *foreignMemory
	for _, g := range j.givers(p) {
		c, arg := g.call, g.arg
		var grown *foreignMemory
		eachStore(c.Parent(), func(st *ssa.Store) {
			if _, local := arg.(*ssa.Alloc); st.Addr == arg && !local && grown == nil {
				grown = j.origin(st.Val, st, 0, map[ssa.Value]bool{})
			}
		})
		if grown != nil && grown.size == 0 {
			return grown
		}
		if f := j.origin(arg, c, 0, map[ssa.Value]bool{}); f != nil {
			if f.size == 0 {
				return f
			}
			sized = f
		}
	}
	return sized
}

// A giver is a call that gives memory to a Put.
type giver struct {
	call ssa.CallInstruction
	arg  ssa.Value
}

// givers are the calls of a Put, also those through an interface of the package's that no other type here with a Put by size is behind:
// the callers of a pool that an interface hides grow and make what they put as others do.
func (j *sizeJudge) givers(p *sizedFunc) (list []giver) {
	for _, c := range p.calls {
		if args := c.Common().Args; !j.a.inTest(c.Parent()) && p.param < len(args) {
			list = append(list, giver{c, args[p.param]})
		}
	}
	for _, c := range j.a.uses().sites.invokesOf(p.fn) {
		it := c.Common().Value.Type()
		n, ok := types.Unalias(it).(*types.Named)
		if !ok || n.Obj().Pkg() != j.a.pkg.Pkg || p.param < 1 || p.param > len(c.Common().Args) {
			continue
		}
		if slices.ContainsFunc(j.puts, func(q *sizedFunc) bool {
			r := typeOfReceiver(q.fn)
			return q != p && q.fn.Name() == p.fn.Name() && r != nil && types.Implements(r, it.Underlying().(*types.Interface))
		}) {
			continue
		}
		list = append(list, giver{c, c.Common().Args[p.param-1]})
	}
	return list
}

// outOfView reports whether other packages may call a function.
func outOfView(fn *ssa.Function) bool {
	if !token.IsExported(fn.Name()) {
		return false
	}
	r := fn.Signature.Recv()
	if r == nil {
		return true
	}
	t := r.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Exported()
}

// grown finds an append to a slice of a struct, or one made for it by a size that is no constant,
// in functions that neither get nor put.
func (j *sizeJudge) grown(s *types.Struct) (found *foreignMemory) {
	for _, fn := range j.a.fns {
		if j.a.inTest(fn) || slices.ContainsFunc(j.gets, func(g *sizedFunc) bool { return g.fn == fn }) {
			continue
		}
		eachStore(fn, func(st *ssa.Store) {
			v := fieldAt(st.Addr)
			if found != nil || v == nil || !hasField(s, v) || !pooledMemory(v.Type(), 0) {
				return
			}
			if c, ok := st.Val.(*ssa.Call); ok {
				if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					found = &foreignMemory{at: c}
				}
			}
		})
	}
	return found
}

// origin finds where a slice comes from that is used at an instruction, other than the pools.
func (j *sizeJudge) origin(v ssa.Value, at ssa.Instruction, depth int, seen map[ssa.Value]bool) *foreignMemory {
	if depth > 10 || seen[v] {
		return nil
	}
	seen[v] = true
	// What may have any capacity counts before what has a certain one.
	var best *foreignMemory
	add := func(f *foreignMemory) {
		if f != nil && (best == nil || f.size == 0) {
			best = f
		}
	}
	stored := func(al *ssa.Alloc) {
		_, late := at.(*ssa.Defer)
		for _, r := range referrers(al) {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != al {
				continue
			}
			if st.Parent() != at.Parent() || st.Block() == at.Block() || reaches(st.Block(), at.Block()) || late && reaches(at.Block(), st.Block()) {
				add(j.origin(st.Val, st, depth+1, seen))
			}
		}
	}
	switch x := v.(type) {
	case *ssa.MakeSlice:
		if c, ok := x.Cap.(*ssa.Const); ok && c.Value != nil {
			n, _ := constant.Int64Val(c.Value)
			return &foreignMemory{x, n}
		}
		return &foreignMemory{at: x}
	case *ssa.Slice:
		if al, ok := x.X.(*ssa.Alloc); ok && al.Comment == "makeslice" {
			return &foreignMemory{al, deref(al.Type()).Underlying().(*types.Array).Len()}
		}
		return j.origin(x.X, x, depth+1, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			add(j.origin(e, at, depth+1, seen))
		}
	case *ssa.Alloc:
		stored(x)
	case *ssa.UnOp:
		switch addr := x.X.(type) {
		case *ssa.Alloc:
			at = x
			stored(addr)
		case *ssa.IndexAddr:
			j.a.elementStores(x, func(e ssa.Value, at ssa.Instruction) { add(j.origin(e, at, depth+1, seen)) })
		case *ssa.FieldAddr:
			f := fieldAt(addr)
			for _, fn := range j.a.fns {
				if j.a.inTest(fn) {
					continue
				}
				eachStore(fn, func(st *ssa.Store) {
					if fieldAt(st.Addr) == f {
						add(j.origin(st.Val, st, depth+1, seen))
					}
				})
			}
		}
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok {
			return j.result(c, x.Index, depth, seen)
		}
	case *ssa.Call:
		return j.result(x, 0, depth, seen)
	case *ssa.Parameter:
		fn := x.Parent()
		if outOfView(fn) && fn.Parent() == nil {
			return nil // what is handed in is taken to be in order
		}
		k := slices.Index(fn.Params, x)
		for _, c := range j.a.callsOf(fn) {
			if !c.Common().IsInvoke() && k < len(c.Common().Args) && !j.a.inTest(c.Parent()) {
				add(j.origin(c.Common().Args[k], c, depth+1, seen))
			}
		}
		if i := appendStyle(x); i != nil {
			add(&foreignMemory{at: i})
		}
	case *ssa.Convert:
		if b, ok := x.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			add(&foreignMemory{at: x})
		}
	}
	return best
}

// result finds where a result of a call comes from.
func (j *sizeJudge) result(c *ssa.Call, index, depth int, seen map[ssa.Value]bool) *foreignMemory {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			return &foreignMemory{at: c}
		}
		return nil
	}
	if index == 0 && makesBytes(c) {
		return &foreignMemory{at: c}
	}
	fn := j.a.calledFunction(c)
	if fn == nil || slices.ContainsFunc(j.gets, func(g *sizedFunc) bool { return g.fn == fn }) {
		return nil
	}
	var best *foreignMemory
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && index < len(r.Results) {
			if f := j.origin(r.Results[index], r, depth+1, seen); f != nil && (best == nil || f.size == 0) {
				best = f
			}
		}
	}
	return best
}
