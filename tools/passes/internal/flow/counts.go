// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
)

// countsOut follows a counter in a pooled value that nobody else has yet: it holds
// what the path stored there and added since. When it comes to zero, the last
// reference has gone, whatever else may be true of other values. It reports whether it did.
func (a *analysis) countsOut(st *state, addr, delta *sym) bool {
	t := addr.root()
	v := st.mem[addr]
	if t.kind != kToken && t.kind != kAlloc || v == nil || v.kind != kConst || v.val.Kind() != constant.Int {
		return false
	}
	if delta.kind != kConst || delta.val.Kind() != constant.Int || !a.private(st, t, addr) {
		delete(st.mem, addr)
		set(&st.epoch, addr, st.epoch[addr]+1)
		return false
	}
	n := constant.BinaryOp(v.val, token.ADD, delta.val)
	st.mem[addr] = a.syms.constant(n, v.typ)
	return constant.Sign(n) == 0
}

// private reports whether only the variables of the path lead to a value that it
// took from a pool.
func (a *analysis) private(st *state, t, counter *sym) bool {
	if st.handed[t] || st.escaped[t] || st.gone[t] || st.sent[t] != nil {
		return false
	}
	found := false
	see := func(x *sym) bool {
		found = found || x == t
		return !found
	}
	for _, g := range st.gos {
		if a.bystander(st, g, t, counter) {
			continue
		}
		a.reachAll(st, g.holds, see)
	}
	for _, k := range sortedKeys(st.mem) {
		if v := st.mem[k]; v.typ != nil && isBytes(v.typ) {
			continue // nobody counts with those
		}
		if b := k.base(); b != t && !st.alone(b) {
			a.reach(st, st.mem[k], see)
		}
	}
	return !found
}

// alone reports whether the path made an object, or took it from a pool, and nobody else
// has it.
func (st *state) alone(x *sym) bool {
	switch x.kind {
	case kAlloc:
		return !st.escaped[x] && !st.handed[x]
	case kToken:
		return !st.escaped[x] && !st.handed[x] && !st.gone[x] && st.rel[x] == nil && st.sent[x] == nil
	}
	return false
}
