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

// A pool whose New makes slices of full length, from which a user reads into
// the slice as it comes, loses part of it for good when a slice is put with the
// length of what was last in it.

type fullPool struct {
	made    bool            // New makes slices with a length
	filled  ssa.Instruction // somebody fills what comes, at the length it has
	resizes bool            // somebody extends what comes to its capacity
	short   ssa.Instruction // a Put of a shortened slice
	cut     ssa.Instruction // where it was shortened
}

func (a *analysis) judgeShortened() {
	pools := map[types.Object]*fullPool{}
	var order []types.Object
	at := func(v ssa.Value) *fullPool {
		obj := a.staticPool(v)
		if obj == nil {
			return nil
		}
		if pools[obj] == nil {
			pools[obj] = new(fullPool)
			order = append(order, obj)
		}
		return pools[obj]
	}
	for fn, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && isSyncPool(fa.X.Type()) {
				if p := at(fa.X); p != nil && makesFull(i.Val) {
					p.made = true
				}
			}
		case *ssa.Select:
			a.shortenedList(at, fn, i)
		case *ssa.Call:
			if i.Call.IsInvoke() || funcKey(calledMethod(i)) != "sync.Pool.Get" {
				continue
			}
			if p := at(i.Call.Args[0]); p != nil {
				p.made = p.made || returnsFull(fn)
				if !types.IsInterface(i.Type()) {
					a.followFull(p, i, 0) // of a typed wrapper
				}
				for _, r := range referrers(i) {
					if ta, ok := r.(*ssa.TypeAssert); ok {
						a.followFull(p, ta, 0)
					}
				}
			}
		}
	}
	for c := range a.poolCalls("Put") {
		p := at(c.Common().Args[0])
		if p == nil || p.short != nil {
			continue
		}
		obj := a.staticPool(c.Common().Args[0])
		if cut := a.shortened(unboxed(c.Common().Args[1]), obj, c, 0); cut != nil {
			p.short, p.cut = c, cut
		}
	}
	for _, s := range a.chanSends() {
		p := at(s.ch)
		if p == nil || p.short != nil {
			continue
		}
		if cut := a.shortened(s.x, a.staticPool(s.ch), s.at, 0); cut != nil {
			p.short, p.cut = s.at, cut
		}
	}
	for _, obj := range order {
		p := pools[obj]
		if !p.made || p.filled == nil || p.resizes || p.short == nil {
			continue
		}
		a.reportFound(finding{
			pattern: staleHeader, pos: instrPos(p.short), fn: p.short.Parent(),
			message: fmt.Sprintf("%s goes to %s with the length of its last use (%s), but who gets it relies on the full length (%s): put it with its capacity, b[:cap(b)]", orElse(a.putNameAt(p.short), "the slice"), obj.Name(), a.line(instrPos(p.cut)), a.line(instrPos(p.filled))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(p.cut), Message: "shortened here"}, {Pos: instrPos(p.filled), Message: "filled at its length here"}},
		})
	}
}

// makesFull reports whether a New makes slices with a length other than 0.
func makesFull(v ssa.Value) bool {
	fn := writtenFunc(v)
	if fn == nil {
		return false
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.MakeSlice:
			if c, ok := i.Len.(*ssa.Const); !ok || c.Value != nil && !isZero(c.Value) {
				return true
			}
		case *ssa.Slice: // make with a constant size is a slice of a new array
			if al, ok := i.X.(*ssa.Alloc); ok && al.Comment == "makeslice" {
				if c, ok := i.High.(*ssa.Const); !ok || c.Value != nil && !isZero(c.Value) {
					return true
				}
			}
		}
	}
	return false
}

// followFull sees what is done with a slice, or a pointer to one, that comes from a pool.
func (a *analysis) followFull(p *fullPool, v ssa.Value, depth int) {
	if depth > 5 || v.Referrers() == nil {
		return
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Slice:
			if r.X != v {
				continue
			}
			if r.High == nil {
				if r.Low == nil {
					a.followFull(p, r, depth+1)
				}
				continue
			}
			if _, isCap := capOf(r.High); isCap {
				p.resizes = true
			} else if c, ok := r.High.(*ssa.Const); ok && c.Value != nil {
				p.resizes = true // to a length of its own
			}
		case *ssa.UnOp, *ssa.Phi, *ssa.Extract:
			a.followFull(p, r.(ssa.Value), depth+1)
		case *ssa.Return:
			for _, x := range a.returnedFirst(r, v) {
				a.followFull(p, x, depth+1)
			}
		case *ssa.Store:
			// A variable that is captured or has its address taken.
			for _, l := range readAgain(r, v) {
				a.followFull(p, l, depth+1)
			}
		case ssa.CallInstruction:
			if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice && fillsArg(r, v) && p.filled == nil {
				p.filled = r
			}
		}
	}
}

