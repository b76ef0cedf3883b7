// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function may return a value from a pool with a function that puts it. Callers in other packages
// are told what that one puts, and whether a second call of it does no harm.

// lentEnds is what a function that was returned puts, in the pools that are named.
type lentEnds struct {
	toks  []*sym
	pools []string
	once  bool // it puts when it is first called only
}

// noteClosureEnds remembers what a closure that a root returned put, be it under a test of its own, unless that
// asks what the closure is given; again calls it once more.
func (a *analysis) noteClosureEnds(before *state, c *sym, given int, exits []exit, again func(*state)) {
	if a.toldOthers(a.root) == nil || len(exits) == 0 {
		return
	}
	ends := lentEnds{once: true}
	for _, t := range before.toks {
		puts := func(e exit) bool { return e.st.rel[t] != nil }
		k := slices.IndexFunc(exits, puts)
		if before.rel[t] != nil || before.gone[t] || k < 0 || slices.ContainsFunc(exits, func(e exit) bool { return e.st.gone[t] || given > 0 && !puts(e) }) {
			continue
		}
		ends.toks = append(ends.toks, t)
		ends.pools = append(ends.pools, exits[k].st.rel[t].pool.factName())
	}
	if len(ends.toks) == 0 {
		return
	}
	pending := a.pending
	a.pending = map[findingKey]finding{}
	for _, e := range exits {
		st := e.st.clone()
		st.f = nil
		again(st)
	}
	for k := range a.pending {
		if k.pattern == doublePut {
			ends.once = false
		}
	}
	a.pending = pending
	a.ends[c] = ends
}

// lentWith are the values that a path returns with a function of which is not known that it puts them, but
// which may: who gets them from it need not put them.
func (a *analysis) lentWith(fn *ssa.Function, e exit) map[*sym]bool {
	lent := map[*sym]bool{}
	for n, r := range e.results {
		if _, isFunc := fn.Signature.Results().At(n).Type().Underlying().(*types.Signature); isFunc && r.kind == kOpaque {
			for _, t := range e.st.toks {
				if e.st.handed[t] {
					lent[t] = true
				}
			}
		}
		end, _ := plain(r).function()
		if _, known := a.ends[plain(r)]; known || end == nil || plain(r).kind != kClosure || !a.relevant[end] {
			continue
		}
		a.reach(e.st, r, func(y *sym) bool {
			if y.kind == kToken {
				lent[y] = true
			}
			return true
		})
	}
	return lent
}

// callEnds follows a call of a function that another package gave: it puts what it is known to put, and
// otherwise may put what it holds.
func (a *analysis) callEnds(st *state, i ssa.CallInstruction, target callee, c *ssa.CallCommon) ([]outcome, bool) {
	if !target.dynamic || target.of == nil || target.of.kind != kHold {
		return nil, false
	}
	ends, ok := target.of.obj.(*lentEnds)
	if !ok {
		a.reach(st, target.of, func(y *sym) bool {
			if tracked(y) {
				st.handOver(y)
			}
			return true
		})
		return nil, false
	}
	for k, t := range ends.toks {
		if ends.once && st.rel[t] != nil {
			continue
		}
		p := a.foreignPool(ends.pools[k])
		a.put(st, i, t, &pool{name: p.name, api: p.api}, poolFunc{release: 0, bounded: true, api: "foreign"}, types.Typ[types.UnsafePointer])
	}
	return []outcome{{st, a.opaqueResult(st, i, c)}}, true
}
