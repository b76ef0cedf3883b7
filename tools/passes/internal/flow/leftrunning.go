// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that starts another one and ends leaves it running: who waits for the first has not waited for
// the second, which has a sync.WaitGroup of its own, or a channel that it closes or sends on. What the first took from a pool for an
// object of its starter, and the second still reads by another field or by the same, the starter must not put before it waited for
// that one as well.

// A leftRunning is a goroutine that another one left.
type leftRunning struct {
	*spawn
	group *types.Var    // the WaitGroup that it tells of its end, or nil where it does so on channels
	homes map[*sym]bool // fields that hold pooled values whose memory it reads
	// told is what the one that left it wrote for others to know, where that one may also end without it.
	told    map[*sym]bool
	starter ssa.Instruction // where that one was started
}

// noteLeftRunning sees a goroutine start: those that it leaves when it ends run on after that.
func (a *analysis) noteLeftRunning(st *state, i ssa.Instruction, ends []outcome) {
	for _, o := range ends {
		for _, g := range o.st.gos {
			if g.sink != "" || g.body == nil || slices.Contains(st.gos, g) {
				continue
			}
			l := a.leavesRunning(o.st, g)
			if l == nil {
				continue
			}
			if l.starter = i; l.group == nil && slices.ContainsFunc(ends, func(o outcome) bool { return !hasSpawn(o.st, g) }) {
				if !inLoop(i.Block()) {
					continue // who finds that another end was come to knows that it does not run
				}
				if l.told = a.writtenBy(st, o.st, l.homes); l.told == nil {
					continue
				}
				a.forgetTold(st, l.told)
			}
			st.running = append(slices.Clip(st.running), l)
		}
	}
}

// hasSpawn reports whether a goroutine that was started at the same place as another one runs at the end of a path.
func hasSpawn(st *state, g *spawn) bool {
	return slices.ContainsFunc(st.gos, func(x *spawn) bool { return x.body == g.body && slices.Equal(x.stack, g.stack) })
}

// writtenBy is what a path wrote since another state that was there before, but for some fields; nil where it added to a map.
func (a *analysis) writtenBy(before, after *state, but map[*sym]bool) map[*sym]bool {
	wrote := map[*sym]bool{}
	for addr, v := range after.mem {
		if before.mem[addr] == v || but[addr] {
			continue
		}
		if addr.kind == kElem && addr.a.typ != nil && isMapType(addr.a.typ) {
			return nil
		}
		wrote[addr] = true
	}
	return wrote
}

// forgetTold forgets what is in variables that were written for others to know: one of two ends was come to.
func (a *analysis) forgetTold(st *state, told map[*sym]bool) {
	for addr := range told {
		if v := st.mem[addr]; v == nil && addr.kind != kAlloc || v != nil && (a.pooled(st, v) || a.leadsToPooled(st, v)) {
			continue
		}
		set(&st.epoch, addr, st.epoch[addr]+1)
		delete(st.mem, addr)
	}
}

// leavesRunning is what is known of a goroutine that runs at the end of another one; nil if it may tell of its end in
// another way than by one WaitGroup in a field or by channels, or reads nothing that is pooled.
func (a *analysis) leavesRunning(end *state, g *spawn) *leftRunning {
	r := &bodyReads{a: a, fields: map[*types.Var]bool{}, seen: map[*ssa.Function]bool{}}
	if r.look(g.body, 0); r.other || (r.group == nil) != r.channels {
		return nil
	}
	if _, isGo := g.stack[len(g.stack)-1].(*ssa.Go); r.channels && !isGo {
		return nil // a WaitGroup's Go: that knows of its end
	}
	l := &leftRunning{spawn: g, group: r.group, homes: map[*sym]bool{}}
	keys := sortedKeys(end.mem)
	for _, addr := range keys {
		f, ok := addr.obj.(*types.Var)
		if addr.kind != kField || !ok || !r.fields[f] || !a.leadsTo(end, g.holds, addr.root()) {
			continue
		}
		if _, isPtr := f.Type().Underlying().(*types.Pointer); isPtr {
			// The pooled value itself, in the field that the starter puts it from.
			if t := plain(end.mem[addr]); r.channels && addr.idx >= 0 && t.kind == kToken && end.rel[t] == nil && !end.gone[t] {
				l.homes[addr] = true
			}
			continue
		}
		if !isSlice(f.Type()) {
			continue
		}
		t := pooledBuffer(end.mem[addr])
		if t == nil || end.rel[t] != nil || end.gone[t] {
			continue
		}
		for _, home := range keys {
			if home.kind == kField && home.idx >= 0 && plain(end.mem[home]) == t {
				l.homes[home] = true
			}
		}
	}
	if len(l.homes) == 0 {
		return nil
	}
	return l
}

