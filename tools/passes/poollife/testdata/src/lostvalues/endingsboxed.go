// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"errors"
	"io"
	"sync"
)

// Lines of a spout, whose memory is in a box while it is in the pool.
type lineBox struct{ mem *[]byte }

var lineBoxes sync.Pool

var errLineDone = errors.New("line done")

type spout struct {
	w     io.Writer
	line  *[]byte
	mu    sync.Mutex
	stuck error
}

type textLine struct {
	to  *spout
	n   int
	bad error
}

// The result of a function with a deferred call is in a variable.
func (o *spout) trouble() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stuck
}

func (o *spout) stick(err error) error {
	o.mu.Lock()
	o.stuck = err
	o.mu.Unlock()
	return err
}

func (o *spout) open() (*textLine, error) {
	if err := o.trouble(); err != nil {
		return nil, err
	}
	if o.line == nil {
		if b, ok := lineBoxes.Get().(*lineBox); ok {
			o.line = b.mem
		} else {
			mem := make([]byte, 512)
			o.line = &mem
		}
	}
	return &textLine{to: o}, nil
}

// Wrong: nobody gets a line again after an error, and so nobody puts the memory.
func (l *textLine) end() error {
	if _, err := l.to.w.Write((*l.to.line)[:l.n]); err != nil {
		l.bad = l.to.stick(err)
		return err // want `end returns here without a Put of what field line holds`
	}
	l.bad = errLineDone
	lineBoxes.Put(&lineBox{l.to.line})
	l.to.line = nil
	return nil
}

func (l *textLine) Close() error {
	if l.bad != nil {
		return l.bad
	}
	return l.end()
}

// Right: it is put on both ways.
type spout2 struct {
	w     io.Writer
	line2 *[]byte
	mu    sync.Mutex
	stuck error
}

type textLine2 struct {
	to  *spout2
	n   int
	bad error
}

func (o *spout2) trouble() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stuck
}

func (o *spout2) open() (*textLine2, error) {
	if err := o.trouble(); err != nil {
		return nil, err
	}
	if b, ok := lineBoxes.Get().(*lineBox); ok {
		o.line2 = b.mem
	} else {
		o.line2 = new([]byte)
	}
	return &textLine2{to: o}, nil
}

func (l *textLine2) end() error {
	_, err := l.to.w.Write((*l.to.line2)[:l.n])
	lineBoxes.Put(&lineBox{l.to.line2})
	l.to.line2 = nil
	if err != nil {
		l.to.stuck = err
		l.bad = err
		return err
	}
	l.bad = errLineDone
	return nil
}

// Right: the spout puts it when it is closed itself.
type spout3 struct {
	w     io.Writer
	line3 *[]byte
	mu    sync.Mutex
	stuck error
}

type textLine3 struct {
	to *spout3
	n  int
}

func (o *spout3) trouble() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stuck
}

func (o *spout3) open() (*textLine3, error) {
	if err := o.trouble(); err != nil {
		return nil, err
	}
	if o.line3 == nil {
		if b, ok := lineBoxes.Get().(*lineBox); ok {
			o.line3 = b.mem
		} else {
			o.line3 = new([]byte)
		}
	}
	return &textLine3{to: o}, nil
}

func (l *textLine3) end() error {
	if _, err := l.to.w.Write((*l.to.line3)[:l.n]); err != nil {
		l.to.stuck = err
		return err
	}
	l.to.freeLine()
	return nil
}

func (o *spout3) freeLine() {
	if o.line3 != nil {
		lineBoxes.Put(&lineBox{o.line3})
		o.line3 = nil
	}
}

func (o *spout3) Close() error {
	o.freeLine()
	return nil
}
