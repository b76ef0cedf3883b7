// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// checkAsserted reports assertions, among several to different types, that must
// fail: all that the pool's New makes and all that is put is of another type.
func (a *analysis) checkAsserted(p *typedPool, all []*typedPool) {
	if p.mixed || len(p.made) == 0 {
		return
	}
	made := p.made[0].typ
	same := func(s typedSite) bool { return types.Identical(s.typ, made) }
	if generic(made) || slices.ContainsFunc(p.made, func(s typedSite) bool { return !same(s) }) || slices.ContainsFunc(p.puts, func(s typedSite) bool { return !same(s) }) {
		return
	}
	if !slices.ContainsFunc(p.taken, same) {
		return // judged by checkTypes
	}
	qual := types.RelativeTo(a.pkg.Pkg)
	for _, s := range p.taken {
		if s.loose || same(s) || generic(s.typ) || types.IsInterface(s.typ) {
			continue
		}
		a.reportFound(assertedIn(s, p, all, finding{
			message: fmt.Sprintf("a %s is asserted on what comes from %s%s, but its New makes, and all Puts put, %s", types.TypeString(s.typ, qual), p.name, a.forName(s.pos), types.TypeString(made, qual)),
		}))
	}
}

// assertedIn completes a finding about an assertion that must fail. Where another pool has what is asserted, it says which;
// that the value then goes there is a finding of its own.
func assertedIn(s typedSite, p *typedPool, all []*typedPool, f finding) finding {
	f.pattern, f.pos, f.related = wrongType, s.pos, whereMade(p)
	if home := makerHome(s.typ, p, all); home != nil {
		f.message += "; " + home.name + " is the pool of those"
		f.related = []goanalysis.RelatedInformation{{Pos: home.made[0].pos, Message: "made for " + home.name + " here"}}
	}
	return f
}

// checkInterfaces reports Puts of a value in an interface that cannot be, or is not,
// what the pool's users assert.
func (a *analysis) checkInterfaces(p *typedPool) {
	if len(p.boxes) == 0 || len(p.taken) == 0 || p.handedOn {
		return
	}
	want := p.taken[0].typ
	if types.IsInterface(want) || generic(want) {
		return
	}
	for _, s := range slices.Concat(p.made, p.puts, p.taken) {
		if !types.Identical(s.typ, want) {
			return
		}
	}
	qual := types.RelativeTo(a.pkg.Pkg)
	for _, put := range p.boxes {
		v := unboxed(put.Common().Args[1])
		it, ok := v.Type().Underlying().(*types.Interface)
		if !ok || it.NumMethods() == 0 || a.inTest(put.Parent()) {
			continue
		}
		if !types.Implements(want, it) {
			a.reportFound(finding{
				pattern: wrongType, pos: instrPos(put), fn: put.Parent(),
				message: fmt.Sprintf("%s is put in %s, whose users assert %s, which is not one", a.putSaid(instrPos(put), "a "+types.TypeString(v.Type(), qual)), p.name, types.TypeString(want, qual)),
				related: whereAsserted(p),
			})
			continue
		}
		// What the function was given goes to the pool in place of what it took.
		prm, ok := v.(*ssa.Parameter)
		if !ok {
			continue
		}
		if got := a.tookBefore(put, want); got != nil {
			a.reportFound(finding{
				pattern: wrongType, pos: instrPos(put), fn: put.Parent(),
				message: fmt.Sprintf("%s, a %s that the function was given, is put in %s in place of the %s that was taken", prm.Name(), types.TypeString(v.Type(), qual), p.name, types.TypeString(want, qual)),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(got), Message: "taken here"}},
			})
		}
	}
}

// tookBefore finds what a function took from the pool that it puts to, as type t, on
// every way to the put, and does not put itself.
func (a *analysis) tookBefore(put ssa.CallInstruction, t types.Type) ssa.Instruction {
	pool := a.staticPool(put.Common().Args[0])
	var got ssa.Instruction
	for i := range instrsOf(put.Parent()) {
		switch i := i.(type) {
		case *ssa.TypeAssert:
			c, ok := i.X.(*ssa.Call)
			if ok && types.Identical(i.AssertedType, t) && precedes(i, put) && !c.Call.IsInvoke() && funcKey(calledMethod(c)) == "sync.Pool.Get" && a.staticPool(c.Call.Args[0]) == pool {
				got = i
			}
		case ssa.CallInstruction:
			if i == put || i.Common().IsInvoke() || funcKey(calledMethod(i)) != "sync.Pool.Put" {
				continue
			}
			if precedes(i, put) || precedes(put, i) {
				return nil
			}
		}
	}
	return got
}
