// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What conditions and types say of what is left: p[n:] has bytes where n is less than len(p),
// and a net.Conn is no *bufio.Reader, which lacks its methods.

// leavesSome evaluates a test of the length of p[n:] with 0, on a path that found n less than
// len(p).
func leavesSome(st *state, c *sym) (value, ok bool) {
	n, zero := c.a, c.b
	if c.idx != int(token.EQL) && c.idx != int(token.LSS) || n == nil || zero == nil {
		return false, false
	}
	if n.kind == kConst {
		n, zero = zero, n
	}
	if n.kind != kLen || n.a == nil || n.a.kind != kAdv || n.a.b == nil || zero.kind != kConst || zero.val.Kind() != constant.Int || constant.Sign(zero.val) != 0 {
		return false, false
	}
	rest := n.a
	if i, ok := rest.obj.(*ssa.Slice); !ok || i.High != nil {
		return false, false
	}
	for t, v := range st.truth {
		if v && t.kind == kCmp && t.idx == int(token.LSS) && t.a == rest.b && t.b != nil && t.b.kind == kLen && t.b.a == rest.a {
			if c.idx == int(token.EQL) {
				return false, true
			}
			return c.a.kind == kConst, true // 0 < len, or len < 0
		}
	}
	return false, false
}

// neverIs reports whether a value of an interface type cannot be of another type, which lacks
// methods of the interface.
func neverIs(x *sym, t types.Type) bool {
	switch x.kind {
	case kParam, kLoad, kRecv:
	default:
		return false
	}
	if x.typ == nil || types.IsInterface(t) || isTypeParam(t) || isTypeParam(x.typ) {
		return false
	}
	it, ok := x.typ.Underlying().(*types.Interface)
	return ok && it.NumMethods() > 0 && !types.Implements(t, it)
}
