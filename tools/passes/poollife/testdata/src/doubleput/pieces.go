// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
)

const (
	shortCut = 256
	longCut  = 4096
)

var (
	shortBlocks = sync.Pool{New: func() any { return new([shortCut]byte) }}
	longBlocks  = sync.Pool{New: func() any { return new([longCut]byte) }}
	anyBlocks   sync.Pool
)

func giveBlock(b []byte) {
	switch cap(b) {
	case shortCut:
		shortBlocks.Put((*[shortCut]byte)(b[:shortCut]))
	case longCut:
		longBlocks.Put((*[longCut]byte)(b[:longCut]))
	}
}

func giveAny(b []byte) { anyBlocks.Put(&b) }

func cutUp(b []byte, n int) (out [][]byte) {
	for len(b) > 0 {
		k := min(n, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

func writePieces(w io.Writer, b []byte, n int) {
	list := cutUp(b, n)
	for _, p := range list {
		w.Write(p)
	}
	for _, p := range list {
		giveAny(p) // want `slices of one buffer \(p\) are put one by one: they were cut at line 35`
	}
}

// 4096 - 15*256 is 256.
func cutShort(b []byte) (out [][]byte) {
	for len(b) > 0 {
		k := len(b)
		if k > shortCut {
			k = shortCut
		}
		out = append(out, []byte{byte(k)}, b[:k])
		b = b[k:]
	}
	return out
}

func writeShort(w io.Writer, b []byte) {
	list := append([][]byte{}, cutShort(b)...)
	for i := range list {
		w.Write(list[i])
		giveBlock(list[i]) // want `slices of one buffer \(list\[i\]\) are put one by one`
	}
}

// No number of cuts of 100 leaves a block of another class.
func cutOdd(b []byte) (out [][]byte) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

func writeOdd(w io.Writer, b []byte) {
	list := cutOdd(b)
	for _, p := range list {
		w.Write(p)
		giveBlock(p)
	}
}

// Each piece has the capacity that it needs and no more.
func cutApart(b []byte, n int) (out [][]byte) {
	for len(b) > 0 {
		k := min(n, len(b))
		out = append(out, b[:k:k])
		b = b[k:]
	}
	return out
}

func writeApart(w io.Writer, b []byte, n int) {
	list := cutApart(b, n)
	for _, p := range list {
		w.Write(p)
		giveAny(p)
	}
}

// Only the first piece, which has all of the buffer, goes back.
func writeFirst(w io.Writer, b []byte, n int) {
	list := cutUp(b, n)
	for i, p := range list {
		w.Write(p)
		if i == 0 {
			giveAny(p)
		}
	}
}

// Copies of the pieces go back.
func cutCopies(b []byte, n int) (out [][]byte) {
	for len(b) > 0 {
		k := min(n, len(b))
		out = append(out, append([]byte(nil), b[:k]...))
		b = b[k:]
	}
	return out
}

func writeCopies(w io.Writer, b []byte, n int) {
	list := cutCopies(b, n)
	for _, p := range list {
		w.Write(p)
		giveAny(p)
	}
}

// A batch of blocks of two sizes that is cut as long as somebody said.

func takeBlock(n int) []byte {
	if n <= shortCut {
		return shortBlocks.Get().(*[shortCut]byte)[:0]
	}
	return longBlocks.Get().(*[longCut]byte)[:0]
}

type batch struct {
	full   [][]byte
	most   int // of a piece
	always int
}

func newBatch(most int) *batch { return &batch{most: most, always: 1000} }

func (t *batch) add(text []byte) { t.full = append(t.full, append(takeBlock(len(text)), text...)) }

func (t *batch) cut() (out [][]byte) {
	for _, b := range t.full {
		for len(b) > 0 {
			k := min(t.most, len(b))
			out = append(out, b[:k])
			b = b[k:]
		}
	}
	return out
}

// What is left of a long block may be as large as a short one.
func (t *batch) writeAll(w io.Writer) {
	list := t.cut()
	t.full = t.full[:0]
	for i := range list {
		w.Write(list[i])
		giveBlock(list[i]) // want `slices of one buffer \(list\[i\]\) are put one by one`
	}
}

// One block, cut as long as the caller says.
func cutBlock(b []byte, each int) (out [][]byte) {
	for rest := b; len(rest) > 0; {
		k := len(rest)
		if k > each {
			k = each
		}
		out = append(out, rest[:k])
		rest = rest[k:]
	}
	return out
}

func writeBlock(w io.Writer, text []byte, each int) (err error) {
	for _, p := range cutBlock(append(takeBlock(len(text)), text...), each) { // want `is not put back on the path`
		if err == nil {
			_, err = w.Write(p)
		}
		giveBlock(p) // want `slices of one buffer \(p\) are put one by one`
	}
	return err
}

// No number of cuts of 1000 leaves a short block.
func (t *batch) cutAlways() (out [][]byte) {
	for _, b := range t.full {
		for len(b) > 0 {
			k := min(t.always, len(b))
			out = append(out, b[:k])
			b = b[k:]
		}
	}
	return out
}

func (t *batch) writeAlways(w io.Writer) {
	list := t.cutAlways()
	t.full = t.full[:0]
	for _, p := range list {
		w.Write(p)
	}
	for _, p := range list {
		giveBlock(p)
	}
}

// The pieces are put in blocks of their own, and each whole block when it was cut.
func (t *batch) cutIntoBlocks() (out [][]byte) {
	for i, b := range t.full {
		for len(b) > 0 {
			k := min(t.most, len(b))
			out = append(out, append(takeBlock(k), b[:k]...))
			b = b[k:]
		}
		giveBlock(t.full[i])
	}
	return out
}

func (t *batch) writeBlocks(w io.Writer) {
	list := t.cutIntoBlocks()
	t.full = t.full[:0]
	for _, p := range list {
		w.Write(p)
		giveBlock(p)
	}
}

// The pieces are written, and the blocks put.
func (t *batch) writeThenPut(w io.Writer) {
	list := t.cut()
	for _, p := range list {
		w.Write(p)
	}
	for _, b := range t.full {
		giveBlock(b)
	}
	t.full = t.full[:0]
}
