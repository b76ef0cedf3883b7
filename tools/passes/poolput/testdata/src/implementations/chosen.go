// SPDX-License-Identifier: BSD-3-Clause

package implementations

import (
	"bytes"
	"sync"
)

// Which functions of several a struct has is chosen where it is made, one with the other.

var smallTexts, largeTexts = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}

type textTool struct {
	take func() any
	give func(any)
}

func newTextTool(large bool) *textTool {
	if large {
		return &textTool{take: largeTexts.Get, give: largeTexts.Put}
	}
	return &textTool{take: smallTexts.Get, give: smallTexts.Put}
}

func (t *textTool) count(in []byte) int { // right
	b := t.take().(*bytes.Buffer)
	defer t.give(b)
	b.Reset()
	b.Write(in)
	return b.Len()
}

// Wrong: each of them is the only one.

type crossedTool struct {
	take func() any
	give func(any)
}

func newCrossedTool() *crossedTool {
	return &crossedTool{take: largeTexts.Get, give: smallTexts.Put}
}

func (t *crossedTool) count(in []byte) int {
	b := t.take().(*bytes.Buffer)
	defer t.give(b) // want `b was taken from largeTexts but is put in smallTexts`
	b.Reset()
	b.Write(in)
	return b.Len()
}
