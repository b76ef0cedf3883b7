// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Memory is sorted by size into channels and slices as well. To a run on numbers (simulate.go) a receive
// that does not wait is a Get, and finds the channel empty or not; a send that does not wait is a Put; and so
// are an element taken off a slice that serves as a pool, and one appended to it.

type simChan struct{ of *simCell }

// sizedUses are the places where a package gets from pools of any kind, or puts to them, and the value
// that leads to the pool: the address of a sync.Pool, the channel, the address of the slice.
func (j *sizeJudge) sizedUses(method string) iter.Seq2[ssa.Instruction, ssa.Value] {
	return func(yield func(ssa.Instruction, ssa.Value) bool) {
		for c := range j.a.poolCalls(method) {
			if !yield(c, c.Common().Args[0]) {
				return
			}
		}
		for _, fn := range j.a.fns {
			if j.a.inTest(fn) {
				continue
			}
			for i := range instrsOf(fn) {
				if pool := j.a.listUsed(fn, i, method); pool != nil && !yield(i, pool) {
					return
				}
			}
		}
	}
}

// listUsed is the channel or slice that an instruction gets from or puts to.
func (a *analysis) listUsed(fn *ssa.Function, i ssa.Instruction, method string) ssa.Value {
	switch i := i.(type) {
	case *ssa.Select:
		want := freeGet
		if method == "Put" {
			want = freePut
		}
		if simPooled(i) && (freeUseOf(fn, i) == want || bareMemory(fn, i) == want) {
			return i.States[0].Chan
		}
	case *ssa.UnOp:
		if a.sliceLists.takes[i] != nil && method == "Get" {
			return listTakenOff(i)
		}
	case *ssa.Store:
		if a.sliceLists.puts[i] != nil && method == "Put" {
			return i.Addr
		}
	}
	return nil
}

// listTakenOff is the address of the slice that an element is taken off.
func listTakenOff(take *ssa.UnOp) ssa.Value {
	if ia, ok := take.X.(*ssa.IndexAddr); ok {
		if l, ok := ia.X.(*ssa.UnOp); ok && l.Op == token.MUL {
			return l.X
		}
	}
	return nil
}

// simPooled reports whether a select that does not wait is of one channel of what may be pooled.
func simPooled(s *ssa.Select) bool {
	if s.Blocking || len(s.States) != 1 {
		return false
	}
	ch, ok := s.States[0].Chan.Type().Underlying().(*types.Chan)
	return ok && (pointery(ch.Elem()) || ch.Elem().Underlying() == types.Typ[types.UnsafePointer])
}

// bareMemory tells what a function does with a channel of pointers to bare memory: it gets a slice out of it,
// or puts one into it.
func bareMemory(fn *ssa.Function, s *ssa.Select) int {
	st := s.States[0]
	if st.Chan.Type().Underlying().(*types.Chan).Elem().Underlying() != types.Typ[types.UnsafePointer] {
		return freeNeither
	}
	if st.Dir == types.RecvOnly {
		if givesMemory(fn.Signature.Results()) {
			return freeGet
		}
		return freeNeither
	}
	v := st.Send
	for range 4 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "SliceData" {
				v = derivedFrom(x.Call.Args[0])
			}
		case *ssa.Parameter:
			return freePut
		}
	}
	return freeNeither
}

// selects follows a select that does not wait.
func (f *simFrame) selects(s *ssa.Select) any {
	if !simPooled(s) {
		return simUnknown{}
	}
	r, st := f.r, s.States[0]
	name := "?"
	if c, ok := f.get(st.Chan).(simChan); ok && c.of.name != "" {
		name = c.of.name
	}
	if st.Dir == types.SendOnly {
		r.putTo(name, f.get(st.Send), s)
		return simTuple{simInt{}, simBool{}}
	}
	r.asked = append(r.asked, name)
	if x, ok := r.supplied(name); ok {
		return simTuple{simInt{}, simBool{v: true}, x}
	}
	elem := st.Chan.Type().Underlying().(*types.Chan).Elem()
	if name != "?" && r.supply != nil || r.choose(false) {
		return simTuple{simInt{v: -1}, simBool{}, simZero(elem)}
	}
	return simTuple{simInt{}, simBool{v: true}, simUnknown{}}
}

// supplied is what a run gives to who asks the pool of a name.
func (r *simRun) supplied(name string) (any, bool) {
	if r.supply == nil || r.from != name {
		return nil, false
	}
	x := r.supply
	r.supply = nil
	return x, true
}

