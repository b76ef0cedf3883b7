// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A writer may fill a pooled buffer that a field has, and send it on a channel to a goroutine that writes it
// out and puts it. A list in another field that is given cuts of what the buffer has, and that is
// returned at the end, leads into the memory of buffers that went to the pool long before.

// judgeKeptCuts reports such lists, which nothing but these cuts is ever stored to.
func (c *custody) judgeKeptCuts() {
	type kept struct {
		at       *ssa.Store
		list, of *types.Var
	}
	var found []kept
	other := map[*types.Var]bool{}
	returned := map[*types.Var][]ssa.Instruction{}
	for fn, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if s, ok := i.Val.Type().Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					other[f.Origin()] = true
				}
			}
			list := fieldAt(i.Addr)
			if list == nil || !isSlice(list.Type()) {
				continue
			}
			if _, made := i.Addr.(*ssa.FieldAddr).X.(*ssa.Alloc); made {
				continue
			}
			if of := appendedCut(i); of != nil && c.takesField[of] != nil {
				found = append(found, kept{i, list, of})
			} else {
				other[list] = true
			}
		case *ssa.Return:
			for _, v := range i.Results {
				if f := fieldOfValue(v); f != nil && !c.a.inTest(fn) {
					returned[f] = append(returned[f], i)
				}
			}
		}
	}
	if len(found) == 0 {
		return
	}
	for _, k := range found {
		if other[k.list] || len(returned[k.list]) == 0 || c.a.inTest(k.at.Parent()) {
			continue
		}
		put := c.putAfterSend(k.of, returned[k.list])
		if put == nil {
			continue
		}
		c.a.reportFound(finding{
			pattern: storeAlias, pos: instrPos(k.at), fn: k.at.Parent(),
			message: k.list.Name() + " keeps a part of the buffer in " + k.of.Name() + ", which who receives it puts: the next user of the buffer writes over what is kept",
			related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "put here"}},
		})
	}
}

// appendedCut is the field whose buffer's memory a store appends a part of to the list that it stores.
func appendedCut(s *ssa.Store) *types.Var {
	c, ok := s.Val.(*ssa.Call)
	if !ok || sizeCall(c) != "" || len(c.Call.Args) != 2 {
		return nil
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || fieldOfValue(c.Call.Args[0]) != fieldAt(s.Addr) {
		return nil
	}
	sl, ok := c.Call.Args[1].(*ssa.Slice)
	if !ok {
		return nil
	}
	al, ok := sl.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil
	}
	for _, r := range referrers(al) {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(at) {
			if st, ok := u.(*ssa.Store); ok && isBytes(st.Val.Type()) {
				if f := cutOfField(st.Val); f != nil && f != fieldAt(s.Addr) {
					return f
				}
			}
		}
	}
	return nil
}

// cutOfField is the field whose bytes, or those of the bytes.Buffer in which, a value is a part of.
func cutOfField(v ssa.Value) *types.Var {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.Call:
			if m := calledMethod(x); m == nil || funcKey(m) != "bytes.Buffer.Bytes" {
				return nil
			}
			v = x.Call.Args[0]
		default:
			return fieldOfValue(v)
		}
	}
}

// putAfterSend finds where what a field holds is put by a function that receives it from the channel
// that it is sent on, to be replaced with another one or before one of the returns.
func (c *custody) putAfterSend(f *types.Var, returns []ssa.Instruction) ssa.Instruction {
	sent := map[*types.Var]bool{}
	for fn, i := range c.a.instrs() {
		s, ok := i.(*ssa.Send)
		if !ok || fieldOfValue(s.X) != f || fieldOfValue(s.Chan) == nil {
			continue
		}
		if c.takesField[f][fn] != nil || slices.ContainsFunc(returns, func(r ssa.Instruction) bool { return precedes(s, r) && r.Parent() == fn }) {
			sent[fieldOfValue(s.Chan)] = true
		}
	}
	if len(sent) == 0 {
		return nil
	}
	for fn, i := range c.a.instrs() {
		call, ok := i.(*ssa.Call)
		if !ok || c.a.inTest(fn) {
			continue
		}
		for _, v := range c.a.valuesPut(call) {
			if ch := receivedOn(unboxed(v)); ch != nil && sent[ch] {
				return call
			}
		}
	}
	return nil
}

// receivedOn is the field that holds the channel which gave a value.
func receivedOn(v ssa.Value) *types.Var {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	if x, ok := v.(*ssa.UnOp); ok && x.Op == token.ARROW {
		return fieldOfValue(x.X)
	}
	return nil
}
