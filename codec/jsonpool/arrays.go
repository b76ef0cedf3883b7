// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
)

// arrays are the slices within one target, outside of other slices, maps and
// pointers, with the arrays that the decoder made for them.
type arrays []array

type array struct {
	field reflect.Value // the slice in the target
	kept  reflect.Value // the slice of length 0 that holds the array
	given bool          // the user has seen the array
}

// maxArray bounds the bytes of an array of which less than a quarter was used.
const maxArray = 64 << 10

// slicePaths returns where t holds slices: field numbers and array indices.
func slicePaths(t reflect.Type) [][]int {
	if decodesItself(t) {
		return nil
	}
	var paths [][]int
	within := func(i int, t reflect.Type) {
		for _, path := range slicePaths(t) {
			paths = append(paths, slices.Insert(path, 0, i))
		}
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Size() > 0 {
			paths = [][]int{{}}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				within(i, f.Type)
			}
		}
	case reflect.Array:
		const most = 8
		for i := range min(t.Len(), most) {
			within(i, t.Elem())
		}
	}
	return paths
}

// decodesItself reports whether t has methods to decode with, which may do
// anything with what they find.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	_, v2 := p.MethodByName("UnmarshalJSONFrom")
	return v2 || p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// newArrays returns the arrays of the variable root, none of them made yet.
func newArrays(root reflect.Value, paths [][]int) arrays {
	a := make(arrays, len(paths))
	for i, path := range paths {
		f := root
		for _, k := range path {
			if f.Kind() == reflect.Array {
				f = f.Index(k)
			} else {
				f = f.Field(k)
			}
		}
		a[i] = array{field: f, kept: reflect.New(f.Type()).Elem()}
	}
	return a
}

// install gives the decoder, for whom the target is zero, the arrays.
func (a arrays) install() {
	for i := range a {
		a[i].field.Set(a[i].kept)
	}
}

// settle looks at what the decoder left. A slice that it did not touch becomes nil, as in
// a new target; if the codec merges, any empty slice does.
func (a arrays) settle(merges bool) {
	for i := range a {
		x := &a[i]
		if x.field.Len() == 0 {
			if merges || x.field.Cap() > 0 && x.same() {
				x.field.SetZero()
			}
			continue
		}
		x.given = true
		if !x.same() {
			x.drop()
			x.kept.Set(x.field)
			x.kept.SetLen(0)
		}
	}
}

// same reports whether the slice in the target has the array that is kept.
func (x *array) same() bool {
	return x.field.UnsafePointer() == x.kept.UnsafePointer() && x.field.Cap() == x.kept.Cap()
}

// drop lets go of the array that is kept.
func (x *array) drop() { x.kept.SetZero() }

// take takes the arrays back, cleared. One that the user replaced or cut is left to
// the user.
func (a arrays) take() {
	for i := range a {
		x := &a[i]
		n := x.kept.Cap()
		if n == 0 {
			x.given = false
			continue
		}
		used := 0
		if x.given {
			used = x.field.Len()
		}
		switch {
		case x.given && !x.same():
			x.drop()
		case used < n/4 && n > maxArray/int(x.kept.Type().Elem().Size()):
			x.drop()
		default:
			// Also if the user did not see it: a document may mention a
			// member twice, and a decoder may fail halfway.
			x.kept.SetLen(n)
			x.kept.Clear()
			x.kept.SetLen(0)
		}
		x.given = false
	}
}

// size returns the bytes of the arrays.
func (a arrays) size() int {
	n := 0
	for i := range a {
		n += a[i].kept.Cap() * int(a[i].kept.Type().Elem().Size())
	}
	return n
}

// merges reports whether a codec decodes an empty array into the array at hand.
func merges(c Codec) bool {
	var v struct{ S []int }
	v.S = make([]int, 0, 4)
	err := c.Unmarshal([]byte(`{"S":[]}`), &v, 0)
	return err != nil || cap(v.S) != 0
}
