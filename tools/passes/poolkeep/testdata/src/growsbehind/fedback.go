// SPDX-License-Identifier: BSD-3-Clause

package growsbehind

import (
	"io"
	"sync"
)

// A slice that a function value is given with its input, and gives back as large as that made it.

type inkPot struct{ b []byte }

var inkPots = sync.Pool{New: func() any { return new(inkPot) }}

func emptyPot(p *inkPot) {
	p.b = p.b[:0]
	inkPots.Put(p) // want `inkPots keeps p, put at line 18, whatever its size`
}

func unpackInk(in []byte, unpack func(dst, src []byte) ([]byte, error), use func([]byte) error) (err error) {
	p := inkPots.Get().(*inkPot)
	defer emptyPot(p)
	if p.b, err = unpack(p.b, in); err != nil {
		return err
	}
	return use(p.b)
}

type glueReader interface {
	AppendFrom(b []byte, r io.Reader) []byte
}

var gluePots = sync.Pool{New: func() any { return new(inkPot) }}

func readGlue(g glueReader, r io.Reader) int {
	p := gluePots.Get().(*inkPot)
	p.b = g.AppendFrom(p.b, r)
	n := len(p.b)
	p.b = p.b[:0]
	gluePots.Put(p) // want `gluePots keeps p, put at line 41, whatever its size`
	return n
}

var paintPots = sync.Pool{New: func() any { return new(inkPot) }}

func unpackPaint(in []byte, unpack func(dst, src []byte) ([]byte, error)) (n int, err error) { // right: a limit
	p := paintPots.Get().(*inkPot)
	p.b, err = unpack(p.b, in)
	n = len(p.b)
	if p.b = p.b[:0]; cap(p.b) <= 1<<16 {
		paintPots.Put(p)
	}
	return n, err
}

var chalkPots = sync.Pool{New: func() any { return &inkPot{b: make([]byte, 0, 64)} }}

func trimChalk(trim func(b []byte, n int) []byte) int { // right: nothing says that it is more than it was
	p := chalkPots.Get().(*inkPot)
	p.b = trim(p.b, 3)
	n := len(p.b)
	p.b = p.b[:0]
	chalkPots.Put(p)
	return n
}

type jotter struct {
	b []byte
	w io.Writer
}

var jotters = sync.Pool{New: func() any { return &jotter{b: make([]byte, 0, 500)} }}

func newJotter(w io.Writer) *jotter {
	j := jotters.Get().(*jotter)
	j.b = append(j.b[:0], '[')
	j.w = w
	return j
}

func (j *jotter) Jot(s string) *jotter {
	if len(j.b) > 1 { // no limit: whether there is something but the bracket
		j.b = append(j.b, ',')
	}
	j.b = append(j.b, s...)
	return j
}

func (j *jotter) Done() error {
	_, err := j.w.Write(append(j.b, ']'))
	jotters.Put(j) // want `j, the pooled jotter, keeps b of any size`
	return err
}
