// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A method that leaves a value from a pool in a field of its object, which all functions of the package
// only read, has it from the pool for good: nobody puts it, and with the next call the object has
// another one. A field that is compared with nil is filled once, perhaps, for as long as the object lives.

// keptForGood is what the walk saw of a field in which methods leave values from a pool.
type keptForGood struct {
	heldBack
	pool  *pool
	store *event
	token *sym
}

// noteKeptForGood sees, when a path ends, who has a value that a method left in a field of its object, or of a
// struct in that.
func (a *analysis) noteKeptForGood(e exit, addr, t *sym) {
	outer := addr
	for outer.a != nil && outer.a.kind == kField {
		outer = outer.a
	}
	f, ok := outer.obj.(*types.Var)
	store := e.st.stores[addr]
	if !ok || len(t.stack) == 0 || f.Exported() || f.Pkg() != a.pkg.Pkg || outer.a == nil || outer.a.kind != kParam || store == nil || a.inTest(a.root) {
		return
	}
	inner, _ := addr.obj.(*types.Var)
	left, shared := a.whoHas(e, inner, t)
	f = f.Origin()
	if a.fields0.forGood == nil {
		a.fields0.forGood = map[*types.Var]keptForGood{}
	}
	seen := a.fields0.forGood[f]
	seen.left, seen.shared = seen.left || left, seen.shared || shared
	if left && (seen.store == nil || store.pos() < seen.store.pos()) {
		seen.pool, seen.store, seen.token = t.pool, store, t
	}
	a.fields0.forGood[f] = seen
}

// judgeKeptForGood reports the fields in which values from a pool are left.
func (c *custody) judgeKeptForGood() {
	a := c.a
	for _, f := range slices.SortedFunc(maps.Keys(a.fields0.forGood), func(x, y *types.Var) int { return a.inOrder(x.Pos(), y.Pos()) }) {
		seen := a.fields0.forGood[f]
		if !seen.left || seen.shared || len(seen.pool.puts) == 0 || a.fields0.puts[f] || len(c.putsField[f]) > 0 || !a.onlyFilled(f) {
			continue
		}
		fn := seen.store.fn
		a.reportFound(finding{
			pattern: missingPut, pos: getPosIn(fn, seen.token), fn: fn, pool: seen.pool,
			message: fmt.Sprintf("%s is left in field %s (%s), and nothing in the package puts it back", a.saidTaken(seen.token.stack, seen.pool.label()), f.Name(), a.line(seen.store.pos())),
			related: []goanalysis.RelatedInformation{{Pos: seen.store.pos(), Message: "left here"}},
			more:    a.acquired(seen.token),
		})
	}
}

// getPosIn is where a function takes a value from a pool, or calls what does; otherwise where that is done at all.
func getPosIn(fn *ssa.Function, t *sym) token.Pos {
	if n := fn.Syntax(); n != nil {
		for _, p := range t.stack {
			if n.Pos() <= p && p < n.End() {
				return p
			}
		}
	}
	return t.stack[len(t.stack)-1]
}

// onlyFilled reports whether all functions of the package only set a field, and read what it has.
func (a *analysis) onlyFilled(f *types.Var) bool {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == f {
				return false
			}
		case *ssa.Store:
			// The struct as a whole, but for a new one.
			if s, ok := i.Val.Type().Underlying().(*types.Struct); ok && hasField(s, f) {
				if _, isNew := i.Addr.(*ssa.Alloc); !isNew && !isLiteral(i.Val) {
					return false
				}
			}
		case *ssa.FieldAddr:
			if nthField(i.X, i.Field) == f && !a.onlyFilledAt(i, f) {
				return false
			}
		}
	}
	return true
}

// onlyFilledAt is onlyFilled for one use of the field, or of a field of the struct in it.
func (a *analysis) onlyFilledAt(at *ssa.FieldAddr, f *types.Var) bool {
	for _, r := range referrers(at) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != at || isNilConst(r.Val) {
				return false
			}
		case *ssa.FieldAddr:
			if !a.onlyFilledAt(r, f) {
				return false
			}
		case *ssa.UnOp:
			if hasPointers(r.Type()) && (comparedWithNil(r) || !a.readsOnly(r, f, map[ssa.Value]bool{})) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLiteral reports whether a struct is what a literal says.
func isLiteral(v ssa.Value) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	al, ok := l.X.(*ssa.Alloc)
	return ok && al.Comment == "complit"
}

func comparedWithNil(v ssa.Value) bool {
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		b, ok := r.(*ssa.BinOp)
		return ok && (b.Op == token.EQL || b.Op == token.NEQ) && (isNilConst(b.X) || isNilConst(b.Y))
	})
}
