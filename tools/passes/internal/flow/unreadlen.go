// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A bytes.Buffer is as long as what is unread in it. A limit on what a pool keeps that asks for this length keeps a
// buffer of any size of which most was read, as io.Copy, WriteTo and who is given it as a reader do; what is kept is
// the capacity.

// A lenLimit is a test of a buffer's length that decides whether the buffer is kept, and what is done with the buffer
// before it comes to that.
type lenLimit struct {
	a       *analysis
	test    *ssa.BinOp
	buf     ssa.Value // or its address
	field   *types.Var
	before  func(ssa.Instruction) bool // whether what is done in the function that is followed comes before the test; nil: all does
	seen    map[ssa.Value]bool
	grown   ssa.Instruction // by what comes from outside
	drained ssa.Instruction
	caps    bool // somebody asks for the capacity as well
}

// judgeUnreadLengths reports such limits.
func (a *analysis) judgeUnreadLengths() {
	f := a.uses()
	if len(f.puts) == 0 {
		return
	}
	var ways map[*ssa.Function]*types.Named
	for fn, i := range a.instrsBeyondTests() {
		o, ok := i.(*ssa.BinOp)
		if !ok || o.Op != token.LSS && o.Op != token.LEQ && o.Op != token.GTR && o.Op != token.GEQ {
			continue
		}
		buf := unreadLength(o.X)
		if buf == nil {
			buf = unreadLength(o.Y)
		}
		if buf == nil || !a.limits(o) || few(o.X) || few(o.Y) {
			continue
		}
		if ways == nil {
			ways = f.waysToPools()
		}
		l := &lenLimit{a: a, test: o, buf: buf, seen: map[ssa.Value]bool{}}
		if l.field = fieldAt(buf); l.field == nil {
			l.field = fieldOfValue(buf)
		}
		var put ssa.CallInstruction
		if put = l.decidesPut(f.sites); put != nil {
			l.look(f, put)
		} else if t := ways[fn]; t != nil && l.field != nil && l.letsGo() {
			l.lookAtField()
		}
		if l.grown == nil || l.drained == nil || l.caps || a.foundIn(oversizeRetention, fn) {
			continue
		}
		at, name := instrPos(o), orElse(a.valueName(buf), "the buffer")
		fd := finding{
			pattern: oversizeRetention, pos: at, fn: fn,
			message: fmt.Sprintf("this limit on what is kept asks for the length of %s, which is what is unread: after it was read (%s) there is little left, and what one large input made grow (%s) stays in the pool; ask for Cap", name, a.line(instrPos(l.drained)), a.line(instrPos(l.grown))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(l.drained), Message: "read here"},
				{Pos: instrPos(l.grown), Message: "grows here"},
			},
		}
		if l.field != nil {
			fd.typed = ways[fn]
		}
		if put != nil {
			fd.related = append(fd.related, goanalysis.RelatedInformation{Pos: instrPos(put), Message: "put here"})
		}
		a.reportFound(fd)
	}
}

// unreadLength is the bytes.Buffer, by its address, whose Len a number is.
func unreadLength(v ssa.Value) ssa.Value {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok || c.Call.IsInvoke() || len(c.Call.Args) != 1 {
		return nil
	}
	if m := calledMethod(c); m == nil || funcKey(m) != "bytes.Buffer.Len" {
		return nil
	}
	return c.Call.Args[0]
}

// waysToPools are the functions that put what they are given, and those that these call on it, with the type.
func (f *forgotten) waysToPools() map[*ssa.Function]*types.Named {
	ways := map[*ssa.Function]*types.Named{}
	for _, p := range f.pooledHere() {
		ends := slices.DeleteFunc(slices.Clone(f.puts), func(q poolSite) bool { return q.typ != p.typ || len(f.putter[q.fn]) == 0 })
		for _, fn := range f.regionOf(p.typ, ends, 2) {
			if ways[fn] == nil {
				ways[fn] = p.typ
			}
		}
	}
	return ways
}

// arms are the blocks behind the test, for what is small and what is large; nil if that is not known.
func (l *lenLimit) arms() (small, large *ssa.BasicBlock) {
	b := l.test.Block()
	iff, ok := lastInstr(b).(*ssa.If)
	k := largeArm(l.test)
	if !ok || iff.Cond != l.test || k < 0 {
		return nil, nil
	}
	return b.Succs[1-k], b.Succs[k]
}

