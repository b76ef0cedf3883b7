// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that makes room in a map, or drops what is too old there, puts an element of its own
// choice, or what a field of the element holds. Whoever found an element in the map and did not
// mark it as in use, be it by a count, by moving it in a list or by any other call, must
// not use it after such a function ran: in the same goroutine, or in another one when the lock
// was given back.

// An eviction is a deletion from a map with a Put of the element.
type eviction struct {
	fn    *ssa.Function
	home  *types.Var // the map
	part  *types.Var // of the element, which is put; nil if the element itself is
	put   ssa.Instruction
	param int  // of fn, that tells which element; -1 if fn chooses
	asks  bool // the element is asked whether it may go
	locks bool
	// byValue says that the map has structs, of which a part is put.
	byValue bool
	runBy   map[*ssa.Function]bool
}

// maxEvictHops bounds the calls between who uses an element and who puts it.
const maxEvictHops = 3

// judgeEvicted reports uses of what was evicted.
func (c *custody) judgeEvicted() {
	evictions := c.evictions()
	if len(evictions) == 0 {
		return
	}
	c.judgeHeldBeside(evictions)
	evictions = slices.DeleteFunc(evictions, func(e *eviction) bool { return e.byValue })
	for _, e := range evictions {
		e.runBy = c.leadTo(e.fn)
	}
	c.judgeEvictedViews(evictions)
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			v, ok := i.(ssa.Value)
			if !ok {
				continue
			}
			home, look, m := c.foundIn(v)
			if home == nil {
				continue
			}
			for _, e := range evictions {
				if e.home == home && e.param < 0 && (m == notMarked && c.usesAfterEviction(fn, v, look, e) || c.usesAfterUnlock(fn, v, look, e)) {
					break
				}
			}
		}
	}
}

// evictions finds the functions of the package that delete an element and put it.
func (c *custody) evictions() (list []*eviction) {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if !ok || !isBuiltin(call, "delete") {
				continue
			}
			f := fieldOfAddr(call.Call.Args[0])
			if f == nil || f.Pkg() != c.a.pkg.Pkg || f.Exported() {
				continue
			}
			if e := c.evictedBy(fn, f, call); e != nil {
				list = append(list, e)
			}
		}
	}
	// Functions that tell another one which element to take.
	for n := 0; n < len(list) && n < 32; n++ {
		e := list[n]
		if e.param < 0 {
			continue
		}
		for _, call := range c.a.callsOf(e.fn) {
			args := call.Common().Args
			if _, isCall := call.(*ssa.Call); !isCall || e.param >= len(args) || c.a.inTest(call.Parent()) {
				continue
			}
			o := *e
			o.fn = call.Parent()
			if slices.ContainsFunc(list, func(x *eviction) bool { return x.fn == o.fn && x.home == o.home }) {
				continue
			}
			var known bool
			o.param, known = c.choice(o.fn, o.home, args[e.param])
			if !known {
				continue
			}
			o.asks = e.asks || c.asked(o.fn, args[e.param])
			o.locks = e.locks || locksIn(o.fn)
			list = append(list, &o)
		}
	}
	return list
}

// evictedBy is the eviction that a deletion is part of.
func (c *custody) evictedBy(fn *ssa.Function, home *types.Var, del *ssa.Call) *eviction {
	m, ok := home.Type().Underlying().(*types.Map)
	if !ok {
		return nil
	}
	_, isPtr := m.Elem().Underlying().(*types.Pointer)
	if _, isStruct := m.Elem().Underlying().(*types.Struct); !isPtr && !isStruct {
		return nil
	}
	key := del.Call.Args[1]
	for i := range instrsOf(fn) {
		for _, put := range c.putBy(i) {
			var elem ssa.Value
			var part *types.Var
			inList := isListElement(m.Elem())
			c.back(put, func(x ssa.Value) bool {
				if elem == nil && (types.Identical(x.Type(), m.Elem()) || inList && x == unboxed(put)) {
					elem = x
				}
				if f := fieldOfValue(x); f != nil && elem == nil && part == nil {
					part = f
				}
				return elem == nil
			})
			if elem == nil || !c.elementAt(elem, home, key) {
				continue
			}
			if part != nil && setsPart(fn, part) {
				continue
			}
			e := &eviction{fn: fn, home: home, part: part, put: i, asks: c.asked(fn, elem), locks: locksIn(fn), byValue: !isPtr}
			if e.param, ok = c.choice(fn, home, key); !ok {
				continue
			}
			return e
		}
	}
	return nil
}

