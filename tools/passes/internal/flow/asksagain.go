// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A method that puts its receiver and guards itself against a second call by a flag in it asks
// that of a value which may be another's by then, who reset the flag: the guard is none, and the
// second call puts what is in use.

// asksAgain is the flag that an instruction reads of what was put, if the function that it is in
// put the value after a test of it.
func (a *analysis) asksAgain(i ssa.Instruction, put *event) *types.Var {
	l, ok := i.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	flag := fieldAt(l.X)
	if flag == nil || !isBool(flag.Type()) || !decides(l) {
		return nil
	}
	for _, s := range put.stack {
		if s.Parent() != i.Parent() || s.Block() == i.Block() || !i.Block().Dominates(s.Block()) {
			continue
		}
		if setsBefore(s, flag) {
			return flag
		}
	}
	return nil
}

// decides reports whether a branch is taken by what was read.
func decides(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.If:
			return true
		case *ssa.UnOp:
			if r.Op == token.NOT && decides(r) {
				return true
			}
		}
	}
	return false
}

// setsBefore reports whether a flag is set in the function of a call, on the way to it.
func setsBefore(call ssa.Instruction, flag *types.Var) bool {
	for i := range instrsOf(call.Parent()) {
		s, ok := i.(*ssa.Store)
		if ok && fieldAt(s.Addr) == flag && !isZeroBool(s.Val) && precedes(s, call) {
			return true
		}
	}
	return false
}

func isZeroBool(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || isZero(c.Value))
}

// reportAgain reports the second call of a method that puts its receiver.
func (a *analysis) reportAgain(x *sym, r *release, ev *event, flag *types.Var) {
	pos, fn := diverge(&r.event, ev)
	a.report(finding{
		pattern: doublePut, pos: pos, fn: fn, cause: r.pos(),
		message: fmt.Sprintf("%s is put in %s a second time, when its next user has reset field %s, which is asked here after the first Put (%s)", a.name(&r.event, fn), r.pool.label(), flag.Name(), a.line(r.posIn(fn))),
		related: append(a.related(rel("the first Put", &r.event), rel("the flag is read here", ev)), a.acquired(x)...),
	})
}