// decidesPut is the Put of the buffer, or of the struct that has it, that only follows where the length is small.
func (l *lenLimit) decidesPut(s *sites) ssa.CallInstruction {
	small, large := l.arms()
	if small == nil {
		return nil
	}
	holder := l.holder()
	b := l.test.Block()
	to := func(from, at *ssa.BasicBlock) bool { return from == at || reachesPast(from, at, b) }
	for i := range instrsOf(l.test.Parent()) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || !to(small, c.Block()) || to(large, c.Block()) {
			continue
		}
		for _, n := range s.putArgs(l.a, c) {
			if v := unboxed(c.Common().Args[n]); oneRead(v, l.buf, 0) || holder != nil && oneRead(v, holder, 0) {
				return c
			}
		}
	}
	return nil
}

// holder is the struct that has the buffer in a field.
func (l *lenLimit) holder() ssa.Value {
	x := l.buf
	if u, ok := x.(*ssa.UnOp); ok {
		x = u.X
	}
	if fa, ok := x.(*ssa.FieldAddr); ok {
		return fa.X
	}
	return nil
}

// letsGo reports whether the field gets nil or something new where the length is large, and not where it is small.
func (l *lenLimit) letsGo() bool {
	small, large := l.arms()
	if small == nil {
		return false
	}
	found := false
	eachStore(l.test.Parent(), func(st *ssa.Store) {
		if fieldAt(st.Addr) != l.field || !forgets(st.Val) {
			return
		}
		if at := st.Block(); len(large.Preds) == 1 && large.Dominates(at) && !(len(small.Preds) == 1 && small.Dominates(at)) {
			found = true
		}
	})
	return found
}

// forgets reports whether a value is nil, zero, or was made on the spot.
func forgets(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.Alloc:
		return true
	case *ssa.Call:
		m := calledMethod(x)
		return m != nil && (funcKey(m) == "bytes.NewBuffer" || funcKey(m) == "bytes.NewBufferString")
	}
	return false
}

// look sees what is done with the buffer before the Put that the test decides: in the function, or, where that puts what it
// is given, in those that call it, and by all who have the field that the buffer is in.
func (l *lenLimit) look(f *forgotten, put ssa.CallInstruction) {
	fn := put.Parent()
	switch {
	case l.field != nil && len(f.putter[fn]) > 0:
		l.lookAtField()
	case len(f.putter[fn]) > 0:
		p, ok := l.buf.(*ssa.Parameter)
		if !ok {
			return
		}
		k := slices.Index(fn.Params, p)
		for _, c := range l.a.callsOf(origin(fn)) {
			if !c.Common().IsInvoke() && k < len(c.Common().Args) && !l.a.inTest(c.Parent()) && (l.drained == nil || l.grown == nil) {
				l.within(c.Common().Args[k], c)
			}
		}
	default:
		l.within(l.buf, l.test)
		l.around()
	}
}

// within sees what a function does with the buffer that a value is before it comes to an instruction.
func (l *lenLimit) within(buf ssa.Value, at ssa.Instruction) {
	l.seen, l.grown, l.drained, l.before = map[ssa.Value]bool{}, nil, nil, priorTo(at)
	for i := range instrsOf(at.Parent()) {
		if v, ok := i.(ssa.Value); ok && oneRead(v, buf, 0) {
			l.follow(v, nil, 0)
		}
	}
	l.follow(buf, nil, 0) // a parameter
}

// around sees what is done with the buffer before a function literal, which has the test, is run at the end of the function
// around it.
func (l *lenLimit) around() {
	u, ok := l.buf.(*ssa.UnOp)
	if !ok || l.drained != nil && l.grown != nil {
		return
	}
	fv, ok := u.X.(*ssa.FreeVar)
	if !ok {
		return
	}
	fn := fv.Parent()
	for i := range instrsOf(fn.Parent()) {
		d, ok := i.(*ssa.Defer)
		if !ok {
			continue
		}
		m, ok := d.Call.Value.(*ssa.MakeClosure)
		if !ok || m.Fn != ssa.Value(fn) {
			continue
		}
		if k := slices.Index(fn.FreeVars, fv); k >= 0 {
			for _, v := range loadsOf(m.Bindings[k]) {
				l.within(v, d)
				return
			}
		}
	}
}

// priorTo answers for an instruction whether it may run before another one of the function. A deferred one runs last.
func priorTo(at ssa.Instruction) func(ssa.Instruction) bool {
	_, last := at.(*ssa.Defer)
	return func(i ssa.Instruction) bool {
		if _, deferred := i.(*ssa.Defer); deferred {
			return false
		}
		return last || i.Parent() == at.Parent() && (i != at && i.Block() == at.Block() && precedes(i, at) || reaches(i.Block(), at.Block()))
	}
}

