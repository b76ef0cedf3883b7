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

// Constructors take values from pools of their own, one for each level say, and keep them in a field of one type of wrapper, whose
// Close puts what is in the field in one pool. What the others gave ends up there: nothing goes back to them, and who takes from
// that one pool finds values of another kind.

// A homePool is a sync.Pool that has a name in the package, or is in a variable that closures share.
type homePool struct {
	name   string
	gets   []*ssa.Call
	puts   []ssa.CallInstruction
	open   bool // more may be done with it than is seen
	object types.Object
}

// judgeOtherHome reports Puts of what fields hold to another pool than the one that it was taken from, to which nobody puts.
func (a *analysis) judgeOtherHome() {
	pools := a.homePools()
	putTo := map[*types.Var][]*homePool{} // the pools that what is in a field goes to
	putAt := map[*types.Var]ssa.CallInstruction{}
	for _, p := range pools {
		for _, c := range p.puts {
			if f := fieldOfValue(unboxed(c.Common().Args[1])); f != nil && f.Pkg() == a.pkg.Pkg {
				putTo[f] = append(putTo[f], p)
				putAt[f] = c
			}
		}
	}
	for _, p := range pools {
		if p.open || len(p.puts) > 0 || len(p.gets) == 0 {
			continue
		}
		var lands *types.Var
		for _, get := range p.gets {
			to := a.landsIn(get, 0, map[ssa.Value]bool{})
			if to == nil || lands != nil && lands != to || to.Exported() {
				lands = nil
				break
			}
			lands = to
		}
		if lands == nil || len(putTo[lands]) != 1 || putTo[lands][0].open || a.inTest(putAt[lands].Parent()) {
			continue
		}
		put, home := putAt[lands], putTo[lands][0]
		if x, y := p.asserted(), home.asserted(); x == nil || y == nil || !types.Identical(x, y) {
			continue // of another type: that is told elsewhere
		}
		if p.object != nil {
			if a.otherHomes == nil {
				a.otherHomes = map[types.Object]bool{}
			}
			a.otherHomes[p.object] = true
		}
		a.reportFound(finding{
			pattern: wrongPool, pos: instrPos(put), fn: put.Parent(),
			message: fmt.Sprintf("field %s may hold a value from %s (%s), and what it holds is put in %s: nothing goes back to %s", lands.Name(), p.name, a.line(instrPos(p.gets[0])), home.name, p.name),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(p.gets[0]), Message: "taken from " + p.name + " here"}},
		})
	}
}

// asserted is the type that is asserted on what a pool gives, if it is one.
func (p *homePool) asserted() (t types.Type) {
	for _, get := range p.gets {
		for _, r := range referrers(get) {
			ta, ok := r.(*ssa.TypeAssert)
			if !ok {
				continue
			}
			if t != nil && !types.Identical(t, ta.AssertedType) {
				return nil
			}
			t = ta.AssertedType
		}
	}
	return t
}

// homePools are the pools of the package, in the order of the source, with what is done with them.
func (a *analysis) homePools() []*homePool {
	byObject, byVariable := map[types.Object]*homePool{}, map[*ssa.Alloc]*homePool{}
	var list []*homePool
	for c := range a.productCalls() {
		m := calledMethod(c)
		if m == nil || c.Common().IsInvoke() || len(c.Common().Args) == 0 {
			continue
		}
		key := funcKey(m)
		if key != "sync.Pool.Get" && key != "sync.Pool.Put" {
			continue
		}
		var p *homePool
		if obj := poolHome(c.Common().Args[0]); obj != nil {
			if p = byObject[obj]; p == nil {
				u := a.usesOfPools()[obj]
				p = &homePool{name: obj.Name(), object: obj, open: u == nil || u.open || obj.Exported() || obj.Pkg() != a.pkg.Pkg}
				byObject[obj] = p
				list = append(list, p)
			}
		} else if al := a.sharedVariable(c.Common().Args[0]); al != nil {
			if p = byVariable[al]; p == nil {
				p = &homePool{name: al.Comment, open: !onlyPooled(al)}
				byVariable[al] = p
				list = append(list, p)
			}
		} else {
			continue
		}
		if get, ok := c.(*ssa.Call); ok && key == "sync.Pool.Get" {
			p.gets = append(p.gets, get)
		} else if key == "sync.Pool.Put" {
			p.puts = append(p.puts, c)
		}
	}
	return list
}

// sharedVariable is the variable of a function, of type sync.Pool, that an address is the address of, also in closures.
func (a *analysis) sharedVariable(v ssa.Value) *ssa.Alloc {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			if isSyncPool(x.Type().Underlying().(*types.Pointer).Elem()) {
				return x
			}
			return nil
		case *ssa.FreeVar:
			made := a.closures[x.Parent()]
			k := slices.Index(x.Parent().FreeVars, x)
			if len(made) != 1 || k < 0 {
				return nil
			}
			v = made[0].Bindings[k]
		default:
			return nil
		}
	}
}

// onlyPooled reports whether nothing is done with a variable but to set its New, take from it and put to it, also in closures.
func onlyPooled(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.Store:
			if r.Addr != v {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for k, b := range r.Bindings {
				if b == v && !onlyPooled(fn.FreeVars[k]) {
					return false
				}
			}
		case ssa.CallInstruction:
			if m := calledMethod(r); m == nil || funcKey(m) != "sync.Pool.Get" && funcKey(m) != "sync.Pool.Put" || r.Common().Args[0] != v {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// landsIn is the one field of the package's own that a value is stored in, directly or by a function that it is given to, if nobody else has it.
func (a *analysis) landsIn(v ssa.Value, depth int, seen map[ssa.Value]bool) (to *types.Var) {
	if depth > 6 || seen[v] {
		return nil
	}
	seen[v] = true
	note := func(f *types.Var) bool {
		if f == nil || to != nil && to != f {
			return false
		}
		to = f
		return true
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr:
		case *ssa.TypeAssert, *ssa.Phi, *ssa.ChangeType:
			if seen[r.(ssa.Value)] {
				continue
			}
			if !note(a.landsIn(r.(ssa.Value), depth+1, seen)) {
				return nil
			}
		case *ssa.Extract:
			if r.Index == 0 && !note(a.landsIn(r, depth+1, seen)) {
				return nil
			}
		case *ssa.Store:
			f := fieldAt(r.Addr)
			if r.Val != v || f == nil || f.Pkg() != a.pkg.Pkg || !note(f) {
				return nil
			}
		case *ssa.Call:
			if r.Call.IsInvoke() || len(r.Call.Args) == 0 {
				return nil
			}
			if m := calledMethod(r); m != nil && r.Call.Args[0] == v && m.Pkg() != a.pkg.Pkg {
				continue // a method of its own: Reset
			}
			fn := a.calledFunction(r)
			if fn == nil || len(fn.Blocks) == 0 || !a.inPackage(fn) {
				return nil
			}
			for k, x := range r.Call.Args {
				if x == v && (k >= len(fn.Params) || !note(a.landsIn(fn.Params[k], depth+1, seen))) {
					return nil
				}
			}
		case *ssa.UnOp:
			if r.Op != token.MUL || hasPointers(r.Type()) {
				return nil
			}
		default:
			return nil
		}
	}
	return to
}
