// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Between two statements that a rule takes together stands what has nothing to do with them: a
// counter, a log line, a lock. It must not hide them from each other, wherever it stands.

// A step is an instruction that ran before another one. It ran in any case if it is sure, and
// may have run otherwise.
type step struct {
	ssa.Instruction
	sure bool
}

// straightBefore are the instructions that run before i, the last one first: through the ends of
// choices back to where they begin, but not through loops.
func straightBefore(i ssa.Instruction) []step {
	const most = 6
	var out []step
	add := func(b *ssa.BasicBlock, before ssa.Instruction, sure bool) {
		on := before == nil
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			if on {
				out = append(out, step{b.Instrs[k], sure})
			}
			on = on || b.Instrs[k] == before
		}
	}
	b := i.Block()
	add(b, i, true)
	for range most {
		switch d := b.Idom(); {
		case d == nil:
			return out
		case len(b.Preds) == 1:
			b = d
		default:
			sides, ok := between(d, b, most)
			if !ok {
				return out
			}
			for _, s := range sides {
				add(s, nil, false)
			}
			b = d
		}
		add(b, nil, true)
	}
	return out
}

// between are the blocks on the ways from d to b, neither of them included, unless they are too
// many or lead round.
func between(d, b *ssa.BasicBlock, most int) (sides []*ssa.BasicBlock, ok bool) {
	seen := map[*ssa.BasicBlock]bool{d: true}
	var visit func(x *ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		for _, p := range x.Preds {
			if p == b || len(sides) > most {
				return false
			}
			if seen[p] {
				continue
			}
			seen[p] = true
			sides = append(sides, p)
			if !visit(p) {
				return false
			}
		}
		return true
	}
	return sides, visit(b)
}

// unrelated reports whether a call cannot change what v, or what it points to, holds: nothing
// that the callee is given leads there. What it finds in variables of its package is not asked:
// v has to be a value that its function holds.
func unrelated(c ssa.CallInstruction, v ssa.Value) bool {
	target := v.Type()
	if p, ok := target.Underlying().(*types.Pointer); ok {
		target = p.Elem()
	}
	call := c.Common()
	given := call.Args
	switch f := call.Value.(type) {
	case *ssa.Builtin, *ssa.Function:
	case *ssa.MakeClosure:
		given = append(given[:len(given):len(given)], f.Bindings...)
	default:
		if !call.IsInvoke() {
			return false // who knows what a variable's function has
		}
		given = append(given[:len(given):len(given)], call.Value)
	}
	for _, x := range given {
		if typeLeadsTo(x.Type(), target, 0) {
			return false
		}
	}
	return true
}

// typeLeadsTo reports whether a value of type t may lead to one of type target. Interfaces may hold
// anything, but for those of the standard library's loggers.
func typeLeadsTo(t, target types.Type, depth int) bool {
	if types.Identical(t, target) || depth > 4 {
		return true
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic", "time", "log", "log/slog", "context":
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Pointer:
		return typeLeadsTo(u.Elem(), target, depth+1)
	case *types.Slice:
		return typeLeadsTo(u.Elem(), target, depth+1)
	case *types.Array:
		return typeLeadsTo(u.Elem(), target, depth+1)
	case *types.Map:
		return typeLeadsTo(u.Key(), target, depth+1) || typeLeadsTo(u.Elem(), target, depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if typeLeadsTo(u.Field(i).Type(), target, depth+1) {
				return true
			}
		}
		return false
	}
	return true
}
