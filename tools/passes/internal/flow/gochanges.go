// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine changes what is in the fields of the objects that it works on: what its starter
// finds there since is not what it left. That a field tells what became of the goroutine shows
// in the tests of it.

// A fieldChange is what a goroutine stores in a field.
type fieldChange struct{ yes, no, other bool }

// goChanges are the fields of structs that the code of a goroutine stores something in.
func (a *analysis) goChanges(body *ssa.Function) map[*types.Var]fieldChange {
	if m, ok := a.goStores[body]; ok {
		return m
	}
	m := map[*types.Var]fieldChange{}
	seen := map[*ssa.Function]bool{}
	var walk func(fn *ssa.Function, depth int)
	walk = func(fn *ssa.Function, depth int) {
		if fn == nil || seen[fn] || depth > 5 || len(fn.Blocks) == 0 {
			return
		}
		seen[fn] = true
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				fa, ok := i.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				f := nthField(fa.X, fa.Field)
				if f == nil {
					continue
				}
				c := m[f]
				switch v, ok := i.Val.(*ssa.Const); {
				case ok && v.Value != nil && v.Value.Kind() == constant.Bool && constant.BoolVal(v.Value):
					c.yes = true
				case ok && v.Value != nil && v.Value.Kind() == constant.Bool:
					c.no = true
				default:
					c.other = true
				}
				m[f] = c
			case *ssa.MakeClosure:
				walk(i.Fn.(*ssa.Function), depth+1)
			case ssa.CallInstruction:
				walk(a.calledFunction(i), depth+1)
			}
		}
	}
	walk(body, 0)
	if a.goStores == nil {
		a.goStores = map[*ssa.Function]map[*types.Var]fieldChange{}
	}
	a.goStores[body] = m
	return m
}

// changedByGo forgets what is in the fields of objects made on the path that a goroutine
// changes, and the numbers and flags in those of others. What came from a pool is taken to stay where the path left it.
func (a *analysis) changedByGo(st *state, g *spawn) {
	if g.body == nil || a.quiet > 0 {
		return
	}
	changes := a.goChanges(g.body)
	if len(changes) == 0 {
		return
	}
	var objs []*sym
	a.reachAll(st, g.holds, func(y *sym) bool {
		switch y.kind {
		case kAlloc, kParam, kLoad, kToken, kRecv:
			if y.typ != nil && isPtr(y.typ) && structOf(y.typ) != nil {
				objs = append(objs, y)
			}
		}
		return true
	})
	for _, x := range objs {
		s := structOf(x.typ)
		for n := range s.NumFields() {
			if _, ok := changes[s.Field(n).Origin()]; !ok {
				continue
			}
			if _, basic := s.Field(n).Type().Underlying().(*types.Basic); !basic && x.kind != kAlloc {
				continue // it may lead to what came from a pool
			}
			k := a.syms.field(x, s, n)
			if v := st.mem[k]; k.fixed || v != nil && (a.pooled(st, v) || a.leadsToPooled(st, v)) {
				continue
			}
			set(&st.epoch, k, st.epoch[k]+1)
			for addr := range st.mem {
				if inside(addr, k) {
					delete(st.mem, addr)
				}
			}
		}
	}
}

// errorsSet forgets the errors in variables of its starter that a goroutine sets: there may be one when it has ended. One
// that a method of a value gave tells of that as before.
func (a *analysis) errorsSet(st *state, g *spawn, ends []outcome) {
	if g.body == nil || a.quiet > 0 {
		return
	}
	for k, v := range g.body.FreeVars {
		p, ok := v.Type().Underlying().(*types.Pointer)
		if !ok || k >= len(g.free) || g.free[k].kind != kAlloc || !isError(p.Elem()) || !setsFree(v, 0) {
			continue
		}
		at := g.free[k]
		set(&st.epoch, at, st.epoch[at]+1)
		delete(st.mem, at)
		now := a.syms.load(at, st.epochOf(at), p.Elem())
		for _, o := range ends {
			v := o.st.mem[at]
			if v == nil || plain(v).kind == kNil {
				continue
			}
			for _, err := range sortedKeys(a.failing) {
				if isNil, ok := a.known(o.st, a.syms.nilTest(err)); plain(v) != err && (isNil || !ok) {
					continue
				}
				for _, t := range a.failing[err] {
					if err != now && !slices.Contains(a.failing[now], t) {
						a.failing[now] = append(a.failing[now], t)
						a.failedBy[now] = a.failedBy[err]
					}
				}
				if err != now {
					delete(a.failedBy, err) // who waits asks for the other
				}
			}
		}
	}
}

