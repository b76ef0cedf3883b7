// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// What the tables say of a function is asked at each call that a path comes to, and its key is made of three
// strings: for the walks it is kept.

// A named is what the tables say of a function.
type named struct {
	key    string // funcKey's
	effect effect // effectOf's
}

func (a *analysis) named(f *types.Func) named {
	n, ok := a.names[f]
	if !ok {
		n.key = funcKey(f)
		if f != nil {
			n.effect = effectOf(f)
		}
		a.names[f] = n
	}
	return n
}
