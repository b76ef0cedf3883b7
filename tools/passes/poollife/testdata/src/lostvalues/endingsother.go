// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"errors"
	"io"
	"sync"
)

var outBufs = sync.Pool{New: func() any { return new([]byte) }}

var errDone = errors.New("done")

// A tube has the buffer; a leg of a message that it gave out puts it at the end.
type tube struct {
	w    io.Writer
	out  *[]byte
	fail error
}

type leg struct {
	on   *tube
	n    int
	fail error
}

func (l *tube) begin() (*leg, error) {
	if l.fail != nil {
		return nil, l.fail
	}
	if l.out == nil {
		l.out = outBufs.Get().(*[]byte)
	}
	return &leg{on: l}, nil
}

func (l *tube) send(b []byte) error {
	if l.fail != nil {
		return l.fail
	}
	if _, err := l.w.Write(b); err != nil {
		l.fail = err
		return err
	}
	return nil
}

func (p *leg) end() error {
	if err := p.on.send((*p.on.out)[:p.n]); err != nil {
		p.fail = err
		return err // want `end returns here without a Put of what field out holds`
	}
	p.fail = errDone
	outBufs.Put(p.on.out)
	p.on.out = nil
	return nil
}

func (p *leg) Close() error {
	if p.fail != nil {
		return p.fail
	}
	return p.end()
}

// The same, put on both ways.
type tube2 struct {
	w    io.Writer
	out2 *[]byte
	fail error
}

type leg2 struct {
	on   *tube2
	n    int
	fail error
}

func (l *tube2) begin() (*leg2, error) {
	if l.fail != nil {
		return nil, l.fail
	}
	if l.out2 == nil {
		l.out2 = outBufs.Get().(*[]byte)
	}
	return &leg2{on: l}, nil
}

func (p *leg2) over(err error) {
	if p.fail != nil {
		return
	}
	p.fail = err
	outBufs.Put(p.on.out2)
	p.on.out2 = nil
}

func (p *leg2) end() error {
	if _, err := p.on.w.Write((*p.on.out2)[:p.n]); err != nil {
		p.on.fail = err
		p.over(err)
		return err
	}
	p.over(errDone)
	return nil
}

// The tube goes on after an error: the next leg has the buffer.
type tube3 struct {
	w    io.Writer
	out3 *[]byte
}

type leg3 struct {
	on   *tube3
	n    int
	fail error
}

func (l *tube3) begin() *leg3 {
	if l.out3 == nil {
		l.out3 = outBufs.Get().(*[]byte)
	}
	return &leg3{on: l}
}

func (p *leg3) end() error {
	if p.fail != nil {
		return p.fail
	}
	if _, err := p.on.w.Write((*p.on.out3)[:p.n]); err != nil {
		p.fail = err
		return err
	}
	outBufs.Put(p.on.out3)
	p.on.out3 = nil
	return nil
}

// The tube puts it when it is closed.
type tube4 struct {
	w    io.Writer
	out4 *[]byte
	fail error
}

type leg4 struct {
	on *tube4
	n  int
}

func (l *tube4) begin() (*leg4, error) {
	if l.fail != nil {
		return nil, l.fail
	}
	if l.out4 == nil {
		l.out4 = outBufs.Get().(*[]byte)
	}
	return &leg4{on: l}, nil
}

func (p *leg4) end() error {
	if _, err := p.on.w.Write((*p.on.out4)[:p.n]); err != nil {
		p.on.fail = err
		return err
	}
	outBufs.Put(p.on.out4)
	p.on.out4 = nil
	return nil
}

func (l *tube4) Close() error {
	if l.out4 != nil {
		outBufs.Put(l.out4)
		l.out4 = nil
	}
	return nil
}
