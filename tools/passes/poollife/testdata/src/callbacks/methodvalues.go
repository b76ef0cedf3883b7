// SPDX-License-Identifier: BSD-3-Clause

package callbacks

import (
	"bytes"
	"sync"
)

// The pool's methods in variables and fields, as values.

var textPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var takeText, putText = textPool.Get, textPool.Put

func textOf(in []byte) []byte {
	b := takeText().(*bytes.Buffer)
	defer putText(b)
	b.Reset()
	b.Write(in)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in textPool`
}

func copiedTextOf(in []byte) string {
	b := takeText().(*bytes.Buffer)
	defer putText(b)
	b.Reset()
	b.Write(in)
	return b.String()
}

type textTool struct {
	take func() any
	put  func(any)
}

func newTextTool() *textTool { return &textTool{take: textPool.Get, put: textPool.Put} }

func (t *textTool) twice(in []byte) int {
	b := t.take().(*bytes.Buffer)
	b.Reset()
	b.Write(in)
	n := b.Len()
	if n == 0 {
		t.put(b)
	}
	t.put(b) // want `b is put in textPool a second time`
	return n
}

func (t *textTool) once(in []byte) int {
	b := t.take().(*bytes.Buffer)
	b.Reset()
	b.Write(in)
	n := b.Len()
	t.put(b)
	return n
}

// Each has its own pool: which one a tool takes from is known by the tool alone.

type ownTool struct {
	pool sync.Pool
	take func() any
	put  func(any)
}

func newOwnTool() *ownTool {
	t := &ownTool{pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	t.take, t.put = t.pool.Get, t.pool.Put
	return t
}

func (t *ownTool) text(in []byte) []byte {
	b := t.take().(*bytes.Buffer)
	b.Reset()
	b.Write(in)
	t.put(b)
	return b.Bytes() // want `b is used by Bytes after it was put in pool` `memory of b is returned after it was put in pool`
}

func (t *ownTool) sum(in []byte) (n int) {
	b := t.take().(*bytes.Buffer)
	b.Reset()
	b.Write(in)
	n = b.Len()
	t.put(b)
	return n
}

// One of two pools: whose methods they are is chosen at run time.

var otherTextPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type chosenTool struct {
	take func() any
	put  func(any)
}

func newChosenTool(other bool) *chosenTool {
	if other {
		return &chosenTool{take: otherTextPool.Get, put: otherTextPool.Put}
	}
	return &chosenTool{take: textPool.Get, put: textPool.Put}
}

func (t *chosenTool) sum(in []byte) int {
	b := t.take().(*bytes.Buffer)
	defer t.put(b)
	b.Reset()
	b.Write(in)
	return b.Len()
}
