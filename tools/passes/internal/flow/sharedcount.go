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

// Objects from a pool may be views of one piece of memory, and share the count of those that have it by a pointer. The method
// that gives one up counts down, and who comes to zero puts the memory. A method that puts its receiver only then, too,
// loses all the receivers that came before: the count is that of the memory, not theirs.

// A countedEnd is a function that puts what it is given, be it its receiver, only when the count that a field of it leads to comes to zero.
type countedEnd struct {
	fn    *ssa.Function
	param *ssa.Parameter
	count *types.Var
	typ   *types.Named
	put   ssa.Instruction
	left  ssa.Instruction // the return of those who are not the last
}

// judgeSharedCounts reports values from a pool that are given the count of another one.
func (c *custody) judgeSharedCounts() {
	for _, fn := range c.a.fns {
		if !c.a.relevant[fn] || c.a.inTest(fn) {
			continue
		}
		for k, p := range fn.Params {
			if !c.puts[fn][k] {
				continue
			}
			if e := c.countedEnd(fn, p); e != nil && c.onlyPutBy(e) {
				c.judgeSharers(e)
			}
		}
	}
}

// countStepOf is the field that leads to the count which an instruction adds a constant to, and the object that has the field; after
// is what comes of it.
func countStepOf(i ssa.Instruction) (f *types.Var, of ssa.Value, by int64, after ssa.Value) {
	var at ssa.Value
	switch i := i.(type) {
	case *ssa.Call:
		m := calledMethod(i)
		if m == nil || m.Pkg() == nil || m.Pkg().Path() != "sync/atomic" || len(i.Call.Args) != 2 || len(m.Name()) < 3 || m.Name()[:3] != "Add" {
			return nil, nil, 0, nil
		}
		k, ok := i.Call.Args[1].(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
			return nil, nil, 0, nil
		}
		at, by, after = i.Call.Args[0], k.Int64(), i
		if constant.BitLen(k.Value) >= 32 {
			by = -1 // of a number without a sign
		}
	case *ssa.Store:
		o, ok := i.Val.(*ssa.BinOp)
		if !ok || o.Op != token.ADD && o.Op != token.SUB {
			return nil, nil, 0, nil
		}
		k, ok := o.Y.(*ssa.Const)
		l, isLoad := o.X.(*ssa.UnOp)
		if !ok || !isLoad || l.Op != token.MUL || k.Value == nil || k.Value.Kind() != constant.Int || !samePlace(l.X, i.Addr) {
			return nil, nil, 0, nil
		}
		if at, by, after = i.Addr, k.Int64(), o; o.Op == token.SUB {
			by = -by
		}
	default:
		return nil, nil, 0, nil
	}
	if fa, ok := at.(*ssa.FieldAddr); ok {
		at = fa.X // of a struct that is shared
	}
	if f, of = fieldLoad(at); f == nil {
		return nil, nil, 0, nil
	}
	if _, ok := f.Type().Underlying().(*types.Pointer); !ok {
		return nil, nil, 0, nil
	}
	return f, of, by, after
}

// samePlace reports whether two addresses are one: that a field of an object holds, or of a field of what it leads to.
func samePlace(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	if fx, ok := x.(*ssa.FieldAddr); ok {
		fy, ok := y.(*ssa.FieldAddr)
		return ok && fx.Field == fy.Field && samePlace(fx.X, fy.X)
	}
	f, of := fieldLoad(x)
	g, and := fieldLoad(y)
	return f != nil && f == g && of == and
}

// countedEnd looks at a function that puts a parameter; nil if it does not do so by a count.
func (c *custody) countedEnd(fn *ssa.Function, recv *ssa.Parameter) *countedEnd {
	t := pointee(recv.Type())
	if t == nil || t.Obj().Pkg() != c.a.pkg.Pkg {
		return nil
	}
	var down ssa.Instruction
	e := &countedEnd{fn: fn, param: recv, typ: t.Origin()}
	var after ssa.Value
	for i := range instrsOf(fn) {
		if f, of, by, v := countStepOf(i); by == -1 && of == ssa.Value(recv) {
			if down != nil {
				return nil
			}
			down, e.count, after = i, f, v
		}
		for _, v := range c.putBy(i) {
			if v := unboxed(v); v == ssa.Value(recv) {
				e.put = i
			} else if n := pointee(v.Type()); n != nil && n.Origin() == e.typ {
				return nil // it puts the others of a list
			}
		}
	}
	if down == nil || e.put == nil {
		return nil
	}
	if _, deferred := e.put.(*ssa.Defer); deferred || !c.comes(down, e, after, 0) {
		return nil
	}
	if c.comes(down, e, after, 1) || e.left == nil {
		return nil
	}
	return e
}