// lookAtField sees what the package does with the field.
func (l *lenLimit) lookAtField() {
	for _, i := range l.a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if fieldAt(i) != l.field {
				continue
			}
			if pointee(deref(i.Type())) == nil {
				l.follow(i, nil, 0)
				continue
			}
			for _, v := range loadsOf(i) {
				if !takesOut(i) {
					l.follow(v, nil, 0)
				}
			}
		case *ssa.Field:
			if fieldOfValue(i) == l.field {
				l.follow(i, nil, 0)
			}
		}
	}
}

// takesOut reports whether a function sets a field to nil: what it read there before is its own.
func takesOut(fa *ssa.FieldAddr) bool {
	found := false
	eachStore(fa.Parent(), func(st *ssa.Store) {
		c, ok := st.Val.(*ssa.Const)
		found = found || ok && c.Value == nil && fieldAt(st.Addr) == fieldAt(fa)
	})
	return found
}

// follow sees what is done with the buffer that a value leads to. Top is the instruction by which the function that is
// followed began with it; nil there.
func (l *lenLimit) follow(v ssa.Value, top ssa.Instruction, depth int) {
	if l.seen[v] || depth > 8 {
		return
	}
	l.seen[v] = true
	for _, r := range referrers(v) {
		at := top
		if at == nil {
			at = r
		}
		switch r := r.(type) {
		case *ssa.Phi, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert:
			l.follow(r.(ssa.Value), top, depth+1)
		case *ssa.Store:
			for _, x := range readAgain(r, v) {
				l.follow(x, top, depth+1)
			}
		case *ssa.Return:
			if l.before == nil {
				for _, x := range l.a.returnedFirst(r, v) {
					l.follow(x, nil, depth+1)
				}
			}
		case ssa.CallInstruction:
			l.call(r, v, at, depth)
		}
	}
}

// call sees a call that is given the buffer.
func (l *lenLimit) call(c ssa.CallInstruction, v ssa.Value, at ssa.Instruction, depth int) {
	cc := c.Common()
	if fn := l.a.calledFunction(c); fn != nil && len(fn.Blocks) > 0 {
		k := slices.Index(cc.Args, v)
		if cc.IsInvoke() {
			k++
		}
		if k >= 0 && k < len(fn.Params) {
			l.follow(fn.Params[k], at, depth+1)
		}
		return
	}
	m := calledMethod(c)
	if m != nil && !cc.IsInvoke() && len(cc.Args) > 0 && cc.Args[0] == v && m.Signature().Recv() != nil {
		switch {
		case takesAway(m):
			l.drain(c, at)
		case m.Name() == "Cap":
			l.caps = true
		case m.Name() == "ReadFrom", m.Name() == "Write", m.Name() == "WriteString":
			if fromOutside(cc.Args[1]) {
				l.grow(c, at)
			}
		}
		return
	}
	if cc.IsInvoke() && cc.Value == v {
		if m != nil && m.Name() == "Read" {
			l.drain(c, at)
		}
		return
	}
	for k, x := range cc.Args {
		if x != v {
			continue
		}
		t := x.Type()
		switch {
		case isWriter(t):
			if !writesFew(c, k) {
				l.grow(c, at)
			}
		case readable(t):
			l.drain(c, at)
		}
	}
}

func (l *lenLimit) grow(c ssa.CallInstruction, at ssa.Instruction) {
	if l.grown == nil && (l.before == nil || l.before(at)) {
		l.grown = c
	}
}

func (l *lenLimit) drain(c ssa.CallInstruction, at ssa.Instruction) {
	if l.drained == nil && (l.before == nil || l.before(at)) {
		l.drained = c
	}
}

// fromOutside reports whether what is written is more than a constant, and not limited by who gives it.
func fromOutside(v ssa.Value) bool {
	v = unboxed(v)
	if _, isConst := v.(*ssa.Const); isConst {
		return false
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return true
	}
	m := calledMethod(c)
	return m == nil || funcKey(m) != "io.LimitReader" && funcKey(m) != "net/http.MaxBytesReader"
}

// writesFew reports whether a call writes no more to its argument k than a constant says, or than a reader lets through.
func writesFew(c ssa.CallInstruction, k int) bool {
	args := c.Common().Args
	if m := calledMethod(c); m != nil && funcKey(m) == "io.CopyN" {
		_, isConst := args[2].(*ssa.Const)
		return isConst
	}
	return k+1 < len(args) && !fromOutside(args[k+1])
}

// readable reports whether a type is an interface to read from.
func readable(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range it.Methods() {
		if m.Name() == "Read" {
			return true
		}
	}
	return false
}
