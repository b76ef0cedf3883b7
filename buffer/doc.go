// SPDX-License-Identifier: BSD-3-Clause

// Package buffer has a Buffer with every method of [bytes.Buffer], and the same
// meaning of each, whose memory comes from pools:
//
//	b := buffer.New() // 64 bytes, on the stack if the Buffer is
//	defer b.Release()
//	b.WriteString("id=")
//	...
//	return b.String()
//
//	b := buffer.Get() // from the pool
//	defer b.Release()
//	json.NewEncoder(b).Encode(v)
//	b.WriteTo(w)
//
// # When not to use it
//
// A Buffer that is not released has no advantage over a bytes.Buffer beyond the
// 64 bytes of New: it grows as that does. So a bytes.Buffer is the better
// choice where there is no place at which the contents are done with, or where
// they are handed on (Bytes that somebody keeps; Detach is for that, too, but
// the pool then gains nothing). A [strings.Builder] is better where all that is
// done is to build one string: its String does not copy. A slice and append are
// better where the size is known, and for small constant sizes need no heap.
// Contents that pass through an io.Writer, such as fmt.Fprintf has, move a
// Buffer from New to the heap: use Get there.
//
// # Who owns what
//
// A slice that Bytes, Next, Peek or AvailableBuffer returned is valid until the
// next modification of the Buffer, as with bytes.Buffer, and merely stale then: a
// Buffer keeps the memory that it outgrew until Release. So a Buffer may write
// its own contents to itself, in one call or in several, and read from a reader
// over them:
//
//	b.Write(b.Bytes())
//	template.HTMLEscape(b, b.Bytes())
//
// The difference is Release. After it such a slice may be the memory of another
// Buffer. The checked build (-tags spare_checked) fills such memory with 0xCC
// and does not use it again, so that slices that are kept for too long show.
// ReleaseFrom(&b) also sets b to nil, so that a later use of b panics.
//
// The array of NewBuffer never becomes a part of the pool, nor does that of
// NewBufferString, nor the 64 bytes of New.
//
// # Copies
//
// A Buffer from Get must not be copied. Any other may be copied by value as a
// bytes.Buffer may. What happens to memory when there are copies follows from
// these rules:
//
//   - Each array of the pool has one handle, outside every Buffer. Buffers
//     borrow it; only what the handle holds is ever given back to the pool.
//   - No Buffer gives memory back when it grows, since a slice or a copy may
//     still show it. A Buffer that Get returned leaves what it outgrew with its
//     handle, any other keeps the handles of what it outgrew. Release gives back
//     all of it: whether it is called for this Buffer or for a copy, once.
//   - A Buffer that Get returned changes its handle only if it is that very
//     Buffer, which its handle knows by its address, and was not released. The
//     handle is part of the same heap object as the Buffer that Get returns, so
//     that the address cannot be that of another.
//   - A Buffer may move from one array of its handle to the other, but of
//     several copies only the first that asks, by compare-and-swap. The others
//     get another handle.
//   - A handle is lent under a generation number, which Release increases with
//     a compare-and-swap. Whatever copy is released later carries the old
//     number, and gives nothing back. The number has 64 bits and is not reused.
//     Detach increases it, too, and gives nothing back.
//
// Hence no array is ever given back twice, whatever is copied, restored or
// released in whatever order, except through a Buffer from Get that is used
// after its Release when somebody else got it. That, and every use of a copy of
// a Buffer from Get, and of a Buffer after its Release or that of a copy,
// panics in the checked build.
//
// # What is kept
//
// Idle memory leaves as for [spare.Pool]. A Buffer from Get begins with what the
// last use of the same memory needed: its small memory of 160 bytes, and in place of
// that an array of up to 8 KiB, which stays with it
//
//   - after each use that needed a quarter of it or more,
//   - and after uses in a row that did not, while the array's capacity, added up
//     over them, is 8 KiB at most: 16 uses for 512 bytes, one for 8 KiB.
//
// So where one use in thirty needs more than the others, few idle Buffers keep
// more. A larger array goes back to the pool of arrays with Release. The next
// Buffer that outgrows its memory takes one of that size at once, if the last two
// uses both needed it, and at most 1 MiB.
//
// Of the idle Buffers of one P, arrays stay with those alone whose arrays come to
// 16 KiB in each group of 14, so that Buffers that are got on one P and released
// on another hold at most 144 KiB there. All that other Buffers are lent keep at most
// 1 KiB each.
//
// While it is in use, a Buffer keeps what it outgrew, arrays of up to 1 MiB: at
// most as much again as it has. Larger ones are left to the collector.
//
// spare.All lists the pools as buffer/get (Buffers, with what they keep not
// counted), buffer/lent (memory for other Buffers, likewise) and buffer/arrays.
package buffer
