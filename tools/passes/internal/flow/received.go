// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A receiver that puts what it receives on one path has to do so on the others, where
// senders keep nothing of what they take from a pool and send.

// receivedLoss is what the paths of a root do with what one receive gives.
type receivedLoss struct {
	leak
	on     *types.Var // the field that holds the channel
	at     ssa.Instruction
	parts  []*types.Var // those of what is received that are put
	intact []lostPath   // of lost, those that do nothing with the parts
}

// tracked reports whether it is followed who has a value: one from a pool, or from
// a channel, or what a field of that has.
func tracked(x *sym) bool {
	return x.kind == kToken || x.kind == kRecv || x.kind == kLoad && x.a.kind == kField && x.a.a.kind == kRecv && hasPointers0(x)
}

// chanField is the field of the package's own that a channel was read from.
func (a *analysis) chanField(ch *sym) *types.Var {
	f, ok := chanKey(ch).(*types.Var)
	if !ok || !f.IsField() || f.Exported() || f.Pkg() != a.pkg.Pkg {
		return nil
	}
	return f.Origin()
}

// noteSender sees a value that is no token sent on a channel: whoever called the
// function may have kept it.
func (a *analysis) noteSender(st *state, ch, v *sym) {
	f := a.chanField(ch)
	if f == nil || v.kind == kToken || v.kind == kNil || v.kind == kConst || !hasPointers0(v) || inPlaceOfOne(v) {
		return
	}
	if v.kind == kParam && a.fields0.internal[a.root] && !exportedRoot(a.root) {
		return // seen from its callers
	}
	if in := a.eventField(st, v); in != nil && a.noteCarried(f, in) {
		return
	}
	if a.mixed == nil {
		a.mixed = map[*types.Var]bool{}
	}
	a.mixed[f] = true
}

func exportedRoot(fn *ssa.Function) bool { return fn.Object() != nil && fn.Object().Exported() }

// receivedAtExit looks at what became of the values that a path received.
func (a *analysis) receivedAtExit(e exit, kept map[*sym]bool) {
	st := e.st
	for _, v := range st.recvs {
		f := a.chanField(v.a)
		if f == nil {
			continue
		}
		at := v.obj.(ssa.Instruction)
		var l *receivedLoss
		for _, x := range a.receives {
			if x.at == at {
				l = x
			}
		}
		if l == nil {
			l = &receivedLoss{on: f, at: at}
			a.receives = append(a.receives, l)
		}
		put := false
		for x, r := range st.rel {
			if passes(x, v) {
				put = put || !r.async
				if !r.async {
					l.puts = append(l.puts, r)
					l.parts = append(l.parts, fieldTo(x, v))
				}
				for _, i := range r.stack {
					l.released = append(l.released, i.Block())
				}
				l.handed = l.handed || r.async
			}
		}
		gone := false
		for x := range st.gone {
			gone = gone || passes(x, v)
		}
		isNil, ok := a.known(st, a.syms.nilTest(v))
		open, asked := st.truth[a.syms.intern(symKey{kind: kOk, a: v}, types.Typ[types.Bool])]
		switch {
		case put:
			l.put = true
		case ok && isNil, asked && !open:
		case gone || kept[v] || st.handed[v] || st.sent[v] != nil:
			l.handed = true
		default:
			p := lostPath{at: e.ret, skipped: st.skipped}
			l.lost = append(l.lost, p)
			if !a.partsAway(st, v, kept) {
				l.intact = append(l.intact, p)
			}
		}
	}
}

// keepReceived takes over what a root that was followed to its end showed.
func (a *analysis) keepReceived() {
	for _, l := range a.receives {
		if l.put && len(l.lost) > 0 && !a.inTest(l.at.Parent()) {
			a.received0 = append(a.received0, l)
		}
	}
}

// judgeReceived reports the paths on which a receiver loses what it received.
func (a *analysis) judgeReceived() {
	for _, l := range a.received0 {
		t := a.drains.sent[l.on]
		if t == nil || a.drains.shared[l.on] || a.mixed[l.on] {
			continue
		}
		lost, in := l.lost, a.carried[l.on]
		if in != nil {
			if lost = l.intact; len(lost) == 0 || slices.ContainsFunc(l.parts, func(v *types.Var) bool { return v != in }) || !a.allCarry(l.on, in) {
				continue
			}
		}
		for _, p := range lost {
			if slices.ContainsFunc(l.released, func(b *ssa.BasicBlock) bool { return passedBy(p.skipped, b) != nil }) {
				continue
			}
			at := instrPos(p.at)
			first := slices.MinFunc(l.puts, func(x, y *release) int { return cmp.Compare(x.pos(), y.pos()) })
			what := apposed(a.heldAs(instrPos(l.at)), "received from "+l.on.Name()+" at "+a.line(instrPos(l.at)), "what is received from "+l.on.Name())
			if in != nil {
				what = "field " + in.Name() + " of " + what
			}
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(l.at), fn: l.at.Parent(),
				message: what + " was taken from " + t.pool.label() + " and is put on other paths, but not on the one that ends here (" + a.line(at) + ")",
				related: append([]goanalysis.RelatedInformation{{Pos: at, Message: "lost at this return"}, {Pos: t.stack[0], Message: "taken from " + t.pool.label() + " here, and sent"}},
					a.related(rel("put here on another path", &first.event))...),
			})
			break
		}
	}
}

// receiversTakeOver reports whether those who receive from the channel that a value was sent on put what they
// receive, be it after an answer, or keep it for somebody who does: who no longer waits for the answer has
// nothing to give back.
func (a *analysis) receiversTakeOver(sent *event) bool {
	f, ok := a.drains.on[sent].(*types.Var)
	if !ok {
		return false
	}
	if _, puts := a.consumers[f]; puts {
		return true
	}
	receives, _ := a.receivesFrom(f)
	return slices.ContainsFunc(receives, func(r received) bool {
		return r.val != nil && slices.ContainsFunc(referrers(r.val), func(i ssa.Instruction) bool {
			switch i := i.(type) {
			case *ssa.Store:
				_, local := i.Addr.(*ssa.Alloc)
				return i.Val == r.val && !local
			case *ssa.MapUpdate:
				return i.Value == r.val
			}
			return false
		})
	})
}

// noteSignal sees something sent on a channel that a received value holds: whoever sent
// the value waits for that, and has it again.
func (a *analysis) noteSignal(st *state, ch *sym) {
	v := ch.base()
	if v.kind != kRecv || v == ch || st.rel[v] != nil {
		return
	}
	st.handOver(v)
	for x, r := range st.rel {
		if r != nil && x != v && x.base() == v {
			return // what was in it is put, and not the sender's any more
		}
	}
	if k := a.chanNamed(v.a); k != nil {
		if a.signalled == nil {
			a.signalled = map[types.Object]bool{}
		}
		a.signalled[k] = true
	}
}