// fillsArg reports whether a call reads into a slice as far as it is long, or copies to it, and who called goes
// on with what there was room for.
func fillsArg(c ssa.CallInstruction, v ssa.Value) bool {
	if n, ok := c.(*ssa.Call); ok && isBuiltin(n, "copy") && n.Call.Args[0] == v {
		return isBytes(v.Type()) && slices.ContainsFunc(referrers(n), func(r ssa.Instruction) bool {
			s, ok := r.(*ssa.Slice)
			return ok && s.X == v && s.High == ssa.Value(n)
		})
	}
	f := calledMethod(c)
	if f == nil || !isBytes(v.Type()) {
		return false
	}
	switch funcKey(f) {
	case "io.ReadFull", "io.ReadAtLeast", "io.CopyBuffer":
		return funcKey(f) != "io.CopyBuffer"
	}
	if f.Signature().Recv() == nil || !strings.HasPrefix(f.Name(), "Read") {
		return false
	}
	args := c.Common().Args
	return slices.Contains(args, v) && f.Signature().Results().Len() > 1
}

// shortened finds where a slice that is put was cut to a part of its length.
func (a *analysis) shortened(v ssa.Value, pool types.Object, put ssa.Instruction, depth int) ssa.Instruction {
	if depth > 6 {
		return nil
	}
	if cut := a.shortenedBehind(v, pool, put, depth); cut != nil {
		return cut
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if x.Low != nil || x.High == nil || x.Max != nil {
			return nil
		}
		if _, isCap := capOf(x.High); isCap {
			return nil
		}
		if _, isConst := x.High.(*ssa.Const); isConst {
			return nil
		}
		if a.cameFrom(x.X, pool, 0) && !lenOfPool(x.High) {
			return x
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c := a.shortened(e, pool, put, depth+1); c != nil {
				return c
			}
		}
	case *ssa.Alloc:
		// &b
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x && precedes(st, put) {
				if c := a.shortened(st.Val, pool, put, depth+1); c != nil {
					return c
				}
			}
		}
	case *ssa.Extract:
		if ch := selectedFrom(x); ch != nil {
			return a.shortenedSend(ch.Type(), pool, put, depth)
		}
	case *ssa.Field:
		if s := structOf(x.X.Type()); s != nil {
			return a.shortenedField(s.Field(x.Field).Origin(), pool, put, depth)
		}
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			return a.shortenedSend(x.X.Type(), pool, put, depth)
		}
		switch addr := x.X.(type) {
		case *ssa.FieldAddr:
			if s := structOf(addr.X.Type()); s != nil {
				return a.shortenedField(s.Field(addr.Field).Origin(), pool, put, depth)
			}
		case *ssa.IndexAddr:
			if f, _ := fieldLoad(addr.X); f != nil {
				return a.shortenedElem(f, pool, put, depth)
			}
		case *ssa.Alloc:
			for _, r := range referrers(addr) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
					if c := a.shortened(st.Val, pool, put, depth+1); c != nil {
						return c
					}
				}
			}
		case *ssa.FreeVar:
			var found ssa.Instruction
			(&funcSearch{a: a}).bindings(addr, func(v ssa.Value) {
				if al, ok := v.(*ssa.Alloc); ok && found == nil {
					for _, r := range referrers(al) {
						if st, ok := r.(*ssa.Store); ok && st.Addr == al && found == nil {
							found = a.shortened(st.Val, pool, put, depth+1)
						}
					}
				}
			})
			return found
		}
	case *ssa.Parameter:
		k := slices.Index(x.Parent().Params, x)
		for _, c := range a.callsOf(x.Parent()) {
			if c.Common().IsInvoke() || k >= len(c.Common().Args) || a.inTest(c.Parent()) {
				continue
			}
			if cut := a.shortened(c.Common().Args[k], pool, c, depth+1); cut != nil {
				return cut
			}
		}
	}
	return nil
}

// shortenedBehind finds where the slice that a pointer leads to was cut, and left so, before the pointer is put.
func (a *analysis) shortenedBehind(v ssa.Value, pool types.Object, put ssa.Instruction, depth int) ssa.Instruction {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if _, variable := v.(*ssa.Alloc); !ok || variable || !isSlice(p.Elem()) || v.Referrers() == nil {
		return nil
	}
	var cut, last ssa.Instruction
	for _, r := range referrers(v) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != v || !precedes(st, put) {
			continue
		}
		if _, direct := st.Val.(*ssa.Slice); !direct || last != nil {
			return nil // set more than once
		}
		last, cut = st, a.shortened(st.Val, pool, put, depth+1)
	}
	return cut
}

func lenOfPool(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}

// shortenedField looks at what a field is set to.
func (a *analysis) shortenedField(f *types.Var, pool types.Object, put ssa.Instruction, depth int) (found ssa.Instruction) {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || found != nil {
				return
			}
			if st := structOf(fa.X.Type()); st != nil && st.Field(fa.Field).Origin() == f {
				if _, direct := s.Val.(*ssa.Slice); direct {
					found = a.shortened(s.Val, pool, put, depth+1)
				}
			}
		})
	}
	return found
}

