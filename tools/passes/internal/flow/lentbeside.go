// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Where one function lets a pooled reader or writer go of what it was made over, and another that takes, resets and puts
// one by itself does not, the first is right for its own values only.

// judgeBeside reports functions that put what still leads to their target, where others of the package do not.
func (l *lentTo) judgeBeside(t *types.Named) {
	clears := map[*ssa.Function]bool{}
	for _, c := range l.resets[t] {
		if givesNothing(c.Common().Args[1]) {
			clears[c.Parent()] = true
		}
	}
	done := map[*ssa.Function]bool{}
	for _, p := range l.puts {
		if p.typ != t || l.a.inTest(p.fn) {
			continue
		}
		fn := p.fn
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		if done[fn] {
			continue
		}
		done[fn] = true
		if put, lent := l.keptBy(fn, t, clears); put != nil && !l.a.foundIn(retainedRefs, put.Parent()) {
			l.a.reportFound(finding{
				pattern: retainedRefs, pos: instrPos(put), fn: put.Parent(),
				message: fmt.Sprintf("%s still leads to what it was given with %s (%s): the pool keeps that alive; call Reset(nil), or with io.Discard, before the Put, as is done elsewhere", l.a.putSaid(instrPos(put), "the pooled "+l.a.shortName(t)), calledMethod(lent).Name(), l.a.line(instrPos(lent))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(lent), Message: "given here"}},
				more:    l.a.usersOfStatic(put),
			})
		}
	}
}

// keptBy is where a function with its closures puts the one value of a type that it takes, and where it has reset it to
// something of one use, if nothing that it calls could let it go of that.
func (l *lentTo) keptBy(fn *ssa.Function, t *types.Named, clears map[*ssa.Function]bool) (put, lent ssa.CallInstruction) {
	gets := 0
	of := func(v ssa.Value) bool {
		n := pointee(unboxed(v).Type())
		return n != nil && n.Origin() == t
	}
	within := map[*ssa.Function]bool{}
	var add func(*ssa.Function)
	add = func(f *ssa.Function) {
		within[f] = true
		for _, g := range f.AnonFuncs {
			add(g)
		}
	}
	add(fn)
	for _, g := range l.gets {
		if g.typ == t && within[g.fn] {
			gets++
		}
	}
	if gets != 1 {
		return nil, nil
	}
	for f := range within {
		if clears[f] {
			return nil, nil
		}
		for i := range instrsOf(f) {
			switch i := i.(type) {
			case *ssa.Return:
				if slices.ContainsFunc(i.Results, of) {
					return nil, nil
				}
			case *ssa.Send:
				if of(i.X) {
					return nil, nil
				}
			case *ssa.Store:
				if _, local := i.Addr.(*ssa.Alloc); of(i.Val) && !local {
					return nil, nil // who has it may reset it
				}
			case ssa.CallInstruction:
				callee := l.a.calledFunction(i)
				switch {
				case slices.ContainsFunc(l.a.valuesPut(i), of):
					if callee != nil && l.mayLetGo(callee, 0) {
						return nil, nil
					}
					if put == nil || instrPos(i) < instrPos(put) {
						put = i
					}
				case slices.Contains(l.resets[t], i):
					if l.ofUse(i.Common().Args[1], 0) && (lent == nil || instrPos(i) < instrPos(lent)) {
						lent = i
					}
				case slices.ContainsFunc(i.Common().Args, of):
					if callee != nil && l.mayLetGo(callee, 0) || callee == nil && calledMethod(i) == nil {
						return nil, nil
					}
				}
			}
		}
	}
	if put == nil || lent == nil {
		return nil, nil
	}
	return put, lent
}

// mayLetGo reports whether a function of the package resets anything, or calls what does.
func (l *lentTo) mayLetGo(fn *ssa.Function, depth int) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if m := calledMethod(c); m != nil && (m.Name() == "Reset" || m.Name() == "reset") {
			return true
		}
		callee := l.a.calledFunction(c)
		if callee == nil && calledMethod(c) == nil {
			if _, ok := c.Common().Value.(*ssa.Builtin); !ok {
				return true
			}
		}
		if callee != nil && (depth > 2 || l.mayLetGo(callee, depth+1)) {
			return true
		}
	}
	return false
}
