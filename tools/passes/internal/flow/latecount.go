// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A map has a reference to each element, and gives it up where it evicts the element; the last one puts it. Who finds
// an element there must count a reference of its own before it gives the lock back: the one who counts later may count
// up from nothing, when another goroutine has evicted the element and it went to the pool.

// lateCounts is what the package does with the references of its types.
type lateCounts struct {
	a        *analysis
	up, down map[*ssa.Function]countOf
}

// A countOf is a parameter of which a function counts a field.
type countOf struct {
	param int
	field *types.Var
}

// judgeLateCounts reports references that are counted when the lock of the map was given back.
func (a *analysis) judgeLateCounts() {
	l := &lateCounts{a, map[*ssa.Function]countOf{}, map[*ssa.Function]countOf{}}
	for fn, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		if of, ok := counts(fn, c); ok && countsDown(c) && a.putsOf(fn, of.param) {
			l.down[fn] = of
		} else if ok && countsUp1(c) && len(referrers(c)) == 0 {
			l.up[fn] = of
		}
	}
	if len(l.down) == 0 || len(l.up) == 0 {
		return
	}
	evicts := l.evictions()
	if len(evicts) == 0 {
		return
	}
	for fn, i := range a.instrsBeyondTests() {
		look, ok := i.(*ssa.Lookup)
		if !ok || evicts[fieldOfAddr(look.X)] == nil || !takesLock(fn) {
			continue
		}
		evict := evicts[fieldOfAddr(look.X)]
		var found ssa.Value = look
		if look.CommaOk {
			for _, r := range referrers(look) {
				if e, ok := r.(*ssa.Extract); ok && e.Index == 0 {
					found = e
				}
			}
		}
		if l.counted(found) != nil {
			continue
		}
		if up, way := l.countedByCallers(fn, found, 0); up != nil {
			related := []goanalysis.RelatedInformation{{Pos: instrPos(look), Message: "found here"}}
			for _, c := range way {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(c), Message: "given by this call"})
			}
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(up), fn: up.Parent(), cause: instrPos(evict),
				message: fmt.Sprintf("the reference is counted after %s gave the lock back under which it found this in %s (%s): by then another goroutine may have evicted it and put it (%s)",
					fn.Name(), fieldOfAddr(look.X).Name(), a.line(instrPos(look)), a.line(instrPos(evict))),
				related: append(related, goanalysis.RelatedInformation{Pos: instrPos(evict), Message: "evicted here"}),
			})
		}
	}
}

// counts tells which parameter's field a call of sync/atomic counts.
func counts(fn *ssa.Function, c *ssa.Call) (countOf, bool) {
	if f := calledMethod(c); f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || len(c.Call.Args) != 2 {
		return countOf{}, false
	}
	fa, ok := c.Call.Args[0].(*ssa.FieldAddr)
	if !ok {
		return countOf{}, false
	}
	for k, p := range fn.Params {
		if fa.X == ssa.Value(p) {
			return countOf{k, fieldAt(fa)}, true
		}
	}
	return countOf{}, false
}

// countsUp1 reports whether a call of sync/atomic adds 1 to a number.
func countsUp1(c *ssa.Call) bool {
	d, ok := c.Call.Args[1].(*ssa.Const)
	return ok && d.Value != nil && d.Value.Kind() == constant.Int && d.Int64() == 1 && calledMethod(c).Name()[0] == 'A'
}

// putsOf reports whether a function puts a parameter, or what it leads to.
func (a *analysis) putsOf(fn *ssa.Function, param int) (found bool) {
	a.eachPut(fn, func(_ ssa.CallInstruction, x ssa.Value) {
		for {
			if x == ssa.Value(fn.Params[param]) {
				found = true
				return
			}
			switch y := x.(type) {
			case *ssa.FieldAddr:
				x = y.X
			case *ssa.UnOp:
				x = y.X
			default:
				return
			}
		}
	})
	return found
}

