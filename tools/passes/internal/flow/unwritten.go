// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A frame is built in bytes from a pool, part by part: a flag, a length, a body. A part that is left
// out, since it is zero in memory that was just made, has there what the last user wrote.

// judgeUnwritten reports bytes from a pool that are passed on with a part that nobody wrote.
func (a *analysis) judgeUnwritten() {
	f := a.uses()
	makers := map[*ssa.Function]bool{}
	for _, fn := range a.fns {
		if !a.inTest(fn) && f.givesOldBytes(fn) {
			makers[fn] = true
		}
	}
	cleared := false
	look := func(v ssa.Value) {
		at, ok := v.(ssa.Instruction)
		if !ok || a.inTest(at.Parent()) || makers[at.Parent()] {
			return
		}
		gap, on := f.gapIn(v)
		if on == nil || cleared || a.clearsBytes() {
			cleared = cleared || on != nil
			return
		}
		a.reportFound(finding{
			pattern: missingReset, pos: instrPos(on), fn: at.Parent(),
			message: fmt.Sprintf("nothing is written to byte %d of %s, which comes from a pool (%s): it is what the last user left, not zero", gap, orElse(a.gotName(at), "what is passed on here"), a.line(instrPos(at))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "taken here"}},
		})
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Slice:
			if f.oldBytes(i) {
				look(i)
			}
		case *ssa.Call:
			if isBytes(i.Type()) && (makers[a.calledFunction(i)] || lendsOldBytes(i)) {
				look(i)
			}
		}
	}
}

// lendsOldBytes reports whether a call is that of a known pool of another package, which gives bytes of
// the length asked for as they are.
func lendsOldBytes(c *ssa.Call) bool {
	if c.Call.IsInvoke() {
		return false
	}
	known, ok := poolFuncOf(calledMethod(c))
	return ok && known.acquire && known.sized && !known.fresh
}

// givesOldBytes reports whether a function gives bytes from a pool, at a length, as they were.
func (f *forgotten) givesOldBytes(fn *ssa.Function) bool {
	if fn.Signature.Results().Len() != 1 || !isBytes(fn.Signature.Results().At(0).Type()) {
		return false
	}
	old := false
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && (bi.Name() == "clear" || bi.Name() == "copy" || bi.Name() == "append") {
				return false
			}
		case *ssa.Store:
			if _, ok := i.Addr.(*ssa.IndexAddr); ok {
				return false
			}
		case *ssa.Return:
			s, ok := i.Results[0].(*ssa.Slice)
			old = old || ok && f.oldBytes(s)
		}
	}
	return old
}

// oldBytes reports whether a slice is one of bytes from a pool, at a length that is not zero.
func (f *forgotten) oldBytes(s *ssa.Slice) bool {
	if !isBytes(s.Type()) || s.High == nil || emptyCut(s) {
		return false
	}
	if c, ok := s.Low.(*ssa.Const); s.Low != nil && (!ok || !isZero(c.Value)) {
		return false
	}
	return f.bytesFromPool(s.X, 0)
}

// bytesFromPool reports whether a slice was taken from a pool, by itself or in a box, or made of a
// pointer to its first byte.
func (f *forgotten) bytesFromPool(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.TypeAssert:
		c, ok := x.X.(*ssa.Call)
		return ok && funcKey(calledMethod(c)) == "sync.Pool.Get"
	case *ssa.Extract:
		return x.Index == 0 && f.bytesFromPool(x.Tuple, depth+1)
	case *ssa.UnOp:
		return f.bytesFromPool(x.X, depth+1)
	case *ssa.Call:
		if bi, ok := x.Call.Value.(*ssa.Builtin); ok {
			return bi.Name() == "Slice" && f.bytesFromPool(x.Call.Args[0], depth+1) // of package unsafe
		}
	}
	return false
}

// A byteRange is a part of a slice: hi may be beyond its end.
type byteRange struct{ lo, hi int64 }