// comes reports whether the path on which the count is some number comes to the Put of the parameter, or to something else
// that has it; it notes where the path returns otherwise.
func (c *custody) comes(down ssa.Instruction, e *countedEnd, count ssa.Value, is int64) (found bool) {
	recv := ssa.Value(e.param)
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, from int)
	walk = func(b *ssa.BasicBlock, from int) {
		for _, i := range b.Instrs[from:] {
			switch i := i.(type) {
			case *ssa.FieldAddr, *ssa.DebugRef:
			case *ssa.Return:
				if is > 0 && e.left == nil {
					e.left = i
				}
			case *ssa.If:
				if to, known := branchAt(i, count, is); known {
					if !seen[to] {
						seen[to] = true
						walk(to, 0)
					}
					return
				}
			default:
				for _, o := range i.Operands(nil) {
					if *o == recv || *o != nil && unboxed(*o) == recv {
						found = found || is > 0 || i == e.put
					}
				}
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				walk(s, 0)
			}
		}
	}
	walk(down.Block(), slices.Index(down.Block().Instrs, down)+1)
	return found
}

// branchAt is where a test goes if a value is some number.
func branchAt(i *ssa.If, v ssa.Value, is int64) (to *ssa.BasicBlock, known bool) {
	cond, yes := i.Cond, 0
	if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
		cond, yes = n.X, 1
	}
	o, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil, false
	}
	x, op, y := o.X, o.Op, o.Y
	if !readAgainAs(x, v) {
		x, y = y, x
		switch op {
		case token.LSS:
			op = token.GTR
		case token.GTR:
			op = token.LSS
		case token.LEQ:
			op = token.GEQ
		case token.GEQ:
			op = token.LEQ
		}
	}
	k, ok := y.(*ssa.Const)
	if !ok || !readAgainAs(x, v) || k.Value == nil || k.Value.Kind() != constant.Int {
		return nil, false
	}
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return nil, false
	}
	if !constant.Compare(constant.MakeInt64(is), op, k.Value) {
		yes = 1 - yes
	}
	return i.Block().Succs[yes], true
}

// readAgainAs reports whether a value is a number, or was read again from where that was stored.
func readAgainAs(x, number ssa.Value) bool {
	if x == number {
		return true
	}
	l, ok := x.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	o, ok := number.(*ssa.BinOp)
	if !ok {
		return false
	}
	was, ok := o.X.(*ssa.UnOp)
	return ok && samePlace(l.X, was.X) && precedes(o, l)
}

// onlyPutBy reports whether nobody but a method puts objects of its receiver's type.
func (c *custody) onlyPutBy(e *countedEnd) bool {
	for fn, i := range c.a.instrsBeyondTests() {
		for _, v := range c.putBy(i) {
			n := pointee(unboxed(v).Type())
			if n == nil || n.Origin() != e.typ {
				continue
			}
			if call, ok := i.(ssa.CallInstruction); ok {
				if g := c.a.calledFunction(call); g != nil {
					if g != e.fn && !c.reaches(g)[e.fn] && fn != e.fn {
						return false // by a function that puts for the method
					}
					continue
				}
			}
			if fn != e.fn && !c.reaches(e.fn)[fn] {
				return false
			}
		}
	}
	return true
}

// judgeSharers reports the values that get a count from another one, which is counted up for that.
func (c *custody) judgeSharers(e *countedEnd) {
	for fn, i := range c.a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok || fieldAt(s.Addr) != e.count {
			continue
		}
		f, of := fieldLoad(s.Val)
		to := s.Addr.(*ssa.FieldAddr).X
		if f != e.count || of == to || !c.countsUp(fn, e.count, 0) {
			continue
		}
		for _, v := range c.givenTo(to) {
			n := pointee(v.Type())
			if n == nil || n.Origin() != e.typ || !c.taken(v) || c.a.lostIn(v.Parent()) {
				continue
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: gotAt(v), fn: v.Parent(), typed: n,
				message: fmt.Sprintf("%s shares its count in %s with another %s (%s), and %s puts what it is given only when that comes to zero: of all that share it only the last goes back", apposed(c.a.valueName(v), "taken here", "what is taken here"), e.count.Name(), e.typ.Obj().Name(), c.a.line(instrPos(s)), withReceiver(e.fn)),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(s), Message: "the count is shared here"},
					{Pos: instrPos(e.left), Message: "who is not the last returns here"},
					{Pos: instrPos(e.put), Message: "only the last is put here"},
				},
			})
			break
		}
	}
}

// givenTo are a value or, where it is a function's parameter, those that the function is given.
func (c *custody) givenTo(v ssa.Value) (list []ssa.Value) {
	// A struct that is stored as a whole.
	if al, ok := v.(*ssa.Alloc); ok {
		for _, l := range loadsOf(al) {
			for _, r := range referrers(l) {
				if s, ok := r.(*ssa.Store); ok && s.Val == l {
					list = append(list, s.Addr)
				}
			}
		}
		return list
	}
	p := asParameter(v)
	if p == nil {
		return []ssa.Value{v}
	}
	k := slices.Index(p.Parent().Params, p)
	for _, call := range c.a.callsOf(p.Parent()) {
		if k < len(call.Common().Args) && !c.a.inTest(call.Parent()) {
			list = append(list, call.Common().Args[k])
		}
	}
	return list
}

// countsUp reports whether a function, one that it calls, or one that calls it, counts up what a field leads to.
func (c *custody) countsUp(fn *ssa.Function, f *types.Var, depth int) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			if of, _, by, _ := countStepOf(i); of == f && by > 0 {
				return true
			}
		}
	}
	return depth == 0 && slices.ContainsFunc(c.a.callsOf(fn), func(call ssa.CallInstruction) bool { return c.countsUp(call.Parent(), f, 1) })
}
