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
		giveAny(p) // want `slices of one buffer are put one by one: they were cut at line 35`
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
		giveBlock(list[i]) // want `slices of one buffer are put one by one`
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