// takes follows an element that is taken off a slice that serves as a pool.
func (f *simFrame) takes(i *ssa.UnOp) any {
	name := "?"
	if p, ok := f.get(listTakenOff(i)).(simPtr); ok && p.to.name != "" {
		name = p.to.name
	}
	f.r.asked = append(f.r.asked, name)
	if x, ok := f.r.supplied(name); ok {
		return x
	}
	return simUnknown{}
}

// appends follows an element that goes to a slice that serves as a pool.
func (f *simFrame) appends(i *ssa.Store) {
	name := "?"
	if p, ok := f.get(i.Addr).(simPtr); ok && p.to.name != "" {
		name = p.to.name
	}
	f.r.putTo(name, f.get(f.r.s.a.sliceLists.elem[i]), i)
}

// putTo notes the first Put of a run.
func (r *simRun) putTo(name string, x any, at ssa.Instruction) {
	if r.put == "" {
		r.put, r.putAt, r.putVal, r.putVia = name, at, x, slices.Clone(r.via)
	}
}

// limits reports whether a field is a number that sizes are compared with, and that nothing else is done
// with: whoever sets it takes the largest size of the pools.
func (s *simulator) limits(v *types.Var) bool {
	if v == nil || !isInteger(v.Type()) {
		return false
	}
	if is, known := s.limitFields[v]; known {
		return is
	}
	compared, other := false, false
	for _, fn := range s.a.fns {
		if s.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			var x ssa.Value
			switch i := i.(type) {
			case *ssa.UnOp:
				if i.Op == token.MUL && fieldAt(i.X) == v {
					x = i
				}
			case *ssa.Field:
				if st := structOf(i.X.Type()); st != nil && st.Field(i.Field).Origin() == v {
					x = i
				}
			}
			if x == nil {
				continue
			}
			for _, u := range referrers(x) {
				o, ok := u.(*ssa.BinOp)
				if _, isDebug := u.(*ssa.DebugRef); isDebug {
					continue
				}
				if !ok || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, o.Op) || inLoop(o.Block()) {
					other = true
					continue
				}
				compared = true
			}
		}
	}
	s.limitFields[v] = compared && !other
	return compared && !other
}

// maxTries bounds the sizes on which a caller is run.
const maxTries = 8

// usesBeyond runs a caller of a Get with what a Put put, and reports whether it cuts that beyond its
// capacity, which it does to nothing else.
func (j *sizeJudge) usesBeyond(g *sizedFunc, c ssa.CallInstruction, n, capacity int64, supply func() any, pool string) bool {
	fn := c.Parent()
	if fn.Parent() != nil || j.tries[c] >= maxTries {
		return false
	}
	j.tries[c]++
	for k, p := range fn.Params {
		t, isSlice := p.Type().Underlying().(*types.Slice)
		if k == 0 && fn.Signature.Recv() != nil || !isInteger(p.Type()) && !(isSlice && isBasic(t.Elem())) {
			continue
		}
		for _, x := range []int64{n, n - 1, n / 2, n/2 + 1} {
			var arg any = simInt{v: x, sized: true}
			if isSlice {
				arg = simSlice{len: x, cap: x}
			}
			args := arguments(fn, k, arg)
			for _, r := range j.s.runs(fn, args, nil, "") {
				if r.end == simBeyond {
					return false
				}
			}
			for _, r := range j.s.runs(fn, args, supply, pool) {
				if r.end == simBeyond && !r.vague && r.supply == nil && len(r.asked) > 0 && r.asked[0] == pool && r.beyond == capacity {
					return true
				}
			}
		}
	}
	return false
}

// appendStyle finds, for a slice that is handed in, an append to it whose result the function returns as
// the same type: callers go on with that, and hand it in again.
func appendStyle(p *ssa.Parameter) ssa.Instruction {
	fn := p.Parent()
	res := fn.Signature.Results()
	if _, isSlice := p.Type().Underlying().(*types.Slice); !isSlice || res.Len() == 0 || !types.Identical(res.At(0).Type(), p.Type()) {
		return nil
	}
	var from func(v ssa.Value, depth int) bool
	from = func(v ssa.Value, depth int) bool {
		if depth > 6 {
			return false
		}
		switch x := v.(type) {
		case *ssa.Parameter:
			return x == p
		case *ssa.Slice:
			return from(x.X, depth+1)
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "append" && from(x.Call.Args[0], depth+1)
		case *ssa.Phi:
			return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return from(e, depth+2) })
		}
		return false
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || len(r.Results) == 0 {
			continue
		}
		if c, ok := r.Results[0].(*ssa.Call); ok && from(c, 0) {
			return c
		}
	}
	return nil
}

