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

// A table of numbers that New makes is zero. Who looks up what is there at an index, and then sets that, finds
// zero where it was not at that index before, and with the next use what another user left there. Such a table has
// to be cleared, unless each use has numbers of its own in it, or these only depend on the index.

// A heldTable gathers what is done with the tables of one pool.
type heldTable struct {
	a       *analysis
	seen    map[ssa.Value]bool
	loads   []*ssa.UnOp
	stores  []*ssa.Store
	unclear bool // something may set or clear the elements out of view
}

// judgeHeldOver reports tables that nobody clears.
func (a *analysis) judgeHeldOver() {
	pools := map[types.Object]*heldTable{}
	var order []types.Object
	first := map[types.Object]ssa.CallInstruction{}
	for c := range a.poolCalls("Get") {
		obj := a.staticPool(c.Common().Args[0])
		call, ok := c.(*ssa.Call)
		if obj == nil || !ok || !a.newMakesTable(obj) {
			continue
		}
		t := pools[obj]
		if t == nil {
			t = &heldTable{a: a, seen: map[ssa.Value]bool{}}
			pools[obj], first[obj] = t, c
			order = append(order, obj)
		}
		t.follow(call, 0)
	}
	for c := range a.poolCalls("Put") {
		if t := pools[a.staticPool(c.Common().Args[0])]; t != nil && !t.knows(unboxed(c.Common().Args[1])) {
			t.unclear = true
		}
	}
	for _, obj := range order {
		t := pools[obj]
		if t.unclear {
			continue
		}
		if load, set := t.heldOver(); load != nil {
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(load), fn: load.Parent(),
				message: fmt.Sprintf("an element of the table from %s is read before it is set (%s), and nobody clears the table: it is what another user left there, not zero", obj.Name(), a.line(instrPos(set))),
				related: []goanalysis.RelatedInformation{{Pos: first[obj].Pos(), Message: "taken here"}, {Pos: instrPos(set), Message: "set here"}},
			})
		}
	}
}

// newMakesTable reports whether all that makes the values of a pool only makes slices of numbers of full length, or
// arrays of numbers.
func (a *analysis) newMakesTable(pool types.Object) bool {
	news := a.news[any(pool)]
	for _, fn := range news {
		made := false
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.MakeSlice:
				n, isConst := i.Len.(*ssa.Const)
				made = ofNumbers(i.Type()) && i.Len == i.Cap && (!isConst || !isZero(n.Value))
			case *ssa.Slice:
				if n := madeConstant(i); n == 0 || !isSize(i.High, n) {
					return false
				}
				made = ofNumbers(i.Type())
			case *ssa.Alloc:
				made = made || ofNumbers(i.Type())
			case *ssa.IndexAddr, *ssa.MakeClosure:
				return false
			case ssa.CallInstruction:
				if slices.ContainsFunc(i.Common().Args, func(v ssa.Value) bool { return ofNumbers(unboxed(v).Type()) }) {
					return false
				}
			}
		}
		if !made {
			return false
		}
	}
	return len(news) > 0
}

// isSize reports whether v is the constant n.
func isSize(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == n
}

// ofNumbers reports whether a type is a slice or array of integers, or a pointer to one, but for bytes: those are content.
func ofNumbers(t types.Type) bool {
	elem := listElem(deref(t))
	return elem != nil && isInteger(elem) && !isBytes(types.NewSlice(elem))
}

// listElem is the type of the elements of a slice or array; nil for other types.
func listElem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}

// knows reports whether a value that is put is one of those that were followed.
func (t *heldTable) knows(v ssa.Value) bool {
	return t.seen[v]
}

// follow sees what is done with a value that leads to a table.
func (t *heldTable) follow(v ssa.Value, depth int) {
	if t.seen[v] {
		return
	}
	t.seen[v] = true
	if depth > 12 {
		t.unclear = true
		return
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.If:
		case *ssa.TypeAssert:
			t.follow(r, depth+1)
		case *ssa.Extract:
			if r.Index == 0 {
				t.follow(r, depth+1)
			}
		case *ssa.ChangeType, *ssa.MakeInterface, *ssa.Phi, *ssa.Slice:
			t.follow(r.(ssa.Value), depth+1)
		case *ssa.BinOp: // a test for nil
		case *ssa.UnOp:
			switch r.Type().Underlying().(type) {
			case *types.Slice:
				t.follow(r, depth+1)
			default:
				t.unclear = true // a copy of an array
			}
		case *ssa.Store:
			al, ok := r.Addr.(*ssa.Alloc)
			if r.Val != v || !ok {
				t.unclear = true
				continue
			}
			t.variable(al, depth+1)
		case *ssa.IndexAddr:
			t.element(r)
		case *ssa.Return:
			k := slices.Index(r.Results, v)
			calls := t.a.callsOf(r.Parent())
			t.unclear = t.unclear || len(calls) == 0 && k >= 0
			for _, c := range calls {
				call, ok := c.(*ssa.Call)
				if !ok || k < 0 {
					t.unclear = true
					continue
				}
				if len(r.Results) == 1 {
					t.follow(call, depth+1)
					continue
				}
				for _, x := range referrers(call) {
					if e, ok := x.(*ssa.Extract); ok && e.Index == k {
						t.follow(e, depth+1)
					}
				}
			}
		case ssa.CallInstruction:
			t.passed(r, v, depth)
		default:
			t.unclear = true
		}
	}
}

