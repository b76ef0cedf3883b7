// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// letGo sees some values on their way to a pool, by the path itself or by a goroutine.
// Contents that were replaced or cleared before stay with who has them, and so do those
// that the next user clears first of all.
func (a *analysis) letGo(st *state, targets []*sym, p *pool) {
	for _, s := range a.syms.all {
		if s.kind != kLoad || st.detached[s] {
			continue
		}
		for _, t := range targets {
			if s != t && passes(s.a, t) && (st.blank[t] || a.takenOut(st, s) && !a.inOwnArray(st, s) || a.blankedWhenTaken(p)) {
				set(&st.detached, s, true)
			}
		}
	}
}

// sentWithout sees a value on its way to another goroutine, by a channel: slices and maps that the path
// replaced in it before stay with who has them.
func (a *analysis) sentWithout(st *state, x *sym) {
	for _, s := range a.syms.all {
		if s.kind == kLoad && owned(s.typ) && s != x && passes(s.a, x) && overwritten(st, s) {
			set(&st.detached, s, true)
		}
	}
}

// elemsTakenOut sees the elements of a slice cleared: what they led to stays with who has it.
func (a *analysis) elemsTakenOut(st *state, x *sym) {
	base := a.elemBase(st, x)
	a.charge(len(a.syms.all))
	for _, s := range a.syms.all {
		if s.kind != kLoad || st.detached[s] {
			continue
		}
		for y := s.a; y != nil && (y.kind == kField || y.kind == kElem); y = y.a {
			if y.kind == kElem && y.a == base {
				set(&st.detached, s, true)
			}
		}
	}
}

// overwritten sees the elements of a slice give way to those further on in the same slice: what
// is found at an index from now on is not what was found there before.
func (a *analysis) overwritten(st *state, dst, src *sym) {
	base := a.elemBase(st, dst)
	if src.kind != kAdv || memory(src) != memory(dst) {
		return
	}
	for k := range st.mem {
		if k.kind == kElem && k.a == base {
			delete(st.mem, k)
		}
	}
	set(&st.epoch, base, st.epoch[base]+1)
}

// takesFor reports whether all that one function takes from a pool another one does: it is that
// function, or the only one that calls it.
func (a *analysis) takesFor(fn, taker *ssa.Function, depth int) bool {
	if fn == taker || taker == nil {
		return fn == taker
	}
	calls := a.callsOf(taker)
	if depth > 2 || len(calls) == 0 || exportedFunc(taker) || taker.Parent() != nil {
		return false
	}
	for _, c := range calls {
		if c.Parent() != calls[0].Parent() {
			return false
		}
	}
	return a.takesFor(fn, calls[0].Parent(), depth+1)
}

// blankedWhenTaken reports whether all that is taken from a pool is set to zero by who takes it: what is in it when it
// goes there is nobody's but that of who put it.
func (a *analysis) blankedWhenTaken(p *pool) bool {
	if p == nil {
		return false
	}
	if is, ok := a.blanked[p]; ok {
		return is
	}
	takes, blank := 0, true
	for _, get := range a.getsOfSync() {
		if a.pools[a.staticPool(get.Call.Args[0])] != p {
			continue
		}
		takes++
		blank = blank && zeroedWhere(get, 0)
	}
	is := takes > 0 && blank
	if a.blanked == nil {
		a.blanked = map[*pool]bool{}
	}
	a.blanked[p] = is
	return is
}

// getsOfSync are the calls of a sync.Pool's Get in the package.
func (a *analysis) getsOfSync() []*ssa.Call {
	if a.syncGets == nil {
		a.syncGets = new([]*ssa.Call)
		for _, i := range a.instrs() {
			if get, ok := i.(*ssa.Call); ok && !get.Call.IsInvoke() && funcKey(calledMethod(get)) == "sync.Pool.Get" {
				*a.syncGets = append(*a.syncGets, get)
			}
		}
	}
	return *a.syncGets
}

// zeroedAt reports whether what is taken from a pool is set to zero at once.
func zeroedAt(get poolSite) bool {
	v, ok := get.instr.(ssa.Value)
	return ok && zeroedWhere(v, 0)
}

// zeroedWhere reports whether a function stores a zero struct where a value points to before it does anything else
// with the value: what resets it for the Put comes later.
func zeroedWhere(v ssa.Value, depth int) bool {
	var zero ssa.Instruction
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Store:
			if c, ok := r.Val.(*ssa.Const); ok && r.Addr == v && c.Value == nil {
				zero = r
			}
		case *ssa.TypeAssert, *ssa.Extract:
			if depth < 2 && zeroedWhere(r.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	if zero == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r.(type) {
		case *ssa.Phi, *ssa.BinOp, *ssa.DebugRef:
			continue // with what was made where there was none, or a test for nil
		}
		if r != zero && !precedes(zero, r) {
			return false
		}
	}
	return true
}
