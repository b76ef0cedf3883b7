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

// A pooled struct that is given the slice of another pooled value, and only cuts it to length 0 for its
// Put, keeps the array to append to. When the other value goes to its pool as well, with the same slice in it,
// the next users of the two write to one array.

// A lentSlice is a slice that went to a pool in a struct and belongs to another pooled value.
type lentSlice struct {
	field *types.Var // of the struct
	mem   *sym       // the slice, as its owner has it
	put   event
	pool  *pool
}

// noteSharedPut sees a value that goes to a pool: what slices it takes with it that are others', and
// whether its own went to a pool in another struct before.
func (a *analysis) noteSharedPut(st *state, x *sym, p *pool, ev event) {
	if a.quiet > 0 || !p.known {
		return
	}
	obj := memory(x)
	for _, l := range st.shared {
		if l.mem == obj || l.mem.kind == kLoad && l.mem.a.root() == obj && stillHolds(st, l.mem) {
			a.reportShared(l, obj, p, ev)
		}
	}
	if obj.kind != kToken {
		return
	}
	for _, addr := range sortedKeys(st.mem) {
		v := st.mem[addr]
		if addr.kind != kField || v.kind != kView || v.idx != 1 || addr.root() != obj {
			continue // kept as it is, it may be set anew by each user
		}
		f, ok := addr.obj.(*types.Var)
		m := memory(v)
		of := m
		if m.kind == kLoad && owned(m.typ) {
			of = m.a.root()
		} else if m.typ == nil || !isSlice(m.typ) {
			continue
		}
		if ok && of.kind == kToken && of != obj && st.rel[of] == nil {
			st.shared = append(slices.Clip(st.shared), lentSlice{f, m, ev, p})
		}
	}
}

// stillHolds reports whether the memory that a slice was read from leads to its array.
func stillHolds(st *state, m *sym) bool {
	if v := st.mem[m.a]; v != nil {
		return memory(v) == m
	}
	return m.idx == st.epochOf(m.a)
}

func (a *analysis) reportShared(l lentSlice, obj *sym, p *pool, ev event) {
	pos, fn := diverge(&ev, &l.put)
	related := a.related(rel("put with the slice here", &l.put))
	if at := setIn(l.put, l.field); at != nil {
		pos, fn = instrPos(at), at.Parent()
		related = append([]goanalysis.RelatedInformation{{Pos: pos, Message: "set here"}}, related...)
	}
	if pos == token.NoPos {
		return
	}
	a.report(finding{
		pattern: storeAlias, pos: pos, fn: fn, cause: ev.pos(),
		message: fmt.Sprintf("field %s is given a slice of a value that goes to %s (%s), and goes to %s cut to length 0: the next users of both write to one array; copy the elements",
			l.field.Name(), p.label(), a.line(ev.pos()), l.pool.label()),
		related: append(append(related, a.related(rel("its owner is put here", &ev))...), a.acquired(obj)...),
	})
}

// setIn finds where a function on the way to a put sets a field to more than a cut of something.
func setIn(put event, f *types.Var) ssa.Instruction {
	for _, s := range slices.Backward(put.stack) {
		for i := range instrsOf(s.Parent()) {
			if st, ok := i.(*ssa.Store); ok && fieldAt(st.Addr) == f.Origin() {
				if cut, ok := st.Val.(*ssa.Slice); !ok || cut.High == nil || !isZeroNumber(cut.High) {
					return st
				}
			}
		}
	}
	return nil
}
