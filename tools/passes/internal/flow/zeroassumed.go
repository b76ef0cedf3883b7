// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An array that New makes is zero; one that was in use is not. Who copies something shorter
// into a part of it and passes the whole part on takes it for new.

// judgeZeroAssumed reports such copies into arrays from pools that nobody clears.
func (a *analysis) judgeZeroAssumed() {
	f := a.uses()
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok || !f.gets0(a, call) {
			continue
		}
		arrays := []ssa.Value{call}
		for _, r := range referrers(call) {
			if ta, ok := r.(*ssa.TypeAssert); ok && !ta.CommaOk {
				arrays = append(arrays, ta)
			}
		}
		for _, b := range arrays {
			p, ok := b.Type().Underlying().(*types.Pointer)
			if !ok || f.getter[call.Parent()] {
				continue
			}
			if arr, ok := p.Elem().Underlying().(*types.Array); ok && !a.clearedForPut(b.Type()) {
				a.zeroAssumed(b, arr.Len())
			}
		}
	}
}

// An arrayPart is a slice of an array with constant bounds.
type arrayPart struct {
	at     ssa.Instruction
	lo, hi int64
	v      *ssa.Slice
}

// zeroAssumed looks at what one function does with an array.
func (a *analysis) zeroAssumed(b ssa.Value, n int64) {
	var copies []arrayPart
	var src []ssa.Value
	var reads []arrayPart
	for _, r := range referrers(b) {
		switch r := r.(type) {
		case *ssa.Slice:
			p, ok := constantPart(r, n)
			if !ok {
				return // how much of it is used depends on what was written
			}
			for _, q := range referrers(r) {
				c, ok := q.(*ssa.Call)
				if !ok {
					if _, isDebug := q.(*ssa.DebugRef); isDebug {
						continue
					}
					return
				}
				bi, isBuiltin := c.Call.Value.(*ssa.Builtin)
				p.at = c
				switch {
				case !isBuiltin && a.calledFunction(c) == nil:
					reads = append(reads, p)
				case isBuiltin && bi.Name() == "copy" && c.Call.Args[0] == r && len(referrers(c)) == 0:
					copies, src = append(copies, p), append(src, c.Call.Args[1])
				case isBuiltin && (bi.Name() == "len" || bi.Name() == "copy" && c.Call.Args[0] != r):
				default:
					return // cleared, or filled by somebody
				}
			}
		case *ssa.IndexAddr:
			if inLoop(r.Block()) {
				return
			}
		case *ssa.MakeInterface, *ssa.DebugRef, *ssa.Defer:
		case ssa.CallInstruction:
			if a.calledFunction(r) != nil && !a.uses().putter[a.calledFunction(r)][0] {
				return
			}
		default:
			return
		}
	}
	for k, c := range copies {
		if !mayBeShorter(src[k], c.hi-c.lo) {
			continue
		}
		for _, r := range reads {
			if !mayFollow(c.at, r.at) || r.lo > c.lo || r.hi < c.hi || fills(r.at.(*ssa.Call)) {
				continue
			}
			if overwrittenPart(c, reads) {
				continue
			}
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(c.at), fn: c.at.Parent(),
				message: fmt.Sprintf("what is copied here may be shorter than the part of %s that is passed on with it (%s): the rest is what the last user left, not zero", apposed(a.valueName(b), "the array from the pool", "the array from the pool"), a.line(instrPos(r.at))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(b.(ssa.Instruction)), Message: "taken here"}, {Pos: instrPos(r.at), Message: "passed on here"}},
			})
			return
		}
	}
}

// overwrittenPart reports whether something out of view is given the part before the copy: it may
// fill it.
func overwrittenPart(c arrayPart, reads []arrayPart) bool {
	for _, r := range reads {
		if f := calledMethod(r.at.(*ssa.Call)); f != nil && f.Pkg() != nil && f.Pkg().Path() == "encoding/binary" {
			continue // a number
		}
		if r.lo < c.hi && c.lo < r.hi && mayFollow(r.at, c.at) && !mayFollow(c.at, r.at) {
			return true
		}
	}
	return false
}

// fills reports whether a call may write to the slices that it is given.
func fills(c *ssa.Call) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil {
		return true
	}
	switch f.Pkg().Path() {
	case "hash/crc32", "hash/adler32", "crypto/sha256", "crypto/sha1", "crypto/md5":
		return false
	}
	return f.Name() != "Write" && f.Name() != "WriteTo" && f.Name() != "WriteAt"
}

// constantPart are the bounds of a slice of an array, where they are constant.
func constantPart(s *ssa.Slice, n int64) (arrayPart, bool) {
	p := arrayPart{lo: 0, hi: n, v: s}
	for _, x := range []struct {
		v  ssa.Value
		to *int64
	}{{s.Low, &p.lo}, {s.High, &p.hi}} {
		if x.v == nil {
			continue
		}
		c, ok := x.v.(*ssa.Const)
		if !ok || c.Value == nil {
			return p, false
		}
		*x.to = c.Int64()
	}
	return p, true
}

// mayBeShorter reports whether what is copied to n bytes may have fewer: it is a string, or it
// was asked to have no more than that, and nobody asked for its length to be right.
func mayBeShorter(v ssa.Value, n int64) bool {
	if _, isConst := v.(*ssa.Const); isConst {
		return false
	}
	if s, ok := v.(*ssa.Slice); ok {
		v = s.X
		if s.Low != nil || s.High != nil {
			return false
		}
	}
	if _, isArray := deref(v.Type()).Underlying().(*types.Array); isArray {
		return false
	}
	limited := false
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		limited = true
	}
	fn := v.(interface{ Parent() *ssa.Function }).Parent()
	for i := range instrsOf(fn) {
		o, ok := i.(*ssa.BinOp)
		if !ok {
			continue
		}
		x, ok := o.X.(*ssa.Call)
		k, isConst := o.Y.(*ssa.Const)
		if !ok || !isConst || k.Value == nil || k.Value.Kind() != constant.Int {
			continue
		}
		if bi, ok := x.Call.Value.(*ssa.Builtin); !ok || bi.Name() != "len" || !oneRead(x.Call.Args[0], v, 0) {
			continue
		}
		switch o.Op {
		case token.EQL, token.NEQ, token.LSS:
			if k.Int64() != 0 {
				return false
			}
		case token.GTR, token.GEQ:
			limited = limited || k.Int64() >= n
		}
	}
	return limited
}

// clearedForPut reports whether a function that puts values of a type, or takes them, clears
// one as a whole.
func (a *analysis) clearedForPut(t types.Type) bool {
	f := a.uses()
	clears := func(fn *ssa.Function) bool {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				if _, isAlloc := i.Addr.(*ssa.Alloc); !isAlloc && types.Identical(i.Addr.Type(), t) {
					return true
				}
			case *ssa.Call:
				if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "clear" {
					if s, ok := i.Call.Args[0].(*ssa.Slice); ok && s.Low == nil && s.High == nil && types.Identical(s.X.Type(), t) {
						return true
					}
				}
			}
		}
		return false
	}
	for _, method := range []string{"Put", "Get"} {
		for c := range a.poolCalls(method) {
			of := func(v ssa.Value) bool { return types.Identical(v.Type(), t) }
			fn := c.Parent()
			if method == "Put" && of(unboxed(c.Common().Args[1])) && clears(fn) || method == "Get" && f.getter[fn] && clears(fn) {
				return true
			}
		}
	}
	return false
}
