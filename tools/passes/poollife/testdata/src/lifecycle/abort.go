// SPDX-License-Identifier: BSD-3-Clause

package lifecycle

import (
	"errors"
	"io"
	"sync"
)

// What a step that fails gives back is given back again by Abort.

type wire struct{ w io.Writer }

type wires struct {
	idle sync.Pool
}

func (p *wires) take() *wire {
	if w, ok := p.idle.Get().(*wire); ok {
		return w
	}
	return new(wire)
}

func (p *wires) give(w *wire, err error) {
	if err != nil {
		return
	}
	p.idle.Put(w)
}

var errRow = errors.New("not a row")

type Batch struct {
	from *wires
	w    *wire
	err  error
	rows []string
}

func NewBatch(p *wires) *Batch { return &Batch{from: p, w: p.take()} }

func (b *Batch) Append(row string) error {
	if row == "" {
		b.from.give(b.w, nil)
		return errRow
	}
	b.rows = append(b.rows, row)
	return nil
}

func (b *Batch) Abort() {
	b.from.give(b.w, nil) // want `is put in from a second time`
}

// Through a function that is kept, of a method value.

type FuncBatch struct {
	w    *wire
	rows []string
	give func(error)
}

func newFuncBatch(w *wire, give func(*wire, error)) *FuncBatch {
	return &FuncBatch{w: w, give: func(err error) { give(w, err) }}
}

func NewFuncBatch(p *wires) *FuncBatch { return newFuncBatch(p.take(), p.give) }

func (b *FuncBatch) Append(row string) error {
	if row == "" {
		b.give(nil)
		return errRow
	}
	b.rows = append(b.rows, row)
	return nil
}

func (b *FuncBatch) Abort() error {
	defer b.give(nil) // want `is put in idle a second time`
	if len(b.rows) == 0 {
		return errRow
	}
	return nil
}

// With a flag.

type FlagBatch struct {
	w     *wire
	rows  []string
	given bool
	give0 func(*wire, error)
}

func newFlagBatch(w *wire, give func(*wire, error)) *FlagBatch {
	return &FlagBatch{w: w, give0: give}
}

func NewFlagBatch(p *wires) *FlagBatch { return newFlagBatch(p.take(), p.give) }

func (b *FlagBatch) give(err error) {
	if !b.given {
		b.given = true
		b.give0(b.w, err)
	}
}

func (b *FlagBatch) Append(row string) error {
	if row == "" {
		b.give(nil)
		return errRow
	}
	b.rows = append(b.rows, row)
	return nil
}

func (b *FlagBatch) Abort() error {
	defer b.give(nil)
	return nil
}

// Abort asks whether there is one.

type NilBatch struct {
	from *wires
	w    *wire
	rows []string
}

func NewNilBatch(p *wires) *NilBatch { return &NilBatch{from: p, w: p.take()} }

func (b *NilBatch) Append(row string) error {
	if row == "" {
		b.from.give(b.w, nil)
		b.w = nil
		return errRow
	}
	b.rows = append(b.rows, row)
	return nil
}

func (b *NilBatch) Abort() {
	if b.w != nil {
		b.from.give(b.w, nil)
	}
}

// The function is taken away.

type OnceBatch struct {
	w    *wire
	rows []string
	give func(error)
}

func newOnceBatch(w *wire, give func(*wire, error)) *OnceBatch {
	return &OnceBatch{w: w, give: func(err error) { give(w, err) }}
}

func NewOnceBatch(p *wires) *OnceBatch { return newOnceBatch(p.take(), p.give) }

func (b *OnceBatch) Append(row string) error {
	if row == "" {
		b.give(nil)
		b.give = nil
		return errRow
	}
	b.rows = append(b.rows, row)
	return nil
}

func (b *OnceBatch) Abort() error {
	if b.give != nil {
		b.give(nil)
	}
	return nil
}
