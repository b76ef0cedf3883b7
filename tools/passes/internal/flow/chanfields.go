// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A channel is often a field of two structs: of the one that works it off, and of each that sends on it. All its
// receivers are in view where all that such fields are set to, and all that is done with them, is.

// maxChanFields bounds the fields that one channel is looked for in.
const maxChanFields = 6

// A chanFields is what is known of the fields and other places that have one channel.
type chanFields struct {
	a      *analysis
	fields []*types.Var
	views  map[ssa.Value]bool
	list   []received
	open   bool // somebody else may have the channel
}

// receivesFromAll finds all receives from the channel in a field and in others that have the same one; ok is false where the
// channel may also be used by code that is not in view.
func (a *analysis) receivesFromAll(f *types.Var) (list []received, ok bool) {
	if !f.IsField() {
		return nil, false
	}
	c := &chanFields{a: a, views: map[ssa.Value]bool{}}
	c.addField(f)
	for n := 0; n < len(c.fields) && !c.open; n++ {
		c.follow(c.fields[n])
	}
	if c.open || len(c.list) == 0 || slices.ContainsFunc(c.fields, func(f *types.Var) bool { return a.drains.spoil[f] }) {
		return nil, false
	}
	slices.SortFunc(c.list, func(r, s received) int { return cmp.Compare(r.pos, s.pos) })
	return c.list, true
}

func (c *chanFields) addField(f *types.Var) {
	switch {
	case slices.Contains(c.fields, f):
	case f.Exported() || f.Pkg() != c.a.pkg.Pkg || len(c.fields) == maxChanFields:
		c.open = true
	default:
		c.fields = append(c.fields, f)
	}
}

// follow goes through all that the package does with a field.
func (c *chanFields) follow(f *types.Var) {
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			c.open = c.open || fieldOfValue(i).Origin() == f
		case *ssa.FieldAddr:
			if fieldAt(i) != f {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					c.open = c.open || r.Addr != ssa.Value(i)
					c.source(r.Val, 0)
				case *ssa.UnOp:
					c.view(r)
				default:
					c.open = true
				}
			}
		}
	}
}

// source sees what a field, or the parameter that it is set to, may be.
func (c *chanFields) source(v ssa.Value, depth int) {
	switch x := v.(type) {
	case *ssa.MakeChan:
		c.view(x)
		return
	case *ssa.Const:
		return
	case *ssa.ChangeType:
		c.source(x.X, depth)
		return
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
			c.addField(fieldAt(fa))
			return
		}
		if cell, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			c.variable(cell)
			return
		}
	case *ssa.Parameter:
		fn := x.Parent()
		s := c.a.uses().sites
		if depth > 2 || fn.Parent() != nil || token.IsExported(fn.Name()) || s.taken[fn] || len(s.invokes[fn.Name()]) > 0 || len(s.callers[fn]) == 0 {
			break
		}
		for _, call := range s.callers[fn] {
			if k := slices.Index(fn.Params, x); k < len(call.Common().Args) {
				c.source(call.Common().Args[k], depth+1)
			}
		}
		c.view(x)
		return
	}
	c.open = true
}

// view sees what is done with the channel by one of its names in a function.
func (c *chanFields) view(v ssa.Value) {
	if c.views[v] {
		return
	}
	c.views[v] = true
	var uses []ssa.Instruction
	for _, r := range referrers(v) {
		switch i := r.(type) {
		case *ssa.Store:
			switch addr := i.Addr.(type) {
			case *ssa.FieldAddr:
				c.addField(fieldAt(addr))
			case *ssa.Alloc:
				c.variable(addr)
			default:
				c.open = true
			}
			c.open = c.open || i.Val != v
		case *ssa.ChangeType:
			c.view(i)
		case ssa.CallInstruction:
			fn := c.a.calledFunction(i)
			if fn == nil || !c.a.inPackage(fn) || len(fn.Blocks) == 0 {
				uses = append(uses, r)
				continue
			}
			for k, x := range i.Common().Args {
				if x == v && k < len(fn.Params) {
					c.view(fn.Params[k])
				}
			}
		default:
			uses = append(uses, r)
		}
	}
	more, ok := receivesIn(v, uses)
	c.open = c.open || !ok
	c.list = append(c.list, more...)
}

// variable sees what is done with a channel that a variable has, which literals may have too.
func (c *chanFields) variable(addr ssa.Value) {
	if c.views[addr] {
		return
	}
	c.views[addr] = true
	for _, r := range referrers(addr) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			c.open = c.open || r.Addr != addr
			c.source(r.Val, 0)
		case *ssa.UnOp:
			c.view(r)
		case *ssa.MakeClosure:
			for k, b := range r.Bindings {
				if b == addr {
					c.variable(r.Fn.(*ssa.Function).FreeVars[k])
				}
			}
		default:
			c.open = true
		}
	}
}
