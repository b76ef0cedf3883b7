// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that puts pooled memory and returns a copy of it on some paths, and returns the pooled memory itself
// on others, gives callers bytes of which they cannot know whose they are. Where nobody but the package can put
// to the pool, and no caller there does, the memory of the other paths is lost.

// leakReturns is what is known of the results of the paths that took a value.
type leakReturns struct {
	itself map[*ssa.Return]int // the result that is the pooled memory
	copies map[*ssa.Return]int // the result that is memory of its own, after the Put
	ended  []*sym              // the last results where another has the value
}

// noteReturns looks at the results of a path that took a value.
func (a *analysis) noteReturns(e exit, l *leak, t *sym, put bool) {
	if x := lastResult(e); x != nil && e.st.sent[t] != nil && !put {
		l.ended = append(l.ended, x)
	}
	if e.ret == nil || a.root.Parent() != nil || !outOfView(a.root) {
		return
	}
	for k, x := range e.results {
		if x == nil || x.typ == nil || x.kind == kNil || !isBytes(x.typ) {
			continue
		}
		own := madeOver(x, t)
		switch {
		case own && !put && e.st.measured[t] == 0 && !forItsSize(e.ret.Block()):
			if l.itself == nil {
				l.itself = map[*ssa.Return]int{}
			}
			l.itself[e.ret] = k
		case put && !own && ofItsOwn(x.base()):
			if l.copies == nil {
				l.copies = map[*ssa.Return]int{}
			}
			l.copies[e.ret] = k
		}
	}
}

// reportEitherWay reports pooled memory that a function returns in place of the copy that others of its paths
// return.
func (a *analysis) reportEitherWay(l *leak) {
	var itself, copied *ssa.Return
	for r, k := range l.itself {
		for q, n := range l.copies {
			if k == n && q != r && (itself == nil || r.Pos() < itself.Pos() || r == itself && q.Pos() < copied.Pos()) {
				itself, copied = r, q
			}
		}
	}
	if itself == nil || l.get.pool.key == nil || a.putByOthers(l.get.pool.key) {
		return
	}
	a.report(finding{
		pattern: missingPut, pos: l.get.stack[0], fn: a.root, pool: l.get.pool,
		message: a.saidTaken(l.get.stack, l.get.pool.label()) + " is returned itself (" + a.line(instrPos(itself)) + ") where another path puts it and returns a copy (" + a.line(instrPos(copied)) + "): no caller puts it back",
		more:    a.acquired(l.get),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(itself), Message: "returned here"}, {Pos: instrPos(copied), Message: "a copy is returned here"}},
	})
}

// putByOthers reports whether a function that other packages may call, or a caller of the root, puts what it is given, or has, to a
// pool.
func (a *analysis) putByOthers(pool any) bool {
	seen := map[*ssa.Function]bool{}
	var open func(fn *ssa.Function, v ssa.Value, depth int) bool
	open = func(fn *ssa.Function, v ssa.Value, depth int) bool {
		if fn == a.root {
			return false
		}
		if slices.ContainsFunc(a.callsOf(a.root), func(c ssa.CallInstruction) bool { return c.Parent() == fn }) {
			return true
		}
		if depth > 4 || seen[fn] {
			return false
		}
		seen[fn] = true
		p := paramOf(derivedFrom(v))
		if p == nil {
			_, isField := derivedFrom(v).(*ssa.UnOp)
			return isField && outOfView(fn)
		}
		if outOfView(fn) {
			return true
		}
		k := slices.Index(fn.Params, p)
		return slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool {
			args := c.Common().Args
			return c.Common().IsInvoke() || k >= len(args) || open(c.Parent(), args[k], depth+1)
		})
	}
	for c := range a.poolCalls("Put") {
		if any(a.staticPool(c.Common().Args[0])) == pool && open(c.Parent(), unboxed(c.Common().Args[1]), 0) {
			return true
		}
	}
	return false
}

// forItsSize reports whether a block is come to under a test of a length or capacity: what is large is not kept.
func forItsSize(b *ssa.BasicBlock) bool {
	for d := b; d != nil; d = d.Idom() {
		for _, p := range d.Preds {
			iff, ok := lastInstr(p).(*ssa.If)
			if !ok || !p.Dominates(b) {
				continue
			}
			if o, ok := iff.Cond.(*ssa.BinOp); ok && (sizeCall(o.X) != "" || sizeCall(o.Y) != "") && !inLoop(p) {
				return true
			}
		}
	}
	return false
}

// ofItsOwn reports whether memory was made on the path, also by a function that copies.
func ofItsOwn(x *sym) bool {
	if x.kind == kAlloc {
		return true
	}
	c, ok := x.obj.(*ssa.Call)
	if !ok || x.kind != kOpaque {
		return false
	}
	m := calledMethod(c)
	return m != nil && effects[funcKey(m)] == eCopy
}
