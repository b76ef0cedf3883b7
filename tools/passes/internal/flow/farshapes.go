// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
)

// The fields of another package's types may have no type here: what the fact about a constructor says of the object that it
// gives is read before anybody asks for that object's type, and a type that is not exported is not in view at all. So a fact
// tells of what was loaded whether it is a slice, a map or a pointer.

// shapeOf names what kind of memory a value of a type leads to.
func shapeOf(t types.Type) string {
	if t == nil {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		if isBytes(t) {
			return "[]byte"
		}
		return "[]"
	case *types.Map:
		return "map"
	case *types.Pointer:
		return "*"
	}
	return ""
}

// ofShape is a type of which shapeOf gives the name.
func ofShape(name string) types.Type {
	switch name {
	case "[]byte":
		return bytesShape
	case "[]":
		return sliceShape
	case "map":
		return mapShape
	case "*":
		return pointerShape
	}
	return nil
}

var (
	anyShape     = types.NewStruct(nil, nil)
	bytesShape   = types.NewSlice(types.Typ[types.Byte])
	sliceShape   = types.NewSlice(anyShape)
	mapShape     = types.NewMap(types.Typ[types.Int], anyShape)
	pointerShape = types.NewPointer(anyShape)
)
