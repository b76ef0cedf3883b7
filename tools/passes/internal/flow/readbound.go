// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What is read into a buffer through a reader that ends after so many bytes, or by a call that is told how many, makes it no
// larger than that. Where the number is a constant, and a small one, the buffer need not be dropped for its size.

// fewBytes is what a pool may well keep.
const fewBytes = 1 << 20

// readsFew reports whether a call reads no more into a buffer than a small constant says.
func readsFew(c *ssa.CallCommon) bool {
	f := c.StaticCallee()
	if f == nil {
		return false
	}
	m, ok := f.Object().(*types.Func)
	if !ok {
		return false
	}
	switch funcKey(m) {
	case "io.CopyN":
		return isFew(c.Args[2]) || endsSoon(c.Args[1], 0)
	case "io.Copy", "io.CopyBuffer":
		return endsSoon(c.Args[1], 0)
	}
	return m.Name() == "ReadFrom" && m.Signature().Recv() != nil && len(c.Args) == 2 && endsSoon(c.Args[1], 0)
}

// endsSoon reports whether a reader ends after a small number of bytes, which is a constant.
func endsSoon(r ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch r := unboxed(r).(type) {
	case *ssa.Alloc:
		return limitedTo(r, depth)
	case *ssa.TypeAssert:
		return endsSoon(r.X, depth+1)
	case *ssa.Call:
		m := calledMethod(r)
		if m == nil || r.Call.IsInvoke() {
			return false
		}
		switch args := r.Call.Args; funcKey(m) {
		case "io.LimitReader":
			return isFew(args[1]) || endsSoon(args[0], depth+1)
		case "net/http.MaxBytesReader":
			return isFew(args[2]) || endsSoon(args[1], depth+1)
		case "io.NewSectionReader":
			return isFew(args[2])
		case "io.TeeReader", "io.NopCloser", "bufio.NewReader", "bufio.NewReaderSize":
			return endsSoon(args[0], depth+1)
		}
	}
	return false
}

// limitedTo reports whether a reader that is made in place is an io.LimitedReader with such a number, which nothing sets anew.
func limitedTo(al *ssa.Alloc, depth int) bool {
	if depth > 4 {
		return false
	}
	n := pointee(al.Type())
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "io" || n.Obj().Name() != "LimitedReader" {
		return false
	}
	limited := false
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.MakeInterface, *ssa.UnOp:
		case *ssa.Store:
			whole, ok := r.Val.(*ssa.UnOp)
			if !ok {
				return false
			}
			from, ok := whole.X.(*ssa.Alloc)
			if !ok || !limitedTo(from, depth+1) {
				return false
			}
			limited = true
		case *ssa.FieldAddr:
			if fieldAt(r).Name() != "N" {
				continue
			}
			for _, u := range referrers(r) {
				switch u := u.(type) {
				case *ssa.DebugRef, *ssa.UnOp:
				case *ssa.Store:
					if u.Addr != r || !isFew(u.Val) {
						return false
					}
					limited = true
				default:
					return false
				}
			}
		case ssa.CallInstruction:
			if m := calledMethod(r); m == nil || funcKey(m) != "io.LimitedReader.Read" {
				return false
			}
		default:
			return false
		}
	}
	return limited
}

// isFew reports whether a number is a constant, and a small one.
func isFew(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return false
	}
	n, exact := constant.Int64Val(c.Value)
	return exact && n <= fewBytes
}

// unboundedHere is unbounded of a call on a path that writes to a buffer of t. A call that reads little may be made again and
// again by a loop around it, or around a call that led there, with nothing between that empties the buffer or takes another one.
func (a *analysis) unboundedHere(st *state, i ssa.Instruction, t *sym) bool {
	c, ok := i.(ssa.CallInstruction)
	if !ok || !readsFew(c.Common()) {
		return unbounded(i)
	}
	for _, at := range slices.Backward(st.here(i).stack) {
		if emptiedEachTime(at, t.stack) {
			return false
		}
		if inLoop(at.Block()) {
			return true
		}
	}
	return false
}

// emptiedEachTime reports whether each way to a call, also from itself, leads through one that empties a buffer which that is
// given, or that stands at one of some places.
func emptiedEachTime(i ssa.Instruction, places []token.Pos) bool {
	for r := range instrsOf(i.Parent()) {
		c, ok := r.(*ssa.Call)
		if !ok || r == i || !precedes(r, i) {
			continue
		}
		empties := slices.Contains(places, instrPos(c))
		if m := calledMethod(c); m != nil {
			switch funcKey(m) {
			case "bytes.Buffer.Reset", "strings.Builder.Reset":
				empties = empties || isGivenIn(i, c.Call.Args[0])
			case "bytes.Buffer.Truncate":
				empties = empties || isZeroSize(c.Call.Args[1]) && isGivenIn(i, c.Call.Args[0])
			}
		}
		if empties && (r.Block() == i.Block() || !slices.ContainsFunc(i.Block().Succs, func(next *ssa.BasicBlock) bool { return reachesPast(next, i.Block(), r.Block()) })) {
			return true
		}
	}
	return false
}

// isGivenIn reports whether a buffer is an argument of a call, or in a struct that is one.
func isGivenIn(i ssa.Instruction, buf ssa.Value) bool {
	c, ok := i.(ssa.CallInstruction)
	return ok && slices.ContainsFunc(c.Common().Args, func(x ssa.Value) bool {
		x = unboxed(x)
		for y := buf; ; {
			if sameRead(x, y) {
				return true
			}
			fx, ok1 := x.(*ssa.FieldAddr)
			fy, ok2 := y.(*ssa.FieldAddr)
			if !ok2 {
				return false
			}
			if ok1 && fx.Field == fy.Field && sameRead(fx.X, fy.X) {
				return true
			}
			y = fy.X
		}
	})
}
