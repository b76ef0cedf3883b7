// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"errors"
	"io"
)

// Flags are what a Codec has to do otherwise.
type Flags uint

const (
	// DisallowUnknownFields makes object members that the target does not have an
	// error.
	DisallowUnknownFields Flags = 1 << iota

	// AllowTrailingData ignores what follows the first value. Without it,
	// anything but white space there is an error.
	AllowTrailingData

	// ZeroCopyStrings lets strings in the result lie in the input, which must
	// not change as long as one of them is in use. Not every Codec can.
	ZeroCopyStrings
)

// ErrUnsupported is returned by a Codec for a flag that it does not know.
var ErrUnsupported = errors.New("jsonpool: the codec does not support this flag")

// A Codec encodes and decodes JSON. It is safe for concurrent use and keeps neither
// what it is given nor what it returns.
type Codec interface {
	// Append appends the JSON of v to dst, without a newline, and returns the
	// extended slice. On error it returns dst with its old length.
	Append(dst []byte, v any) ([]byte, error)

	// Unmarshal decodes data into what v points to. It must return ErrUnsupported, or
	// an error that wraps it, for flags that it cannot honour. data may lie in pooled
	// memory, so that v must not refer to it unless ZeroCopyStrings is set.
	Unmarshal(data []byte, v any, flags Flags) error
}

// A StreamCodec is a Codec that can write without a buffer between. Encode
// writes the JSON of v and a newline, and nothing if v cannot be encoded.
type StreamCodec interface {
	Codec
	Encode(w io.Writer, v any) error
}
