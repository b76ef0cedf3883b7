// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
)

// What a test of an error says of the error, and the other way round: one that is, or wraps, an
// error with a name is not nil, and nil wraps none. io.ReadFull gives an error where it
// gives no bytes.

// errIs tells the results of errors.Is apart from others.
type errIs struct{}

// tellErrors replaces the results of functions that say something of errors, and of those that
// return an element.
func (a *analysis) tellErrors(target callee, args []*sym, outs []outcome) []outcome {
	if target.method == nil || target.method.Pkg() == nil {
		return outs
	}
	switch target.method.Pkg().Path() {
	case "errors", "io", "os":
	case "slices":
		if picksElement(target.method) {
			for n, o := range outs {
				at := a.syms.fresh(kOpaque, types.Typ[types.Int])
				outs[n].result = a.readElem(o.st, plain(args[0]), at, o.result.typ, false)
			}
		}
		return outs
	default:
		return outs
	}
	switch a.named(target.method).key {
	case "errors.Is", "errors.As":
		for n, o := range outs {
			err, of := plain(args[0]), plain(args[1])
			if target.method.Name() == "Is" {
				outs[n].result = a.errorIs(o.st, args[0], of, 0)
				continue
			}
			x := a.syms.intern(symKey{kind: kOpaque, a: err, b: of, obj: errIs{}}, types.Typ[types.Bool])
			if isNil, ok := a.known(o.st, a.syms.nilTest(err)); ok && isNil {
				x = a.syms.boolean(false)
			} else if err == of {
				x = a.syms.boolean(true)
			} else if found, ok := a.foundAs(o.st, args[0], args[1]); ok {
				x = a.syms.boolean(found)
			}
			outs[n].result = x
		}
	case "os.IsNotExist", "os.IsExist", "os.IsPermission", "os.IsTimeout":
		for n, o := range outs {
			err := plain(args[0])
			outs[n].result = a.syms.intern(symKey{kind: kOpaque, a: err, obj: errIs{}, val: target.method.Name()}, types.Typ[types.Bool])
			if isNil, ok := a.known(o.st, a.syms.nilTest(err)); ok && isNil {
				outs[n].result = a.syms.boolean(false)
			}
		}
	case "io.ReadFull", "io.ReadAtLeast":
		for _, o := range outs {
			if r := o.result; r.kind == kAgg && len(r.list) == 2 {
				if a.syms.readErrs == nil {
					a.syms.readErrs = map[*sym]*sym{}
				}
				a.syms.readErrs[r.list[0]] = r.list[1]
			}
		}
	}
	return outs
}

// foundAs reports whether errors.As finds what its target is for in an error of which the path knows the type,
// and sets the target.
func (a *analysis) foundAs(st *state, err, target *sym) (found, ok bool) {
	if err.kind != kIface || !concrete(err.typ) || target.kind != kIface {
		return false, false
	}
	p, isPtr := target.typ.Underlying().(*types.Pointer)
	if !isPtr {
		return false, false
	}
	if types.Identical(err.typ, p.Elem()) {
		a.write(st, target.a, err.a)
		return true, true
	}
	if types.IsInterface(p.Elem()) {
		return false, false
	}
	for _, name := range []string{"As", "Unwrap"} {
		if m, _, _ := types.LookupFieldOrMethod(err.typ, true, a.pkg.Pkg, name); m != nil {
			return false, false // it may lead to one
		}
	}
	return false, true
}

// erring is the error that is not nil if a condition holds.
func (a *analysis) erring(c *sym) *sym {
	if c.kind == kOpaque && c.obj == (errIs{}) {
		return c.a
	}
	if c.kind != kCmp || c.idx != int(token.EQL) {
		return nil
	}
	for _, p := range [2][2]*sym{{c.a, c.b}, {c.b, c.a}} {
		if sentinel(p[0]) && p[1].kind != kConst && p[1].kind != kNil {
			return plain(p[1])
		}
		if p[0].kind == kConst && p[0].val.Kind() == constant.Int && constant.Sign(p[0].val) == 0 {
			if err := a.syms.readErrs[p[1]]; err != nil {
				return plain(err)
			}
		}
	}
	return nil
}

// noError reports whether a path knows that there was no error where a condition asks for one.
func (a *analysis) noError(st *state, c *sym) bool {
	err := a.erring(c)
	if err == nil {
		return false
	}
	return err.kind == kNil || st.truth[a.syms.nilTest(err)]
}
