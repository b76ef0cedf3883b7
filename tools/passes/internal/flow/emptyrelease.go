// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Who acquires a value by one method and releases it by the method beside that does not put it where the values come from,
// whoever can reach the pool. Where the second method does nothing with it, nobody does.

// An emptyRelease is a function that is given back what another one took from a pool, and puts it nowhere.
type emptyRelease struct {
	get     ssa.CallInstruction
	release *ssa.Function
	call    ssa.CallInstruction // of it, the first
}

// emptyReleaseOf is the function that is called for what one of the Gets of a pool gave, and leaves it to nobody.
func (a *analysis) emptyReleaseOf(gets []ssa.CallInstruction) *emptyRelease {
	for _, get := range gets {
		fn := origin(get.Parent())
		if a.inTest(fn) {
			continue
		}
		for _, taker := range append([]*ssa.Function{fn}, a.gettersAround(fn)...) {
			for _, release := range a.fns {
				if c := a.releasesNothing(taker, release); c != nil {
					return &emptyRelease{get, release, c}
				}
			}
		}
	}
	return nil
}

// gettersAround are the functions that return what one of the package gives them.
func (a *analysis) gettersAround(fn *ssa.Function) (list []*ssa.Function) {
	for _, c := range a.callsOf(fn) {
		if p := origin(c.Parent()); a.uses().sites.getter[p] && !a.inTest(p) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// releasesNothing is a call of a function that stands beside one that takes values and is named for giving them back, where it
// does nothing of the kind.
func (a *analysis) releasesNothing(taker, release *ssa.Function) ssa.CallInstruction {
	k := len(release.Params) - 1
	if k < 0 || release.Parent() != nil || release.Signature.Results().Len() > 0 || taker.Signature.Results().Len() == 0 || !a.uses().sites.getter[taker] ||
		!gives(release.Name(), taker.Name()) || !types.Identical(release.Params[k].Type(), taker.Signature.Results().At(0).Type()) {
		return nil
	}
	x, y := typeOfReceiver(taker), typeOfReceiver(release)
	if (x == nil) != (y == nil) || x != nil && (k != 1 || !types.Identical(deref(x), deref(y))) || x == nil && k != 0 || a.inTest(release) {
		return nil
	}
	for _, r := range referrers(release.Params[k]) {
		c, isCall := r.(*ssa.Call)
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		// A method of its own that another package has, such as Reset, leaves it nowhere.
		if !isCall || c.Call.IsInvoke() || calledMethod(c) == nil || calledMethod(c).Pkg() == a.pkg.Pkg || timesIn(c.Call.Args, release.Params[k]) != 1 || c.Call.Args[0] != ssa.Value(release.Params[k]) ||
			calledMethod(c).Signature().Recv() == nil {
			return nil
		}
	}
	for _, c := range slices.Concat(a.callsOf(release), a.uses().sites.invokesOf(release)) {
		if !a.inTest(c.Parent()) {
			return c
		}
	}
	return nil
}

// givingBack are the first words of functions that take back what others gave.
var givingBack = []string{"release", "put", "free", "return", "recycle"}

// gives reports whether a function is named for the return of what another one gives: they are named alike but for what they do.
func gives(release, taker string) bool {
	p, q := nameWords(release), nameWords(taker)
	return len(p) > 0 && len(q) > 0 && slices.Contains(givingBack, p[0]) && !slices.Contains(givingBack, q[0]) && strings.Join(p[1:], " ") == strings.Join(q[1:], " ")
}
