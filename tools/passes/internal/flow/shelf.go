// SPDX-License-Identifier: BSD-3-Clause

package flow

// Values that a function gathers in a slice or map of its own are lost with it where the
// path ends in an error and nothing looked into the container.

// shelfOf is the container of an element, if it was made on the path: by make or a
// literal, or by the first append to a nil slice.
func shelfOf(elem *sym) *sym {
	x := elem
	for {
		switch x.kind {
		case kAppend:
			if x.a.kind == kNil {
				return x
			}
			x = x.a
		case kField, kElem, kView, kAdv, kIface:
			x = x.a
		case kAlloc:
			return x
		default:
			return nil
		}
	}
}

// shelfKey tells containers apart by where they were made.
func shelfKey(x *sym) any {
	if x.obj != nil {
		return x.obj
	}
	return x
}

// askedOf reports whether the path tested what is in a container, as loops over it do.
func askedOf(st *state, c *sym) bool {
	for t := range st.truth {
		if t.kind == kCmp && (t.a == c && t.b.kind == kNil || t.b == c && t.a.kind == kNil) {
			continue // whether there is a container
		}
		if t.mentions(func(x *sym) bool { return x == c }) {
			return true
		}
	}
	return false
}

// firstAppend reports whether x is what the first append to a nil slice gave.
func firstAppend(x *sym) bool { return x.kind == kAppend && x.a.kind == kNil }
