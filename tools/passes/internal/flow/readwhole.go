// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Who hands on the whole of a pooled buffer after a Read that may fill a part of it hands on what the last user left
// behind that part. Where the number that the Read gave is compared with more than a least length, it may have been told
// that all was read.

// mayFillPart reports whether a call may fill only a part of what it reads into, and the function goes on then: a Read, or one
// that fills all unless the input ends, where that end is let pass.
func mayFillPart(c *ssa.Call) bool {
	if readsPart(c) {
		return true
	}
	switch funcKey(calledMethod(c)) {
	case "io.ReadFull", "io.ReadAtLeast":
		for i := range instrsOf(c.Parent()) {
			if l, ok := i.(*ssa.UnOp); ok && l.Op == token.MUL {
				if g, ok := l.X.(*ssa.Global); ok && g.Name() == "ErrUnexpectedEOF" {
					return true
				}
			}
		}
	}
	return false
}

// comparesMore reports whether a number is compared with another one than a constant that it must be less than, or not,
// or one that was read.
func comparesMore(n ssa.Value, depth int) bool {
	if depth > 4 {
		return true
	}
	for _, r := range referrers(n) {
		switch r := r.(type) {
		case *ssa.BinOp:
			other := r.Y
			if other == n {
				other = r.X
			}
			c, isConst := other.(*ssa.Const)
			switch r.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if !isConst && !wasDecoded(other) {
					return true
				}
			case token.EQL, token.NEQ:
				if isConst && c.Value != nil && !isZero(c.Value) || !isConst && !wasDecoded(other) {
					return true
				}
			default:
				if !isConst || comparesMore(r, depth+1) {
					return true
				}
			}
		case *ssa.Convert:
			if comparesMore(r, depth+1) {
				return true
			}
		}
	}
	return false
}

// wasDecoded reports whether a number was made of bytes.
func wasDecoded(v ssa.Value) bool {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.BinOp:
			if !isConst(x.Y) {
				return false
			}
			v = x.X
		case *ssa.Call:
			m := calledMethod(x)
			return m != nil && m.Pkg() != nil && m.Pkg().Path() == "encoding/binary"
		default:
			return false
		}
	}
	return false
}

// usedWhole is where a function uses the whole of a slice after it read into it, or all but its start, as what was read.
func (f *forgotten) usedWhole(read *ssa.Call, b ssa.Value) ssa.Instruction {
	for i := range instrsOf(read.Parent()) {
		if i.Block() != read.Block() && !reaches(read.Block(), i.Block()) || i.Block() == read.Block() && instrPos(i) <= instrPos(read) {
			continue
		}
		switch i := i.(type) {
		case *ssa.Convert:
			if isString(i.Type()) && uncutSlice(i.X, b) {
				return i
			}
		case *ssa.Call:
			for k, x := range i.Call.Args {
				if uncutSlice(x, b) && f.takesAsRead(i, k, 0) {
					return i
				}
			}
		}
	}
	return nil
}

// takesAsRead reports whether a call is given bytes to look at all of them.
func (f *forgotten) takesAsRead(c *ssa.Call, k, depth int) bool {
	sig := c.Call.Signature()
	m := calledMethod(c)
	switch funcKey(m) {
	case "encoding/json.Unmarshal", "encoding/xml.Unmarshal", "bytes.NewReader":
		return true
	}
	if m != nil && (m.Name() == "Write" || m.Name() == "WriteTo") && m.Signature().Recv() != nil {
		return sig.Results().Len() == 2 && isInteger(sig.Results().At(0).Type()) && endsInError(sig)
	}
	if fn := f.a.calledFunction(c); fn != nil && !c.Call.IsInvoke() {
		return k < len(fn.Params) && (onlyLooked(fn.Params[k], 0) && asksItsLength(fn.Params[k]) || depth < 2 && f.passesAsRead(fn.Params[k], depth+1))
	}
	if _, isFunc := c.Call.Value.Type().Underlying().(*types.Signature); !isFunc || c.Call.IsInvoke() || m != nil {
		return false
	}
	if _, builtin := c.Call.Value.(*ssa.Builtin); builtin {
		return false
	}
	// Code that is chosen at run time is told of the number of bytes, or gives one, where it fills them.
	for v := range sig.Params().Variables() {
		if isInteger(v.Type()) || isSlice(v.Type()) && !isBytes(v.Type()) {
			return false
		}
	}
	return sig.Params().Len() <= 2 && (sig.Results().Len() == 0 || sig.Results().Len() == 1 && isError(sig.Results().At(0).Type()))
}

// passesAsRead reports whether all that a function does with bytes that it is given is to pass them on to be looked at.
func (f *forgotten) passesAsRead(p *ssa.Parameter, depth int) bool {
	n := 0
	for _, r := range referrers(p) {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		c, ok := r.(*ssa.Call)
		if !ok || c.Call.Value == ssa.Value(p) {
			return false
		}
		for k, x := range c.Call.Args {
			if x == ssa.Value(p) && !f.takesAsRead(c, k, depth) {
				return false
			}
		}
		n++
	}
	return n > 0
}

// onlyLooked reports whether nothing is written through a slice of bytes, and nobody else gets it that may.
func onlyLooked(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp, *ssa.Convert:
		case *ssa.UnOp:
		case *ssa.Slice:
			if !onlyLooked(r, depth+1) {
				return false
			}
		case *ssa.Phi:
			if depth > 2 || !onlyLooked(r, depth+3) {
				return false
			}
		case *ssa.IndexAddr:
			for _, e := range referrers(r) {
				if s, ok := e.(*ssa.Store); ok && s.Addr == r {
					return false
				}
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() == "copy" && r.Call.Args[0] == v || b.Name() == "append" && r.Call.Args[0] == v || b.Name() == "clear" {
					return false
				}
				continue
			}
			m := calledMethod(r)
			if m == nil || m.Pkg() == nil {
				return false
			}
			switch m.Pkg().Path() {
			case "encoding/binary":
				if strings.HasPrefix(m.Name(), "Put") {
					return false
				}
			case "bytes", "strconv", "unicode/utf8", "encoding/json", "encoding/xml":
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// asksItsLength reports whether a function asks for the length of its parameter, goes through it or makes a string of it.
func asksItsLength(p *ssa.Parameter) bool {
	for _, r := range referrers(p) {
		switch r := r.(type) {
		case *ssa.Convert:
			return true
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
				// A test of the least that there must be asks for nothing more.
				for _, q := range referrers(r) {
					if o, ok := q.(*ssa.BinOp); ok && !isConst(o.X) && !isConst(o.Y) {
						return true
					}
				}
			}
		}
	}
	return false
}
