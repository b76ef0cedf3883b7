// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mergeExits keeps one of the exits of an activation that its caller cannot tell apart:
// what they know of memory, pools and results is the same, and they differ in what was
// tested on the way there, on values that the caller does not have or cannot test again,
// or that one path did not test, or found to be so where another found the opposite. What
// is not certain to be the same stays apart.
func (a *analysis) mergeExits(exits []exit) []exit {
	type group struct {
		exit  exit
		truth map[*sym]bool // of what the caller can test again
	}
	groups := map[[2]uint64][]*group{}
	var order [][2]uint64
	for _, e := range exits {
		v := a.viewFromCaller(e)
		key := v.key(a)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], &group{e, v.truth})
	}
	kept := exits[:0:0]
	for _, key := range order {
		list := groups[key]
		for i := 0; i < len(list); i++ {
			for j := i + 1; j < len(list); j++ {
				x, y := list[i], list[j]
				a.charge(len(x.truth) + len(y.truth))
				c, ok := oneApart(x.truth, y.truth)
				if !ok {
					continue
				}
				for _, z := range c {
					delete(x.truth, z)
					delete(x.exit.st.truth, z)
				}
				a.widen(&x.exit, y.exit)
				x.exit.st.share += y.exit.st.share
				list = slices.Delete(list, j, j+1)
				i, j = -1, len(list) // what is weaker now may include others
			}
		}
		for _, g := range list {
			kept = append(kept, g.exit)
		}
	}
	return kept
}

// widen makes x, which is to stand for y as well, forget the numbers and the loops without a turn that they do not share.
func (a *analysis) widen(x *exit, y exit) {
	st := x.st
	st.idle = idleOnBoth(st.idle, y.st.idle)
	for c, v := range st.truth {
		if w, ok := y.st.truth[c]; a.aboutNumbers(c) && (!ok || v != w) {
			delete(st.truth, c)
		}
	}
	for _, k := range sortedKeys(st.mem) {
		v := st.mem[k]
		w := y.st.mem[k]
		switch {
		case w == v:
		case appendedPlain(k):
			delete(st.mem, k)
		case w != nil && reckoned(v):
			st.mem[k] = a.syms.fresh(kOpaque, v.typ)
		}
	}
	for n, v := range x.results {
		x.results[n] = a.widenResult(v, y.results[n])
	}
	for k, n := range y.st.epoch {
		if k.kind == kHold {
			set(&st.epoch, k, max(st.epoch[k], n))
		}
	}
	for k, n := range y.st.vers {
		set(&st.vers, k, max(st.vers[k], n)) // what is made next is new on both
	}
}

// widenResult is what stands for both results of a call, which differ in numbers at most.
func (a *analysis) widenResult(v, w *sym) *sym {
	switch {
	case v == w:
	case reckoned(v):
		return a.syms.fresh(kOpaque, v.typ)
	case byParts(v) && byParts(w) && len(v.list) == len(w.list):
		s := a.syms.fresh(kAgg, v.typ)
		for k, x := range v.list {
			s.list = append(s.list, a.widenResult(x, w.list[k]))
		}
		return s
	}
	return v
}

// byParts reports whether a struct is what its fields are.
func byParts(x *sym) bool {
	return x.kind == kAgg && x.a == nil && x.typ != nil && structOf(x.typ) != nil
}

// gatheredPlain reports whether a slice was appended to, and has no pointers: how often does not matter to those who have it
// later, for it is in one array or has grown out of that.
func gatheredPlain(x *sym) bool {
	return x.kind == kAppend && x.typ != nil && isSlice(x.typ) && !hasPointers(x.typ.Underlying().(*types.Slice).Elem())
}

// appendedPlain reports whether an address is that of an element of such a slice.
func appendedPlain(addr *sym) bool { return addr.kind == kElem && gatheredPlain(addr.a) }

// reckoned reports whether a value is a number that was worked out from others that are
// not known, and does not count references.
func reckoned(x *sym) bool {
	if x.kind != kOpaque && x.kind != kArith || x.typ == nil || !isInteger(x.typ) {
		return false
	}
	return x.kinds&setOf(kOpaque, kLen) != 0 && x.kinds&setOf(kAtomic, kRecv, kToken) == 0
}