// elementAt reports whether v is what a map has under a key: it was looked up there, came
// with the key, or knows the key itself.
func (c *custody) elementAt(v ssa.Value, home *types.Var, key ssa.Value) bool {
	if x, ok := key.(*ssa.UnOp); ok && x.Op == token.MUL {
		for y := x.X; ; {
			fa, ok := y.(*ssa.FieldAddr)
			if !ok {
				break
			}
			if sameOwner(fa.X, v) {
				return true
			}
			y = fa.X
		}
	}
	if call, ok := key.(*ssa.Call); ok && len(call.Call.Args) > 0 && call.Call.Args[0] == v {
		return true
	}
	if e, ok := v.(*ssa.Extract); ok {
		if n, ok := e.Tuple.(*ssa.Next); ok {
			k, ok := key.(*ssa.Extract)
			return ok && k.Tuple == e.Tuple && mapOf(n) == home
		}
	}
	l := lookupOf(v)
	return l != nil && fieldOfAddr(l.X) == home && sameOwner(l.Index, key)
}

// lookupOf is the look-up in a map that gave a value.
func lookupOf(v ssa.Value) *ssa.Lookup {
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v = e.Tuple
	}
	l, _ := v.(*ssa.Lookup)
	return l
}

// mapOf is the field that holds the map which a loop goes through.
func mapOf(n *ssa.Next) *types.Var {
	if r, ok := n.Iter.(*ssa.Range); ok {
		return fieldOfAddr(r.X)
	}
	return nil
}

// choice tells which parameter of a function a key comes from: -1 if the function takes it
// from what the owner of the map holds.
func (c *custody) choice(fn *ssa.Function, home *types.Var, key ssa.Value) (param int, known bool) {
	param, known = -1, true
	c.back(key, func(x ssa.Value) bool {
		for k, p := range fn.Params {
			if p == x && !ownsField(p.Type(), home) {
				param = k
			}
		}
		switch x := x.(type) {
		case *ssa.Call:
			known = known && (isBuiltinCall(x) || x.Call.StaticCallee() != nil)
		case *ssa.FreeVar:
			known = false
		}
		return true
	})
	return param, known
}

// ownsField reports whether a type is a struct, or a pointer to one, with a field.
func ownsField(t types.Type, f *types.Var) bool {
	if s := structOf(t); s != nil {
		for g := range s.Fields() {
			if g.Origin() == f {
				return true
			}
		}
	}
	return false
}

// setsPart reports whether a function sets a field, of an object that was there before, to something else.
func setsPart(fn *ssa.Function, f *types.Var) (found bool) {
	eachStore(fn, func(i *ssa.Store) {
		if fa, ok := i.Addr.(*ssa.FieldAddr); ok && nthField(fa.X, fa.Field) == f && !intoNew(i) {
			found = true
		}
	})
	return found
}

// asked reports whether a function has a test of what an element holds that tells whether it is
// in use: anything but a comparison with a time or a size.
func (c *custody) asked(fn *ssa.Function, elem ssa.Value) bool {
	for _, b := range fn.Blocks {
		i, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		found := false
		leadsFrom(i.Cond, 0, func(x ssa.Value) bool {
			if found {
				return true
			}
			switch x := x.(type) {
			case *ssa.FieldAddr:
				found = x.X == elem || oneRead(x.X, elem, 0)
			case *ssa.Call:
				if slices.Contains(x.Call.Args, elem) {
					found = true
				}
				// A method of what the element holds, of a time say.
			}
			return found
		})
		if found && !byAge(i.Cond) && !comparesElements(i.Cond, elem) {
			return true
		}
	}
	return false
}

// byAge reports whether a condition is about an order of times or numbers, or asks whether
// something was set.
func byAge(cond ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.BinOp:
		switch x.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return isDifference(x.X) || isDifference(x.Y) || !isZeroConst(x.X) && !isZeroConst(x.Y)
		case token.NEQ:
			return isZeroConst(x.Y)
		}
	case *ssa.Call:
		if f := calledMethod(x); f != nil && f.Pkg() != nil && f.Pkg().Path() == "time" {
			return true
		}
	}
	return false
}

// isDifference reports whether a number is what two others differ by.
func isDifference(v ssa.Value) bool {
	o, ok := v.(*ssa.BinOp)
	if !ok || o.Op != token.SUB {
		return false
	}
	_, isConst := o.Y.(*ssa.Const)
	return !isConst
}

func isZeroConst(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && constant.Sign(k.Value) == 0
}

