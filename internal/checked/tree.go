// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import "math/rand/v2"

// A tree holds records by address, as a treap (Seidel and Aragon, "Randomized
// Search Trees", 1996). Their memory does not overlap, so that the last record
// that begins below an address is the only one that can reach it.
//
// The functions are norace, and use no map, for the reason given at lock.
type tree struct {
	root  *record
	count int
}

// before returns the last record that begins below addr.
//
//go:norace
func (t *tree) before(addr uintptr) (r *record) {
	for n := t.root; n != nil; {
		if n.lo < addr {
			r = n
			n = n.right
		} else {
			n = n.left
		}
	}
	return r
}

//go:norace
func (t *tree) insert(r *record) {
	r.prio, r.left, r.right = rand.Uint32(), nil, nil
	at := &t.root
	for *at != nil && (*at).prio >= r.prio {
		if r.lo < (*at).lo {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	n := *at
	*at = r
	// Divide what is below n between the two sides of r.
	less, more := &r.left, &r.right
	for n != nil {
		if n.lo < r.lo {
			*less = n
			less = &n.right
			n = n.right
		} else {
			*more = n
			more = &n.left
			n = n.left
		}
	}
	*less, *more = nil, nil
	t.count++
}

// remove removes r, and reports whether it was there.
//
//go:norace
func (t *tree) remove(r *record) bool {
	at := &t.root
	for *at != nil && *at != r {
		if r.lo < (*at).lo {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	if *at == nil {
		return false
	}
	a, b := r.left, r.right
	for a != nil && b != nil {
		if a.prio >= b.prio {
			*at = a
			at = &a.right
			a = a.right
		} else {
			*at = b
			at = &b.left
			b = b.left
		}
	}
	if a == nil {
		a = b
	}
	*at = a
	r.left, r.right = nil, nil
	t.count--
	return true
}

// lowest returns the first record.
//
//go:norace
func (t *tree) lowest() *record { return t.after(0) }

// after returns the first record that begins above addr.
//
//go:norace
func (t *tree) after(addr uintptr) (r *record) {
	for n := t.root; n != nil; {
		if n.lo > addr {
			r = n
			n = n.left
		} else {
			n = n.right
		}
	}
	return r
}
