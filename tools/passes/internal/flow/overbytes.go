// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A buffer that was made over bytes goes to a pool with them: who puts bytes.NewBuffer(p) puts p.

// overBytes are the bytes that a buffer was made over, and the memory that they are part of.
func overBytes(x *sym) []*sym {
	if x.kind != kHold || len(x.list) != 1 || !isBytesBuffer(x.typ) {
		return nil
	}
	v := plain(x.list[0])
	if v.typ == nil || !isBytes(v.typ) || v.kind == kNil || v.kind == kConst {
		return nil
	}
	list := []*sym{v}
	if m := memory(v); m != v {
		list = append(list, m)
	}
	return list
}

// isBytesBuffer reports whether a type is a pointer to a bytes.Buffer.
func isBytesBuffer(t types.Type) bool {
	if t == nil {
		return false
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Buffer" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "bytes"
}

// madeOf is what a value is part of, or was made over: the bytes that a buffer lends may be
// those that it was made over.
func madeOf(x *sym) *sym {
	if x.kind == kHold && len(x.list) == 1 {
		return plain(x.list[0])
	}
	return x.a
}

// madeOver reports whether a value is a part of t, or of what was made over t.
func madeOver(x, t *sym) bool {
	for depth := 0; x != nil && depth < 64; depth++ {
		if x == t {
			return true
		}
		switch x.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface, kLoad, kHold:
			x = madeOf(x)
		default:
			return false
		}
	}
	return false
}
