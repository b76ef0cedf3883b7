// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A slice in a pooled struct is given the length that its next user needs, often by a function that
// makes a new one where there is no room. What it has room for keeps the elements that the last user left:
// only the new ones are zero. A cut to length 0 in between, as on the way to the pool, clears nothing.

// follow sees what is done with the slice that a field holds, in the functions, too, that it is given to.
// It reports whether one returns it, or its array with another length.
func (e *addedTo) follow(v ssa.Value, depth int) (returned bool) {
	if r, ok := e.seen[v]; ok {
		return r
	}
	e.seen[v] = false
	defer func() { e.seen[v] = returned }()
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			e.element(r)
		case *ssa.Slice:
			if r.High != nil && isZeroNumber(r.High) {
				e.cutBack(r)
				continue
			}
			e.longer = e.longer || r.High != nil && sizeCall(r.High) == "" && e.setsLength(r, 0)
			returned = e.follow(r, depth) || returned
		case *ssa.Phi:
			returned = e.follow(r, depth) || returned
		case *ssa.Store:
			if fieldAt(r.Addr) != e.field || r.Val != v {
				e.other = true
			}
			e.back[r] = true
		case *ssa.Return:
			if len(r.Results) != 1 {
				e.other = true
			}
			returned = true
		case *ssa.BinOp:
			if !isNilConst(r.X) && !isNilConst(r.Y) {
				e.other = true
			}
		case *ssa.Call:
			if goesOn, ok := e.given(r, v, depth); !ok {
				e.other = true
			} else if goesOn {
				returned = e.follow(r, depth) || returned
			}
		case *ssa.DebugRef:
		default:
			e.other = true
		}
	}
	return returned
}

// cutBack sees the slice cut to length 0: its field gets that again, or it is appended to from the start.
func (e *addedTo) cutBack(s *ssa.Slice) {
	e.cut = true
	for _, r := range referrers(s) {
		switch r := r.(type) {
		case *ssa.Store:
			if fieldAt(r.Addr) != e.field {
				e.other = true
			}
			e.back[r] = true
		case *ssa.DebugRef:
		default:
			e.other = true
		}
	}
}

// setsLength reports whether the field gets a slice that was cut or lengthened, be it where that is returned.
func (e *addedTo) setsLength(v ssa.Value, depth int) bool {
	return depth < 3 && slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return fieldAt(r.Addr) == e.field
		case *ssa.Phi:
			return e.setsLength(r, depth+1)
		case *ssa.Return:
			return true
		}
		return false
	})
}

// given sees the slice given to a function: whether the result is the slice again, and whether all that
// happens to it there is in view.
func (e *addedTo) given(c *ssa.Call, v ssa.Value, depth int) (goesOn, ok bool) {
	if b, isBuiltin := c.Call.Value.(*ssa.Builtin); isBuiltin {
		switch b.Name() {
		case "len", "cap":
			return false, true
		case "append":
			// With all that it has room for, and zeros behind.
			if s, isSlice := v.(*ssa.Slice); isSlice && c.Call.Args[0] == v && s.High != nil && sizeCall(s.High) == "cap" {
				return true, isMadeSlice(c.Call.Args[1])
			}
		case "copy":
			return false, c.Call.Args[0] != v && c.Call.Args[1] == v
		}
		return false, false
	}
	if m := calledMethod(c); m != nil {
		switch e := effectOf(m); {
		case funcKey(m) == "slices.Grow":
			return true, true
		case e == eClone || e == eCopy:
			return false, true
		}
	}
	fn := e.a.calledFunction(c)
	if fn == nil || depth > 2 || c.Call.IsInvoke() {
		return false, false
	}
	if o := fn.Origin(); o != nil && len(fn.Blocks) == 0 {
		fn = o
	}
	if len(fn.Blocks) == 0 || len(fn.Params) != len(c.Call.Args) {
		return false, false
	}
	for k, x := range c.Call.Args {
		if x == v && e.follow(fn.Params[k], depth+1) {
			goesOn = true
		}
	}
	if slices.Contains(c.Call.Args, v) && !goesOn && c.Type() != nil && isSlice(c.Type()) {
		return false, false // one of its own
	}
	return goesOn, true
}

// isMadeSlice reports whether a value is a slice made on the spot.
func isMadeSlice(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return true
	case *ssa.Slice:
		al, ok := v.X.(*ssa.Alloc)
		return ok && al.Comment == "makeslice"
	}
	return false
}

// forRoom reports whether a field is set to a new slice only where what it has was asked for, and is too
// short.
func (e *addedTo) forRoom(st *ssa.Store) bool {
	if !isMadeSlice(st.Val) {
		return false
	}
	for b := st.Block(); b.Idom() != nil; b = b.Idom() {
		t, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		if c, ok := t.Cond.(*ssa.BinOp); ok && (e.asks(c.X, 0) || e.asks(c.Y, 0)) {
			return true
		}
	}
	return false
}

// asks reports whether a value is what the field holds, or made from its length or capacity.
func (e *addedTo) asks(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL && fieldAt(x.X) == e.field
	case *ssa.BinOp:
		return e.asks(x.X, depth+1) || e.asks(x.Y, depth+1)
	case *ssa.Convert:
		return e.asks(x.X, depth+1)
	case *ssa.Slice:
		return e.asks(x.X, depth+1)
	case *ssa.Call:
		return sizeCall(x) != "" && e.asks(x.Call.Args[0], depth+1)
	}
	return false
}
