// SPDX-License-Identifier: BSD-3-Clause

// Package rewrite makes the change that puts one allocation site on a pool,
// where that change is mechanical: where it follows from the code itself that
// the value does not outlive the function that makes it.
//
// # Kinds
//
//	buffer         a local bytes.Buffer           -> buffer.New, or buffer.Get, and Release
//	read-all       io.ReadAll                     -> a buffer.Buffer's ReadFrom
//	scratch-slice  make, or var s []T and append  -> spare.Slices
//	bufio          bufio.NewReader, NewWriter     -> spare.Pool, with Reset
//	object         &T{}, new(T), var x T          -> spare.Pool, with Reset
//	gzip-writer, gzip-reader                      -> codec/gzippool
//	zstd-writer, zstd-reader                      -> codec/zstdpool
//	json-encoder, json-decoder, json-marshal      -> codec/jsonpool
//
// # What is proved
//
// The value is followed from where it is made, over SSA form, through copies,
// slices, interfaces, local variables, closures, and calls. It must not be
// returned, stored in anything that is not local to the function, sent, given
// to a goroutine, or panicked with. Functions whose source is in view are
// followed into. Of others only those are trusted that the table in contracts.go
// has, such as the standard library's codecs, and the methods whose contract
// forbids keeping an argument: io.Writer, io.Reader and their relatives. An
// unknown function, a function value and a method that is chosen at run time
// may keep what they get, so that the site is left alone. (The walk of package
// flow is for another question: it takes unknown callees to borrow, so as not to
// report what may be right. Here that would be unsound.)
//
// Beyond the memory, the rest must stay as it was: a type that changes must not
// show, what make had cleared is clear, compressed bytes are the same (the
// standard library's gzip stays that backend), and a deferred call that was
// registered before the value was made does not use it.
//
// # What is not
//
// Two differences remain, and the summary of the change names them: a larger
// capacity than make gives where nothing asks for it, and other error values of
// a JSON decoder for a document that ends early. The user's tests run over each
// change; see package tryout.
package rewrite
