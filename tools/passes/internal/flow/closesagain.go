// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

// What was put and is returned in an object whose Close puts what it has is not only used too late: its caller, who does what is right,
// puts it again. That is said of it.

// playReturned ends the objects that a root returned with something in them that was put, once for each return.
func (a *analysis) playReturned(fn *ssa.Function, exits []exit, play func(func())) {
	tried := map[*ssa.Return]int{}
	for _, e := range exits {
		if tried[e.ret]++; e.ret == nil || tried[e.ret] > maxSequenceExits {
			continue
		}
		at := instrPos(e.ret)
		returned, ok := a.pending[findingKey{returnAlias, at}]
		if _, known := a.pending[findingKey{doublePut, at}]; !ok || known {
			continue
		}
		for _, x := range e.results {
			if x = plain(x); (x.kind == kAlloc || x.kind == kAgg) && x.typ != nil && recvName(x.typ) != nil && a.endsAgain(fn, e, x, returned, play) {
				break
			}
		}
	}
}

// endsAgain reports an object that was returned and whose last method puts again what the root had put, instead of what was found so far.
func (a *analysis) endsAgain(fn *ssa.Function, e exit, x *sym, returned finding, play func(func())) bool {
	r := a.releasedShallow(e.st, x)
	if r == nil || r.async || r.closed {
		return false
	}
	for _, m := range a.lastMethods(x.typ) {
		var again *finding
		play(func() {
			a.methodOn(e.st, m, x, nil, func(k findingKey, f *finding) bool {
				if k.pattern == doublePut && f.cause == r.pos() && (again == nil || f.pos < again.pos) {
					again = f
				}
				return false // what else the end of the object does counts where that is called
			})
		})
		if again == nil {
			continue
		}
		f := returned
		f.pattern, f.fixes = doublePut, nil
		f.message = fmt.Sprintf("%s is returned in the %s after it was put in %s (%s): %s of that puts it a second time", a.name(&r.event, fn), recvName(x.typ).Name(), r.pool0().label(), a.line(r.posIn(fn)), m.Name())
		f.related = again.related
		a.report(f)
		return true
	}
	return false
}
