// SPDX-License-Identifier: BSD-3-Clause

// Package jsonpool encodes and decodes JSON with reused encoders, documents and
// targets.
//
// [Append], [Encode] and [Decode] stand where encoding/json has Marshal,
// Encoder.Encode and Decoder.Decode. A [Config] sets limits and another codec.
// A [Pool] lends targets to decode into:
//
//	var orders jsonpool.Pool[Order]
//
//	o, err := orders.Decode(r)
//	if err != nil { ... }
//	defer orders.Put(o)
//	use(o.V)
//
// # What one user cannot see of another
//
// What a Pool decodes is what decoding into a new variable gives, nil for
// nil. Reuse is where this usually goes wrong: a decoder that meets a slice with room
// fills its old elements without clearing them, merges into a map that is there, and
// follows a pointer that is there; and it leaves alone what a document does not
// mention. Here only the arrays of slices are reused, cleared to their
// capacity, and only arrays that the decoder made: one that the user put into the
// value is not touched. Maps, pointers and what interfaces hold are made
// anew.
//
// # Types that decode themselves
//
// Decode reads a document into pooled memory, and UnmarshalJSON, UnmarshalText and
// UnmarshalJSONFrom methods are given parts of that. Package encoding/json says that
// such a method must copy what it keeps. With a json.Decoder, one that does not is
// often lucky. Here it is not: the memory soon holds the document of another user, whom the value
// then shows. json.RawMessage and the types of the standard library copy. If a
// type of yours does not, mend it, or read the document yourself and use
// Config.Unmarshal or Pool.Unmarshal: their data remain the caller's, and are in no pool.
//
// # What is kept
//
// A write error does not reach the next user, and nothing that is kept refers to
// a writer, a reader or the caller's bytes. Strings in results are copies, unless
// ZeroCopyStrings is asked for.
package jsonpool
