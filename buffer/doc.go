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
// next modification of the Buffer, as with bytes.Buffer. The difference is what
// becomes of the slice then. With bytes.Buffer it is merely stale. Here it may
// be the memory of another Buffer by then, after a write to a Buffer from Get,
// and after Release of any. The checked build (-tags spare_checked) fills such
// memory with 0xCC and does not use it again, so that stale slices show.
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
//   - A Buffer that Get returned gives its old array back when it grows, but
//     only if it is that very Buffer, which its handle knows by its address,
//     and was not released. A handle is part of the same heap object as the
//     Buffer that Get returns, so that the address cannot be that of another.
//   - Any other Buffer keeps the arrays that it outgrew until Release, since a
//     copy may still show them. So growth never takes memory from under a copy.
//     Release then gives back all of them: whether to this Buffer or to the
//     copy on which it is called, once.
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
// Idle memory leaves as for [spare.Pool]. A Buffer in the pool keeps its small
// memory of 128 bytes; a larger array goes back to the pool of arrays with
// Release, from where the next Buffer that needs one takes it, unless the last
// four users of the same Buffer all needed it. So a Buffer that once held a
// giant is small again at once, and where all contents are large no array is
// exchanged. spare.All lists the pools as buffer/get (Buffers, with what they
// keep not counted), buffer/lent (memory for other Buffers) and buffer/arrays.
package buffer
