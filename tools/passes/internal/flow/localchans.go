// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A channel may be a variable of a function, which starts a goroutine that receives from it:
// as a free variable of a literal, or as the argument of a function that is only started so. The field or
// package-level variable that holds a channel names it there, too.
// What that receiver puts, who sends gives away, as with the channel of a field.

// collectLocalChans names the channels that functions make: by the field or package-level
// variable that one is stored in, otherwise by an object of its own. It keeps the names for all
// values that stand for such a channel, or for the variable that holds it.
func (a *analysis) collectLocalChans() {
	a.localChans = map[ssa.Value]types.Object{}
	for _, i := range a.instrs() {
		var views []ssa.Value
		var home types.Object
		switch m := i.(type) {
		case *ssa.MakeChan:
			if !hasPointers(m.Type().Underlying().(*types.Chan).Elem()) {
				continue
			}
			views, home = a.viewsOfChan(m)
			if home == nil && len(views) > 1 {
				home = types.NewVar(m.Pos(), a.pkg.Pkg, "the channel", m.Type())
			}
		case *ssa.UnOp:
			if m.Op != token.MUL || !isChan(m.Type()) || !hasPointers(m.Type().Underlying().(*types.Chan).Elem()) {
				continue
			}
			if home = placeOf(m.X); home == nil {
				continue
			}
			views, _ = a.viewsOfChan(m)
			views = views[1:] // the load names itself
		}
		for _, v := range views {
			if old, ok := a.localChans[v]; ok && old != home {
				home = nil // or another channel
			}
		}
		for _, v := range views {
			a.localChans[v] = home
		}
	}
}

// maxChanViews bounds the values that stand for one channel.
const maxChanViews = 32

// viewsOfChan are the values that stand for a channel or for the variable that holds it, and
// the field or package-level variable that it is stored in.
func (a *analysis) viewsOfChan(m ssa.Value) (views []ssa.Value, home types.Object) {
	views = []ssa.Value{m}
	add := func(v ssa.Value) {
		if len(views) < maxChanViews && !slices.Contains(views, v) {
			views = append(views, v)
		}
	}
	for n := 0; n < len(views); n++ { // grows
		if views[n].Referrers() == nil {
			continue
		}
		for _, r := range referrers(views[n]) {
			switch r := r.(type) {
			case *ssa.ChangeType:
				add(r)
			case *ssa.UnOp:
				if r.Op == token.MUL {
					add(r)
				}
			case *ssa.Store:
				if r.Val != views[n] {
					continue
				}
				if obj := placeOf(r.Addr); obj != nil && home == nil {
					home = obj
				}
				if al, ok := r.Addr.(*ssa.Alloc); ok && storedOnce(al) != nil {
					add(al)
				}
			case *ssa.MakeClosure:
				fn := r.Fn.(*ssa.Function)
				for k, x := range r.Bindings {
					if x == views[n] && len(a.closures[fn]) == 1 {
						add(fn.FreeVars[k])
					}
				}
			case ssa.CallInstruction:
				fn := r.Common().StaticCallee()
				if fn == nil || len(fn.Blocks) == 0 || !a.inPackage(fn) || fn.Origin() != nil || len(a.sites[fn]) != 1 {
					continue
				}
				for k, x := range r.Common().Args {
					if x == views[n] {
						add(fn.Params[k])
					}
				}
			}
		}
	}
	return views, home
}

// chanNamed is what names a channel: the field or variable that holds it.
func (a *analysis) chanNamed(ch *sym) types.Object {
	if k := chanKey(ch); k != nil {
		return k
	}
	if ch.kind == kLoad && ch.a.kind != kField {
		ch = ch.a
	}
	switch ch.kind {
	case kAlloc, kFree, kParam:
		if v, ok := ch.obj.(ssa.Value); ok {
			return a.localChans[v]
		}
	}
	return nil
}
