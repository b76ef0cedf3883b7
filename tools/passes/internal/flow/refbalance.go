// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who has a reference to an object that counts them gives it up, or hands it on, on each path. A
// function that makes a new reference for everybody it hands the object to, and keeps its own, has
// one left over wherever it ends: the object never comes back to its pool.

// refs is what a package does with the types that count references and put themselves.
type refs struct {
	c       *custody
	counts  map[*types.Named]*types.Var // the field with the count
	up      map[*ssa.Function]bool      // counts its first parameter up, and returns it if anything
	down    map[*ssa.Function]bool      // counts it down, and puts it at the end
	effects map[paramKey]refEffect
	borrow  map[*types.Func]bool // methods of interfaces that keep no reference
	assumed map[*types.Func]bool // where not nil, the methods that are taken to be such
	own     map[ownKey]ssa.Instruction
}

// A refEffect is what a call does to the references of an argument.
type refEffect struct {
	by    int
	known bool
}

// maxRefDepth bounds the calls that an effect is looked for through.
const maxRefDepth = 4

// judgeRefBalance reports references that are left over on each path.
func (c *custody) judgeRefBalance() {
	r := &refs{c: c, counts: map[*types.Named]*types.Var{}, up: map[*ssa.Function]bool{}, down: map[*ssa.Function]bool{}, effects: map[paramKey]refEffect{}, borrow: map[*types.Func]bool{}, own: map[ownKey]ssa.Instruction{}}
	for _, fn := range c.a.fns {
		r.learnDown(fn)
	}
	if len(r.down) == 0 {
		return
	}
	for range 2 {
		for _, fn := range c.a.fns {
			r.learnUp(fn)
			r.learnForward(fn)
		}
	}
	r.learnBorrowers()
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || r.down[fn] || r.up[fn] {
			continue
		}
		for i := range instrsOf(fn) {
			v, ok := i.(ssa.Value)
			if !ok || r.counts[pointee(v.Type())] == nil {
				continue
			}
			switch ch := receivedFrom(v); {
			case ch != nil:
				if r.sendersGive(ch) {
					r.judge(v, "received from the channel "+ch.Name())
				}
			case r.born(v):
				r.judge(v, "taken")
			}
		}
	}
	r.judgeHeld()
	r.judgeLentRefs()
	r.judgeOverdrawn()
}

// judge reports a reference that a function got and has still got wherever it is done with it.
func (r *refs) judge(v ssa.Value, how string) {
	ends, ok := r.ends(v, 0)
	a := r.c.a
	if !ok || len(ends) == 0 || slices.ContainsFunc(ends, func(e refEnd) bool { return e.left <= 0 }) || a.lostIn(v.Parent()) {
		return
	}
	slices.SortFunc(ends, func(x, y refEnd) int { return int(instrPos(x.at) - instrPos(y.at)) })
	var related []goanalysis.RelatedInformation
	for _, i := range r.given(v) {
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(i), Message: "this is another reference"})
	}
	message := fmt.Sprintf("the reference to %s that is %s here is not given up on any path: it keeps it out of its pool", a.refName(v), how)
	if len(related) > 0 {
		message += ", whatever becomes of those that others get"
	}
	a.reportFound(finding{pattern: missingPut, pos: gotAt(v), fn: v.Parent(), related: related, message: message, typed: pointee(v.Type())})
}

