// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function makes parts that have values from a pool, and returns an object around them, whose Close closes each. Where it
// returns something else that was made of what the parts say, nobody has the parts any more, and nobody closes them.

// judgePartsLeft reports the returns that leave such parts.
func (c *custody) judgePartsLeft() {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !c.a.relevant[fn] || len(fn.Blocks) == 0 || c.a.foundIn(missingPut, fn) {
			continue
		}
		var around *ssa.Store
		eachStore(fn, func(s *ssa.Store) {
			if around == nil && isSlice(s.Val.Type()) && c.closesParts(s) != "" {
				around = s
			}
		})
		if around == nil {
			continue
		}
		parts := sameList(around.Val)
		made := c.partsMade(parts, c.closesParts(around))
		if made == nil {
			continue
		}
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok || around.Block().Dominates(b) {
				continue
			}
			of := c.madeOfParts(r, parts)
			if of == nil || !c.leftBy(parts, around, r) {
				continue
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: instrPos(r), fn: fn,
				message: fmt.Sprintf("%s has values from pools, and is closed neither here nor by what %s returns on this path; on another one (%s) it is closed with what is returned", apposed(c.a.gotName(made), "made at "+c.a.line(instrPos(made)), "what was made here ("+c.a.line(instrPos(made))+")"), of.Call.Value.Name(), c.a.line(instrPos(around))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(made), Message: "made here"}, {Pos: instrPos(around), Message: "put into what is returned here"}},
			})
			break
		}
	}
}

// sameList are the values that a slice has while elements are appended to it.
func sameList(v ssa.Value) map[ssa.Value]bool {
	same := map[ssa.Value]bool{v: true}
	add := func(list []ssa.Value, x ssa.Value) []ssa.Value {
		if !same[x] && len(same) < maxCustody {
			if _, isConst := x.(*ssa.Const); !isConst {
				same[x] = true
				list = append(list, x)
			}
		}
		return list
	}
	for list := []ssa.Value{v}; len(list) > 0; {
		x := list[0]
		list = slices.Clone(list[1:])
		switch x := x.(type) {
		case *ssa.Phi:
			for _, e := range x.Edges {
				list = add(list, e)
			}
		case *ssa.Call:
			if isBuiltin(x, "append") {
				list = add(list, x.Call.Args[0])
			}
		}
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.Phi:
				list = add(list, r)
			case *ssa.Call:
				if isBuiltin(r, "append") && r.Call.Args[0] == x {
					list = add(list, r)
				}
			}
		}
	}
	return same
}

// closesParts is the name of the method that the end of a new object, in a field of which a slice is stored, calls for
// each of its elements.
func (c *custody) closesParts(s *ssa.Store) string {
	fa, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return ""
	}
	if _, isNew := fa.X.(*ssa.Alloc); !isNew {
		return ""
	}
	n, f := pointee(fa.X.Type()), fieldAt(fa)
	if n == nil || f == nil || n.Obj().Pkg() != c.a.pkg.Pkg {
		return ""
	}
	for _, end := range c.a.fns {
		if !endsObject(end) || recvType(end) != n.Origin().Obj() {
			continue
		}
		for i := range instrsOf(end) {
			call, ok := i.(ssa.CallInstruction)
			if !ok || call.Common().Method == nil && call.Common().StaticCallee() == nil {
				continue
			}
			m, recv := calledMethod(call), receiverOf(call)
			if m == nil || recv == nil || !inLoop(call.Block()) {
				continue
			}
			if ia, ok := loaded(recv).(*ssa.IndexAddr); ok && slotsField(ia) == f && endsByName(m.Name()) {
				return m.Name()
			}
		}
	}
	return ""
}

// partsMade is where a function appends a new object to a list which has values from a pool until it is closed.
func (c *custody) partsMade(parts map[ssa.Value]bool, end string) (made *ssa.Call) {
	for x := range parts {
		call, ok := x.(*ssa.Call)
		if !ok {
			if _, isPhi := x.(*ssa.Phi); !isPhi {
				return nil // a list from elsewhere
			}
			continue
		}
		if !isBuiltin(call, "append") {
			return nil
		}
		for _, v := range appended(call) {
			v = unboxed(v)
			maker, ok := v.(*ssa.Call)
			if e, isPart := v.(*ssa.Extract); isPart && e.Index == 0 {
				maker, ok = e.Tuple.(*ssa.Call)
			}
			if !ok || c.a.calledFunction(maker) == nil || !onlyHere(v) || !c.closeLoses(v.Type(), end) {
				return nil
			}
			if made == nil || instrPos(maker) < instrPos(made) {
				made = maker
			}
		}
	}
	return made
}

// onlyHere reports whether a value is boxed or stored once, and not used otherwise.
func onlyHere(v ssa.Value) bool {
	n := 0
	for _, r := range referrers(v) {
		if _, isDebug := r.(*ssa.DebugRef); !isDebug {
			n++
		}
	}
	return n == 1
}

