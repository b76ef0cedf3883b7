// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that goes through its input and sets the field that each part of that is for,
// told by a tag or a name, leaves alone what the input lacks, as decoders do.

// setsByInput gives the fields of a struct, by the parameter that leads to it, that a function
// sets in a loop where a constant says so, and no other way.
func (a *analysis) setsByInput(fn *ssa.Function) map[int][]*types.Var {
	if m, ok := a.byInput[fn]; ok {
		return m
	}
	if a.byInput == nil {
		a.byInput = map[*ssa.Function]map[int][]*types.Var{}
	}
	a.byInput[fn] = nil
	if !a.inPackage(fn) || len(fn.Blocks) < 4 || len(fn.Params) < 1 {
		return nil
	}
	var out map[int][]*types.Var
	for k, p := range fn.Params {
		ptr, ok := p.Type().Underlying().(*types.Pointer)
		if !ok || structOf(ptr) == nil {
			continue
		}
		tags := tagSets{a: a, tags: map[*types.Var]map[string]bool{}}
		if !tags.gather(fn, p, false, "", 0) || len(tags.list) < 2 {
			continue
		}
		seen := map[string]bool{}
		for _, v := range tags.list {
			for t := range tags.tags[v] {
				seen[t] = true
			}
		}
		if len(seen) >= 2 {
			if out == nil {
				out = map[int][]*types.Var{}
			}
			out[k] = tags.list
		}
	}
	a.byInput[fn] = out
	return out
}

// byInputs gathers, over all roots, such calls and Puts of what they fill.
type byInputs struct {
	inputUses, inputLefts []fieldEvent // of the current root
	filledBy, leftAsIs    fieldUse

	byInput map[*ssa.Function]map[int][]*types.Var
}

func (b *byInputs) begin() { b.inputUses, b.inputLefts = nil, nil }

func (b *byInputs) commit() {
	if b.filledBy == nil {
		b.filledBy, b.leftAsIs = fieldUse{}, fieldUse{}
	}
	b.filledBy.add(b.inputUses)
	b.leftAsIs.add(b.inputLefts)
}

// judgeByInput reports fields that such a function fills as their last user left them.
func (a *analysis) judgeByInput() {
	var wrong []fieldEvent
	told := map[token.Pos]bool{}
	for k, use := range a.filledBy {
		told[use.pos] = told[use.pos] || a.toldOf[k.field]
	}
	for k, use := range a.filledBy {
		_, left := a.left[k]
		_, asIs := a.leftAsIs[k]
		if _, kept := a.kept[k]; (left || asIs) && !kept && !told[use.pos] && !a.keyed(k.field) {
			wrong = append(wrong, use)
		}
	}
	slices.SortFunc(wrong, func(x, y fieldEvent) int {
		return cmp.Or(a.inOrder(x.pos, y.pos), a.inOrder(x.field.Pos(), y.field.Pos()))
	})
	for k, use := range wrong {
		if k > 0 && wrong[k-1].pos == use.pos {
			continue
		}
		left, ok := a.left[use.poolField]
		if !ok {
			left = a.leftAsIs[use.poolField]
		}
		a.toldOf[use.field] = true
		a.reportFound(finding{
			pattern: missingReset, pos: use.pos,
			message: fmt.Sprintf("field %s of %s is set only where the input has it, and nobody empties it: otherwise it has what was there when the value was put (%s)", use.field.Name(), a.gotValue(use.taken, use.pool), a.line(left.pos)),
			related: []goanalysis.RelatedInformation{{Pos: use.taken, Message: "taken here"}, {Pos: left.pos, Message: "put as it is here"}},
		})
	}
}

// A tagSets is which fields are set for which tags.
type tagSets struct {
	a    *analysis
	tags map[*types.Var]map[string]bool
	list []*types.Var
}

