// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A request may go to a list, of those that are not answered yet, and to the channel of a goroutine that works on it. A
// function that gives up all that is in the list, and puts a part of each, has no say in what is still in the channel: who
// receives it there uses a part that is somebody else's, as the request still has it. Where the receiver deals with the list
// as well, or the part is ever set in a request that is not new, they may have agreed.

// A queuedToo is an object that was added to a list and sent on a channel.
type queuedToo struct {
	list, on  *types.Var
	add, send ssa.Instruction
}

// A partPut is a Put of what a field holds of all that is in a list.
type partPut struct {
	list, part *types.Var
	put        ssa.Instruction
	fn         *ssa.Function // with the loop
	typ        types.Type    // of what is put
}

// judgeAlsoQueued reports uses of such parts by the receivers.
func (c *custody) judgeAlsoQueued() {
	puts := c.partPuts()
	if len(puts) == 0 {
		return
	}
	queued := c.queuedToo(puts)
	if len(queued) == 0 {
		return
	}
	for fn, i := range c.a.instrsBeyondTests() {
		v, ok := i.(ssa.Value)
		if !ok {
			continue
		}
		on := receivedOn(v)
		if on == nil || pointee(v.Type()) == nil {
			continue
		}
		for _, p := range puts {
			n := slices.IndexFunc(queued, func(q queuedToo) bool { return q.list == p.list && q.on == on })
			if n < 0 || c.uses(fn, p.list) || c.uses(p.fn, on) || !c.setInNewOnly(p.part) {
				continue
			}
			use := c.partUsed(v, p.part, 0)
			if use == nil || !c.runsApart(p.fn, fn) || c.tells(p.fn, fn, p.typ, p.list) || c.tells(fn, p.fn, p.typ) ||
				slices.ContainsFunc(c.a.callsOf(p.fn), func(call ssa.CallInstruction) bool {
					return c.uses(call.Parent(), on) || c.tells(fn, call.Parent(), p.typ)
				}) {
				continue
			}
			c.a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(use), fn: use.Parent(), cause: instrPos(p.put),
				message: fmt.Sprintf("field %s, used here, may be in its pool: what was received from %s is in %s as well (%s), and %s puts the %s of all that is there, which stays in the field (%s)", p.part.Name(), on.Name(), p.list.Name(), c.a.line(instrPos(queued[n].add)), outermost(p.fn).Name(), p.part.Name(), c.a.line(instrPos(p.put))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(p.put), Message: "put here"},
					{Pos: instrPos(queued[n].add), Message: "added here"},
					{Pos: instrPos(queued[n].send), Message: "and sent here"},
				},
			})
			break
		}
	}
}

// partPuts finds the loops over all of a list that put a part of each element and leave it there.
func (c *custody) partPuts() (list []partPut) {
	for fn, i := range c.a.instrsBeyondTests() {
		call, ok := i.(*ssa.Call)
		if !ok || !c.a.relevant[fn] || !inLoop(call.Block()) {
			continue
		}
		note := func(part *types.Var, elem ssa.Value, put ssa.Instruction) {
			if part == nil || part.Pkg() != c.a.pkg.Pkg || part.Exported() || c.a.setsField(fn, elem, part, 0) {
				return
			}
			if home := c.allOf(elem); home != nil {
				list = append(list, partPut{home, part, put, fn, part.Type()})
			}
		}
		for _, v := range c.putBy(call) {
			part, elem := fieldLoad(unboxed(v))
			note(part, elem, call)
		}
		// By a function that is given the element.
		g := c.a.calledFunction(call)
		if g == nil || !c.a.relevant[g] || len(g.Params) != len(call.Call.Args) {
			continue
		}
		for j := range instrsOf(g) {
			for _, v := range c.putBy(j) {
				part, of := fieldLoad(unboxed(v))
				if k := slices.Index(g.Params, asParameter(of)); k >= 0 {
					note(part, call.Call.Args[k], j)
				}
			}
		}
	}
	return list
}

// allOf is the list or map of which a loop has a value as its element.
func (c *custody) allOf(v ssa.Value) *types.Var {
	home, _ := (&homes2{c: c}).takenFrom(v, 1)
	if home == nil || c.a.eachOf(v, home) == nil {
		return nil
	}
	return home
}

