// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"bytes"
	"fmt"
	"sync"
)

// A pooled struct whose buffer is made where there is none has it as long as it lives: the bytes of the
// buffer go to the pool with it.

type boardVisit struct {
	text *bytes.Buffer
	last *bytes.Buffer
	to   *board
}

var boardVisits = sync.Pool{New: func() any { return new(boardVisit) }}

type board struct{ notes noteKeeper }

type noteKeeper interface {
	keep(key string, text []byte) error
}

type note struct {
	text []byte
	old  bool
}

// notesByKey is the one noteKeeper.
type notesByKey struct {
	mu    sync.Mutex
	notes map[string]note
}

func (n *notesByKey) keep(key string, text []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes[key] = note{text: text}
	return nil
}

func newBoardVisit(b *board) *boardVisit {
	v := boardVisits.Get().(*boardVisit)
	if v.text == nil {
		v.text = new(bytes.Buffer)
	}
	if v.last == nil {
		v.last = new(bytes.Buffer)
	}
	v.to = b
	return v
}

func (v *boardVisit) end() {
	v.to = nil
	v.text.Reset()
	boardVisits.Put(v)
}

func (v *boardVisit) leave(key string) error {
	fmt.Fprint(v.text, key)
	if err := v.to.notes.keep(key, v.text.Bytes()); err != nil { // want `field text keeps memory of v after the value was put`
		return err
	}
	v.end()
	return nil
}

// leaveCopy leaves a copy.
func (v *boardVisit) leaveCopy(key string) error {
	fmt.Fprint(v.text, key)
	if err := v.to.notes.keep(key, bytes.Clone(v.text.Bytes())); err != nil {
		return err
	}
	v.end()
	return nil
}

// leaveLast leaves the bytes of a buffer that it gives up.
func (v *boardVisit) leaveLast(key string) error {
	fmt.Fprint(v.last, key)
	err := v.to.notes.keep(key, v.last.Bytes())
	v.last = nil
	v.end()
	return err
}