// evictions are the maps that some function deletes elements from, and counts a reference of these down.
func (l *lateCounts) evictions() map[*types.Var]ssa.Instruction {
	list := map[*types.Var]ssa.Instruction{}
	for fn, i := range l.a.instrsBeyondTests() {
		del, ok := i.(*ssa.Call)
		if !ok || !isBuiltin(del, "delete") {
			continue
		}
		home := fieldOfAddr(del.Call.Args[0])
		if home == nil || home.Exported() || home.Pkg() != l.a.pkg.Pkg || !takesLock(fn) {
			continue
		}
		for j := range instrsOf(fn) {
			c, ok := j.(*ssa.Call)
			if !ok {
				continue
			}
			of, ok := l.down[l.a.calledFunction(c)]
			if !ok || of.param >= len(c.Call.Args) {
				continue
			}
			x := c.Call.Args[of.param]
			if look := lookupOf(x); look != nil && fieldOfAddr(look.X) == home {
				list[home] = c
			}
			if e, ok := x.(*ssa.Extract); ok {
				if n, ok := e.Tuple.(*ssa.Next); ok && mapOf(n) == home {
					list[home] = c
				}
			}
		}
	}
	return list
}

// counted is the call, in the function that has a value or one that it gives the value to, that counts a reference to it.
func (l *lateCounts) counted(v ssa.Value) *ssa.Call {
	for _, r := range referrers(v) {
		c, ok := r.(*ssa.Call)
		if !ok || c.Call.IsInvoke() {
			continue
		}
		fn := l.a.calledFunction(c)
		if fn == nil {
			continue
		}
		if of, ok := l.up[fn]; ok && of.param < len(c.Call.Args) && c.Call.Args[of.param] == v {
			return c
		}
		k := slices.Index(c.Call.Args, v)
		if k < 0 || k >= len(fn.Params) {
			continue
		}
		for _, q := range referrers(fn.Params[k]) {
			d, ok := q.(*ssa.Call)
			if !ok || d.Call.IsInvoke() {
				continue
			}
			if of, ok := l.up[l.a.calledFunction(d)]; ok && of.param < len(d.Call.Args) && d.Call.Args[of.param] == ssa.Value(fn.Params[k]) {
				return d
			}
		}
	}
	return nil
}

// countedByCallers is the call that counts a reference to what a function returns, in its callers, if none of
// them takes a lock, and the calls that it is returned by.
func (l *lateCounts) countedByCallers(fn *ssa.Function, v ssa.Value, depth int) (up *ssa.Call, way []*ssa.Call) {
	at := resultWith(v)
	if at < 0 || depth > 2 {
		return nil, nil
	}
	for _, c := range l.a.callsOf(fn) {
		call, ok := c.(*ssa.Call)
		if !ok || l.a.inTest(call.Parent()) || takesLock(call.Parent()) {
			continue
		}
		var got ssa.Value = call
		if fn.Signature.Results().Len() > 1 {
			for _, r := range referrers(call) {
				if e, ok := r.(*ssa.Extract); ok && e.Index == at {
					got = e
				}
			}
		}
		if up := l.counted(got); up != nil {
			return up, []*ssa.Call{call}
		}
		if up, way := l.countedByCallers(call.Parent(), got, depth+1); up != nil {
			return up, append([]*ssa.Call{call}, way...)
		}
	}
	return nil, nil
}

// resultWith tells as which result a function returns a value, or -1.
func resultWith(v ssa.Value) int {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Return:
			return slices.Index(r.Results, v)
		case *ssa.Store:
			// The variable of a result, where there are deferred calls.
			at, ok := r.Addr.(*ssa.Alloc)
			if !ok || r.Val != v {
				continue
			}
			for _, q := range referrers(at) {
				if l, ok := q.(*ssa.UnOp); ok {
					if n := resultWith(l); n >= 0 {
						return n
					}
				}
			}
		}
	}
	return -1
}

// takesLock reports whether a function locks something.
func takesLock(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if f := calledMethod(c); f != nil && (f.Name() == "Lock" || f.Name() == "RLock") {
				return true
			}
		}
	}
	return false
}