// gather goes through what a function does with the struct that its parameter p points to. It
// reports false where a field is set in another way. A loop may be the caller's, and so may the tag.
func (t *tagSets) gather(fn *ssa.Function, p *ssa.Parameter, loop bool, tag string, depth int) bool {
	for _, r := range referrers(p) {
		in, ok := r.(ssa.Instruction)
		if !ok {
			return false
		}
		at := tag
		if own := tagOf(in.Block()); own != "" {
			at = own
		}
		within := loop || inLoop(in.Block())
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if !t.field(r, within, at) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.BinOp, *ssa.If:
			// Looked at.
		case *ssa.Call:
			callee := t.a.calledFunction(r)
			k := slices.Index(r.Call.Args, ssa.Value(p))
			if callee == nil || r.Call.IsInvoke() || k < 0 || k >= len(callee.Params) || len(callee.Blocks) == 0 || depth > 1 || callee == fn {
				return false
			}
			if !t.gather(callee, callee.Params[k], within, at, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// field goes through what is done with the address of a field.
func (t *tagSets) field(fa *ssa.FieldAddr, loop bool, tag string) bool {
	v := fieldAt(fa)
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != fa {
				return false
			}
			at := tag
			if own := tagOf(r.Block()); own != "" {
				at = own
			}
			if at == "" || !loop && !inLoop(r.Block()) {
				return false
			}
			if t.tags[v] == nil {
				t.tags[v] = map[string]bool{}
				t.list = append(t.list, v)
			}
			t.tags[v][at] = true
		default:
			return false
		}
	}
	return true
}

// tagOf is the constant that a switch above a block found, or "".
func tagOf(b *ssa.BasicBlock) string {
	for ; b != nil && b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		d := b.Preds[0]
		i, ok := lastInstr(d).(*ssa.If)
		if !ok || d.Succs[0] != b {
			continue
		}
		c, ok := i.Cond.(*ssa.BinOp)
		if !ok || c.Op != token.EQL {
			continue
		}
		for _, v := range []ssa.Value{c.X, c.Y} {
			k, ok := v.(*ssa.Const)
			if ok && k.Value != nil && k.Value.Kind() != constant.Bool && !isZeroLength(c) {
				return k.Value.ExactString()
			}
		}
	}
	return ""
}

// isZeroLength reports whether a comparison is one of a length.
func isZeroLength(c *ssa.BinOp) bool {
	for _, v := range []ssa.Value{c.X, c.Y} {
		if call, ok := v.(*ssa.Call); ok {
			if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
				return true
			}
		}
	}
	return false
}

// noteByInput sees such a function called for a value that is as its last user left it.
func (a *analysis) noteByInput(st *state, i ssa.CallInstruction, fn *ssa.Function, args []*sym) {
	if a.quiet > 0 {
		return
	}
	sets := a.setsByInput(fn)
	for k, x := range args {
		if len(sets[k]) == 0 {
			continue
		}
		t := plain(x)
		if t.kind != kToken || !ofSync(t.pool) || st.content[t] == isReset {
			continue
		}
		s := structOf(t.typ)
		if s == nil {
			continue
		}
		for n := range s.NumFields() {
			f := s.Field(n)
			addr := a.syms.field(t, s, n)
			if slices.Contains(sets[k], f.Origin()) && st.mem[addr] == nil && st.epochOf(addr) == 0 {
				a.inputUses = append(a.inputUses, fieldEvent{poolField{t.pool, f}, instrPos(i), t.stack[len(t.stack)-1], ""})
			}
		}
	}
}

// noteLeftByInput sees which fields of a value have something in them when it is put: what the path
// set them to, or, of a value that it did not take itself, what it did not touch.
func (a *analysis) noteLeftByInput(st *state, m *sym, p *pool, typ types.Type, ev event) {
	if m.kind == kAlloc || !ofSync(p) || st.content[m] == isReset {
		return
	}
	s := structOf(typ)
	if t := pointee(typ); s == nil || t == nil || t.Obj().Pkg() != a.pkg.Pkg {
		return
	}
	for n := range s.NumFields() {
		addr := a.syms.field(m, s, n)
		v := st.mem[addr]
		switch {
		case v == nil:
			if m.kind == kToken || st.epochOf(addr) > 0 {
				continue
			}
		case v.kind == kNil, v.kind == kConst && isZero(v.val), v.kind == kView && v.idx == 1:
			continue
		}
		a.inputLefts = append(a.inputLefts, fieldEvent{poolField{p, s.Field(n)}, ev.pos(), token.NoPos, ""})
	}
}