// aboutNumbers reports whether a condition compares a number that was worked out, which is
// hardly ever done again.
func (a *analysis) aboutNumbers(c *sym) bool {
	return c.kind == kCmp && c.b != nil && (reckoned(c.a) || reckoned(c.b) || c.a.kind == kArith || c.b.kind == kArith || lenOfRest(c.a) || lenOfRest(c.b)) &&
		c.kinds&setOf(kAtomic, kRecv, kToken, kNil) == 0
}

// lenOfRest reports whether a number is how much is left of something that was read from its
// start.
func lenOfRest(x *sym) bool { return x.kind == kLen && x.a != nil && x.a.kind == kAdv }

// oneApart reports whether one of two paths is included in the other, or both together
// are one that did not make a test. It returns what x has to forget to stand for both.
func oneApart(x, y map[*sym]bool) (forget []*sym, ok bool) {
	differ := 0
	for c, v := range x {
		w, found := y[c]
		if found && v == w {
			continue
		}
		if found {
			differ++
		}
		forget = append(forget, c)
	}
	only := 0 // that y alone tested
	for c := range y {
		if _, found := x[c]; !found {
			only++
		}
	}
	switch {
	case differ == 0 && (only == 0 || len(forget) == 0):
		return forget, true
	case differ == 1 && only == 0 && len(forget) == 1:
		return forget, true
	}
	return nil, false
}

// A callerView is what the caller can have of the end of a path.
type callerView struct {
	exit
	mark  int
	truth map[*sym]bool
	hist  int    // what is asked of the tests of a path as a whole
	alone uint64 // results that are errors of which the caller has nothing else
}

func (a *analysis) viewFromCaller(e exit) *callerView {
	st := e.st
	a.charge(2 * (len(st.mem) + len(st.truth)))
	a.syms.marks++
	v := &callerView{exit: e, mark: a.syms.marks, truth: map[*sym]bool{}}
	mark := func(x *sym) { x.markAll(v.mark) }
	for f := st.f.parent; f != nil; f = f.parent {
		f.env.all(mark)
		for _, d := range f.defers {
			for _, x := range d.args {
				mark(x)
			}
			mark(d.callee.fn)
		}
	}
	for _, g := range st.gos {
		for _, x := range g.holds {
			mark(x)
		}
	}
	for _, l := range st.running {
		for x := range l.homes {
			mark(x)
		}
	}
	for _, x := range st.recvs {
		mark(x)
	}
	for x := range st.sent {
		mark(x)
	}
	for x := range st.handed {
		mark(x)
	}
	for x := range st.chosen {
		mark(x)
	}
	for x := range st.escaped {
		mark(x)
	}
	a.markFailing(v.mark)
	follow := func() {
		for more := true; more; {
			more = false
			for k, x := range st.mem {
				if x.mark != v.mark && v.sees(k) {
					mark(x)
					more = true
				}
			}
		}
	}
	follow()
	for n, x := range e.results {
		if n < 64 && a.bareError(st, x) && x.mark != v.mark {
			v.alone |= 1 << n
		}
	}
	for n, x := range e.results {
		if v.alone&(1<<n) == 0 {
			mark(x)
		}
	}
	follow()
	for c, is := range st.truth {
		if !is && isErrorTest(c) && errorOf(c).kind == kOpaque {
			v.hist = 1
		}
		if v.sees(c) && !a.aboutNumbers(c) {
			v.truth[c] = is
		}
	}
	return v
}

// bareError reports whether nothing is known of an error but whether there is one.
func (a *analysis) bareError(st *state, x *sym) bool {
	if x.kind != kOpaque && x.kind != kHold || x.a != nil || x.typ == nil || !isError(x.typ) || len(a.failing[x]) > 0 || a.syms.wrapped[x] != nil || a.pooled(st, x) {
		return false
	}
	isNil := a.syms.nilTest(x)
	for c := range st.truth {
		if c != isNil && c.mentions(func(y *sym) bool { return y == x }) {
			return false
		}
	}
	return true
}

// sees reports whether the caller can have a symbol: nothing that it is made of is the
// path's alone.
func (v *callerView) sees(x *sym) bool {
	if x == nil || x.kinds&ofThePath == 0 || x.seen == v.mark {
		return true
	}
	if ofThePath&setOf(x.kind) != 0 && x.mark != v.mark || !v.sees(x.a) || !v.sees(x.b) {
		return false
	}
	x.seen = v.mark // marks are only added, so that it stays so
	return true
}

// ofThePath are the kinds of symbols that one path makes.
const ofThePath kinds = 1<<kOpaque | 1<<kRecv | 1<<kAlloc | 1<<kAtomic | 1<<kClosure | 1<<kHold | 1<<kAgg | 1<<kToken