// setsFree reports whether a function, or one that it makes, stores something in a variable that it captured.
func setsFree(v *ssa.FreeVar, depth int) bool {
	return slices.ContainsFunc(referrers(v), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Store:
			return i.Addr == ssa.Value(v)
		case *ssa.MakeClosure:
			k := slices.Index(i.Bindings, ssa.Value(v))
			return k >= 0 && depth < 4 && setsFree(i.Fn.(*ssa.Function).FreeVars[k], depth+1)
		}
		return false
	})
}

// afterSignal follows a wait for a condition: a goroutine has changed something, and may run on.
// Of one whose code is not in view nothing is known after that.
func (a *analysis) afterSignal(st *state) {
	var left []*spawn
	for _, g := range st.gos {
		if g.body != nil {
			a.changedByGo(st, g)
			left = append(left, g)
		}
	}
	st.gos = left
}

// toldEnded reports whether a path tested a field that tells what became of a goroutine: one
// that the goroutine sets, and found as the goroutine leaves it.
func (a *analysis) toldEnded(st *state, g *spawn) bool {
	if g.body == nil {
		return false
	}
	changes := a.goChanges(g.body)
	if len(changes) == 0 {
		return false
	}
	for _, c := range sortedKeys(st.truth) {
		v, told := st.truth[c], false
		c.mentions(func(x *sym) bool {
			if x.kind != kLoad || x.a.kind != kField || x.idx == 0 || x.typ == nil {
				return false
			}
			f, ok := x.a.obj.(*types.Var)
			if !ok {
				return false
			}
			change, ok := changes[f.Origin()]
			if !ok || !a.leadsTo(st, g.holds, x.a.a) && !a.leadsTo(st, g.holds, x.root()) {
				return false
			}
			switch x.typ.Underlying().(type) {
			case *types.Basic:
				if c == x && !change.other {
					told = told || v && change.yes || !v && change.no
				} else {
					told = true
				}
			case *types.Slice, *types.Map, *types.Array:
			default:
				told = true
			}
			return false
		})
		if told {
			return true
		}
	}
	return false
}

// mayHaveGrown reports whether what is being put is in a slice or map, or was, in a field of
// an object made on the path which a goroutine that has the object works on.
func (a *analysis) mayHaveGrown(st *state, g *spawn, obj *sym, targets []*sym) bool {
	if g.body == nil || obj.kind != kAlloc || obj.typ == nil || structOf(obj.typ) == nil {
		return false
	}
	return slices.ContainsFunc(targets, func(t *sym) bool {
		if t.kind != kLoad {
			return false
		}
		home := t.a
		if home.kind == kElem && home.a.kind == kLoad {
			home = home.a.a
		}
		if home.kind != kField || home.a != obj || st.epochOf(home) == 0 {
			return false
		}
		f, ok := home.obj.(*types.Var)
		if !ok {
			return false
		}
		_, changes := a.goChanges(g.body)[f.Origin()]
		return changes
	})
}

// usesUnlocked reports whether the code of a goroutine works with the field that leads to
// memory which is put without a lock: that it looks at a flag under one does not keep it from
// that.
func (a *analysis) usesUnlocked(st *state, g *spawn, targets []*sym) bool {
	if g.body == nil {
		return false
	}
	for _, k := range sortedKeys(st.mem) {
		f, ok := k.obj.(*types.Var)
		if !ok || k.kind != kField || k.idx < 0 || !slices.ContainsFunc(targets, func(t *sym) bool { return memory(plain(st.mem[k])) == memory(t) }) {
			continue
		}
		if a.touchesUnlocked(g.body, f.Origin(), 0) {
			return true
		}
	}
	return false
}

func (a *analysis) touchesUnlocked(fn *ssa.Function, f *types.Var, depth int) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if nthField(i.X, i.Field) == f && !locked(i) {
				return true
			}
		case ssa.CallInstruction:
			if c := a.calledFunction(i); c != nil && depth < 3 && c != fn && !locked(i) && a.touchesUnlocked(c, f, depth+1) {
				return true
			}
		}
	}
	return false
}