// given are the calls that count an object up for others.
func (r *refs) given(v ssa.Value) (list []ssa.Instruction) {
	for x := range r.aliases(v) {
		for _, i := range referrers(x) {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			if r.up[r.c.a.calledFunction(call)] {
				list = append(list, call)
			} else if call.Call.IsInvoke() {
				if up := r.countsOwn(call, x, 0); up != nil {
					list = append(list, up)
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y ssa.Instruction) int { return int(instrPos(x) - instrPos(y)) })
	return list
}

// countStep is the field of a parameter that an instruction adds a constant to.
func countStep(i ssa.Instruction) (of ssa.Value, f *types.Var, by int) {
	sized := func(v ssa.Value) int {
		k, ok := v.(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
			return 0
		}
		if constant.BitLen(k.Value) >= 32 {
			return -1 // ^uint32(0)
		}
		n, _ := constant.Int64Val(k.Value)
		return int(n)
	}
	switch i := i.(type) {
	case *ssa.Call:
		m := calledMethod(i)
		if m == nil || m.Pkg() == nil || m.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(m.Name(), "Add") || len(i.Call.Args) != 2 {
			return nil, nil, 0
		}
		if fa, ok := i.Call.Args[0].(*ssa.FieldAddr); ok {
			return fa.X, fieldAt(fa), sized(i.Call.Args[1])
		}
	case *ssa.Store:
		fa, ok := i.Addr.(*ssa.FieldAddr)
		if !ok || !isInteger(i.Val.Type()) {
			return nil, nil, 0
		}
		o, ok := i.Val.(*ssa.BinOp)
		if !ok || !isCounting(i) {
			return nil, nil, 0
		}
		switch o.Op {
		case token.ADD:
			return fa.X, fieldAt(fa), sized(o.Y)
		case token.SUB:
			return fa.X, fieldAt(fa), -sized(o.Y)
		}
	}
	return nil, nil, 0
}

// learnDown sees a function that counts its first parameter down and puts it.
func (r *refs) learnDown(fn *ssa.Function) {
	if len(fn.Params) == 0 || !r.c.puts[fn][0] {
		return
	}
	t := pointee(fn.Params[0].Type())
	if t == nil || t.Obj().Pkg() != r.c.a.pkg.Pkg || t.TypeArgs().Len() > 0 {
		return
	}
	for i := range instrsOf(fn) {
		if of, f, by := countStep(i); of == ssa.Value(fn.Params[0]) && by == -1 {
			if old := r.counts[t]; old == nil || old == f {
				r.counts[t] = f
				r.down[fn] = true
			}
		}
	}
}

// learnUp sees a function that counts its first parameter up, and does nothing else with it but return it.
func (r *refs) learnUp(fn *ssa.Function) {
	if len(fn.Params) == 0 || r.down[fn] {
		return
	}
	p := fn.Params[0]
	f := r.counts[pointee(p.Type())]
	if f == nil || r.up[fn] {
		return
	}
	ups := 0
	var at *ssa.BasicBlock
	same := map[ssa.Value]bool{p: true}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			of, g, by := countStep(i)
			switch {
			case g == f && (of != ssa.Value(p) || by != 1):
				return
			case g == f:
				ups, at = ups+1, b
			}
			if ret, ok := i.(*ssa.Return); ok && len(ret.Results) == 1 && types.Identical(ret.Results[0].Type(), p.Type()) && !same[ret.Results[0]] {
				return // something else
			}
			if !slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool { return same[*o] }) {
				continue
			}
			switch i := i.(type) {
			case *ssa.DebugRef, *ssa.FieldAddr, *ssa.BinOp:
			case *ssa.Call:
				if !r.up[r.c.a.calledFunction(i)] || i.Call.Args[0] != ssa.Value(p) {
					return
				}
				same[i] = true
				ups, at = ups+1, b
			case *ssa.Return:
				if len(i.Results) > 1 {
					return
				}
			default:
				return // it is handed on
			}
		}
	}
	if ups == 1 && !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, isReturn := lastInstr(b).(*ssa.Return)
		return isReturn && b != at && !at.Dominates(b)
	}) {
		r.up[fn] = true
	}
}

// learnForward sees a function that does nothing but call one that counts down.
func (r *refs) learnForward(fn *ssa.Function) {
	if len(fn.Blocks) != 1 || len(fn.Params) == 0 || r.counts[pointee(fn.Params[0].Type())] == nil {
		return
	}
	calls := 0
	for _, i := range fn.Blocks[0].Instrs {
		switch i := i.(type) {
		case *ssa.DebugRef, *ssa.Return:
		case *ssa.Call:
			if !r.down[r.c.a.calledFunction(i)] || i.Call.Args[0] != ssa.Value(fn.Params[0]) {
				return
			}
			calls++
		default:
			return
		}
	}
	if calls == 1 {
		r.down[fn] = true
	}
}

// born reports whether a call gives the first reference to a value that it took from its pool.
func (r *refs) born(v ssa.Value) bool { return r.bornAt(v, 0) }

func (r *refs) bornAt(v ssa.Value, depth int) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	fn := r.c.a.calledFunction(call)
	if fn == nil || !r.c.gives[fn] || r.up[fn] || call.Common().IsInvoke() {
		return false
	}
	if len(fn.Blocks) == 1 {
		if ret, ok := lastInstr(fn.Blocks[0]).(*ssa.Return); ok && len(ret.Results) == 1 && ret.Results[0] != v {
			if made, ok := ret.Results[0].(*ssa.Call); ok && len(referrers(made)) == 1 && depth < maxRefDepth {
				return r.bornAt(made, depth+1)
			}
		}
	}
	f := r.counts[pointee(v.Type())]
	set := 0
	for i := range instrsOf(fn) {
		switch n := setCount(i, f); {
		case n == 1:
			set++
		case n != 0:
			return false
		}
		if c, ok := i.(*ssa.Call); ok && r.up[r.c.a.calledFunction(c)] {
			set++
		}
		switch i.(type) {
		case *ssa.Send, *ssa.Select, *ssa.Go:
			return false
		}
	}
	return set == 1
}

