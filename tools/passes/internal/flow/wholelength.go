// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pool without a New may have a function that returns the slice that Get gave as long as it was put, and
// where there is none one of a length that was asked for. That is a slice to be filled in place. A
// bytes.Buffer that is made over what such a function returned, before anybody filled it, writes after
// all that is in there.

// judgeWholeLength reports such a buffer that is written to.
func (a *analysis) judgeWholeLength(p *pool) {
	for _, g := range p.gets {
		if !g.over || len(g.token) == 0 {
			continue
		}
		get := a.getAt(g.token[len(g.token)-1])
		if get == nil {
			continue
		}
		buf, full := a.madeOverWhole(get, g.token)
		if buf == nil || a.cutBeforePut(a.staticPool(get.Call.Args[0])) {
			continue
		}
		a.reportFound(finding{
			pattern: missingReset, pos: buf.Pos(),
			message: fmt.Sprintf("a buffer is made over %s without a cut to length 0, and where the pool is empty the slice is made full (%s): what is written comes after what is in it", a.gotAs(g, "the slice"), a.line(full)),
			related: []goanalysis.RelatedInformation{{Pos: get.Pos(), Message: "taken here"}, {Pos: full, Message: "made here"}},
		})
		return
	}
}

// getAt finds the call of a sync.Pool's Get at a position.
func (a *analysis) getAt(pos token.Pos) *ssa.Call {
	for _, i := range a.instrs() {
		if c, ok := i.(*ssa.Call); ok && c.Pos() == pos && !c.Call.IsInvoke() && funcKey(calledMethod(c)) == "sync.Pool.Get" {
			return c
		}
	}
	return nil
}

// madeOverWhole finds the bytes.NewBuffer that is given what Get gave or else was made full, and where that was made.
func (a *analysis) madeOverWhole(get *ssa.Call, stack []token.Pos) (*ssa.Call, token.Pos) {
	var loaded bool
	var full ssa.Value
	see := func(v ssa.Value) {
		if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL && isSlice(u.Type()) && gotFrom(u, get, 0) || isSlice(v.Type()) && gotFrom(v, get, 0) {
			loaded = true
		} else if m, ok := v.(*ssa.MakeSlice); ok && m.Len == m.Cap {
			full = m
		}
	}
	for i := range instrsOf(get.Parent()) {
		if phi, ok := i.(*ssa.Phi); ok {
			loaded, full = false, nil
			for _, v := range phi.Edges {
				see(v)
			}
			if buf := onlyBuffer(phi); loaded && full != nil && buf != nil {
				return buf, full.Pos()
			}
		}
	}
	if len(stack) < 2 {
		return nil, token.NoPos
	}
	loaded, full = false, nil
	for i := range instrsOf(get.Parent()) {
		r, ok := i.(*ssa.Return)
		if !ok || len(r.Results) != 1 {
			continue
		}
		see(r.Results[0])
		if phi, ok := r.Results[0].(*ssa.Phi); ok {
			for _, v := range phi.Edges {
				see(v)
			}
		}
	}
	if !loaded || full == nil {
		return nil, token.NoPos
	}
	for _, i := range a.instrs() {
		if c, ok := i.(*ssa.Call); ok && c.Pos() == stack[len(stack)-2] && isSlice(c.Type()) {
			return onlyBuffer(c), full.Pos()
		}
	}
	return nil, token.NoPos
}

// onlyBuffer finds the bytes.NewBuffer that is given a slice, where nothing else is done with that before.
func onlyBuffer(v ssa.Value) *ssa.Call {
	var buf *ssa.Call
	for _, i := range *v.Referrers() {
		if c, ok := i.(*ssa.Call); ok && !c.Call.IsInvoke() && funcKey(calledMethod(c)) == "bytes.NewBuffer" {
			if buf != nil {
				return nil
			}
			buf = c
		}
	}
	if buf == nil {
		return nil
	}
	for _, i := range *v.Referrers() {
		switch i.(type) {
		case *ssa.Defer, *ssa.DebugRef:
			continue
		}
		if i != ssa.Instruction(buf) && !precedes(buf, i) {
			return nil
		}
	}
	return buf
}

// cutBeforePut reports whether a function that puts to a pool, or the call of one, cuts a slice to length 0.
func (a *analysis) cutBeforePut(pool types.Object) bool {
	puts := map[string]bool{}
	for fn, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok || !isPut(c) || a.staticPool(c.Common().Args[0]) != pool {
			continue
		}
		puts[fn.Name()] = true
		for j := range instrsOf(fn) {
			if s, ok := j.(*ssa.Slice); ok && s.High != nil && isZeroSize(s.High) {
				return true
			}
		}
	}
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		m := calledMethod(c)
		if m == nil || !puts[m.Name()] {
			continue
		}
		for _, v := range c.Common().Args {
			if s, ok := v.(*ssa.Slice); ok && s.High != nil && isZeroSize(s.High) {
				return true
			}
		}
	}
	return pool == nil
}
