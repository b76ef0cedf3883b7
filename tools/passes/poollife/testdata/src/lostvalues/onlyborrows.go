// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Lists of pooled blocks that function literals decode from.

type wireBlock struct {
	refs atomic.Int32
	text [256]byte
	n    int
}

var wireBlocks = sync.Pool{New: func() any { return new(wireBlock) }}

func (b *wireBlock) drop() {
	if b.refs.Add(-1) == 0 {
		wireBlocks.Put(b)
	}
}

type wireList []*wireBlock

func (l wireList) drop() {
	for _, b := range l {
		b.drop()
	}
}

type wireSource struct{ fill func([]byte) (int, error) }

func (s *wireSource) next() (wireList, error) {
	b := wireBlocks.Get().(*wireBlock)
	b.refs.Store(1)
	l := wireList{b}
	n, err := s.fill(b.text[:])
	if err != nil {
		l.drop()
		return nil, err
	}
	b.n = n
	return l, nil
}

type wireCodec interface {
	Unpack(l wireList, into any) error
}

type wireHandler func(decode func(into any) error) error

type wireServer struct {
	codec  wireCodec
	decode func(wireList, any) error
	last   wireList
	later  []func()
}

func (s *wireServer) lost(src *wireSource, h wireHandler) error {
	l, err := src.next() // want `l, taken from wireBlocks at line 64, is not put back on the path that ends here \(line 68, whether or not the function that has it then is called`
	if err != nil {
		return err
	}
	return h(func(into any) error {
		if err := s.codec.Unpack(l, into); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
		return nil
	})
}

type wireSteps interface {
	Run(func(into any) error) (any, error)
}

func (s *wireServer) lostBehindInterface(src *wireSource, steps wireSteps) (any, error) {
	l, err := src.next() // want `l, taken from wireBlocks at line 81, is not put back`
	if err != nil {
		return nil, err
	}
	decode := func(into any) error { return s.decode(l, into) }
	res, err := steps.Run(decode)
	if err != nil {
		return nil, err
	}
	return res, nil
}

func lostGeneric[T any](s *wireServer, src *wireSource, h func(func(*T) error) error) error {
	l, err := src.next() // want `l, taken from wireBlocks at line 94, is not put back`
	if err != nil {
		return err
	}
	return h(func(into *T) error { return s.decode(l, into) })
}

type wireCall struct {
	s    *wireServer
	list wireList
}

func (c *wireCall) read(into any) error { return c.s.codec.Unpack(c.list, into) }

func (s *wireServer) lostInMethod(src *wireSource, h wireHandler) error {
	l, err := src.next() // want `l, taken from wireBlocks at line 109, is not put back`
	if err != nil {
		return err
	}
	call := &wireCall{s, l}
	return h(call.read)
}

// Dropped when the handler returns.
func (s *wireServer) dropped(src *wireSource, h wireHandler) error {
	l, err := src.next()
	if err != nil {
		return err
	}
	defer l.drop()
	return h(func(into any) error { return s.decode(l, into) })
}

// The literal drops it.
func (s *wireServer) droppedThere(src *wireSource, h wireHandler) error {
	l, err := src.next()
	if err != nil {
		return err
	}
	return h(func(into any) error {
		defer l.drop()
		return s.decode(l, into)
	})
}

// The decoder may take it over.
func (s *wireServer) given(src *wireSource, into any) error {
	l, err := src.next()
	if err != nil {
		return err
	}
	return s.decode(l, into)
}

// What is run once, and tells nothing, may be what ends it.
func (s *wireServer) queued(src *wireSource, queue func(func()), end func(wireList)) error {
	l, err := src.next()
	if err != nil {
		return err
	}
	queue(func() { end(l) })
	return nil
}

// The literal keeps it.
func (s *wireServer) kept(src *wireSource, h wireHandler) error {
	l, err := src.next()
	if err != nil {
		return err
	}
	return h(func(into any) error {
		s.last = l
		return nil
	})
}
