// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What package io copies through a buffer, and what a bufio.Writer flushes, goes to the Read and Write methods of what
// it was given. Where these are in view and leave the buffer with a goroutine, or send it
// on a channel, somebody may be at it when the copying is over.

// A passedThrough is one way through such a method. If that gives an error, so does the call.
type passedThrough struct {
	st     *state
	failed bool
}

// throughBuffer runs the methods of the package that a call of package io gives a buffer
// to, once each. It reports whether there are such.
func (a *analysis) throughBuffer(st *state, i ssa.CallInstruction, f *types.Func, args []*sym) (ways []passedThrough, ok bool) {
	if f.Pkg() == nil || f.Pkg().Path() != "io" && funcKey(f) != "bufio.Writer.Flush" {
		return nil, false
	}
	type use struct {
		on     *sym
		method string
	}
	var uses []use
	var buf *sym
	switch f.Name() {
	case "ReadFull", "ReadAtLeast":
		uses, buf = []use{{args[0], "Read"}}, args[1]
	case "CopyBuffer":
		uses, buf = []use{{args[1], "Read"}, {args[0], "Write"}}, args[2]
	case "Flush":
		own := a.writesToOwner(st, args[0])
		if own == nil {
			return nil, false
		}
		uses, buf = []use{{own, "Write"}}, a.syms.view(args[0], types.NewSlice(types.Typ[types.Byte]))
	default:
		return nil, false
	}
	if buf.kind == kNil {
		return nil, false
	}
	ways = []passedThrough{{st: st}}
	for _, u := range uses {
		on, m := a.queueingMethod(u.on, u.method)
		if m == nil {
			continue
		}
		var after []passedThrough
		for _, w := range ways {
			outs, followed := a.inline(w.st, i, m, []*sym{on, buf}, nil)
			if !followed {
				after = append(after, w)
				continue
			}
			ok = true
			for _, o := range outs {
				after = append(after, passedThrough{o.st, w.failed || a.gaveError(o)})
			}
		}
		if len(after) == 0 || len(after) > maxExits {
			return nil, false
		}
		ways = after
	}
	return ways, ok
}

// gaveError reports whether a Read or Write did nothing and gave an error for sure, other than the one that
// tells the end.
func (a *analysis) gaveError(o outcome) bool {
	err := lastGiven(o)
	if err == nil || o.result.list[0].kind != kConst || !isZero(o.result.list[0].val) || err.kind == kLoad && err.a.kind == kGlobal && err.a.obj.(*ssa.Global).Name() == "EOF" {
		return false
	}
	isNil, known := a.known(o.st, a.syms.nilTest(err))
	return known && !isNil
}

// lastGiven is the last of several results of a call.
func lastGiven(o outcome) *sym {
	if o.result == nil || o.result.kind != kAgg || len(o.result.list) == 0 {
		return nil
	}
	return o.result.list[len(o.result.list)-1]
}

// queueingMethod is the method that an object has in the package, or what a struct of another type embeds for it, if it
// leaves what it is given with others. With it comes the object.
func (a *analysis) queueingMethod(x *sym, name string) (on *sym, m *ssa.Function) {
	if x.kind != kIface && x.kind != kAlloc && x.kind != kToken || !concrete(x.typ) {
		return nil, nil
	}
	sel := types.NewMethodSet(x.typ).Lookup(a.pkg.Pkg, name)
	if sel == nil {
		return nil, nil
	}
	if v := plain(x); len(sel.Index()) == 2 && v.kind == kAgg && sel.Index()[0] < len(v.list) {
		if part := v.list[sel.Index()[0]]; part.kind == kIface {
			return a.queueingMethod(part, name) // struct{ io.Writer }{w}
		}
	}
	m = a.prog.MethodValue(sel)
	if m == nil || len(m.Blocks) == 0 || len(m.Params) != 2 || !a.inPackage(m) || !a.queues(m, 0) {
		return nil, nil
	}
	return plain(x), m
}