// setCount is the number that an instruction sets a count to, or adds to the one of a value from the pool;
// -1 if it is not known.
func setCount(i ssa.Instruction, f *types.Var) int {
	var addr, val ssa.Value
	switch i := i.(type) {
	case *ssa.Store:
		addr, val = i.Addr, i.Val
	case *ssa.Call:
		m := calledMethod(i)
		if m == nil || m.Pkg() == nil || m.Pkg().Path() != "sync/atomic" || len(i.Call.Args) != 2 {
			return 0
		}
		addr, val = i.Call.Args[0], i.Call.Args[1]
	default:
		return 0
	}
	if fieldAt(addr) != f {
		return 0
	}
	if k, ok := val.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
		if n, _ := constant.Int64Val(k.Value); n != 0 {
			return int(n)
		}
		return 0
	}
	return -1
}

// receivedFrom is the field of the package with the channel that a value was received from.
func receivedFrom(v ssa.Value) types.Object {
	at := func(ch ssa.Value) types.Object {
		l, ok := ch.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			return nil
		}
		return placeOf(l.X)
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			return at(x.X)
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW && x.Index == 0 {
				return at(t.X)
			}
		case *ssa.Select:
			if ch := selectedFrom(x); ch != nil {
				return at(ch)
			}
		}
	}
	return nil
}

// sendersGive reports whether all who send on a channel of the package's own give a reference with what
// they send.
func (r *refs) sendersGive(ch types.Object) bool {
	if ch.Exported() || ch.Pkg() != r.c.a.pkg.Pkg {
		return false
	}
	n := 0
	gives := func(to, v ssa.Value) bool {
		l, ok := to.(*ssa.UnOp)
		if !ok || l.Op != token.MUL || placeOf(l.X) != ch {
			return true
		}
		n++
		if call, ok := v.(*ssa.Call); ok && r.up[r.c.a.calledFunction(call)] {
			return len(usersOf(call)) == 1
		}
		if !r.born(v) {
			return false
		}
		return r.balanced(v)
	}
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Send:
				if !gives(i.Chan, i.X) {
					return false
				}
			case *ssa.Select:
				for _, s := range i.States {
					if s.Dir == types.SendOnly && !gives(s.Chan, s.Send) {
						return false
					}
				}
			}
		}
	}
	return n > 0
}

// aliases are the names of an object in a function; nil if it goes by others.
func (r *refs) aliases(v ssa.Value) map[ssa.Value]bool {
	all := map[ssa.Value]bool{v: true}
	for list := []ssa.Value{v}; len(list) > 0; list = list[1:] {
		for _, i := range referrers(list[0]) {
			var x ssa.Value
			switch i := i.(type) {
			case *ssa.Phi, *ssa.ChangeType:
				x = i.(ssa.Value)
			case *ssa.Call:
				if r.up[r.c.a.calledFunction(i)] && i.Call.Args[0] == list[0] && types.Identical(i.Type(), v.Type()) {
					x = i
				}
			}
			if x != nil && !all[x] {
				all[x] = true
				list = append(list, x)
			}
		}
	}
	for x := range all {
		if p, ok := x.(*ssa.Phi); ok && slices.ContainsFunc(p.Edges, func(e ssa.Value) bool { return !all[e] && !isNilConst(e) }) {
			return nil
		}
	}
	return all
}

// A refEnd is where a function is done with an object, and the references that it has then.
type refEnd struct {
	at   ssa.Instruction
	left int
}

const minRefs, maxRefs = -4, 8

// balanced reports whether a function gives up the one reference to an object that it has on each path.
func (r *refs) balanced(v ssa.Value) bool {
	ends, ok := r.ends(v, 0)
	return ok && len(ends) > 0 && !slices.ContainsFunc(ends, func(e refEnd) bool { return e.left != 0 })
}

