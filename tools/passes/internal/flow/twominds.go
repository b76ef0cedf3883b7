// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// Two reads of one field may give two objects, where something was called between them. A flag that an object has for
// good, found set in the one and not set in the other, makes a way that no program goes: nobody changes an object for one
// of another kind between two calls that belong together.

// inTwoMinds reports whether a path found such a flag set and not set in what two reads of one field gave.
func (a *analysis) inTwoMinds(st *state) bool {
	type flag struct{ of, field types.Object }
	seen := map[flag]bool{}
	for c, set := range st.truth {
		if c.kind != kLoad || c.a.kind != kField || c.typ == nil || !isBool(c.typ) {
			continue
		}
		field, ok := c.a.obj.(*types.Var)
		owner := c.a.a
		if !ok || !a.fixed[field.Origin()] || owner.kind != kLoad || owner.a.kind != kField {
			continue
		}
		of, ok := owner.a.obj.(*types.Var)
		if !ok {
			continue
		}
		k := flag{of, field}
		if was, found := seen[k]; found && was != set {
			return true
		}
		seen[k] = set
	}
	return false
}
