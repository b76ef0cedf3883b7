// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A tally is what is known of each variable or field: of one that was not met yet, nothing.
type tally[T any] map[types.Object]*T

// of is the entry for a variable or field, a new one if there is none.
func (t tally[T]) of(obj types.Object) *T {
	e := t[obj]
	if e == nil {
		e = new(T)
		t[obj] = e
	}
	return e
}
