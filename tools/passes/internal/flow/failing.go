// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A codec, an iterator or a session whose method failed is in an unknown state: a
// path that returns the error drops it on purpose. A buffer is not: what failed
// is what it was filled from.

// noteFailing remembers the pooled value whose method gave an error.
func (a *analysis) noteFailing(target callee, args []*sym, c *ssa.CallCommon, outs []outcome) {
	n := c.Signature().Results().Len()
	if n == 0 || len(args) == 0 || !isError(c.Signature().Results().At(n-1).Type()) {
		return
	}
	if !c.IsInvoke() && (target.method == nil || target.method.Signature().Recv() == nil) {
		return
	}
	t := plain(args[0]).root()
	if t.kind != kToken || !ofSync(t.pool) && t.pool.known || t.typ == nil || isBuffer(t.typ) {
		return
	}
	for _, o := range outs {
		err := o.result
		if n > 1 {
			if err.kind != kAgg || len(err.list) != n {
				continue
			}
			err = err.list[n-1]
		}
		if err = plain(err); err.kind != kNil && !slices.Contains(a.failing[err], t) {
			a.failing[err] = append(a.failing[err], t)
		}
	}
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
