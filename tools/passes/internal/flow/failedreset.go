// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What a method failed of may be dropped on purpose, but for one: the Reset of a decompressor that finds no header
// in its input leaves it as good as new for the next Reset. Where whoever closes the object that has it puts it
// whatever it met on the way, one that could not be begun is lost by the constructor of that object.

// begins are the methods, which may give an error, that make a decompressor what it was when it was made.
var begins = map[string]bool{
	"compress/gzip.Reader.Reset":                         true,
	"compress/zlib.Resetter.Reset":                       true,
	"compress/flate.Resetter.Reset":                      true,
	"github.com/klauspost/compress/gzip.Reader.Reset":    true,
	"github.com/klauspost/compress/zlib.Resetter.Reset":  true,
	"github.com/klauspost/compress/flate.Resetter.Reset": true,
	"github.com/klauspost/compress/zstd.Decoder.Reset":   true,
	"github.com/klauspost/pgzip.Reader.Reset":            true,
	"github.com/andybalholm/brotli.Reader.Reset":         true,
}

// noteBegun remembers that an error came of such a method.
func (a *analysis) noteBegun(target callee, c *ssa.CallCommon, err *sym) {
	m := c.Method
	if m == nil {
		m = target.method
	}
	if m != nil && begins[a.named(m).key] {
		set(&a.notBegun, err, true)
	}
}

// notBegunAt reports whether a path ends with the error that t could not be begun, or with one that was made for it, and met
// no other of a method of t.
func (a *analysis) notBegunAt(e exit, t *sym) bool {
	result := lastResult(e)
	if result == nil || e.ret == nil || !isError(e.ret.Results[len(e.ret.Results)-1].Type()) {
		return false
	}
	found := false
	for err, list := range a.failing {
		if !slices.Contains(list, t) {
			continue
		}
		if isNil, ok := a.known(e.st, a.syms.nilTest(err)); ok && isNil {
			continue
		}
		if !a.notBegun[err] || !a.saysThat(e.st, result, err) && !madeToTell(e.ret.Results[len(e.ret.Results)-1]) {
			return false
		}
		found = true
	}
	return found
}

// saysThat reports whether a result is an error, wraps it, or is one of the package's variables or one made on the path.
func (a *analysis) saysThat(st *state, result, err *sym) bool {
	x := plain(result)
	if x == err || sentinel(x) || x.kind == kAlloc || slices.ContainsFunc(a.wrappedBy(st, result), func(y *sym) bool { return plain(y) == err }) {
		return true
	}
	found := false
	a.reach(st, result, func(y *sym) bool {
		found = found || y == err
		return !found
	})
	return found
}

// madeToTell reports whether an error is made with the text, or around, of another one.
func madeToTell(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	switch f.Pkg().Path() {
	case "fmt", "errors", "github.com/pkg/errors":
		return true
	}
	return slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return isError(x.Type()) })
}

// lostNotBegun are the paths that lost what could not be begun, where other paths return an object that has the value
// and it is put, and nobody who puts it asks for an error first.
func (a *analysis) lostNotBegun(l *leak) []lostPath {
	if len(l.unbegun) == 0 || !l.within || !a.putWhateverMet(l.get) {
		return nil
	}
	return l.unbegun
}

// putWhateverMet reports whether a pool is put to, and never behind a test that there was no error.
func (a *analysis) putWhateverMet(t *sym) bool {
	puts := 0
	for c := range a.poolCalls("Put") {
		if pool := a.staticPool(c.Common().Args[0]); pool != nil && t.pool.key != nil {
			if pool != t.pool.key {
				continue
			}
		} else if !types.Identical(unboxed(c.Common().Args[1]).Type(), t.typ) {
			continue
		}
		if behindSuccess(c) {
			return false
		}
		puts++
	}
	return puts > 0
}

// behindSuccess reports whether the last error that was asked for before an instruction runs was nil.
func behindSuccess(i ssa.Instruction) bool {
	for b := i.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		test, ok := lastInstr(b.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		c, ok := test.Cond.(*ssa.BinOp)
		if ok && isError(c.X.Type()) && isNilConst(c.Y) {
			return (c.Op == token.EQL) == (b == b.Preds[0].Succs[0])
		}
	}
	return false
}