// closeLoses reports whether objects of a type have something in a field that their makers take from a pool, and
// their end puts.
func (c *custody) closeLoses(t types.Type, end string) bool {
	n := pointee(t)
	if n == nil || n.Obj().Pkg() != c.a.pkg.Pkg {
		return false
	}
	for _, fn := range c.a.fns {
		if fn.Name() != end || recvType(fn) != n.Origin().Obj() {
			continue
		}
		within := c.reaches(fn)
		for f := range structOf(t).Fields() {
			if len(c.takesField[f.Origin()]) == 0 {
				continue
			}
			for putter := range c.putsField[f.Origin()] {
				if within[putter] {
					return true
				}
			}
		}
	}
	return false
}

// madeOfParts is the call that was given a list and gave what a function returns.
func (c *custody) madeOfParts(r *ssa.Return, parts map[ssa.Value]bool) *ssa.Call {
	for n := range r.Results {
		var list []ssa.Value
		for x := range parts {
			for _, u := range referrers(x) {
				if call, ok := u.(*ssa.Call); ok && c.a.calledFunction(call) != nil && !call.Call.IsInvoke() {
					if call.Call.Signature().Results().Len() == 1 {
						list = append(list, call)
					} else if y := part(call, 0); y != nil {
						list = append(list, y)
					}
				}
			}
		}
		for _, y := range list {
			if hasPointers(y.Type()) && returnsIt(r, n, y) {
				if e, ok := y.(*ssa.Extract); ok {
					y = e.Tuple
				}
				return y.(*ssa.Call)
			}
		}
	}
	return nil
}

// leftBy reports whether all that is done with a list on the way to a return is to read it.
func (c *custody) leftBy(parts map[ssa.Value]bool, around *ssa.Store, r *ssa.Return) bool {
	for x := range parts {
		for _, u := range referrers(x) {
			switch u := u.(type) {
			case *ssa.DebugRef, *ssa.Phi:
				continue
			case *ssa.Call:
				if isBuiltin(u, "append") && u.Call.Args[0] == x {
					continue
				}
			}
			if u.Block() != r.Block() && !reaches(u.Block(), r.Block()) {
				continue
			}
			if u == ssa.Instruction(around) || !c.readsList(u, x, 0) {
				return false
			}
		}
	}
	return true
}

// readsList reports whether an instruction does no more with a list than to read what its elements say.
func (c *custody) readsList(u ssa.Instruction, v ssa.Value, depth int) bool {
	all := func(x ssa.Value, ok func(ssa.Instruction) bool) bool {
		return !slices.ContainsFunc(referrers(x), func(i ssa.Instruction) bool { return !ok(i) })
	}
	switch u := u.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.BinOp:
		return isNilConst(u.X) || isNilConst(u.Y)
	case *ssa.Slice, *ssa.Phi:
		return depth < 6 && all(u.(ssa.Value), func(i ssa.Instruction) bool { return c.readsList(i, u.(ssa.Value), depth+1) })
	case *ssa.IndexAddr:
		return all(u, func(i ssa.Instruction) bool {
			if _, isDebug := i.(*ssa.DebugRef); isDebug {
				return true
			}
			l, ok := i.(*ssa.UnOp)
			return ok && all(l, func(i ssa.Instruction) bool { return c.readsPart(i, l, 0) })
		})
	case *ssa.Call:
		if isBuiltin(u, "len") || isBuiltin(u, "cap") {
			return true
		}
		fn := c.a.calledFunction(u)
		if fn == nil || u.Call.IsInvoke() || depth > 3 || len(fn.Blocks) == 0 {
			return false
		}
		for k, x := range u.Call.Args {
			if x == v && (k >= len(fn.Params) || !all(fn.Params[k], func(i ssa.Instruction) bool { return c.readsList(i, fn.Params[k], depth+1) })) {
				return false
			}
		}
		return true
	}
	return false
}

// readsPart reports whether an instruction does no more with an element than to ask it something, of which a copy
// is made.
func (c *custody) readsPart(u ssa.Instruction, v ssa.Value, depth int) bool {
	switch u := u.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.BinOp:
		return isNilConst(u.X) || isNilConst(u.Y)
	case *ssa.Call:
		m := calledMethod(u)
		if m == nil || endsByName(m.Name()) || receiverOf(u) != v || slices.Contains(u.Call.Args[min(len(u.Call.Args), recvArgs(u)):], v) {
			return false
		}
		res := u.Call.Signature().Results()
		for k := range res.Len() {
			y := ssa.Value(u)
			if res.Len() > 1 {
				y = part(u, k)
			}
			if y != nil && hasPointers(res.At(k).Type()) && !isError(res.At(k).Type()) && !isText(res.At(k).Type()) && !copiedOnly(y) {
				return false
			}
		}
		return true
	}
	return false
}

// recvArgs is how many arguments of a call are the receiver.
func recvArgs(call *ssa.Call) int {
	if call.Call.IsInvoke() {
		return 0
	}
	return 1
}

// copiedOnly reports whether the elements of a slice are only read, or copied to another one, and lead to nothing.
func copiedOnly(v ssa.Value) bool {
	s, ok := v.Type().Underlying().(*types.Slice)
	if !ok || hasPointers(s.Elem()) {
		return false
	}
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr:
			return false
		case *ssa.Call:
			if isBuiltin(r, "len") {
				return false
			}
			return !isBuiltin(r, "append") && !isBuiltin(r, "copy") || r.Call.Args[0] == v
		}
		return true
	})
}
