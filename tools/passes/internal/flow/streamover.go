// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A stream that was composed on the path, such as a struct of a reader over a buffer and
// the closer of a file, leads its users to what its parts are over.

// streamOver finds memory that is in a pool under a stream that is passed to code out of
// view, which is there to read from it or write to it.
func (a *analysis) streamOver(st *state, x *sym, t types.Type) *release {
	if len(st.rel) == 0 || !streams(t) {
		return nil
	}
	switch x = plain(x); x.kind {
	case kAgg, kHold:
		return a.partsOver(st, x, 0)
	case kAlloc:
		return a.releasedParts(st, x, map[*sym]bool{})
	}
	return nil
}

// partsOver looks through the fields of a struct that is passed by value.
func (a *analysis) partsOver(st *state, x *sym, depth int) *release {
	for _, y := range x.list {
		r := a.released(st, y)
		switch y = plain(y); {
		case r != nil:
		case y.kind == kAgg && depth < maxNested:
			r = a.partsOver(st, y, depth+1)
		case y.kind == kAlloc:
			r = a.releasedParts(st, y, map[*sym]bool{})
		case y.kind == kHold:
			r = a.partsOver(st, y, depth+1)
		}
		if r != nil {
			return r
		}
	}
	return nil
}
