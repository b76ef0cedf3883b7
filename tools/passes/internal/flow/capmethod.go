// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An object with memory may tell by a method what there is room for: who drops it for that has measured it, as by cap.

// capacityAsked is the value from a pool whose method for its capacity gave a number.
func capacityAsked(st *state, x *sym) *sym {
	if x.kind != kOpaque || x.typ == nil || !isInteger(x.typ) {
		return nil
	}
	c, ok := x.obj.(*ssa.Call)
	if !ok || c.Parent() != st.f.fn {
		return nil
	}
	m := calledMethod(c)
	if m == nil || m.Signature().Recv() == nil || m.Signature().Params().Len() > 0 {
		return nil
	}
	if name := strings.ToLower(m.Name()); name != "cap" && name != "capacity" {
		return nil
	}
	of := c.Call.Value
	if !c.Call.IsInvoke() {
		of = c.Call.Args[0]
	}
	if t := st.f.env.get(of); t != nil {
		if t = plain(t).base(); t.kind == kToken {
			return t
		}
	}
	return nil
}
