// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"reflect"

	"github.com/klauspost/compress/zstd"
)

// The library's options are functions, and what they set cannot be asked for. But they decide
// about memory: the window, the buffers, the dictionary, of which each codec has its own
// copy. So it is looked up in the codec itself. Package reflect reads fields that
// are not exported, and says so if a field is not there any more: then the defaults
// count, and TestEncoderSizes and TestDecoderSizes fail.

// lookUp returns the field of the struct behind v, or the zero Value if there is none.
func lookUp(v reflect.Value, names ...string) reflect.Value {
	for _, name := range names {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(name)
	}
	return v
}

func intOf(v reflect.Value, otherwise int) int {
	if v.CanInt() {
		return int(v.Int())
	}
	return otherwise
}

func boolOf(v reflect.Value) bool { return v.Kind() == reflect.Bool && v.Bool() }

// dictionary returns whether there is a dictionary behind v, a *dict, the bytes of its
// contents, and how much of all is the codec's own.
func dictionary(v reflect.Value) (any bool, contents, own int) {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false, 0, 0
	}
	if c := lookUp(v, "content"); c.Kind() == reflect.Slice {
		contents = c.Len()
	}
	// The contents of a raw dictionary are the array that the user gave. Another one is
	// parsed for each codec anew, into contents and tables.
	if tables := lookUp(v, "litEnc"); tables.Kind() == reflect.Pointer && !tables.IsNil() {
		own = allocated(contents) + dictTables
	}
	return true, contents, own
}

// dictTables is about what the entropy tables of a dictionary hold.
const dictTables = 48 << 10

// An encoderOptions is what the options of an encoder have set.
type encoderOptions struct {
	window, block int
	lowMem        bool
	dict          bool
	contents      int // bytes of the dictionary
	own           int // bytes of it that the encoder has for itself
}

func encoderOptionsOf(z *zstd.Encoder) encoderOptions {
	v := lookUp(reflect.ValueOf(z), "o")
	o := encoderOptions{
		window: intOf(lookUp(v, "windowSize"), 8<<20),
		block:  intOf(lookUp(v, "blockSize"), maxBlock),
		lowMem: boolOf(lookUp(v, "lowMem")),
	}
	o.dict, o.contents, o.own = dictionary(lookUp(v, "dict"))
	return o
}

// decoderExtra returns what a decoder that has begun a stream holds because of its options.
func decoderExtra(z *zstd.Decoder) int {
	v := lookUp(reflect.ValueOf(z), "frame", "o")
	n := 0
	if low := lookUp(v, "lowMem"); low.IsValid() && !boolOf(low) {
		n += 3 * allocated(maxBlock+2*overAlloc) // buffers at their largest from the first block on
	}
	if dicts := lookUp(v, "dicts"); dicts.Kind() == reflect.Map {
		for it := dicts.MapRange(); it.Next(); {
			_, _, own := dictionary(it.Value())
			n += own + 512
		}
	}
	return n
}
