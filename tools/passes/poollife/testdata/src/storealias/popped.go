// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// What is popped off a list is not in it any more.

var frameBytes = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func frameOf(in []byte) []byte {
	b := (*frameBytes.Get().(*[]byte))[:len(in)]
	copy(b, in)
	return b
}

func giveFrame(b []byte) { frameBytes.Put(&b) }

type frameStack struct{ frames [][]byte }

func (s *frameStack) push(b []byte) { s.frames = append(s.frames, b) }

func (s *frameStack) pop() []byte {
	n := len(s.frames)
	b := s.frames[n-1]
	s.frames = s.frames[:n-1]
	return b
}

func (s *frameStack) top() []byte { return s.frames[len(s.frames)-1] }

type frameDecoder struct {
	stacks map[int]*frameStack
	need   int
}

func (d *frameDecoder) stack(id int) *frameStack {
	s, ok := d.stacks[id]
	if !ok {
		s = &frameStack{}
		d.stacks[id] = s
	}
	return s
}

func (d *frameDecoder) decode(id int, in []byte) (n int) { // right
	s := d.stack(id)
	s.push(frameOf(in))
	if len(s.frames) >= d.need {
		var list [][]byte
		for len(s.frames) > 0 {
			b := s.pop()
			list = append(list, b)
			n += len(b)
		}
		for _, b := range list {
			giveFrame(b)
		}
	}
	return n
}

func (d *frameDecoder) last(id int, in []byte) { // right
	s := d.stack(id)
	s.push(frameOf(in))
	giveFrame(s.pop())
}

// Wrong: it is looked at, and stays.
func (d *frameDecoder) first(id int, in []byte) int {
	s := &frameStack{}
	d.stacks[id] = s // want `keeps memory of b after the value was put in frameBytes`
	b := frameOf(in)
	s.push(b)
	n := len(s.top())
	giveFrame(b)
	return n
}