// shortenedSend looks at what is sent on channels of a type.
func (a *analysis) shortenedSend(ch types.Type, pool types.Object, put ssa.Instruction, depth int) ssa.Instruction {
	elem := ch.Underlying().(*types.Chan).Elem()
	sent := func(to, x ssa.Value) ssa.Instruction {
		if _, direct := x.(*ssa.Slice); !direct || !types.Identical(to.Type().Underlying().(*types.Chan).Elem(), elem) {
			return nil
		}
		return a.shortened(x, pool, put, depth+1)
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Send:
			if c := sent(i.Chan, i.X); c != nil {
				return c
			}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir != types.SendOnly {
					continue
				}
				if c := sent(s.Chan, s.Send); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// selectedFrom is the channel from which a select received a value, or nil.
func selectedFrom(x *ssa.Extract) ssa.Value {
	s, ok := x.Tuple.(*ssa.Select)
	if !ok || x.Index < 2 {
		return nil
	}
	n := 2
	for _, st := range s.States {
		if st.Dir != types.RecvOnly {
			continue
		}
		if n == x.Index {
			return st.Chan
		}
		n++
	}
	return nil
}

// shortenedElem looks at what is appended to the list in a field.
func (a *analysis) shortenedElem(f *types.Var, pool types.Object, put ssa.Instruction, depth int) ssa.Instruction {
	for _, i := range a.instrs() {
		st, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != f {
			continue
		}
		c, ok := st.Val.(*ssa.Call)
		if !ok || !isBuiltin(c, "append") || len(c.Call.Args) != 2 {
			continue
		}
		if x := onlyVararg(c.Call.Args[1]); x != nil {
			if cut := a.shortened(x, pool, put, depth+1); cut != nil {
				return cut
			}
		}
	}
	return nil
}

// cameFrom reports whether a slice is what a pool gave, also by a function.
func (a *analysis) cameFrom(v ssa.Value, pool types.Object, depth int) bool {
	if depth > 8 {
		return false
	}
	switch x := v.(type) {
	case *ssa.TypeAssert:
		return a.cameFrom(x.X, pool, depth+1)
	case *ssa.Extract:
		if _, received := x.Tuple.(*ssa.Select); received {
			return x.Index == 2 && a.cameFrom(x.Tuple, pool, depth+1)
		}
		return x.Index == 0 && a.cameFrom(x.Tuple, pool, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return a.cameFrom(e, pool, depth+3) })
	case *ssa.Select:
		return simPooled(x) && a.staticPool(x.States[0].Chan) == pool
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok {
			for _, r := range referrers(al) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == al && a.cameFrom(st.Val, pool, depth+1) {
					return true
				}
			}
			return false
		}
		return x.Op == token.MUL && a.cameFrom(x.X, pool, depth+1)
	case *ssa.Call:
		if f := calledMethod(x); f != nil && funcKey(f) == "sync.Pool.Get" {
			return a.staticPool(x.Call.Args[0]) == pool
		}
		if fn := a.calledFunction(x); fn != nil {
			for _, b := range fn.Blocks {
				if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 && a.cameFrom(r.Results[0], pool, depth+2) {
					return true
				}
			}
		}
	}
	return false
}

// A chanSend is a send to a channel that serves as a pool.
type chanSend struct {
	at    ssa.Instruction
	ch, x ssa.Value
}

// chanSends are the sends of slices that do not wait.
func (a *analysis) chanSends() (list []chanSend) {
	for fn, i := range a.instrsBeyondTests() {
		if s, ok := i.(*ssa.Select); ok && simPooled(s) && freeUseOf(fn, s) == freePut && isSlice(s.States[0].Send.Type()) {
			list = append(list, chanSend{s, s.States[0].Chan, s.States[0].Send})
		}
	}
	return list
}

// shortenedList follows what is received from a channel that serves as a pool.
func (a *analysis) shortenedList(at func(ssa.Value) *fullPool, fn *ssa.Function, s *ssa.Select) {
	if !simPooled(s) || freeUseOf(fn, s) != freeGet {
		return
	}
	p := at(s.States[0].Chan)
	if p == nil {
		return
	}
	p.made = p.made || returnsFull(fn)
	for _, r := range referrers(s) {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 2 {
			a.followFull(p, x, 0)
		}
	}
}

// returnsFull reports whether a function returns, where the pool has nothing, a slice that it makes with
// a length.
func returnsFull(fn *ssa.Function) bool {
	var full func(v ssa.Value, depth int) bool
	full = func(v ssa.Value, depth int) bool {
		if depth > 4 {
			return false
		}
		switch x := v.(type) {
		case *ssa.MakeSlice:
			c, ok := x.Len.(*ssa.Const)
			return !ok || c.Value != nil && !isZero(c.Value)
		case *ssa.Slice:
			if madeConstant(x) > 0 {
				c, ok := x.High.(*ssa.Const)
				return !ok || c.Value != nil && !isZero(c.Value)
			}
			if _, made := x.X.(*ssa.MakeSlice); made && x.High != nil {
				c, ok := x.High.(*ssa.Const)
				return !ok || c.Value != nil && !isZero(c.Value)
			}
		case *ssa.Phi:
			return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return full(e, depth+2) })
		}
		return false
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 && full(r.Results[0], 0) {
			return true
		}
	}
	return false
}
