// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Bytes that a method returns are known to be lent; a string is not: it never changes, and who gets one keeps it. So a
// method must not return a string that was made without a copy of memory that a field of its object leads to, where the
// method that ends the object's life puts that memory, unless it says that the string is good for a time only.

// playString ends the life of an object one of whose methods returned strings, and asks whether they are in a pool then.
func (a *analysis) playString(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || !token.IsExported(fn.Name()) || last(fn.Name()) || a.inTest(fn) || lendsByName(fn) {
		return false
	}
	recv := a.syms.find(symKey{kind: kParam, obj: fn.Params[0]})
	if recv == nil || recv.typ == nil {
		return false
	}
	var texts []*sym
	for _, r := range e.results {
		if r = plain(r); a.madeWithoutCopy(e.st, r, recv) {
			texts = append(texts, r)
		}
	}
	if len(texts) == 0 || a.resultCloned(fn) {
		return false
	}
	if n := recvType(fn); n == nil || !n.Exported() && len(a.callsOf(fn)) > 0 {
		return false // callers in view tell
	}
	played := false
	for _, m := range a.lastMethods(recv.typ) {
		if lendsByName(m) {
			continue
		}
		played = true
		var put *release
		play(func() {
			a.methodOn(e.st, m, recv, func(exits []exit) {
				for _, end := range exits {
					if end.st.rel[recv] != nil {
						continue // the object is lent as a whole
					}
					for _, x := range texts {
						if r := a.stringsWithin(end.st, x); r != nil && !r.async && put == nil {
							put = r
						}
					}
				}
			}, func(findingKey, *finding) bool { return false })
		})
		if put != nil {
			a.report(finding{
				pattern: returnAlias, pos: instrPos(e.ret), fn: fn, cause: put.pos(),
				message: fmt.Sprintf("the string shares the memory that %s puts in %s (%s): who keeps it, as strings are kept, reads what the next user writes; return a copy", m.Name(), put.pool.label(), a.line(put.pos())),
				related: []goanalysis.RelatedInformation{{Pos: put.pos(), Message: "the Put"}},
			})
			break
		}
	}
	return played
}

// madeWithoutCopy reports whether a result is a string over memory that recv leads to, or holds such strings.
func (a *analysis) madeWithoutCopy(st *state, r, recv *sym) bool {
	over := func(x *sym) bool {
		for ; x != nil && (x.kind == kView || x.kind == kAdv); x = x.a {
			if x.kind == kView && x.idx == stringView {
				return x.base() == recv
			}
		}
		return false
	}
	switch {
	case r.typ == nil:
		return false
	case isString(r.typ):
		return over(r)
	case !holdsStrings(r.typ):
		return false
	}
	found := false
	a.reach(st, r, func(x *sym) bool {
		found = found || x.typ != nil && isString(x.typ) && over(x)
		return !found && x != recv
	})
	return found
}

// holdsStrings reports whether a type is a list or a map of strings.
func holdsStrings(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return isString(u.Elem())
	case *types.Map:
		return isString(u.Elem()) || isString(u.Key())
	}
	return false
}

// resultCloned reports whether a caller of a method copies what it gives: the package knows that it is lent.
func (a *analysis) resultCloned(fn *ssa.Function) bool {
	for _, c := range a.callsOf(fn) {
		v, ok := c.(ssa.Value)
		if !ok {
			continue
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.Convert:
				if isBytes(r.Type()) {
					return true
				}
			case *ssa.Call:
				if funcKey(calledMethod(r)) == "strings.Clone" || isBuiltin(r, "append") || isBuiltin(r, "copy") {
					return true
				}
			}
		}
	}
	return false
}

// lendsByName reports whether the name of a method, or its comment, says that what it gives is not the caller's to keep.
func lendsByName(fn *ssa.Function) bool {
	if slices.ContainsFunc([]string{"Unsafe", "NoCopy", "Nocopy", "Peek", "View", "Borrow", "Lend", "Alias", "ZeroCopy", "Shared"}, func(s string) bool {
		return strings.Contains(fn.Name(), s)
	}) {
		return true
	}
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || d.Doc == nil {
		return false
	}
	doc := strings.ToLower(d.Doc.Text())
	return slices.ContainsFunc([]string{"valid", "until", "copy", "copies", "copied", "alias", "share", "unsafe", "lifetime", "retain", "borrow", "lent", "as long as", "no longer", "must not"}, func(s string) bool {
		return strings.Contains(doc, s)
	})
}
