// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// anyType reports whether a type is a type parameter that may stand for pointers: its
// constraint lists no types.
func anyType(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	c, ok := p.Constraint().Underlying().(*types.Interface)
	return ok && c.IsMethodSet() || ok && c.IsComparable() && listsNone(c, 0)
}

// listsNone reports whether neither a constraint nor what it embeds lists types.
func listsNone(c *types.Interface, depth int) bool {
	if depth > 4 {
		return false
	}
	for e := range c.EmbeddedTypes() {
		i, ok := e.Underlying().(*types.Interface)
		if !ok || !listsNone(i, depth+1) {
			return false
		}
	}
	return true
}
