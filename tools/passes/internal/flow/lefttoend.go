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

// An object may gather in a list what is to be put when it ends, or the functions that do so, and a goroutine of its own
// may end it when a context is done. Who adds to the list has given the value away as soon as the lock is given
// back: the end may come before the value is used.

// A leftValue is an instruction that adds a value to such a list, or the function that puts it.
type leftValue struct {
	at    ssa.Instruction
	to    *types.Var
	val   ssa.Value // the value, or the variable that has it
	inner bool      // the lock was taken and given back in a call
}

// A lateEnd is a goroutine or callback that comes, when a clock or context says so, to a function that works off a list.
type lateEnd struct {
	start ssa.Instruction
	puts  ssa.Instruction
	run   []*ssa.Function // on the way there
}

// judgeLeftToEnd reports uses of values that were left in such lists.
func (c *custody) judgeLeftToEnd() {
	ends := map[*types.Var][]lateEnd{}
	known := map[*types.Var]bool{}
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			for _, l := range c.leavings(i) {
				if !known[l.to] {
					known[l.to], ends[l.to] = true, c.lateEnds(l.to)
				}
				if c.reportLeft(l, ends[l.to]) {
					break
				}
			}
		}
	}
}

// reportLeft reports the first use of a value that was left.
func (c *custody) reportLeft(l leftValue, ends []lateEnd) bool {
	if len(ends) == 0 || c.changesMind(l) {
		return false
	}
	fn := l.at.Parent()
	for _, use := range c.usesByName(l.val) {
		if !precedes(l.at, use) || use == l.at {
			continue
		}
		lock, held := lastLock(use)
		if held || !l.inner && (lock == nil || !precedes(l.at, lock)) || l.inner && lock == nil && locked(use) {
			continue
		}
		for _, e := range ends {
			if !c.runsBeside(fn, e) || c.agree(fn, e) {
				continue
			}
			c.a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(use), fn: fn, cause: instrPos(l.at),
				message: fmt.Sprintf("%s was left to be put at the end, in %s (%s), which comes in a goroutine (%s): it may have come by now; use it before that", apposed(c.a.valueName(l.val), "used here", "what is used here"), l.to.Name(), c.a.line(instrPos(l.at)), c.a.line(instrPos(e.start))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(l.at), Message: "left here"},
					{Pos: instrPos(e.start), Message: "the goroutine"},
					{Pos: instrPos(e.puts), Message: "put here"},
				},
			})
			return true
		}
	}
	return false
}

// leavings are the values that an instruction leaves in a field's list, itself or by a function of the package.
func (c *custody) leavings(i ssa.Instruction) (list []leftValue) {
	left := func(x ssa.Value, f *types.Var, inner bool) {
		if v := c.putBehind(x); v != nil {
			list = append(list, leftValue{i, f, v, inner})
		}
	}
	if call, ok := i.(*ssa.Call); ok {
		callee := c.a.calledFunction(call)
		if callee == nil || call.Call.IsInvoke() || !hasUnlock(callee) {
			return nil
		}
		for j := range instrsOf(callee) {
			f, xs := c.addedToOwn(j)
			for _, x := range xs {
				if k := slices.IndexFunc(callee.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == x }); k >= 0 && k < len(call.Call.Args) {
					left(call.Call.Args[k], f, true)
				}
			}
		}
		return list
	}
	f, xs := c.addedToOwn(i)
	for _, x := range xs {
		left(x, f, false)
	}
	return list
}

