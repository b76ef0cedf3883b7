// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/token"

// A slice that was cut to a number of elements has as many: who asks whether it has fewer, and makes another one then,
// does not.

// cutToThat evaluates a comparison of the length of p[:n] with n.
func cutToThat(c *sym) (value, ok bool) {
	for _, p := range [][2]*sym{{c.a, c.b}, {c.b, c.a}} {
		if n := p[0]; n != nil && n.kind == kLen && n.a != nil && n.a.kind == kView && n.a.b != nil && n.a.b == p[1] {
			switch c.idx {
			case int(token.EQL):
				return true, true
			case int(token.LSS):
				return false, true
			}
		}
	}
	return false, false
}
