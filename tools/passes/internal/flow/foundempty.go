// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
)

// foundEmpty reports whether the path asked a slice for its length and found it to be 0, be it
// before callees out of view had it: a slice keeps its length, whoever has another one of its
// array. Nobody who has it reads or writes memory through it.
func foundEmpty(st *state, x *sym) bool {
	if x.typ == nil || !isSlice(x.typ) {
		return false
	}
	for c, is := range st.truth {
		if c.kind != kCmp || c.a == nil || c.b == nil {
			continue
		}
		n, zero := c.a, c.b
		if n.kind == kConst {
			n, zero = zero, n
		}
		if n.kind != kLen || n.a != x || zero.kind != kConst || zero.val.Kind() != constant.Int {
			continue
		}
		switch sign := constant.Sign(zero.val); {
		case c.idx == int(token.EQL) && is && sign == 0,
			c.idx == int(token.LSS) && zero == c.a && !is && sign == 0, // not 0 < len
			c.idx == int(token.LSS) && zero == c.b && is && constant.Compare(zero.val, token.EQL, constant.MakeInt64(1)):
			return true
		}
	}
	return false
}