func locksIn(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if call, ok := i.(ssa.CallInstruction); ok {
			if f := calledMethod(call); f != nil && f.Name() == "Lock" {
				return true
			}
		}
	}
	return false
}

// foundIn is the map that a value was found in, and the instruction that found it, if nothing
// marked the value there.
func (c *custody) foundIn(v ssa.Value) (home *types.Var, look ssa.Value, m mark) {
	if l := lookupOf(v); l != nil {
		if _, isTuple := v.Type().(*types.Tuple); isTuple {
			return nil, nil, 0
		}
		if f := fieldOfAddr(l.X); f != nil && f.Pkg() == c.a.pkg.Pkg {
			return f, l, 0
		}
		return nil, nil, 0
	}
	call, ok := v.(*ssa.Call)
	if e, isExtract := v.(*ssa.Extract); isExtract && e.Index == 0 {
		call, ok = e.Tuple.(*ssa.Call)
	} else if _, isTuple := v.Type().(*types.Tuple); isTuple {
		return nil, nil, 0
	}
	if !ok {
		return nil, nil, 0
	}
	g := c.a.calledFunction(call)
	if g == nil {
		return nil, nil, 0
	}
	for _, x := range returnedBy(g) {
		l := lookupOf(listed(x))
		if l == nil {
			continue
		}
		if f := fieldOfAddr(l.X); f != nil && f.Pkg() == c.a.pkg.Pkg {
			if takenOut(g, listed(x), l, leaving(x, l), f) || takenOut(g, listed(x), l, nil, f) {
				continue
			}
			if m := max(c.marked(g, x, l, leaving(x, l)), c.marked(g, listed(x), l, leaving(x, l))); m < inUse {
				return f, call, m
			}
		}
	}
	return nil, nil, 0
}

// listed is the element of a list that holds a value, or the value.
func listed(v ssa.Value) ssa.Value {
	if t, ok := v.(*ssa.TypeAssert); ok {
		if l, ok := t.X.(*ssa.UnOp); ok && l.Op == token.MUL {
			if fa, ok := l.X.(*ssa.FieldAddr); ok && isListElement(fa.X.Type()) {
				return fa.X
			}
		}
	}
	return v
}

// isListElement reports whether t is *list.Element.
func isListElement(t types.Type) bool {
	return namedPkg(t) == "container/list" && recvName(t) != nil && recvName(t).Name() == "Element"
}

// returnedBy are the values that a function gives as its first result.
func returnedBy(fn *ssa.Function) (list []ssa.Value) {
	seen := map[ssa.Value]bool{}
	var add func(v ssa.Value)
	add = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			for _, e := range x.Edges {
				add(e)
			}
			return
		case *ssa.UnOp:
			if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
				for _, r := range referrers(al) {
					if s, ok := r.(*ssa.Store); ok && s.Addr == al {
						add(s.Val) // functions with deferred calls keep their results so
					}
				}
				return
			}
		}
		if v = unboxed(v); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 {
			add(r.Results[0])
		}
	}
	return list
}

// leaving is where a function gives a value that it looked up to its caller.
func leaving(v ssa.Value, look ssa.Instruction) ssa.Instruction {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Return:
			return r
		case *ssa.Store:
			if r.Val == v {
				return r
			}
		}
	}
	return lastInstr(look.Block())
}

// A mark is what keeps an element from eviction.
type mark uint8

const (
	notMarked mark = iota
	recent         // it was moved in a list: it is not the next to go
	inUse          // it may be counted, or flagged, or known to a function that was given it
)

// marked tells what is done to an element that was found on the way to an instruction; anywhere
// after it was found if to is nil.
func (c *custody) marked(fn *ssa.Function, v ssa.Value, look ssa.Value, to ssa.Instruction) (m mark) {
	var key ssa.Value
	switch l := look.(type) {
	case *ssa.Lookup:
		key = l.Index
	case *ssa.Call:
		if n := len(l.Call.Args); n > 0 {
			key = l.Call.Args[n-1]
		}
	}
	if _, isConst := key.(*ssa.Const); isConst {
		key = nil
	}
	same := aliasesOf(v)
	for i := range instrsOf(fn) {
		if i == to || i == look.(ssa.Instruction) || !follows(look.(ssa.Instruction), i, nil) || to != nil && !follows(i, to, nil) {
			continue
		}
		switch i := i.(type) {
		case ssa.CallInstruction:
			if _, builtin := i.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			f := calledMethod(i)
			if f != nil && f.Name() == "Store" || to == nil && (f == nil || f.Signature().Recv() == nil) {
				continue // a use
			}
			if c.setsOnly(i, same) {
				continue
			}
			for _, x := range i.Common().Args {
				if fa, ok := x.(*ssa.FieldAddr); ok && same[fa.X] {
					return inUse
				}
				if l, ok := x.(*ssa.UnOp); ok && isListElement(l.Type()) {
					if fa, ok := l.X.(*ssa.FieldAddr); ok && same[fa.X] {
						m = recent
					}
				}
				switch x = unboxed(x); {
				case same[x] && isListElement(x.Type()):
					m = recent
				case same[x] || to != nil && key != nil && sameOwner(x, key):
					return inUse
				}
			}
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && same[fa.X] && (isCounting(i) || storesTrue(i.Val)) {
				return inUse
			}
			if same[i.Val] {
				if _, local := i.Addr.(*ssa.Alloc); !local {
					return inUse // kept somewhere else
				}
			}
		}
	}
	return m
}