// variable follows a variable that has a table, or the address of one, also into closures.
func (t *heldTable) variable(addr ssa.Value, depth int) {
	if t.seen[addr] {
		return
	}
	t.seen[addr] = true
	for _, r := range referrers(addr) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			t.follow(r, depth+1)
		case *ssa.Store:
			if r.Addr != addr {
				t.unclear = true
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for k, b := range r.Bindings {
				if b == addr && k < len(fn.FreeVars) {
					t.variable(fn.FreeVars[k], depth+1)
				}
			}
		default:
			t.unclear = true
		}
	}
}

// passed sees a call that is given a table.
func (t *heldTable) passed(c ssa.CallInstruction, v ssa.Value, depth int) {
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		t.unclear = t.unclear || b.Name() != "len" && b.Name() != "cap"
		return
	}
	if isPut(c) {
		return
	}
	fn := t.a.calledFunction(c)
	if fn == nil || len(fn.Blocks) == 0 || c.Common().IsInvoke() {
		t.unclear = true
		return
	}
	for k, x := range c.Common().Args {
		if x == v && k < len(fn.Params) {
			t.follow(fn.Params[k], depth+1)
		}
	}
}

// element sees the address of an element.
func (t *heldTable) element(e *ssa.IndexAddr) {
	for _, r := range referrers(e) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			t.loads = append(t.loads, r)
		case *ssa.Store:
			t.unclear = t.unclear || r.Val == ssa.Value(e)
			t.stores = append(t.stores, r)
		default:
			t.unclear = true
		}
	}
}

// heldOver finds a read of an element that is set after that, where all that is set in the table is set so.
func (t *heldTable) heldOver() (load *ssa.UnOp, set *ssa.Store) {
	for _, s := range t.stores {
		index := s.Addr.(*ssa.IndexAddr).Index
		k := slices.IndexFunc(t.loads, func(l *ssa.UnOp) bool {
			return l.Parent() == s.Parent() && l.X.(*ssa.IndexAddr).Index == index && precedes(l, s)
		})
		if _, isConst := index.(*ssa.Const); k < 0 || isConst || !ofThisUse(s.Val, index, 0) {
			return nil, nil // may be what sets them for a new use
		}
		if load == nil && saysWhatItIs(t.loads[k]) {
			load, set = t.loads[k], s
		}
	}
	return load, set
}

// ofThisUse reports whether a number that is set in a table belongs to what is done now: it is a position, or
// counted. One that comes from elsewhere may tell uses apart, and one that is worked out from the index is the
// same for all.
func ofThisUse(v, index ssa.Value, depth int) bool {
	if v == index || depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return depth > 0
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			switch e.(type) {
			case *ssa.Const, *ssa.BinOp, *ssa.Phi, *ssa.Convert:
				return e == index
			}
			return true // found, or given
		})
	case *ssa.Convert:
		return ofThisUse(v.X, index, depth+1)
	case *ssa.BinOp:
		if l, ok := v.X.(*ssa.UnOp); ok && v.Op == token.ADD && depth == 0 {
			if e, ok := l.X.(*ssa.IndexAddr); ok && e.Index == index {
				_, counts := v.Y.(*ssa.Const)
				return counts
			}
		}
		return (v.Op == token.ADD || v.Op == token.SUB) && ofThisUse(v.X, index, depth+1) && ofThisUse(v.Y, index, depth+1)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len"
	}
	return false
}

// saysWhatItIs reports whether what was read is used as a number, not only compared with one that may tell uses apart.
func saysWhatItIs(l *ssa.UnOp) bool {
	return slices.ContainsFunc(referrers(l), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.BinOp:
			return r.Op != token.EQL && r.Op != token.NEQ
		}
		return true
	})
}
