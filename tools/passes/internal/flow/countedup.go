// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
)

// A field that counts who uses an object, and that the path counted up, is above zero: the
// one who is to put the object where nobody uses it does not.

// countedUp evaluates a comparison of such a count with zero or one.
func countedUp(c *sym) (value, ok bool) {
	if c.kind != kCmp || c.b == nil {
		return false, false
	}
	less := c.idx == int(token.LSS)
	switch {
	case less && atMost(c.a, 0) && raised(c.b, 0): // 0 < n+1
		return true, true
	case less && atMost(c.b, 1) && raised(c.a, 0), // n+1 < 1
		c.idx == int(token.EQL) && (atMost(c.a, 0) && raised(c.b, 0) || atMost(c.b, 0) && raised(c.a, 0)):
		return false, true
	}
	return false, false
}

// raised reports whether a number is what a field held before the path and a sum of constants
// that is above zero.
func raised(x *sym, by int64) bool {
	for depth := 0; depth < 8 && x.kind == kArith && x.b != nil; depth++ {
		n, ok := intOf(x.b)
		switch {
		case ok && x.idx == int(token.ADD):
			by += n
		case ok && x.idx == int(token.SUB):
			by -= n
		default:
			return false
		}
		x = x.a
	}
	return by > 0 && x.kind == kLoad && x.a.kind == kField && x.typ != nil && isInteger(x.typ)
}

func atMost(x *sym, n int64) bool {
	v, ok := intOf(x)
	return ok && v <= n && v >= 0
}

func intOf(x *sym) (int64, bool) {
	if x.kind != kConst || x.val == nil || x.val.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(x.val)
}
