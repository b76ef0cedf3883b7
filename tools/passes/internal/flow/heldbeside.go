// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who serves a connection takes a time stamp from a pool, say, adds it to a map, and keeps it to set it in a loop. What goes
// through the map under the lock, closes what was idle too long and puts the stamp, does not end that loop at once: what
// the loop still sets is somebody else's by then.

// A holding is a value that was added to a map, in the function that added it or in one that got it as a result.
type holding struct {
	fn    *ssa.Function
	v     ssa.Value
	at    ssa.Instruction // from which on it is held
	added ssa.Instruction
}

// judgeHeldBeside reports uses, in a loop, of what is also in a map from which it is evicted and put.
func (c *custody) judgeHeldBeside(evictions []*eviction) {
	for _, e := range evictions {
		if e.param >= 0 || e.asks || !e.locks || !c.evictsByAge(e) {
			continue
		}
		for _, h := range c.holdings(e) {
			if use, put := c.usedInLoop(h, e); use != nil {
				pattern, does := useAfterPut, "uses it in a loop without the lock"
				if put {
					pattern, does = doublePut, "puts it, too, when it has done with it"
				}
				c.a.reportFound(finding{
					pattern: pattern, pos: instrPos(e.put), fn: e.fn, cause: instrPos(e.put),
					message: fmt.Sprintf("what is put here was in %s, but %s, for which it was added there, still has it and %s (%s)", e.home.Name(), withReceiver(outermost(h.fn)), does, c.a.line(instrPos(use))),
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(h.added), Message: "added here"},
						{Pos: instrPos(use), Message: "used here"},
					},
				})
				break
			}
		}
	}
}

// evictsByAge reports whether nothing but the age of an element, or how many there are, tells a function to put it, and it
// waits for nobody before.
func (c *custody) evictsByAge(e *eviction) bool {
	for i := range instrsOf(e.fn) {
		switch i := i.(type) {
		case *ssa.Select:
			return false
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				return false
			}
		case *ssa.Call:
			if f := calledMethod(i); f != nil && f.Name() == "Wait" {
				return false
			}
		}
	}
	ages := false
	for b := e.put.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		test, ok := lastInstr(b.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		switch {
		case byAge(test.Cond):
			ages = true
		case isOneOf(test.Cond):
		default:
			return false
		}
	}
	return ages
}

// isOneOf reports whether a condition is that a loop over a map has one more, that a map has a key, or that something is not nil.
func isOneOf(cond ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Next:
			return true
		case *ssa.Lookup:
			return t.CommaOk
		}
	case *ssa.BinOp:
		return isNilConst(x.X) || isNilConst(x.Y)
	}
	return false
}

// holdings are the values that are added to the map of an eviction, where the functions that add them, or that these return
// them to, have them.
func (c *custody) holdings(e *eviction) (list []holding) {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || fn == e.fn || !locksIn(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			u, ok := i.(*ssa.MapUpdate)
			if !ok || fieldOfAddr(u.Map) != e.home {
				continue
			}
			for _, v := range heldAs(u.Value, e.part) {
				if !c.taken(v) {
					continue
				}
				h := holding{fn, v, u, u}
				list = append(list, h)
				list = c.returnedTo(h, list, 0)
			}
		}
	}
	return list
}

// heldAs are the values that are put when an element is: the element, or what is stored in a part of it.
func heldAs(elem ssa.Value, part *types.Var) (list []ssa.Value) {
	if part == nil {
		return []ssa.Value{elem}
	}
	of := elem
	if l, ok := elem.(*ssa.UnOp); ok && l.Op == token.MUL {
		of = l.X // a struct by value
	}
	for _, r := range referrers(of) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || nthField(fa.X, fa.Field) != part {
			continue
		}
		for _, s := range referrers(fa) {
			if s, ok := s.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				list = append(list, s.Val)
			}
		}
	}
	return list
}

// returnedTo adds the holdings of those who get a value as a result.
func (c *custody) returnedTo(h holding, list []holding, depth int) []holding {
	for n := range h.fn.Signature.Results().Len() {
		if depth > 2 || !returnsAt(h.fn, n, h.v) {
			continue
		}
		for _, r := range c.resultsOf(h.fn, n) {
			next := holding{r.Parent(), r, r.(ssa.Instruction), h.added}
			list = c.returnedTo(next, append(list, next), depth+1)
		}
	}
	return list
}

