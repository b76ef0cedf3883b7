// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import "sync"

// What is in a new object that goes to a pool of its own stays with that.

type scratch struct{ words []string }

type tokenizer struct {
	*scratch
	wake chan struct{}
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

var tokenizers = sync.Pool{New: func() any { return newTokenizer() }}

func newTokenizer() *tokenizer {
	s := scratches.Get().(*scratch)
	s.words = s.words[:0]
	return &tokenizer{scratch: s, wake: make(chan struct{}, 1)}
}

func warm() {
	for range 8 {
		tokenizers.Put(newTokenizer())
	}
}

// Unless it was taken out before.
func warmEmpty() {
	for range 8 {
		t := newTokenizer() // want `t, taken from scratches at line 35, is not put back`
		t.scratch = nil
		tokenizers.Put(t)
	}
}

func Words(s string) int {
	t := scratches.Get().(*scratch)
	t.words = append(t.words[:0], s)
	n := len(t.words)
	clear(t.words)
	scratches.Put(t)
	return n
}

func Start(n int) {
	if n == 0 {
		warmEmpty()
	}
	warm()
}
