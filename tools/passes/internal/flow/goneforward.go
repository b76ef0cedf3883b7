// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A field that has a buffer from a pool gives it to a goroutine when it is full, and gets the next one. The goroutine alone
// has the old one then: where it only reads that, nobody puts it.

// judgeGoneForward reports fields whose pooled values are left with goroutines that only read them.
func (a *analysis) judgeGoneForward() {
	for fn, i := range a.instrs() {
		g, ok := i.(*ssa.Go)
		if !ok || a.inTest(fn) {
			continue
		}
		body := g.Call.StaticCallee()
		if body == nil || !a.inPackage(body) || len(body.Blocks) == 0 {
			continue
		}
		for k, x := range g.Call.Args {
			f, _ := fieldLoad(x)
			if f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg || k >= len(body.Params) || len(referrers(x)) != 1 || !mayBePooled(f.Type()) {
				continue
			}
			next, get := a.setFromPool(g, f)
			if next == nil || !a.putAnywhere(get) || !a.readsOnly(body.Params[k], nil, map[ssa.Value]bool{}) {
				continue
			}
			pool := a.staticPool(get.Call.Args[0])
			if pool == nil {
				continue
			}
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(g), fn: fn,
				message: fmt.Sprintf("what field %s has from %s goes to %s, which only reads it, and the field gets another (%s): nobody puts the old one", f.Name(), pool.Name(), body.Name(), a.line(instrPos(next))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(next), Message: "set to the next one here"}, {Pos: body.Pos(), Message: "only read here"}},
			})
		}
	}
}

// setFromPool is a store to a field, after a goroutine was started with what it had, of a value that comes from a pool.
func (a *analysis) setFromPool(g *ssa.Go, f *types.Var) (*ssa.Store, *ssa.Call) {
	for i := range instrsOf(g.Parent()) {
		s, ok := i.(*ssa.Store)
		if !ok || fieldAt(s.Addr) != f || !precedes(g, s) {
			continue
		}
		if get := a.gotFrom(s.Val, 0); get != nil {
			return s, get
		}
	}
	return nil, nil
}

// gotFrom is the Get of a sync.Pool that gave a value, here or in a function of the package that returns it.
func (a *analysis) gotFrom(v ssa.Value, depth int) *ssa.Call {
	switch x := derivedFrom(v).(type) {
	case *ssa.TypeAssert:
		return a.gotFrom(x.X, depth)
	case *ssa.Extract:
		return a.gotFrom(x.Tuple, depth)
	case *ssa.Call:
		if calledMethod(x) != nil && funcKey(calledMethod(x)) == "sync.Pool.Get" {
			return x
		}
		fn := a.calledFunction(x)
		if fn == nil || depth > 1 || x.Call.IsInvoke() || !a.inPackage(fn) {
			return nil
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) == 1 {
				if get := a.gotFrom(r.Results[0], depth+1); get != nil {
					return get
				}
			}
		}
	}
	return nil
}

// putAnywhere reports whether the package puts to the pool of a Get.
func (a *analysis) putAnywhere(get *ssa.Call) bool {
	pool := a.staticPool(get.Call.Args[0])
	for c := range a.poolCalls("Put") {
		if pool != nil && a.staticPool(c.Common().Args[0]) == pool {
			return true
		}
	}
	return false
}
