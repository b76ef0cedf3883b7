// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"unsafe"
)

// arrays are the slices within one target, outside of other slices, maps and
// pointers, with the arrays that the decoder made for them.
type arrays []array

type array struct {
	field    *header       // the slice in the target
	kept     *header       // the slice of length 0 that holds the array
	contents reflect.Value // *kept as a slice, to clear it
	elemSize int
	given    bool // the user has seen the array
}

// A header is a slice of whatever type, as the compiler lays it out.
//
// Sound: a header is only ever the one behind a slice variable of its type, or a
// copy that is stored in another variable of the same type; its pointer is one to
// the collector; and len and cap are those of a slice that the decoder
// made, or 0 and that cap. With package reflect instead, decoding a small record took a
// tenth longer.
type header struct {
	ptr      unsafe.Pointer
	len, cap int
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
		// Bytes are base64 in JSON, which decoders decode into an array of its own.
		if t.Elem().Size() > 0 && t.Elem().Kind() != reflect.Uint8 {
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
		kept := reflect.New(f.Type())
		// Sound: f is an addressable slice variable and kept points to another; a
		// header lies at the address of each, and is copied as a whole.
		a[i] = array{
			field:    (*header)(f.Addr().UnsafePointer()),
			kept:     (*header)(kept.UnsafePointer()),
			contents: kept.Elem(),
			elemSize: int(f.Type().Elem().Size()),
		}
	}
	return a
}

// install gives the decoder, for whom the target is zero, the arrays.
func (a arrays) install() {
	for i := range a {
		*a[i].field = *a[i].kept
	}
}

// settle looks at what the decoder left. A slice that it did not touch becomes nil, as in
// a new target; if the codec merges, any empty slice does.
func (a arrays) settle(merges bool) {
	for i := range a {
		x := &a[i]
		if x.field.len == 0 {
			if merges || x.field.cap > 0 && x.same() {
				*x.field = header{}
			}
			continue
		}
		x.given = true
		if !x.same() {
			*x.kept = header{x.field.ptr, 0, x.field.cap}
		}
	}
}

// same reports whether the slice in the target has the array that is kept.
func (x *array) same() bool { return x.field.ptr == x.kept.ptr && x.field.cap == x.kept.cap }

// take takes the arrays back, cleared, and returns the bytes that they hold. One that the
// user replaced or cut is left to the user.
func (a arrays) take() (held int) {
	for i := range a {
		x := &a[i]
		n := x.kept.cap
		used := 0
		if x.given {
			used = x.field.len
		}
		switch {
		case n == 0:
		case x.given && !x.same():
			*x.kept = header{}
		case used < n/4 && n > maxArray/x.elemSize:
			*x.kept = header{}
		default:
			// Also if the user did not see it: a document may mention a
			// member twice, and a decoder may fail halfway.
			x.kept.len = n
			x.contents.Clear()
			x.kept.len = 0
			held += n * x.elemSize
		}
		x.given = false
	}
	return held
}

// size returns the bytes of the arrays.
func (a arrays) size() int {
	n := 0
	for i := range a {
		n += a[i].kept.cap * a[i].elemSize
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
