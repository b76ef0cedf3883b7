// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The transport of net/http closes the body of each request that it is given, also when
// it fails, and maybe after it returned. What that Close puts is in the pool from then on.

// transportCloses runs the Close method of the body that a call gives to the transport. It
// reports whether there is one in view: the transport has done with what it closed.
func (a *analysis) transportCloses(st *state, i ssa.CallInstruction, args []*sym, c *ssa.CallCommon) (states []*state, ok bool) {
	states = []*state{st}
	for n, x := range args {
		if n == 0 && c.Signature().Recv() != nil || !hasPointers0(x) {
			continue
		}
		for _, b := range a.bodiesOf(st, x) {
			m := a.closeOf(b)
			if m == nil {
				continue
			}
			var after []*state
			for _, s := range states {
				before := map[*sym]*release{}
				for k, r := range s.rel {
					before[k] = r
				}
				delete(s.truth, a.ofTransport(plain(b)))
				outs, followed := a.inline(s, i, m, []*sym{plain(b)}, nil)
				if !followed {
					after = append(after, s)
					continue
				}
				ok = true
				for _, o := range outs {
					closed := map[*release]bool{}
					for _, k := range sortedKeys(o.st.rel) {
						if r := o.st.rel[k]; before[k] != r {
							later := *r
							later.async, later.closed = true, true
							o.st.rel[k] = &later
							closed[&later] = true
						}
					}
					if len(closed) > 0 {
						o.st.truth[a.ofTransport(plain(b))] = true
					}
					a.readsAgain(o.st, i, x, closed)
					after = append(after, o.st)
				}
			}
			if len(after) == 0 || len(after) > maxExits {
				return states, ok
			}
			states = after
		}
	}
	return states, ok
}

// inTransport is what a call that sends a request leaves. Where it fails, the transport may
// read what it was given for as long as it likes: the server may have answered early, or the
// context may have ended. Where it succeeds, whoever closes the response's body ends that.
func (a *analysis) inTransport(st *state, i ssa.CallInstruction, c *ssa.CallCommon, holds []*sym) []outcome {
	failed := &spawn{event: st.here(i), holds: holds, sink: "the HTTP transport that sends the request"}
	res := c.Signature().Results()
	if i.Value() == nil || res.Len() != 2 {
		st.gos = append(slices.Clip(st.gos), failed)
		return []outcome{{st, a.opaqueResult(st, i, c)}}
	}
	fine := st.clone()
	st.gos = append(slices.Clip(st.gos), failed)
	err := a.opaque(st, i, 1, res.At(1).Type())
	st.truth[a.syms.nilTest(err)] = false
	return []outcome{
		{fine, a.tuple(a.opaque(fine, i, 0, res.At(0).Type()), a.syms.null())},
		{st, a.tuple(a.opaque(st, i, 0, res.At(0).Type()), err)},
	}
}

// bodiesOf are the bodies that a request, or what is to be one, has on the path.
func (a *analysis) bodiesOf(st *state, x *sym) []*sym {
	if x.kind == kIface {
		return []*sym{x}
	}
	for _, k := range sortedKeys(st.mem) {
		if f, ok := k.obj.(*types.Var); ok && k.kind == kField && k.a == x && f.Name() == "Body" {
			return []*sym{st.mem[k]}
		}
	}
	if x.kind == kHold {
		return x.list
	}
	return nil
}

// closeOf is the method of the package that closes a body, if it deals with pools.
func (a *analysis) closeOf(body *sym) *ssa.Function {
	if body.kind != kIface && body.kind != kAlloc || !concrete(body.typ) {
		return nil
	}
	methods := types.NewMethodSet(body.typ)
	sel := methods.Lookup(a.pkg.Pkg, "Close")
	if sel == nil || methods.Lookup(a.pkg.Pkg, "Read") == nil {
		return nil
	}
	m := a.prog.MethodValue(sel)
	if m == nil || len(m.Blocks) == 0 || len(m.Params) != 1 || !a.inPackage(m) || !a.relevant[m] {
		return nil
	}
	return m
}