// addedToOwn is what an instruction adds to the list or map in a field of the package's own, or sets the field to.
func (c *custody) addedToOwn(i ssa.Instruction) (f *types.Var, list []ssa.Value) {
	switch i := i.(type) {
	case *ssa.Store:
		fa, ok := i.Addr.(*ssa.FieldAddr)
		if !ok || c.a.uses().isFresh(fa.X) {
			return nil, nil
		}
		if f = fieldAt(fa); f == nil {
			return nil, nil
		}
		if call, ok := i.Val.(*ssa.Call); ok && isBuiltin(call, "append") && len(call.Call.Args) == 2 && adds(i.Val, fa) {
			list = appended(call)
		} else if _, isFunc := f.Type().Underlying().(*types.Signature); isFunc {
			list = []ssa.Value{i.Val}
		}
	case *ssa.MapUpdate:
		if f = fieldOfValue(i.Map); f != nil {
			list = []ssa.Value{i.Value}
		}
	}
	if f == nil || f.Exported() || f.Pkg() != c.a.pkg.Pkg {
		return nil, nil
	}
	return f, list
}

// putBehind is what a function that is added to a list puts, without counting references, or the value that is added itself.
func (c *custody) putBehind(x ssa.Value) ssa.Value {
	m, ok := x.(*ssa.MakeClosure)
	if !ok {
		switch x.Type().Underlying().(type) {
		case *types.Pointer, *types.Slice:
			return x
		}
		return nil
	}
	fn := m.Fn.(*ssa.Function)
	if isBound(fn) {
		if to := c.a.boundMethod(fn); to != nil && c.puts[origin(to)][0] && !c.mayCount(to) {
			return m.Bindings[0]
		}
		return nil
	}
	if c.mayCount(fn) {
		return nil
	}
	for i := range instrsOf(fn) {
		for _, v := range c.putBy(i) {
			if k := slices.IndexFunc(fn.FreeVars, func(p *ssa.FreeVar) bool { return loaded(v) == ssa.Value(p) || unboxed(v) == ssa.Value(p) }); k >= 0 {
				return m.Bindings[k]
			}
		}
	}
	return nil
}

// mayCount reports whether a function may count references: it calls package sync/atomic, or counts something down.
func (c *custody) mayCount(fn *ssa.Function) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			if st, ok := i.(*ssa.Store); ok {
				if o, ok := st.Val.(*ssa.BinOp); ok && o.Op == token.SUB {
					return true
				}
			}
			if m := calledMethod(i); m != nil && m.Pkg() != nil && m.Pkg().Path() == "sync/atomic" {
				return true
			}
		}
	}
	return false
}

// usesByName are the instructions that use the memory of a value under any of its names, in their order.
func (c *custody) usesByName(v ssa.Value) (list []ssa.Instruction) {
	names := []ssa.Value{v}
	add := func(x ssa.Value) {
		if !slices.Contains(names, x) && len(names) < 24 {
			names = append(names, x)
		}
	}
	if al, ok := v.(*ssa.Alloc); ok && setOnce(al) {
		names = nil
		for _, r := range referrers(al) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == v {
					add(r.Val)
				}
			case *ssa.UnOp:
				add(r)
			}
		}
	}
	for k := 0; k < len(names); k++ {
		x := names[k]
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.Phi, *ssa.ChangeType, *ssa.Slice:
				add(r.(ssa.Value))
			case *ssa.Store:
				if al, ok := r.Addr.(*ssa.Alloc); ok && r.Val == x && setOnce(al) {
					for _, l := range loadsOf(al) {
						add(l)
					}
				}
			case *ssa.UnOp:
				if r.Op == token.MUL && isSlice(r.Type()) {
					add(r)
				}
			case *ssa.IndexAddr:
				list = append(list, r)
			case *ssa.FieldAddr:
				list = append(list, r)
				for _, l := range loadsOf(r) {
					if isSlice(l.Type()) {
						add(l)
					}
				}
			case *ssa.Call:
				switch m := calledMethod(r); {
				case sizeCallOf(r) || slices.ContainsFunc(c.putBy(r), func(p ssa.Value) bool { return slices.Contains(names, unboxed(p)) }):
				case m != nil && funcKey(m) == "bytes.Buffer.Bytes":
					add(r)
				default:
					list = append(list, r)
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y ssa.Instruction) int { return int(instrPos(x) - instrPos(y)) })
	return list
}

