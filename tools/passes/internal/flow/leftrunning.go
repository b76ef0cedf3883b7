// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that starts another one and ends leaves it running: who waits for the first has not waited for
// the second, which has a sync.WaitGroup of its own. What the first took from a pool for an object of its starter, and the second still
// reads by another field, the starter must not put before it waited for that one as well.

// A leftRunning is a goroutine that another one left.
type leftRunning struct {
	*spawn
	group *types.Var    // the WaitGroup that it tells of its end
	homes map[*sym]bool // fields that hold pooled values whose memory it reads
}

// noteLeftRunning sees a goroutine start: those that it leaves when it ends run on after that.
func (a *analysis) noteLeftRunning(st *state, ends []outcome) {
	for _, o := range ends {
		for _, g := range o.st.gos {
			if g.sink != "" || g.body == nil || slices.Contains(st.gos, g) {
				continue
			}
			if l := a.leavesRunning(o.st, g); l != nil {
				st.running = append(slices.Clip(st.running), l)
			}
		}
	}
}

// leavesRunning is what is known of a goroutine that runs at the end of another one; nil if it may tell of its end in
// another way than by one WaitGroup in a field, or reads nothing that is pooled.
func (a *analysis) leavesRunning(end *state, g *spawn) *leftRunning {
	r := &bodyReads{a: a, fields: map[*types.Var]bool{}, seen: map[*ssa.Function]bool{}}
	if r.look(g.body, 0); r.other || r.group == nil {
		return nil
	}
	l := &leftRunning{spawn: g, group: r.group, homes: map[*sym]bool{}}
	keys := sortedKeys(end.mem)
	for _, addr := range keys {
		f, ok := addr.obj.(*types.Var)
		if addr.kind != kField || !ok || !r.fields[f] || !isSlice(f.Type()) || !a.leadsTo(end, g.holds, addr.root()) {
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
	a      *analysis
	fields map[*types.Var]bool
	group  *types.Var
	other  bool // it may tell otherwise, or wait
	seen   map[*ssa.Function]bool
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
		case *ssa.Send, *ssa.Select, *ssa.Go:
			r.other = true
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				r.other = true
			} else if f, _ := fieldLoad(i); f != nil {
				r.fields[f] = true
			}
		case ssa.CallInstruction:
			r.call(i, depth)
		}
	}
}

func (r *bodyReads) call(c ssa.CallInstruction, depth int) {
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		r.other = r.other || b.Name() == "close"
		return
	}
	if fn := r.a.calledFunction(c); fn != nil {
		r.look(fn, depth+1)
		return
	}
	m := calledMethod(c)
	switch {
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
		if slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.body == nil || a.bodyAwaits(g.body, l.group) }) {
			return true
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

// bodyAwaits reports whether the code of a goroutine may wait for the WaitGroup in a field.
func (a *analysis) bodyAwaits(body *ssa.Function, group *types.Var) bool {
	for i := range instrsOf(body) {
		if c, ok := i.(ssa.CallInstruction); ok && a.awaitsGroup(c, group, 0) {
			return true
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
				c, ok := i.(ssa.CallInstruction)
				return ok && a.awaitsGroup(c, l.group, 0)
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
		for _, t := range targets {
			if t.kind == kLoad && l.homes[t.a] {
				a.reportGoroutine(st, l.spawn, t, ev, p)
				return
			}
		}
	}
}
