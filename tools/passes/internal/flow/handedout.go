// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice or map that a function makes, fills with values from a pool, and leaves to its
// caller hands them out; so does the pool, if the same function puts them there. Only
// containers that nothing was cut from, and no element of which was overwritten, are
// judged: which element that was is not known.

// handedOutTwice looks, at the end of a path, for such values.
func (a *analysis) handedOutTwice(e exit) {
	st := e.st
	if len(st.rel) == 0 || len(st.toks) == 0 {
		return
	}
	seen := map[*sym]bool{}
	var look func(x, home *sym, depth int)
	look = func(x, home *sym, depth int) {
		if x = plain(x); seen[x] || depth > maxNested {
			return
		}
		seen[x] = true
		if x.kind == kAlloc && (x.typ == nil || structOf(x.typ) != nil) {
			for _, k := range sortedKeys(st.mem) {
				if k.kind == kField && inside(k, x) {
					look(st.mem[k], k, depth+1)
				}
			}
			return
		}
		if whole(x) {
			a.judgeElements(st, x, home)
		}
	}
	for _, x := range e.results {
		look(x, nil, 0)
	}
	for _, k := range sortedKeys(st.mem) {
		switch k.base().kind {
		case kParam, kGlobal:
			look(st.mem[k], k, 0)
		}
	}
}

// whole reports whether a container was made on the path, and nothing was cut from it.
func whole(x *sym) bool {
	for x.kind == kAppend {
		x = x.a
	}
	return x.kind == kAlloc && x.typ != nil && container(x.typ)
}

// takenOffAgain reports whether the package takes elements off the slice at an address, one by one: it is a pool, too.
func (a *analysis) takenOffAgain(home *sym) bool {
	if home == nil || home.kind != kField {
		return false
	}
	f, ok := home.obj.(*types.Var)
	return ok && slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool { return !a.inTest(fn) && takesOff(fn, f.Origin()) })
}

// judgeElements reports the values in a container, kept in home if that is known, that are in a pool, too.
func (a *analysis) judgeElements(st *state, x, home *sym) {
	var found *sym
	var at *sym
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kElem || k.a != x {
			continue
		}
		switch v := plain(st.mem[k]); v.kind {
		case kOpaque, kNil:
			return // one was taken out
		case kToken:
			if r := st.rel[v]; r != nil && !r.async && !st.gone[v] && found == nil {
				found, at = v, k
			}
		}
	}
	if found == nil {
		return
	}
	r := st.rel[found]
	// In the innermost function that both took it and put it.
	n := 0
	for n < len(r.stack)-1 && n < len(found.stack)-1 && instrPos(r.stack[n]) == found.stack[n] {
		n++
	}
	related := []goanalysis.RelatedInformation{}
	if ev := st.stores[at]; ev != nil {
		related = a.related(rel("stored here", ev))
	}
	pat := storeAlias
	if a.takenOffAgain(home) {
		pat = doublePut
	}
	a.report(finding{
		pattern: pat, pos: instrPos(r.stack[n]), fn: r.stack[n].Parent(), cause: r.pos(),
		message: a.name(&r.event, r.stack[n].Parent()) + " is put in " + r.pool.label() + " and stays in a slice or map that outlives the call: both hand it out",
		related: append(append(related, a.related(rel("the Put", &r.event))...), a.acquired(found)...),
	})
}
