// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Code out of view may be given a slice of pooled memory and give a slice back, as append does: one that it read into,
// say, and that had to grow. Where that is stored in the header that the first came from it is what the next
// user of the header finds: it goes to the pool with it.

// noteFedBack remembers, of a slice that a call out of view gave, the one of its type that it was given, where that was
// found in memory.
func (a *analysis) noteFedBack(x *sym, args []*sym, c *ssa.CallCommon) {
	if x.kind != kOpaque || !isSlice(x.typ) {
		return
	}
	for n, y := range args {
		m := memory(y)
		if m.kind != kLoad || m.typ == nil || !types.Identical(argType(c, n).Underlying(), x.typ.Underlying()) {
			continue
		}
		set(&a.syms.fedBack, x, m)
		return
	}
}

// inHeaders are the slices that calls gave for those that were in the headers at x, or in its fields, and that are there now.
func (a *analysis) inHeaders(st *state, x *sym) []*sym {
	if len(a.syms.fedBack) == 0 {
		return nil
	}
	var list []*sym
	for _, k := range keysOf(st.mem, func(k *sym) bool { return inside(k, x) && addrOnly(k) }) {
		if v := memory(st.mem[k]); a.fedBackTo(v, k) {
			list = append(list, v)
		}
	}
	return list
}

// fedBackTo reports whether a slice is what a call gave for the one that was at an address.
func (a *analysis) fedBackTo(x, addr *sym) bool {
	m := a.syms.fedBack[x]
	return m != nil && m.a == addr
}

// growsByInput reports whether a slice is what code that is chosen at run time gave for the one that it was given, along with
// another of the same type or a reader: it has room for what that has to say, however much it is.
func growsByInput(x *sym) bool {
	c, ok := x.obj.(*ssa.Call)
	if x.kind != kOpaque || !ok || c.Call.StaticCallee() != nil {
		return false
	}
	same := 0
	for _, arg := range c.Call.Args {
		_, isConst := arg.(*ssa.Const)
		switch {
		case isConst:
		case types.Identical(arg.Type(), x.typ):
			same++
		default:
			if read, _, _ := types.LookupFieldOrMethod(arg.Type(), true, nil, "Read"); read != nil {
				return true
			}
		}
	}
	return same > 1
}