// bodyReads are the fields that a goroutine's code reads, and how it tells of its end.
type bodyReads struct {
	a        *analysis
	fields   map[*types.Var]bool // pointers only where it reads or writes what they lead to
	group    *types.Var
	channels bool // it sends on channels, or closes some
	other    bool // it may tell otherwise, or wait
	seen     map[*ssa.Function]bool
}

func (r *bodyReads) look(fn *ssa.Function, depth int) {
	if r.seen[fn] {
		return
	}
	r.seen[fn] = true
	if depth > 3 || len(fn.Blocks) == 0 {
		r.other = true
		return
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			r.channels = true
		case *ssa.Select:
			r.channels = true
			for _, s := range i.States {
				r.other = r.other || s.Dir == types.RecvOnly && !isDoneOfContext(s.Chan)
			}
		case *ssa.Go:
			r.other = true
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				r.other = true
			} else if f, _ := fieldLoad(i); f != nil && (isSlice(f.Type()) || leadsOn(i)) {
				r.fields[f] = true
			}
		case ssa.CallInstruction:
			r.call(i, depth)
		}
	}
}

// leadsOn reports whether what a pointer that was read leads to is used.
func leadsOn(v ssa.Value) bool {
	return slices.ContainsFunc(referrers(v), func(i ssa.Instruction) bool {
		switch i.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Call:
			return true
		}
		return false
	})
}

// isDoneOfContext reports whether a channel is that of a context, which tells a goroutine to end and nobody of its end.
func isDoneOfContext(ch ssa.Value) bool {
	c, ok := ch.(*ssa.Call)
	return ok && c.Call.IsInvoke() && fromPackage(c.Call.Method, "context") && c.Call.Method.Name() == "Done"
}

func (r *bodyReads) call(c ssa.CallInstruction, depth int) {
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		r.channels = r.channels || b.Name() == "close"
		return
	}
	if fn := r.a.calledFunction(c); fn != nil {
		r.look(fn, depth+1)
		return
	}
	m := calledMethod(c)
	switch {
	case m != nil && fromPackage(m, "context") && c.Common().IsInvoke():
	case m == nil || m.Pkg() == nil || c.Common().IsInvoke() || !isStdPath(m.Pkg().Path()):
		r.other = true
	case funcKey(m) == "sync.WaitGroup.Done":
		f := fieldAt(c.Common().Args[0])
		r.other = r.other || f == nil || r.group != nil && r.group != f
		r.group = f
	case fromPackage(m, "sync"), fromPackage(m, "sync/atomic"):
		r.other = true
	}
}

// groupAwaited sees a path wait for a WaitGroup, and so for goroutines that may have waited themselves.
func (a *analysis) groupAwaited(st *state, group *sym) {
	st.running = slices.DeleteFunc(slices.Clone(st.running), func(l *leftRunning) bool {
		if slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.body == nil || a.bodyAwaits(g.body, l) }) {
			return true
		}
		if l.group == nil {
			return group.kind != kAlloc // there others may wait for it that were not started here
		}
		switch group.kind {
		case kAlloc, kGlobal:
			return false
		case kField:
			return group.obj == nil || group.obj == l.group
		}
		return true
	})
}

// bodyAwaits reports whether the code of a goroutine may wait for one that was left. What it does before it starts that one is no wait.
func (a *analysis) bodyAwaits(body *ssa.Function, l *leftRunning) bool {
	var start ssa.Instruction
	if k := slices.IndexFunc(l.stack, func(i ssa.Instruction) bool { return i.Parent() == body }); k >= 0 && l.group == nil {
		start = l.stack[k]
	}
	for i := range instrsOf(body) {
		if _, isDefer := i.(*ssa.Defer); start != nil && !isDefer && !mayFollow(start, i) || i == start {
			continue
		}
		if a.awaits(i, l, 0) {
			return true
		}
	}
	return false
}

