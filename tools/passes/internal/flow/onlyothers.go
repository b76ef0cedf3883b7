// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that has an object in which a pooled value is works with other fields of the
// object where all its code is in view: one that waits for the channel which tells that the
// object was closed does not use what the Close puts.

// leavesAlone reports whether a goroutine can get to memory that is being put only through
// fields of objects made on the path that its code neither touches nor passes on.
func (a *analysis) leavesAlone(st *state, g *spawn, targets []*sym) bool {
	if g.body == nil || len(g.had) > 0 && a.hadPart(st, g, targets) {
		return false
	}
	var homes []*sym // addresses of the fields with the memory, in objects that the goroutine can get to
	for _, k := range sortedKeys(st.mem) {
		if v := st.mem[k]; v.kind != kNil && slices.ContainsFunc(targets, func(t *sym) bool { return memory(plain(v)) == memory(t) || passes(v, t) }) && k.base().kind == kAlloc && a.leadsTo(st, g.holds, k.base()) {
			homes = append(homes, k)
		}
	}
	if len(homes) == 0 || len(homes) > 4 {
		return false
	}
	code := a.codeOf(st, g)
	for _, k := range homes {
		// A variable that the goroutine captured has the memory itself, or the object.
		f, ok := k.obj.(*types.Var)
		if !ok || k.kind != kField || k.idx < 0 || k.a.kind != kAlloc || k.a.typ == nil {
			return false
		}
		ways := []types.Type{k.a.typ} // of what leads there
		a.reachAll(st, g.holds, func(y *sym) bool {
			if y.kind == kAlloc && y.typ != nil && y != k.a && a.leadsTo(st, []*sym{y}, k.a) {
				ways = append(ways, y.typ)
			}
			return true
		})
		for _, fn := range code {
			if touchesField(fn, f.Origin(), 0) || unboxes(fn, k.a.typ, 0) || slices.ContainsFunc(ways, func(t types.Type) bool { return passesOn(fn, t, 0) }) {
				return false
			}
		}
	}
	direct := false
	a.reachOutside(st, g.holds, homes, func(y *sym) {
		direct = direct || a.leadsToPart(st, g, y, targets) || slices.ContainsFunc(targets, func(t *sym) bool { return y == t || memory(y) == memory(t) })
	})
	return !direct
}

// reachOutside visits what some values lead to but by way of certain addresses.
func (a *analysis) reachOutside(st *state, from, but []*sym, visit func(*sym)) {
	was := map[*sym]*sym{}
	for _, k := range but {
		was[k] = st.mem[k]
		delete(st.mem, k)
	}
	a.reachAll(st, from, func(y *sym) bool { visit(y); return true })
	for k, v := range was {
		st.mem[k] = v
	}
}

// unboxes reports whether a function has boxes that a value of a type may be in, and works
// with what they hold.
func unboxes(fn *ssa.Function, t types.Type, depth int) bool {
	may := func(x ssa.Value) bool {
		it, ok := x.Type().Underlying().(*types.Interface)
		return ok && types.Implements(t, it)
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.TypeAssert:
			if may(i.X) {
				return true
			}
		case ssa.CallInstruction:
			c := i.Common()
			if c.IsInvoke() && may(c.Value) || slices.ContainsFunc(c.Args, may) {
				return true
			}
			if f := c.StaticCallee(); f != nil && f.Pkg == fn.Pkg && len(f.Blocks) > 0 && (depth > 2 || unboxes(f, t, depth+1)) {
				return true
			}
		}
	}
	return false
}