// key sums up all of a view but the tests.
func (v *callerView) key(a *analysis) [2]uint64 {
	st := v.st
	var total [2]uint64
	sum := func(tag uint64, k, n int) {
		x := mix(uint64(k)<<32 ^ uint64(uint32(n)) ^ tag<<58)
		total[0] += x
		total[1] += mix(x + 0x9e3779b97f4a7c15)
	}
	var result func(n int, x *sym)
	result = func(n int, x *sym) {
		switch {
		case reckoned(x):
			sum(21, n, 3)
		case byParts(x):
			sum(23, n, len(x.list))
			for k, y := range x.list {
				result((n+1)*64+k, y)
			}
		default:
			sum(1, n, x.id)
		}
	}
	for n, x := range v.results {
		switch {
		case v.alone&(1<<n) != 0:
			if isNil, ok := a.known(st, a.syms.nilTest(x)); !ok {
				sum(21, n, 0)
			} else if isNil {
				sum(21, n, 1)
			} else {
				sum(21, n, 2)
			}
		default:
			result(n, x)
		}
	}
	for k, x := range st.mem {
		switch {
		case !v.sees(k) && !a.pooled(st, x), appendedPlain(k):
		case reckoned(x):
			sum(22, k.id, 0)
		case gatheredPlain(x):
			sum(26, k.id, memory(x).id)
		default:
			sum(2, k.id, x.id)
		}
	}
	for k, r := range st.rel {
		if v.sees(k) {
			sum(3, k.id, int(r.pos()))
		}
	}
	for n, m := range []map[*sym]bool{st.gone, st.handed, st.detached, st.escaped, st.given, st.fitted, st.blank, st.joined} {
		for k := range m {
			if v.sees(k) {
				sum(4, k.id, n)
			}
		}
	}
	for k, m := range st.measured {
		if v.sees(k) {
			sum(5, k.id, int(m))
		}
	}
	for k, c := range st.content {
		if v.sees(k) {
			sum(6, k.id, int(c))
		}
	}
	for k, n := range st.epoch {
		if k.kind != kHold && v.sees(k) {
			sum(7, k.id, n)
		}
	}
	for k := range st.grown {
		if v.sees(k) {
			sum(8, k.id, 1)
		}
	}
	for k := range st.counted {
		if v.sees(k) {
			sum(21, k.id, 1)
		}
	}
	for k, x := range st.chosen {
		sum(9, k.id, x.id)
	}
	for k, calls := range st.lent {
		sum(10, k.id, len(calls))
	}
	for k := range st.sent {
		sum(11, k.id, 1)
	}
	for n, x := range st.recvs {
		sum(12, n, x.id)
	}
	for n, x := range st.toks {
		if x.mark == v.mark {
			sum(13, n, x.id)
		}
	}
	for n, g := range st.gos {
		sum(14, n, int(g.pos()))
		for _, x := range g.holds {
			sum(15, n, x.id)
		}
	}
	for n, l := range st.running {
		sum(24, n, int(l.pos()))
	}
	for n, x := range st.reads {
		if v.sees(x) {
			sum(16, n, x.id)
		}
	}
	for n, x := range st.filled {
		if v.sees(x) {
			sum(17, n, x.id)
		}
	}
	for n, l := range st.shared {
		if v.sees(l.mem) {
			sum(25, n, l.mem.id)
		}
	}
	for _, b := range st.skipped {
		if mayPut(b) {
			sum(18, b.Index, int(b.Parent().Pos()))
		}
	}
	sum(19, st.refcount, v.hist)
	if st.timedOut {
		sum(20, 1, 1)
	}
	if st.walkedOff {
		sum(20, 2, 1)
	}
	if st.again {
		sum(20, 4, 1)
	}
	if st.recovered {
		sum(20, 3, st.panics)
	}
	return total
}

// mayPut reports whether an arm that was passed by can put a value.
func mayPut(arm *ssa.BasicBlock) bool {
	return slices.ContainsFunc(arm.Instrs, calls) || len(arm.Dominees()) > 0 && slices.ContainsFunc(arm.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return arm.Dominates(b) && inArm(arm, b) && slices.ContainsFunc(b.Instrs, calls)
	})
}

// calls reports whether an instruction may do what is not in view.
func calls(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		_, builtin := i.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	}
	return false
}