// awaits reports whether an instruction may wait for a goroutine that was left.
func (a *analysis) awaits(i ssa.Instruction, l *leftRunning, depth int) bool {
	if c, ok := i.(ssa.CallInstruction); ok && l.group != nil {
		return a.awaitsGroup(c, l.group, depth)
	}
	switch i := i.(type) {
	case *ssa.Go:
		return false
	case *ssa.Select:
		return true
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case ssa.CallInstruction:
		if _, builtin := i.Common().Value.(*ssa.Builtin); builtin {
			return false
		}
		fn := a.calledFunction(i)
		if fn == nil {
			m := calledMethod(i)
			return m == nil || m.Pkg() == nil || !isStdPath(m.Pkg().Path()) || m.Name() == "Wait"
		}
		if depth > 4 {
			return true
		}
		for o := range instrsOf(fn) {
			if c, ok := o.(ssa.CallInstruction); (!ok || a.calledFunction(c) != fn) && a.awaits(o, l, depth+1) {
				return true
			}
		}
	}
	return false
}

// mayAwait sees a path come to a loop: what its rounds wait for counts as waited for, however many there are.
func (a *analysis) mayAwait(st *state, head *ssa.BasicBlock) {
	if len(st.running) == 0 || !inLoop(head) {
		return
	}
	st.running = slices.DeleteFunc(slices.Clone(st.running), func(l *leftRunning) bool {
		return slices.ContainsFunc(head.Parent().Blocks, func(b *ssa.BasicBlock) bool {
			return head.Dominates(b) && (b == head || reaches(b, head)) && slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
				return a.awaits(i, l, 0)
			})
		})
	})
}

// awaitsGroup reports whether a call may wait for the WaitGroup in a field.
func (a *analysis) awaitsGroup(c ssa.CallInstruction, group *types.Var, depth int) bool {
	if _, isGo := c.(*ssa.Go); isGo {
		return false
	}
	if _, builtin := c.Common().Value.(*ssa.Builtin); builtin {
		return false
	}
	if fn := a.calledFunction(c); fn != nil {
		if depth > 4 {
			return true
		}
		for i := range instrsOf(fn) {
			if o, ok := i.(ssa.CallInstruction); ok && a.calledFunction(o) != fn && a.awaitsGroup(o, group, depth+1) {
				return true
			}
		}
		return false
	}
	m := calledMethod(c)
	if m == nil || m.Pkg() == nil || !isStdPath(m.Pkg().Path()) {
		return true // who knows
	}
	if funcKey(m) == "sync.WaitGroup.Wait" {
		f := fieldAt(c.Common().Args[0])
		return f == nil || f == group
	}
	return false
}

// checkLeftRunning reports a put of what a goroutine that was left by another one still reads.
func (a *analysis) checkLeftRunning(st *state, targets []*sym, ev *event, p *pool) {
	for _, l := range st.running {
		if l.told != nil && (!st.f.inDefer && sameLoop(l.starter, ev) || asksWhat(st, l.told)) {
			continue
		}
		for _, t := range targets {
			if t.kind == kLoad && l.homes[t.a] {
				a.reportGoroutine(st, l.spawn, t, ev, p)
				return
			}
		}
	}
}

// sameLoop reports whether something happens in the loop that a goroutine is started in: it may be about this turn's.
func sameLoop(start ssa.Instruction, ev *event) bool {
	return slices.ContainsFunc(ev.stack, func(i ssa.Instruction) bool {
		return i.Parent() == start.Parent() && reaches(start.Block(), i.Block()) && reaches(i.Block(), start.Block())
	})
}

// asksWhat reports whether a path tested something that was written for others to know.
func asksWhat(st *state, told map[*sym]bool) bool {
	for c := range st.truth {
		if c.mentions(func(x *sym) bool { return told[x] }) {
			return true
		}
	}
	return false
}