// setOnce reports whether the address of a local variable goes to closures only.
func setOnce(al *ssa.Alloc) bool {
	sets := 0
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(al) {
				return false
			}
			sets++
		case *ssa.UnOp, *ssa.MakeClosure, *ssa.DebugRef:
		default:
			return false
		}
	}
	return sets == 1
}

// changesMind reports whether the function that leaves a value in a field's list does more with the field.
func (c *custody) changesMind(l leftValue) bool {
	for i := range instrsOf(l.at.Parent()) {
		if i == l.at {
			continue
		}
		if call, ok := i.(*ssa.Call); ok && (isBuiltin(call, "delete") || isBuiltin(call, "clear")) && fieldOfValue(call.Call.Args[0]) == l.to {
			return true
		}
		if st, ok := i.(*ssa.Store); ok && fieldAt(st.Addr) == l.to {
			return true
		}
	}
	return false
}

// lateEnds are the goroutines and callbacks that come, by a clock or context and nothing else, to a function that puts all that is in a field's list.
func (c *custody) lateEnds(f *types.Var) (list []lateEnd) {
	works := map[*ssa.Function]ssa.Instruction{}
	for fn, i := range c.a.instrsBeyondTests() {
		if works[fn] == nil && c.putsAllOf(i, f) {
			works[fn] = i
		}
	}
	if len(works) == 0 {
		return nil
	}
	for start := range c.a.productCalls() {
		var body *ssa.Function
		timed := false
		if g, ok := start.(*ssa.Go); ok {
			body = startedBody(g)
		} else if m := calledMethod(start); m != nil && (funcKey(m) == "context.AfterFunc" || funcKey(m) == "time.AfterFunc") {
			timed = true
			switch x := unboxed(start.Common().Args[1]).(type) {
			case *ssa.MakeClosure:
				if body = x.Fn.(*ssa.Function); isBound(body) {
					body = c.a.boundMethod(body)
				}
			case *ssa.Function:
				body = x
			}
		}
		if body == nil || !c.a.inPackage(body) {
			continue
		}
		if run, puts := c.comesTo(origin(body), works, timed, 0); puts != nil {
			list = append(list, lateEnd{start, puts, run})
		}
	}
	return list
}

// putsAllOf reports whether an instruction calls a function from a field's list, or puts an element of it.
func (c *custody) putsAllOf(i ssa.Instruction, f *types.Var) bool {
	from := func(v ssa.Value) (found bool) {
		c.back(v, func(x ssa.Value) bool {
			found = found || fieldAt(x) == f
			return !found
		})
		return found
	}
	if call, ok := i.(*ssa.Call); ok && !call.Call.IsInvoke() && call.Call.StaticCallee() == nil {
		if _, builtin := call.Call.Value.(*ssa.Builtin); !builtin && from(call.Call.Value) {
			return true
		}
	}
	return slices.ContainsFunc(c.putBy(i), from)
}

// comesTo is the way from a function to one that works off a list, which waits for nothing but a clock or a context and runs nobody
// else's code before.
func (c *custody) comesTo(fn *ssa.Function, works map[*ssa.Function]ssa.Instruction, timed bool, depth int) (run []*ssa.Function, puts ssa.Instruction) {
	if works[fn] != nil {
		if !timed {
			return nil, nil
		}
		return []*ssa.Function{fn}, works[fn]
	}
	if depth > 2 {
		return nil, nil
	}
	var clocks []ssa.Instruction
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op != token.ARROW {
				continue
			}
			if !c.othersClock(i.X) {
				return nil, nil
			}
			clocks = append(clocks, i)
		case *ssa.Select:
			if !i.Blocking || !slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && c.othersClock(s.Chan) }) {
				return nil, nil
			}
			clocks = append(clocks, i)
		case ssa.CallInstruction:
			if m := calledMethod(i); i.Common().StaticCallee() == nil && !sizeCallOf(i) && (m == nil || m.Pkg() == nil || m.Pkg().Path() != "context") || m != nil && m.Name() == "Wait" {
				return nil, nil
			}
		}
	}
	for i := range instrsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		to := c.a.calledFunction(call)
		if to == nil || to == fn {
			continue
		}
		waited := timed || slices.ContainsFunc(clocks, func(w ssa.Instruction) bool { return precedes(w, call) && c.clockLeadsTo(w, call) })
		if run, puts := c.comesTo(to, works, waited, depth+1); puts != nil {
			return append(run, fn), puts
		}
	}
	return nil, nil
}