// elementStores are the values that go to the elements of the slice that a value is read from, and where.
func (a *analysis) elementStores(v *ssa.UnOp, do func(x ssa.Value, at ssa.Instruction)) {
	ia, ok := v.X.(*ssa.IndexAddr)
	if !ok || v.Op != token.MUL {
		return
	}
	l, ok := ia.X.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return
	}
	obj := placeOf(l.X)
	if obj == nil {
		return
	}
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(st *ssa.Store) {
			if ia, ok := st.Addr.(*ssa.IndexAddr); ok {
				if l, ok := ia.X.(*ssa.UnOp); ok && placeOf(l.X) == obj {
					do(st.Val, st)
				}
				return
			}
			c, ok := st.Val.(*ssa.Call)
			if !ok || placeOf(st.Addr) != obj {
				return
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(c.Call.Args) < 2 {
				return
			}
			for _, x := range appended(c) {
				do(x, c)
			}
		})
	}
}

// limit is what a field that sizes are compared with holds.
func (r *simRun) limit() any {
	r.s.assumed = true
	return simInt{v: simTable(simLists - 1)}
}

// builtin follows a built-in function.
func (r *simRun) builtin(name string, args []any) any {
	switch name {
	case "SliceData":
		if s, ok := args[0].(simSlice); ok {
			return simPtr{&simCell{item: &s}}
		}
		return simUnknown{}
	case "Slice":
		p, ok := args[0].(simPtr)
		n, isInt := args[1].(simInt)
		if !ok || !isInt || p.to.item == nil {
			return simUnknown{}
		}
		if n.v > p.to.item.cap {
			r.beyond = p.to.item.cap
			r.stop(simBeyond)
		}
		return simSlice{len: n.v, cap: n.v}
	}
	return simBuiltin(name, args)
}

// indexFunc follows slices.IndexFunc.
func (r *simRun) indexFunc(t types.Type, args []any, unknown func() any) any {
	s, ok := args[0].(simSlice)
	fn, isFunc := args[1].(simFunc)
	list, isSlice := t.Underlying().(*types.Slice)
	if !ok || !isFunc || !isSlice || s.back == nil || s.len < 0 || s.len > 64 {
		return unknown()
	}
	sized := false
	for k := range s.len {
		b, ok := r.call(fn.fn, []any{r.load(s.back.at(fmt.Sprintf("[%d]", k)), list.Elem())}, fn.bind, nil).(simBool)
		if !ok {
			return unknown()
		}
		sized = sized || b.sized
		if b.v {
			return simInt{v: k, sized: sized}
		}
	}
	return simInt{v: -1, sized: sized}
}

// ofParam reports whether a pool is a field of what the function was given, or that itself.
func ofParam(pool ssa.Value) bool {
	for range 5 {
		switch x := pool.(type) {
		case *ssa.FieldAddr:
			pool = x.X
		case *ssa.UnOp:
			pool = x.X
		case *ssa.Parameter:
			return true
		}
	}
	return false
}

// assertedMemory reports whether callers of a function take its first result, which may be
// anything, for a slice.
func (j *sizeJudge) assertedMemory(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() != 1 || !isAny(res.At(0).Type()) {
		return false
	}
	for _, c := range j.a.callsOf(fn) {
		if c.Value() == nil {
			continue
		}
		for _, r := range referrers(c.Value()) {
			if t, ok := r.(*ssa.TypeAssert); ok && pooledMemory(t.AssertedType, 0) {
				return true
			}
		}
	}
	return false
}

// withoutHanded drops those functions that others of a list give the pool: the others pick it.
func (j *sizeJudge) withoutHanded(list []*sizedFunc) []*sizedFunc {
	return slices.DeleteFunc(slices.Clone(list), func(f *sizedFunc) bool {
		return j.handedIn[f.fn] && slices.ContainsFunc(f.calls, func(c ssa.CallInstruction) bool {
			return slices.ContainsFunc(list, func(o *sizedFunc) bool { return o != f && o.fn == c.Parent() })
		})
	})
}

// picked is where a run put: the Put, or the call in the function that picked the pool for it.
func (j *sizeJudge) picked(r *simRun) (at ssa.Instruction) {
	at = r.putAt
	for k := len(r.putVia) - 1; k >= 0 && j.handedIn[at.Parent()] && r.putVia[k] != nil; k-- {
		at = r.putVia[k]
	}
	return at
}
