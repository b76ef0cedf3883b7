// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bytes"
	"sync"
)

// What functions of package bytes give is pieces of what they are given.

var lineBufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func piecesAfter(src []byte, use func(words [][]byte)) {
	b := lineBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	var words [][]byte
	for _, w := range bytes.Fields(*b) {
		words = append(words, w)
	}
	lineBufs.Put(b)
	use(words) // want `b is passed to a function after it was put`
}

func piecesBefore(src []byte, use func(words [][]byte)) {
	b := lineBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	var words [][]byte
	for _, w := range bytes.Fields(*b) {
		words = append(words, w)
	}
	use(words)
	lineBufs.Put(b)
}

func piecesCloned(src []byte, use func(words [][]byte)) {
	b := lineBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	var words [][]byte
	for _, w := range bytes.Fields(*b) {
		words = append(words, bytes.Clone(w))
	}
	lineBufs.Put(b)
	use(words)
}

func allPieces(words [][]byte, src []byte) [][]byte {
	b := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(b)
	*b = append((*b)[:0], src...)
	return append(words, bytes.Split(*b, []byte{','})...) // want `memory of b is returned while the deferred call puts it`
}

func noPieces(words []string, src []byte) []string {
	b := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(b)
	*b = append((*b)[:0], src...)
	for _, w := range bytes.Split(*b, []byte{','}) {
		words = append(words, string(w))
	}
	return words
}

type argList struct{ args [][]byte }

func (l *argList) take(src []byte) {
	b := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(b)
	*b = append((*b)[:0], src...)
	l.args = append(l.args, bytes.SplitN(*b, []byte{' '}, 2)...) // want `keeps memory of b after the value was put`
}

func (l *argList) copy(src []byte) {
	l.args = append(l.args, bytes.SplitN(bytes.Clone(src), []byte{' '}, 2)...)
}