// ends follows the references that a function has to an object, one to begin with, to where it is done
// with it. It is not ok where something is done with the object that is not understood.
func (r *refs) ends(v ssa.Value, depth int) (list []refEnd, ok bool) {
	all := r.aliases(v)
	if all == nil {
		return nil, false
	}
	steps := map[ssa.Instruction]int{}
	sends := map[*ssa.Select]map[int]bool{}
	for x := range all {
		for _, i := range referrers(x) {
			by, known := r.step(i, x, depth)
			if s, isSelect := i.(*ssa.Select); isSelect {
				for k, c := range s.States {
					if c.Send == x {
						if sends[s] == nil {
							sends[s] = map[int]bool{}
						}
						sends[s][k], known = true, true
					}
				}
			}
			if !known {
				return nil, false
			}
			steps[i] += by
		}
	}
	type point struct {
		b    *ssa.BasicBlock
		left int
	}
	seen := map[point]bool{}
	over := false
	var walk func(p point, at int)
	walk = func(p point, at int) {
		for _, i := range p.b.Instrs[at:] {
			if x, isValue := i.(ssa.Value); isValue && (x == v || isTupleOf(v, x)) {
				list = append(list, refEnd{i, p.left}) // of the next turn
				return
			}
			p.left += steps[i]
			if ret, isReturn := i.(*ssa.Return); isReturn {
				list = append(list, refEnd{ret, p.left})
			}
		}
		if p.left < minRefs || p.left > maxRefs {
			over = true
			return
		}
		for n, s := range p.b.Succs {
			next := point{s, p.left}
			if n == 0 && sendsOn(lastInstr(p.b), sends) {
				next.left--
			}
			if !seen[next] {
				seen[next] = true
				walk(next, 0)
			}
		}
	}
	b, at := v.Parent().Blocks[0], 0
	if i, isInstr := v.(ssa.Instruction); isInstr {
		b, at = i.Block(), slices.Index(i.Block().Instrs, i)+1
	}
	walk(point{b, 1}, at)
	return list, !over
}

func isTupleOf(v, tuple ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	return ok && x.Tuple == tuple
}

// sendsOn reports whether a test asks whether a select sent the object.
func sendsOn(i ssa.Instruction, sends map[*ssa.Select]map[int]bool) bool {
	t, ok := i.(*ssa.If)
	if !ok {
		return false
	}
	o, ok := t.Cond.(*ssa.BinOp)
	if !ok || o.Op != token.EQL {
		return false
	}
	x, ok := o.X.(*ssa.Extract)
	if !ok || x.Index != 0 {
		return false
	}
	s, ok := x.Tuple.(*ssa.Select)
	k, isConst := o.Y.(*ssa.Const)
	return ok && isConst && sends[s][int(k.Int64())]
}

// step is what an instruction does to the references of an object that it names x.
func (r *refs) step(i ssa.Instruction, x ssa.Value, depth int) (by int, known bool) {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.Phi, *ssa.ChangeType:
		return 0, true
	case *ssa.FieldAddr:
		if fieldAt(i) != r.counts[pointee(x.Type())] {
			return 0, true
		}
		for _, u := range referrers(i) {
			if _, debug := u.(*ssa.DebugRef); debug {
				continue
			}
			if l, ok := u.(*ssa.UnOp); !ok || l.Op != token.MUL {
				return 0, false // counted here
			}
		}
		return 0, true
	case *ssa.Return, *ssa.Send, *ssa.MapUpdate:
		return -1, true
	case *ssa.Store:
		if i.Addr == x {
			return 0, true
		}
		_, local := i.Addr.(*ssa.Alloc)
		return -1, !local
	case *ssa.Call, *ssa.Defer:
		c := i.(ssa.CallInstruction)
		if c.Common().IsInvoke() {
			m := c.Common().Method
			if r.assumed != nil && c.Common().Value != x {
				r.assumed[m] = true
				return 0, true
			}
			return 0, r.borrow[m] || r.countsOwn(c, x, depth) != nil
		}
		fn := r.c.a.calledFunction(c)
		if fn == nil {
			return 0, false
		}
		for k, arg := range c.Common().Args {
			if arg == x {
				e := r.effect(fn, k, depth)
				if !e.known {
					return 0, false
				}
				by += e.by
			}
		}
		return by, true
	}
	return 0, false
}

// effect is what a function does to the references of a parameter, if that is the same on all paths.
func (r *refs) effect(fn *ssa.Function, k, depth int) refEffect {
	switch {
	case r.up[fn]:
		return refEffect{1, k == 0}
	case r.down[fn]:
		return refEffect{-1, k == 0}
	case depth > maxRefDepth || k >= len(fn.Params) || len(fn.Blocks) == 0:
		return refEffect{}
	}
	key := paramKey{fn: fn, n: k}
	if e, ok := r.effects[key]; ok {
		return e
	}
	r.effects[key] = refEffect{} // as long as it is looked for
	var e refEffect
	ends, ok := r.ends(fn.Params[k], depth+1)
	if ok && len(ends) > 0 && !slices.ContainsFunc(ends, func(x refEnd) bool {
		_, returns := x.at.(*ssa.Return)
		return x.left != ends[0].left || !returns
	}) && !returnsAny(fn, r.aliases(fn.Params[k])) {
		e = refEffect{ends[0].left - 1, true}
	}
	r.effects[key] = e
	return e
}

// returnsAny reports whether a function returns one of some values.
func returnsAny(fn *ssa.Function, values map[ssa.Value]bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		ret, ok := lastInstr(b).(*ssa.Return)
		return ok && slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return values[v] })
	})
}