// gapIn is the first byte of a slice that is not written before the whole is passed on, and the call
// that it is passed to; nil if that is not sure.
func (f *forgotten) gapIn(v ssa.Value) (gap int64, on ssa.Instruction) {
	var parts []byteRange
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			c, isConst := r.Index.(*ssa.Const)
			for _, q := range referrers(r) {
				switch q := q.(type) {
				case *ssa.Store:
					if q.Addr != r || !isConst {
						return 0, nil
					}
					parts = append(parts, byteRange{c.Int64(), c.Int64() + 1})
				case *ssa.UnOp, *ssa.DebugRef:
				default:
					return 0, nil
				}
			}
		case *ssa.Slice:
			part := byteRange{0, math.MaxInt64}
			if c, ok := r.Low.(*ssa.Const); ok && c.Value != nil {
				part.lo = c.Int64()
			} else if r.Low != nil {
				return 0, nil
			}
			if c, ok := r.High.(*ssa.Const); ok && c.Value != nil {
				part.hi = c.Int64()
			}
			for _, q := range referrers(r) {
				if _, ok := q.(*ssa.DebugRef); ok {
					continue
				}
				c, ok := q.(*ssa.Call)
				if !ok {
					return 0, nil
				}
				if part.lo == 0 && sendsOff(c) {
					if on == nil || instrPos(c) < instrPos(on) {
						on = c
					}
					continue
				}
				p := part
				if n := putBytes(c); n > 0 {
					p.hi = p.lo + n
				}
				parts = append(parts, p)
			}
		case *ssa.Call:
			switch {
			case f.putsBytes(r, v):
			case isLen(r):
			case sendsOff(r):
				if on == nil || instrPos(r) < instrPos(on) {
					on = r
				}
			default:
				return 0, nil
			}
		case *ssa.Defer:
			if !f.putsBytes(r, v) {
				return 0, nil
			}
		case *ssa.MakeInterface: // to be put
			for _, q := range referrers(r) {
				if c, ok := q.(ssa.CallInstruction); !ok || !f.putsBytes(c, r) {
					return 0, nil
				}
			}
		default:
			return 0, nil
		}
	}
	if on == nil || len(parts) < 2 {
		return 0, nil
	}
	slices.SortFunc(parts, func(x, y byteRange) int { return cmp.Compare(x.lo, y.lo) })
	for _, p := range parts {
		if p.lo > gap {
			return gap, on
		}
		gap = max(gap, p.hi)
	}
	return 0, nil
}

func isLen(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

// putsBytes reports whether a call puts a value, or is of a function of the package that may.
func (f *forgotten) putsBytes(c ssa.CallInstruction, v ssa.Value) bool {
	m := calledMethod(c)
	if known, ok := poolFuncOf(m); ok && known.release >= 0 {
		return true
	}
	if m == nil {
		return false
	}
	for _, s := range []string{"free", "put", "release", "recycle"} {
		if strings.HasPrefix(strings.ToLower(m.Name()), s) {
			return m.Signature().Results().Len() == 0
		}
	}
	return false
}

// sendsOff reports whether a call's name says that it takes the bytes to somebody else.
func sendsOff(c *ssa.Call) bool {
	m := calledMethod(c)
	if m == nil {
		return false
	}
	name := strings.ToLower(m.Name())
	return strings.HasPrefix(name, "write") || strings.HasPrefix(name, "send")
}

// putBytes is how many bytes a call of package encoding/binary writes; 0 of others.
func putBytes(c *ssa.Call) int64 {
	m := calledMethod(c)
	if m == nil || m.Pkg() == nil || m.Pkg().Path() != "encoding/binary" {
		return 0
	}
	switch m.Name() {
	case "PutUint16":
		return 2
	case "PutUint32":
		return 4
	case "PutUint64":
		return 8
	}
	return 0
}

// clearsBytes reports whether some function of the package clears bytes.
func (a *analysis) clearsBytes() bool {
	for c := range a.productCalls() {
		if b, ok := c.Common().Value.(*ssa.Builtin); ok && b.Name() == "clear" {
			if _, isSlice := c.Common().Args[0].Type().Underlying().(*types.Slice); isSlice && isBytes(c.Common().Args[0].Type()) {
				return true
			}
		}
	}
	return false
}