// storesTrue reports whether true is stored.
func storesTrue(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value)
}

// isCounting reports whether a number is stored that was worked out from the one there.
func isCounting(i *ssa.Store) bool {
	o, ok := i.Val.(*ssa.BinOp)
	if !ok {
		return false
	}
	f, owner := fieldLoad(o.X)
	fa := i.Addr.(*ssa.FieldAddr)
	return f != nil && f == nthField(fa.X, fa.Field) && owner == fa.X
}

// aliasesOf are the values that a value is by other names.
func aliasesOf(v ssa.Value) map[ssa.Value]bool {
	same := map[ssa.Value]bool{v: true}
	for list := []ssa.Value{v}; len(list) > 0; list = list[1:] {
		for _, r := range referrers(list[0]) {
			switch r := r.(type) {
			case *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface:
				if x := r.(ssa.Value); !same[x] && len(same) < 8 {
					same[x] = true
					list = append(list, x)
				}
			}
		}
	}
	return same
}

// usesOf are the instructions that use the memory of an element, or what a field of it holds.
func usesOf(v ssa.Value, part *types.Var) (list []ssa.Instruction) {
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				if part != nil && nthField(r.X, r.Field) != part {
					continue
				}
				for _, u := range referrers(r) {
					if _, isDebug := u.(*ssa.DebugRef); isDebug {
						continue
					}
					if l, ok := u.(*ssa.UnOp); ok && part != nil && onlyCompared(l) {
						continue
					}
					list = append(list, u)
				}
			case *ssa.UnOp, *ssa.Return:
				if part == nil {
					list = append(list, r)
				}
			case *ssa.Store:
				if part == nil && r.Addr == x {
					list = append(list, r)
				}
			case ssa.CallInstruction:
				if _, isCall := r.(*ssa.Call); isCall && part == nil {
					list = append(list, r)
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y ssa.Instruction) int { return int(instrPos(x) - instrPos(y)) })
	return list
}

// onlyCompared reports whether what was read is only compared with others.
func onlyCompared(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if r.Op != token.EQL && r.Op != token.NEQ {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// usesAfterEviction reports a use of an element after a call that may put it.
func (c *custody) usesAfterEviction(fn *ssa.Function, v, look ssa.Value, e *eviction) bool {
	if e.asks || e.fn == fn {
		return false
	}
	at := look.(ssa.Instruction)
	same := aliasesOf(v)
	for i := range instrsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok || ssa.Instruction(call) == at || !e.runBy[c.a.calledFunction(call)] || !follows(at, call, nil) {
			continue
		}
		if slices.ContainsFunc(call.Call.Args, func(x ssa.Value) bool { return same[x] }) || c.marked(fn, v, look, call) > notMarked || takenOut(fn, v, at, call, e.home) {
			continue
		}
		for _, use := range usesOf(v, e.part) {
			if use == i || !follows(call, use, at) {
				continue
			}
			if o, ok := use.(*ssa.Call); ok && c.putsValue(o, v) {
				continue
			}
			c.a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(use), fn: fn, cause: instrPos(e.put),
				message: fmt.Sprintf("%s may be what %s took out of %s and put (%s): nothing keeps it from there", orElse(c.a.valueName(v), "this"), e.fn.Name(), e.home.Name(), c.a.line(instrPos(e.put))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(at), Message: "found in " + e.home.Name() + " here"},
					{Pos: instrPos(call), Message: "this call may take it out and put it"},
					{Pos: instrPos(e.put), Message: "the Put"},
				},
			})
			return true
		}
	}
	return false
}

