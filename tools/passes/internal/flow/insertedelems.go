// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What packages slices and maps put into a slice or map is there like what was appended or
// assigned: slices.Insert and slices.Replace keep their last arguments, maps.Copy and maps.Insert
// the values of another map, slices.AppendSeq
// what a loop is given.

// inserted sees a function of package slices give s, with the values that it was given.
func (a *analysis) inserted(st *state, f *types.Func, s *sym, args []*sym) {
	switch a.named(f).key {
	case "slices.Insert", "slices.Replace":
		a.appended(st, s, []*sym{args[0], args[len(args)-1]})
	case "slices.AppendSeq":
		seq := plain(args[1])
		if how, ok := seq.obj.(seqOf); ok && seq.kind == kHold && how.elems {
			a.appended(st, s, []*sym{args[0], seq.list[0]})
		} else if ok && seq.kind == kHold {
			a.appended(st, s, args[:1])
			a.write(st, a.syms.elem(a.elemBase(st, s), a.syms.fresh(kOpaque, types.Typ[types.Int]), nil), a.syms.view(seq.list[0], seq.list[0].typ))
		}
	}
}

// copiedInto sees the values of one map copied to another.
func (a *analysis) copiedInto(st *state, i ssa.Instruction, args []*sym) {
	from := plain(args[1])
	if how, ok := from.obj.(seqOf); ok && from.kind == kHold && how.elems {
		from = from.list[0]
	}
	src, dst := a.elemBase(st, from), a.elemBase(st, args[0])
	for _, k := range keysOf(st.mem, func(k *sym) bool { return k.kind == kElem && k.a == src }) {
		addr := a.syms.elem(dst, k.b, nil)
		a.write(st, addr, st.mem[k])
		a.noteStore(st, i, addr, st.mem[k])
	}
}
