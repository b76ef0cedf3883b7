// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object that is used again may collect pooled values in a slice, or elements that have a function for putting theirs.
// One method works them off and puts each; the method that prepares the object for its next use puts all that is
// still there. What the first one leaves in the slice, the second one puts again.

// A slicePut is a call in a loop that puts the elements of a slice in a field of the receiver, or what each leads to.
type slicePut struct {
	call  ssa.CallInstruction
	field *types.Var
	owner *ssa.Parameter
}

// judgeResetAgain reports methods that leave what they put for a Reset to put again.
func (a *analysis) judgeResetAgain() {
	var all []slicePut
	for c := range a.productCalls() {
		if p, ok := a.slicePutBy(c); ok {
			all = append(all, p)
		}
	}
	for _, p := range all {
		k := slices.IndexFunc(all, func(o slicePut) bool { return a.resetsAfter(o, p) })
		if k < 0 || !a.leavesThem(p) {
			continue
		}
		a.reportFound(finding{
			pattern: doublePut, pos: instrPos(p.call), fn: p.call.Parent(), cause: instrPos(p.call),
			message: "what the elements of " + p.field.Name() + " have is put here, and they stay in it: " + all[k].call.Parent().Name() + " puts it again (" + a.line(instrPos(all[k].call)) + ")",
			related: []goanalysis.RelatedInformation{{Pos: instrPos(all[k].call), Message: "put again here"}},
		})
	}
}

// slicePutBy is what a call is that puts an element of the receiver's slice, or calls the function in a field of one
// that puts something.
func (a *analysis) slicePutBy(c ssa.CallInstruction) (slicePut, bool) {
	if _, deferred := c.(*ssa.Defer); deferred || c.Parent().Signature.Recv() == nil || !inLoop(c.Block()) {
		return slicePut{}, false
	}
	values := []ssa.Value{}
	for _, n := range a.uses().putArgs(a, c) {
		values = append(values, c.Common().Args[n])
	}
	if !c.Common().IsInvoke() {
		if f := fieldOfValue(c.Common().Value); f != nil && a.closuresPut(f) {
			values = append(values, c.Common().Value)
		}
	}
	for _, v := range values {
		e := elementRead(v)
		if e == nil {
			continue
		}
		f, owner := rangedBy(e)
		if p, ok := owner.(*ssa.Parameter); ok && p == c.Parent().Params[0] {
			return slicePut{c, f, p}, true
		}
	}
	return slicePut{}, false
}

// elementRead is the address of the element that a value is, or is read from as a field, also by a variable of a
// loop; nil if there is none.
func elementRead(v ssa.Value) *ssa.IndexAddr {
	v = unboxed(v)
	if f, ok := v.(*ssa.Field); ok {
		v = f.X
	}
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	addr := l.X
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		addr = fa.X
		if al, ok := addr.(*ssa.Alloc); ok {
			if l, ok := storedOnce(al).(*ssa.UnOp); ok {
				addr = l.X
			}
		}
	}
	e, _ := addr.(*ssa.IndexAddr)
	return e
}

// closuresPut reports whether all functions that a field is set to put something.
func (a *analysis) closuresPut(f *types.Var) bool {
	n, puts := 0, 0
	for _, fn := range a.fns {
		eachStore(fn, func(st *ssa.Store) {
			if fieldAt(st.Addr) != f || isNilConst(st.Val) {
				return
			}
			n++
			m, ok := st.Val.(*ssa.MakeClosure)
			if ok && slices.ContainsFunc(slices.Collect(instrsOf(m.Fn.(*ssa.Function))), func(i ssa.Instruction) bool {
				c, ok := i.(ssa.CallInstruction)
				return ok && len(a.uses().putArgs(a, c)) > 0
			}) {
				puts++
			}
		})
	}
	return n > 0 && n == puts
}

// resetsAfter reports whether o puts the elements of the same field of the same type as p in a method that prepares the
// object for its next use, whatever it was used for.
func (a *analysis) resetsAfter(o, p slicePut) bool {
	fn := o.call.Parent()
	return o.field == p.field && fn != p.call.Parent() && types.Identical(o.owner.Type(), p.owner.Type()) &&
		hasPrefix(strings.ToLower(fn.Name()), []string{"reset", "init"}) && unasked(o.call) && !a.callsEither(fn, p.call.Parent())
}

// unasked reports whether nothing but the loop that a call is in decides whether it is made.
func unasked(c ssa.CallInstruction) bool {
	for _, b := range c.Parent().Blocks {
		if _, ok := lastInstr(b).(*ssa.If); ok && b.Dominates(c.Block()) && !inLoop(b) {
			return false
		}
	}
	return true
}

// callsEither reports whether one of two functions calls the other.
func (a *analysis) callsEither(x, y *ssa.Function) bool {
	calls := func(from, to *ssa.Function) bool {
		return slices.ContainsFunc(a.callsOf(to), func(c ssa.CallInstruction) bool { return c.Parent() == from })
	}
	return calls(x, y) || calls(y, x)
}

// leavesThem reports whether a way from the Put to the end of the method does not set the field.
func (a *analysis) leavesThem(p slicePut) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int) bool
	walk = func(b *ssa.BasicBlock, k int) bool {
		for _, i := range b.Instrs[k:] {
			if a.setsIt(i, p) {
				return false
			}
			if r, ok := i.(*ssa.Return); ok {
				return !failing(r)
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if walk(s, 0) {
					return true
				}
			}
		}
		return false
	}
	before := slices.ContainsFunc(slices.Collect(instrsOf(p.call.Parent())), func(i ssa.Instruction) bool { return a.setsIt(i, p) && mayFollow(i, p.call) })
	return !before && walk(p.call.Block(), slices.Index(p.call.Block().Instrs, ssa.Instruction(p.call))+1)
}

// setsIt reports whether an instruction sets the field, an element of it, or all of the object, or calls what may.
func (a *analysis) setsIt(i ssa.Instruction, p slicePut) bool {
	switch i := i.(type) {
	case *ssa.Store:
		if i.Addr == ssa.Value(p.owner) || fieldAt(i.Addr) == p.field {
			return true
		}
		addr := i.Addr
		if fa, ok := addr.(*ssa.FieldAddr); ok {
			addr = fa.X
		}
		if e, ok := addr.(*ssa.IndexAddr); ok {
			f, _ := fieldLoad(e.X)
			return f == p.field
		}
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok {
			f, _ := fieldLoad(argument(i.Common(), 0))
			return b.Name() == "clear" && f == p.field
		}
		fn := a.calledFunction(i)
		for n, x := range i.Common().Args {
			if x == ssa.Value(p.owner) && (fn == nil || n >= len(fn.Params) || a.setsField(fn, fn.Params[n], p.field, 1)) {
				return true
			}
		}
	}
	return false
}

// failing reports whether a return gives an error that is not written as nil.
func failing(r *ssa.Return) bool {
	n := len(r.Results) - 1
	return n >= 0 && isError(r.Results[n].Type()) && !isNilConst(r.Results[n])
}
