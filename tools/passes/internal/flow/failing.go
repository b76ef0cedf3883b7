// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A codec, an iterator or a session whose method failed is in an unknown state: a
// path that returns the error drops it on purpose. A buffer is not: what failed
// is what it was filled from. Nor is a value that a method of this package only
// looked at.

// noteFailing remembers the pooled value whose method gave an error.
func (a *analysis) noteFailing(target callee, args []*sym, c *ssa.CallCommon, outs []outcome) {
	n := c.Signature().Results().Len()
	if n == 0 || len(args) == 0 || !isError(c.Signature().Results().At(n-1).Type()) {
		return
	}
	if !c.IsInvoke() && (target.method == nil || target.method.Signature().Recv() == nil) {
		return
	}
	if fn := c.StaticCallee(); fn != nil && (onlyReads(fn) || a.ownMethod(fn)) {
		return
	}
	t := plain(args[0]).root()
	if t.kind == kLoad && t.typ != nil && !isBuffer(t.typ) && t.a.kind == kField {
		a.noteErrors(t, n, outs, target, c)
		// A part that cannot be reset, or whose methods are the value's own.
		if whole := t.a.a.root(); whole.kind == kToken && (strings.HasPrefix(calleeName(target, c), "Reset") || embedded(t.a)) {
			a.noteErrors(whole, n, outs, target, c)
		}
		return
	}
	if t.kind != kToken || !ofSync(t.pool) && t.pool.known || t.typ == nil || isBuffer(t.typ) {
		return
	}
	a.noteErrors(t, n, outs, target, c)
	for _, err := range errorsOf(n, outs) {
		a.noteBegun(target, c, err)
	}
}

// embedded reports whether a place is a field whose methods the struct has, too, such as that of a
// connection, and not what the user of a wrapper gave it.
func embedded(field *sym) bool {
	v, ok := field.obj.(*types.Var)
	if !ok || !v.Embedded() {
		return false
	}
	closer, _, _ := types.LookupFieldOrMethod(v.Type(), true, nil, "Close")
	return !types.IsInterface(v.Type()) || closer != nil
}

// noteErrors remembers the errors, the last of n results, that came of a method of t.
func (a *analysis) noteErrors(t *sym, n int, outs []outcome, target callee, c *ssa.CallCommon) {
	for _, err := range errorsOf(n, outs) {
		if !slices.Contains(a.failing[err], t) {
			a.failing[err] = append(a.failing[err], t)
			a.failedBy[err] = kindOf(calleeName(target, c))
		}
	}
}

// errorsOf are the errors, the last of n results, of a call.
func errorsOf(n int, outs []outcome) (errs []*sym) {
	for _, o := range outs {
		err := o.result
		if n > 1 {
			if err.kind != kAgg || len(err.list) != n {
				continue
			}
			err = err.list[n-1]
		}
		if err = plain(err); err.kind != kNil {
			errs = append(errs, err)
		}
	}
	return errs
}

// onlyReads reports whether a method whose body is in view neither writes to its
// receiver nor gives it to anybody.
func onlyReads(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || len(fn.Params) == 0 {
		return false
	}
	var inReceiver func(v ssa.Value) bool
	inReceiver = func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Parameter:
			return v == fn.Params[0]
		case *ssa.FieldAddr:
			return inReceiver(v.X)
		case *ssa.IndexAddr:
			return inReceiver(v.X)
		case *ssa.UnOp: // what the receiver points to is a part of it
			return inReceiver(v.X)
		case *ssa.Slice:
			return inReceiver(v.X)
		}
		return false
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if inReceiver(i.Addr) || hasPointers(i.Val.Type()) && inReceiver(i.Val) {
				return false
			}
		case *ssa.MapUpdate:
			if inReceiver(i.Map) {
				return false
			}
		case *ssa.MakeClosure, *ssa.Send:
			return false
		case ssa.CallInstruction:
			c := i.Common()
			if c.IsInvoke() && inReceiver(c.Value) {
				return false
			}
			for _, x := range c.Args {
				if hasPointers(x.Type()) && inReceiver(x) {
					return false
				}
			}
		case *ssa.MakeInterface:
			if hasPointers(i.X.Type()) && inReceiver(i.X) {
				return false
			}
		}
	}
	return true
}

// failed reports whether a method of t failed on the path.
func (a *analysis) failed(st *state, t *sym) bool {
	for err, list := range a.failing {
		if !slices.Contains(list, t) {
			continue
		}
		if isNil, ok := a.known(st, a.syms.nilTest(err)); ok && !isNil {
			return true
		}
	}
	return false
}

// isBuffer reports whether values of a type hold bytes and little else: a slice,
// or a type whose contents can be had with a method Bytes or are those of bufio.
func isBuffer(t types.Type) bool {
	if structOf(t) == nil && !types.IsInterface(t) {
		return true
	}
	if namedPkg(t) == "bufio" {
		return true
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Bytes")
	_, ok := obj.(*types.Func)
	return ok
}

// ownMethod reports whether a method of this package failed for reasons of its own: it
// neither begins a use of the value, nor has the value a stream that can fail.
func (a *analysis) ownMethod(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || len(fn.Blocks) == 0 || !a.inPackage(fn) || hasPrefix(strings.ToLower(fn.Name()), []string{"init", "reset", "open", "start"}) {
		return false
	}
	s := structOf(fn.Signature.Recv().Type())
	if s == nil {
		return false
	}
	for f := range s.Fields() {
		if pkg := namedPkg(f.Type()); streams(f.Type()) || pkg == "bufio" || strings.HasPrefix(pkg, "compress/") {
			return false
		}
	}
	return true
}

// underSentinel reports whether a block is the arm of a test that found a particular error,
// such as io.EOF: how far a stream was read decides nothing about the value.
func underSentinel(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	i, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok || b != b.Preds[0].Succs[0] {
		return false
	}
	c, ok := i.Cond.(*ssa.BinOp)
	if !ok || c.Op != token.EQL || !isError(c.X.Type()) {
		return false
	}
	for _, x := range []ssa.Value{c.X, c.Y} {
		if l, ok := x.(*ssa.UnOp); ok {
			if _, isGlobal := l.X.(*ssa.Global); isGlobal {
				return true
			}
		}
	}
	return false
}