// queuedToo finds what is added to one of the lists and sent on a channel.
func (c *custody) queuedToo(puts []partPut) (list []queuedToo) {
	for _, i := range c.a.instrsBeyondTests() {
		var home *types.Var
		var added []ssa.Value
		switch i := i.(type) {
		case *ssa.Store:
			if call, ok := i.Val.(*ssa.Call); ok && isBuiltin(call, "append") {
				if home = shelfVar(c.a.pkg.Pkg, i.Addr); home != nil && home == shelfVar(c.a.pkg.Pkg, call.Call.Args[0]) {
					added = appended(call)
				}
			}
		case *ssa.MapUpdate:
			home, added = shelfVar(c.a.pkg.Pkg, i.Map), []ssa.Value{i.Value}
		}
		if home == nil || !slices.ContainsFunc(puts, func(p partPut) bool { return p.list == home }) {
			continue
		}
		for _, v := range added {
			note := func(on *types.Var, send ssa.Instruction) {
				if !slices.ContainsFunc(list, func(q queuedToo) bool { return q.list == home && q.on == on }) {
					list = append(list, queuedToo{home, on, i, send})
				}
			}
			c.eachSend(v, i, 0, note)
			// By a function that only adds what it is given.
			k := slices.Index(i.Parent().Params, asParameter(v))
			if k < 0 {
				continue
			}
			for _, call := range c.a.callsOf(i.Parent()) {
				if k < len(call.Common().Args) && !c.a.inTest(call.Parent()) {
					c.eachSend(call.Common().Args[k], call, 0, note)
				}
			}
		}
	}
	return list
}

// eachSend tells of the channels in fields that a value is sent on, beside some instruction, if one was given, by the
// function that has it or one that it calls.
func (c *custody) eachSend(v ssa.Value, beside ssa.Instruction, depth int, note func(on *types.Var, send ssa.Instruction)) {
	for _, r := range sortedByPos(namesOf(v)) {
		switch r := r.(type) {
		case *ssa.Send:
			if on := fieldOfValue(r.Chan); on != nil && (beside == nil || precedes(beside, r) || precedes(r, beside)) {
				note(on, r)
			}
		case *ssa.Select:
			for _, s := range r.States {
				if on := fieldOfValue(s.Chan); s.Dir == types.SendOnly && on != nil && namesOf(v)[s.Send] && (beside == nil || precedes(beside, r)) {
					note(on, r)
				}
			}
		case *ssa.Call:
			g := c.a.calledFunction(r)
			if g == nil || depth > 1 || len(g.Params) != len(r.Call.Args) || beside != nil && (r == beside || !precedes(beside, r) && !precedes(r, beside)) {
				continue
			}
			for k, x := range r.Call.Args {
				if namesOf(v)[x] {
					c.eachSend(g.Params[k], nil, depth+1, note)
				}
			}
		}
	}
}

// sortedByPos are the instructions that have one of some values, in their order.
func sortedByPos(names map[ssa.Value]bool) (list []ssa.Instruction) {
	for x := range names {
		list = append(list, referrers(x)...)
	}
	slices.SortFunc(list, func(x, y ssa.Instruction) int {
		return cmp.Or(cmp.Compare(instrPos(x), instrPos(y)), cmp.Compare(x.Block().Index, y.Block().Index), cmp.Compare(slices.Index(x.Block().Instrs, x), slices.Index(y.Block().Instrs, y)))
	})
	return list
}

// setInNewOnly reports whether a field is set in new objects only.
func (c *custody) setInNewOnly(f *types.Var) bool {
	for _, i := range c.a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok && fieldAt(fa) == f && !c.a.uses().isFresh(fa.X) {
			return false
		}
		if t, ok := s.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) && !c.a.uses().isFresh(s.Addr) {
			return false
		}
	}
	return true
}

// partUsed is the first use of what a field of a value holds, by the function that has the value or one that it calls.
func (c *custody) partUsed(v ssa.Value, part *types.Var, depth int) ssa.Instruction {
	for _, r := range sortedByPos(namesOf(v)) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if nthField(r.X, r.Field) != part {
				continue
			}
			for _, l := range loadsOf(r) {
				if x := l.(*ssa.UnOp); !onlyCompared(x) {
					return x
				}
			}
		case *ssa.Call:
			g := c.a.calledFunction(r)
			if g == nil || depth > 1 || len(g.Params) != len(r.Call.Args) {
				continue
			}
			for k, x := range r.Call.Args {
				if namesOf(v)[x] {
					if use := c.partUsed(g.Params[k], part, depth+1); use != nil {
						return use
					}
				}
			}
		}
	}
	return nil
}
