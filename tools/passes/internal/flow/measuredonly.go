// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A Put of the address of a slice variable gives the header away. Who asks the variable for
// its length or capacity after that reads what the next user reads as well, and touches no
// element. And a loop that looks for the class of a slice's size finds it once: sizes differ.

// measuresOnly reports whether a slice is loaded from a variable of the function's own to be
// measured, not to be used.
func measuresOnly(i *ssa.UnOp, addr *sym) bool {
	if addr.kind != kAlloc || !isSlice(i.Type()) || i.Referrers() == nil {
		return false
	}
	if _, ok := addr.obj.(*ssa.Alloc); !ok {
		return false
	}
	for _, r := range referrers(i) {
		c, ok := r.(*ssa.Call)
		if !ok {
			if _, debug := r.(*ssa.DebugRef); debug {
				continue
			}
			return false
		}
		b, ok := c.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "len" && b.Name() != "cap" {
			return false
		}
	}
	return true
}

// otherClass reports whether a condition asks if a length or capacity is one element of a
// table, where the path knows that it is another one.
func otherClass(st *state, c *sym) bool {
	n, class := sizeClass(c)
	if n == nil {
		return false
	}
	for known, is := range st.truth {
		if !is {
			continue
		}
		if m, other := sizeClass(known); m == n && other != class && other.a.a == class.a.a {
			return true
		}
	}
	return false
}

// sizeClass takes apart a test whether a length or capacity is an element of a slice.
func sizeClass(c *sym) (n, class *sym) {
	if c.kind != kCmp || c.idx != int(token.EQL) {
		return nil, nil
	}
	n, class = c.a, c.b
	if n.kind == kLoad {
		n, class = class, n
	}
	if n.kind != kLen && n.kind != kCap || class.kind != kLoad || class.a.kind != kElem {
		return nil, nil
	}
	return n, class
}