// clockLeadsTo reports whether what waits for a clock, beside other things perhaps, goes on to a call when the clock says so.
func (c *custody) clockLeadsTo(w ssa.Instruction, call *ssa.Call) bool {
	s, ok := w.(*ssa.Select)
	if !ok {
		return true
	}
	for k, st := range s.States {
		if st.Dir != types.RecvOnly || !c.othersClock(st.Chan) {
			continue
		}
		if to := caseOf(s, k); to == nil || to == call.Block() || reaches(to, call.Block()) {
			return true
		}
	}
	return false
}

// othersClock reports whether a channel is that of a timer, or of a context that somebody out of view may end.
func (c *custody) othersClock(ch ssa.Value) bool { return isClock(ch) && !c.ownContext(ch, 0) }

// ownContext reports whether a value comes from a context that only the package ends, as it is made of none.
func (c *custody) ownContext(v ssa.Value, depth int) bool {
	own := func(x ssa.Value) bool { return depth < 12 && c.ownContext(x, depth+1) }
	switch v := v.(type) {
	case *ssa.Call:
		if m := calledMethod(v); m != nil {
			switch funcKey(m) {
			case "context.Background", "context.TODO":
				return true
			case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
				return false
			}
		}
		return v.Call.IsInvoke() && own(v.Call.Value) || len(v.Call.Args) > 0 && own(v.Call.Args[0])
	case *ssa.Extract:
		return own(v.Tuple)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, own)
	case *ssa.UnOp:
		return own(v.X)
	case *ssa.Alloc:
		for _, r := range referrers(v) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) && own(st.Val) {
				return true
			}
		}
	case *ssa.FieldAddr:
		for _, i := range c.a.instrsBeyondTests() {
			if st, ok := i.(*ssa.Store); ok && fieldAt(st.Addr) == fieldAt(v) && own(st.Val) {
				return true
			}
		}
	case *ssa.FreeVar:
		for _, m := range c.a.closures[v.Parent()] {
			if own(m.Bindings[slices.Index(v.Parent().FreeVars, v)]) {
				return true
			}
		}
	}
	return false
}

// runsBeside reports whether a function may run beside a goroutine: neither starts the other.
func (c *custody) runsBeside(fn *ssa.Function, e lateEnd) bool {
	starter := e.start.Parent()
	return !c.reaches(starter)[fn] && !c.reaches(fn)[starter]
}

// agree reports whether a function sets a field that is read on the way to the end of things, but for locks: that may tell of what it still uses.
func (c *custody) agree(fn *ssa.Function, e lateEnd) bool {
	set := map[*types.Var]bool{}
	for i := range instrsOf(fn) {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range referrers(fa) {
			call, isCall := r.(ssa.CallInstruction)
			st, isStore := r.(*ssa.Store)
			if isStore && st.Addr == ssa.Value(fa) || isCall && !isLockCall(call) {
				set[fieldAt(fa)] = true
			}
		}
	}
	for _, g := range e.run {
		for i := range instrsOf(g) {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || !set[fieldAt(fa)] || fieldAt(fa) == nil {
				continue
			}
			if !c.putsAllOf(e.puts, fieldAt(fa)) {
				return true // it is not the list
			}
		}
	}
	return false
}

// isLockCall reports whether a call takes or gives back a lock.
func isLockCall(call ssa.CallInstruction) bool {
	m := calledMethod(call)
	if m == nil || m.Pkg() == nil || m.Pkg().Path() != "sync" {
		return false
	}
	switch m.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}
