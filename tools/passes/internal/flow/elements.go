// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function may start a goroutine for each element of a map or slice and put all
// elements in the end. That the goroutines take theirs from it shows in their bodies
// only: what is at an index that they were told is not the element that a loop puts, by name.

// leadsToElement reports whether a goroutine that has a container works on elements of
// it, where one that a loop over all of them put is among the targets.
func (a *analysis) leadsToElement(g *spawn, container *sym, targets []*sym, ev *event) bool {
	if g.body == nil || container.kind != kParam && container.kind != kLoad {
		return false
	}
	for _, t := range targets {
		if t.kind == kLoad && t.a.kind == kElem && t.a.a == container && inRange(ev) && isPtr(t.typ) && usesElements(g.body, container.typ, 0) {
			return true
		}
	}
	return false
}

// inRange reports whether an event is in a loop, on some level of the calls that led there.
func inRange(ev *event) bool {
	for _, i := range ev.stack {
		if inLoop(i.Block()) {
			return true
		}
	}
	return false
}

// usesElements reports whether a function takes an element of a container of some type
// and goes on to what that points to.
func usesElements(fn *ssa.Function, typ types.Type, depth int) bool {
	if typ == nil || depth > 2 {
		return false
	}
	for i := range instrsOf(fn) {
		var elem ssa.Value
		switch i := i.(type) {
		case *ssa.Lookup:
			if types.Identical(i.X.Type(), typ) {
				elem = i
			}
		case *ssa.IndexAddr:
			if types.Identical(i.X.Type(), typ) {
				elem = i
			}
		case *ssa.Call:
			if f := i.Call.StaticCallee(); f != nil && f.Pkg == fn.Pkg && usesElements(f, typ, depth+1) {
				return true
			}
		}
		if elem != nil && followed(elem, 0) {
			return true
		}
	}
	return false
}

// followed reports whether a pointer is used to get at what it points to.
func followed(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 3 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return true
		case *ssa.UnOp, *ssa.Extract:
			if followed(r.(ssa.Value), depth+1) {
				return true
			}
		case ssa.CallInstruction:
			return true
		}
	}
	return false
}

// capturedBy are the values that a function which is sent on a channel works on when
// the receiver calls it: what its variables hold now.
func (a *analysis) capturedBy(st *state, x *sym) []*sym {
	x = plain(x)
	if x.kind != kClosure {
		return nil
	}
	fn := x.obj.(*ssa.Function)
	if a.relevant[fn] {
		return nil // it may put them, or wait for its turn
	}
	var list []*sym
	for _, b := range x.list {
		if b.kind == kAlloc {
			if v := st.mem[b]; v != nil {
				list = append(list, plain(v))
			}
			continue
		}
		list = append(list, plain(b))
	}
	return list
}

// copiedElement is the number of an index at which a struct was appended by value.
const copiedElement = -7

func (a *analysis) copiedIndex() *sym {
	x := a.syms.fresh(kOpaque, types.Typ[types.Int])
	x.idx = copiedElement
	return x
}

// releasedCopy finds a pointer that was put after it was copied, as a field of a struct,
// to a slice that is returned: the struct that it was put from is another one.
func (a *analysis) releasedCopy(st *state, addr, v *sym) *release {
	if e := slot(addr); e == nil || e.b == nil || v.typ == nil || !isPtr(v.typ) {
		return nil
	}
	r := st.rel[v]
	if r == nil || st.gone[v] || r.async {
		return nil
	}
	if addr.b != nil && addr.b.idx == copiedElement && r.byField || !inRange(&r.event) {
		return r // without a loop there is no other element that could be meant
	}
	return nil
}
