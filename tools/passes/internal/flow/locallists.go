// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A channel that a function makes and gives to two goroutines may be a list of free values between them: one
// takes a value without waiting, or else makes a new one, and fills it, the other sends what it has used
// without waiting. What differs from a channel for the latest value is that who sends has not made it, and that
// who receives writes over it.

// collectLocalLists finds such channels.
func (a *analysis) collectLocalLists(direct map[*ssa.Function]bool) {
	for _, i := range a.instrsBeyondTests() {
		m, ok := i.(*ssa.MakeChan)
		if !ok || isZeroSize(m.Size) || a.localChans[m] == nil || a.freeLists[a.localChans[m]] != nil {
			continue
		}
		if e := m.Type().Underlying().(*types.Chan).Elem(); !isPtr(e) {
			continue
		}
		views, home := a.viewsOfChan(m)
		if home != nil || len(views) == maxChanViews {
			continue
		}
		var gets, puts []*ssa.Function
		if !a.localListUses(views, &gets, &puts) || len(gets) == 0 || len(puts) == 0 {
			continue
		}
		obj := a.localChans[m]
		// What is not given back is made again, and the list ends with its users.
		a.freeLists[obj] = &pool{key: obj, name: obj.Name(), api: "channel", known: true, ring: true, local: true}
		for _, fn := range append(gets, puts...) {
			direct[fn] = true
		}
	}
}

// localListUses gathers the functions that take from a channel, and those that give to it. It reports whether
// nothing else is done with it.
func (a *analysis) localListUses(views []ssa.Value, gets, puts *[]*ssa.Function) bool {
	for _, v := range views {
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType:
			case *ssa.Store:
				if r.Val == v && !slices.Contains(views, r.Addr) {
					return false
				}
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return false
				}
				for _, u := range referrers(r) {
					if !a.localListUse(u, gets, puts) {
						return false
					}
				}
			case *ssa.MakeClosure:
				fn := r.Fn.(*ssa.Function)
				for k, x := range r.Bindings {
					if x == v && !slices.Contains(views, ssa.Value(fn.FreeVars[k])) {
						return false
					}
				}
			case ssa.CallInstruction:
				fn := r.Common().StaticCallee()
				if fn == nil || r.Common().IsInvoke() {
					return false
				}
				for k, x := range r.Common().Args {
					if x == v && (k >= len(fn.Params) || !slices.Contains(views, ssa.Value(fn.Params[k]))) {
						return false
					}
				}
			default:
				if !a.localListUse(r, gets, puts) {
					return false
				}
			}
		}
	}
	return true
}

// localListUse sees one use of the channel itself.
func (a *analysis) localListUse(r ssa.Instruction, gets, puts *[]*ssa.Function) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Call:
		b, ok := r.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	case *ssa.Select:
		if r.Blocking || len(r.States) != 1 {
			return false
		}
		if s := r.States[0]; s.Dir == types.SendOnly {
			*puts = append(*puts, r.Parent())
			return passedOnHere(s.Send)
		}
		*gets = append(*gets, r.Parent())
		return a.filledAnew(part(r, 2))
	}
	return false
}

// passedOnHere reports whether a function has a value from elsewhere: a parameter, or something received.
func passedOnHere(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Field:
		return passedOnHere(x.X)
	case *ssa.Extract:
		_, isNext := x.Tuple.(*ssa.Next)
		return !isNext && passedOnHere(x.Tuple)
	case *ssa.UnOp:
		switch x.Op {
		case token.ARROW:
			return true
		case token.MUL:
			// A variable with what was received, or a field of it.
			addr := x.X
			if fa, ok := addr.(*ssa.FieldAddr); ok {
				addr = fa.X
			}
			al, ok := addr.(*ssa.Alloc)
			if !ok {
				return false
			}
			st := storedOnce(al)
			return st != nil && passedOnHere(st)
		}
	}
	return false
}

// filledAnew reports whether what was received, or a new value where there was none, is written to.
func (a *analysis) filledAnew(got ssa.Value) bool {
	if got == nil {
		return false
	}
	return slices.ContainsFunc(referrers(got), func(r ssa.Instruction) bool {
		phi, ok := r.(*ssa.Phi)
		if !ok {
			return false
		}
		fresh := false
		for _, e := range phi.Edges {
			switch x := e.(type) {
			case *ssa.Alloc:
				fresh = fresh || x.Heap
			case *ssa.Call:
				fresh = true
			default:
				if e != got {
					return false
				}
			}
		}
		return fresh && a.writesTo(phi, 0)
	})
}

// writesTo reports whether a function, or one of the package that it calls, stores to a field of what it has.
func (a *analysis) writesTo(v ssa.Value, depth int) bool {
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool {
				st, ok := u.(*ssa.Store)
				return ok && st.Addr == ssa.Value(r)
			})
		case *ssa.Call:
			fn := a.calledFunction(r)
			if fn == nil || depth > 2 || len(fn.Params) != len(r.Call.Args) {
				return false
			}
			k := slices.Index(r.Call.Args, v)
			return k >= 0 && a.writesTo(fn.Params[k], depth+1)
		}
		return false
	})
}