// usedInLoop is a use of what is held, in a loop that may wait for something else between one use and the next, and that
// has no lock; or a Put of it by who does not ask the map.
func (c *custody) usedInLoop(h holding, e *eviction) (use ssa.Instruction, put bool) {
	if c.mayTell(h.v.Type()) || asksMap(h.fn, e.home) {
		return nil, false
	}
	look, ok := h.v.(*ssa.Call)
	known := ok && c.marked(h.fn, h.v, look, nil) == inUse
	for _, u := range c.usesOfHeld(h.v) {
		if !mayFollow(h.at, u) {
			continue
		}
		if call, ok := u.(ssa.CallInstruction); ok && c.putsValue(call, h.v) {
			if f := c.a.calledFunction(call); f == nil || !asksMap(f, e.home) {
				if !c.deletesBefore(h.fn, call, e) {
					return u, true
				}
			}
			continue
		}
		if b := u.Block(); !known && use == nil && inLoop(b) && !(reaches(b, h.at.Block()) && reaches(h.at.Block(), b)) && c.waitsWithin(b) {
			use = u
		}
	}
	return use, false
}

// usesOfHeld are the instructions that read or write what a value points to, or put it.
func (c *custody) usesOfHeld(v ssa.Value) []ssa.Instruction {
	list := usesOf(v, nil)
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				continue // of usesOf
			case *ssa.Defer:
				if c.putsValue(r, v) {
					list = append(list, r)
				}
			}
		}
	}
	list = slices.DeleteFunc(list, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Return:
			return true
		case *ssa.UnOp:
			return i.Op != token.MUL
		}
		return false
	})
	slices.SortFunc(list, func(x, y ssa.Instruction) int { return int(instrPos(x) - instrPos(y)) })
	return list
}

// mayTell reports whether a type has what may tell whether a value of it is in use: a flag, a channel, a lock, a number
// that is counted.
func (c *custody) mayTell(t types.Type) bool {
	s := structOf(t)
	if s == nil || namedPkg(t) == "sync/atomic" {
		return false
	}
	for f := range s.Fields() {
		if pkg := namedPkg(f.Type()); isBool(f.Type()) || isChan(f.Type()) || pkg == "sync" || pkg == "sync/atomic" {
			return true
		}
	}
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && types.Identical(deref(fa.X.Type()), deref(t)) && isCounting(i) {
				return true
			}
		case *ssa.Call:
			if f := calledMethod(i); f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" && len(i.Call.Args) > 0 {
				if fa, ok := i.Call.Args[0].(*ssa.FieldAddr); ok && types.Identical(deref(fa.X.Type()), deref(t)) && !strings.HasPrefix(f.Name(), "Load") && !strings.HasPrefix(f.Name(), "Store") {
					return true
				}
			}
		}
	}
	return false
}

// asksMap reports whether a function looks something up in a map.
func asksMap(fn *ssa.Function, home *types.Var) bool {
	for i := range instrsOf(fn) {
		if l, ok := i.(*ssa.Lookup); ok && fieldOfAddr(l.X) == home {
			return true
		}
	}
	return false
}

// deletesBefore reports whether a function, or one of those that it calls before, tells whether an element was still in the
// map, which decides on the Put.
func (c *custody) deletesBefore(fn *ssa.Function, put ssa.Instruction, e *eviction) bool {
	for i := range instrsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok || !mayFollow(call, put) {
			continue
		}
		if f := c.a.calledFunction(call); f != nil && asksMap(f, e.home) && f.Signature.Results().Len() > 0 {
			return true
		}
	}
	return false
}

// waitsWithin reports whether a loop that a block is in has a call that may take as long as it likes, and no lock.
func (c *custody) waitsWithin(b *ssa.BasicBlock) bool {
	waits := false
	for _, x := range b.Parent().Blocks {
		if x != b && !(reaches(x, b) && reaches(b, x)) {
			continue
		}
		for _, i := range x.Instrs {
			if call, ok := i.(*ssa.Call); ok {
				if f := calledMethod(call); f != nil && (f.Name() == "Lock" || f.Name() == "RLock") {
					return false
				}
			}
			waits = waits || c.waitsAt(i, 0)
		}
	}
	return waits
}

// waitsAt reports whether an instruction may wait for what others do.
func (c *custody) waitsAt(i ssa.Instruction, depth int) bool {
	switch i := i.(type) {
	case *ssa.Select:
		return i.Blocking
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Send:
		return true
	case *ssa.Call:
		f := calledMethod(i)
		if f == nil {
			_, builtin := i.Call.Value.(*ssa.Builtin)
			return !builtin && i.Call.StaticCallee() == nil // chosen at run time
		}
		if own := c.a.calledFunction(i); own != nil && depth < 2 {
			for j := range instrsOf(own) {
				if c.waitsAt(j, depth+1) {
					return true
				}
			}
			return false
		}
		for _, verb := range []string{"Read", "Accept", "Recv", "Receive", "Wait", "Next", "Scan", "Sleep", "Serve"} {
			if strings.HasPrefix(f.Name(), verb) {
				return true
			}
		}
	}
	return false
}