// putsValue reports whether a call puts a value.
func (c *custody) putsValue(call ssa.CallInstruction, v ssa.Value) bool {
	return slices.ContainsFunc(c.putBy(call), func(x ssa.Value) bool { return aliasesOf(v)[x] })
}

// leadTo are the functions that run another one, a few calls away at most.
func (c *custody) leadTo(fn *ssa.Function) map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{fn: true}
	next := []*ssa.Function{fn}
	for range maxEvictHops {
		var more []*ssa.Function
		for _, f := range next {
			for _, call := range c.a.callsOf(f) {
				if _, ok := call.(*ssa.Call); ok && !all[call.Parent()] {
					all[call.Parent()] = true
					more = append(more, call.Parent())
				}
			}
		}
		next = more
	}
	return all
}

// usesAfterUnlock reports a Put of an element that another function found in the map and uses
// when it has given back the lock.
func (c *custody) usesAfterUnlock(fn *ssa.Function, v, look ssa.Value, e *eviction) bool {
	if e.asks || e.fn == fn || !e.locks {
		return false
	}
	at, ok := look.(*ssa.Lookup)
	if !ok {
		return c.usesAfterCall(fn, v, look.(*ssa.Call), e)
	}
	for i := range instrsOf(fn) {
		if !isUnlock(i) || !follows(at, i, nil) || c.marked(fn, v, look, i) == inUse || takenOut(fn, v, at, i, e.home) {
			continue
		}
		for _, use := range usesOf(v, e.part) {
			if _, isReturn := use.(*ssa.Return); isReturn || !follows(i, use, at) {
				continue
			}
			pattern, does := useAfterPut, "uses it"
			if e.part != nil && c.putsPart(fn, v, e.part) {
				pattern, does = doublePut, "puts it, too,"
			}
			c.a.reportFound(finding{
				pattern: pattern, pos: instrPos(e.put), fn: e.fn, cause: instrPos(e.put),
				message: fmt.Sprintf("%s was in %s, where %s finds it and %s when it has given back the lock (%s)", apposed(c.a.putNameAt(e.put), "put here", "what is put here"), e.home.Name(), fn.Name(), does, c.a.line(instrPos(use))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(at), Message: "found here"},
					{Pos: instrPos(i), Message: "the lock is given back"},
					{Pos: instrPos(use), Message: "used here"},
				},
			})
			return true
		}
	}
	return false
}

// usesAfterCall reports a Put of an element that a function which locks the map for itself gave
// to another one, which uses it.
func (c *custody) usesAfterCall(fn *ssa.Function, v ssa.Value, call *ssa.Call, e *eviction) bool {
	finder := c.a.calledFunction(call)
	if !locksIn(finder) || locksIn(fn) || c.marked(fn, v, call, nil) == inUse {
		return false
	}
	for _, use := range usesOf(v, e.part) {
		if _, isReturn := use.(*ssa.Return); isReturn || !follows(call, use, nil) {
			continue
		}
		c.a.reportFound(finding{
			pattern: useAfterPut, pos: instrPos(e.put), fn: e.fn, cause: instrPos(e.put),
			message: fmt.Sprintf("%s was in %s, where %s finds it for %s, which uses it without the lock (%s)", apposed(c.a.putNameAt(e.put), "put here", "what is put here"), e.home.Name(), finder.Name(), fn.Name(), c.a.line(instrPos(use))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(call), Message: "found by this call"},
				{Pos: instrPos(use), Message: "used here"},
			},
		})
		return true
	}
	return false
}

// putsPart reports whether a function puts what a field of an element holds.
func (c *custody) putsPart(fn *ssa.Function, elem ssa.Value, part *types.Var) (found bool) {
	for i := range instrsOf(fn) {
		for _, put := range c.putBy(i) {
			of := false
			c.back(put, func(x ssa.Value) bool {
				of = of || fieldOfValue(x) == part
				found = found || of && x == elem
				return !found
			})
		}
	}
	return found
}

// follows reports whether an instruction may run after another one, without a third one
// between.
func follows(from, to, without ssa.Instruction) bool {
	b := from.Block()
	started := false
	for _, i := range b.Instrs {
		switch {
		case i == from:
			started = true
		case started && i == to:
			return true
		case started && i == without:
			return false
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	todo := slices.Clone(b.Succs)
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if seen[x] {
			continue
		}
		seen[x] = true
		stop := false
		for _, i := range x.Instrs {
			if i == to {
				return true
			}
			if without != nil && i == without {
				stop = true
				break
			}
		}
		if !stop {
			todo = append(todo, x.Succs...)
		}
	}
	return false
}
