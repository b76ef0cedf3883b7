// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who sends a request has the response, and closes its body. A body with memory from a pool that is set in its place is
// lost with the response where a path leaves before anybody else is given that.

// responseTo reports whether an object is the response that a call gave to the root.
func (a *analysis) responseTo(x *sym) (*ssa.Call, bool) {
	call, ok := x.obj.(*ssa.Call)
	if !ok || x.kind != kOpaque || x.typ == nil || x.typ.String() != "*net/http.Response" || call.Parent() != a.root {
		return nil, false
	}
	res := call.Call.Signature().Results()
	return call, res.Len() == 2 && isError(res.At(1).Type()) && types.Identical(res.At(0).Type(), x.typ)
}

// endsWithRoot reports whether an object is such a response, and the path leaves it to nobody: what is in its fields is used
// no more.
func (a *analysis) endsWithRoot(e exit, x *sym) bool {
	if _, ok := a.responseTo(x); !ok {
		return false
	}
	left := true
	look := func(v *sym) {
		a.reach(e.st, v, func(y *sym) bool {
			left = left && y != x
			return left
		})
	}
	for _, r := range e.results {
		look(r)
	}
	for _, g := range e.st.gos {
		for _, h := range g.holds {
			look(h)
		}
	}
	for _, k := range sortedKeys(e.st.mem) {
		if b := k.base(); b != x && b.kind != kAlloc && left {
			look(e.st.mem[k])
		}
	}
	return left
}

// ownResponse reports whether an object is such a response, and which the path gave to nobody.
func (a *analysis) ownResponse(e exit, x *sym) bool {
	call, ok := a.responseTo(x)
	if !ok || e.st.f == nil || e.st.f.fn != a.root {
		return false
	}
	for _, r := range referrers(call) {
		part, ok := r.(*ssa.Extract)
		if !ok || part.Index != 0 {
			continue
		}
		for _, use := range referrers(part) {
			switch use := use.(type) {
			case *ssa.FieldAddr, *ssa.BinOp, *ssa.DebugRef:
			case ssa.CallInstruction, *ssa.Return:
				if e.st.f.visits[use.Block().Index] > 0 {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}
