// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// The containers of the standard library keep what is put in them.

// keepsArgs reports whether a function of the standard library keeps its arguments in
// a container.
func keepsArgs(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "container/list":
		switch f.Name() {
		case "PushBack", "PushFront", "InsertBefore", "InsertAfter":
			return true
		}
	case "container/heap":
		return f.Name() == "Push"
	}
	return false
}
