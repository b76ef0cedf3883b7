// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"bytes"
	"io"
	"sync"
)

// A receiver may be given the channel that it receives from, and an answer sent to who waits for it.

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type written struct {
	text *bytes.Buffer
	err  chan error
}

func writeAll(w io.Writer, in <-chan *written) {
	for x := range in {
		_, err := w.Write(x.text.Bytes())
		texts.Put(x.text)
		x.err <- err
	}
}

type outlet struct{ in chan *written }

func newOutlet(w io.Writer) *outlet {
	o := &outlet{in: make(chan *written, 4)}
	go writeAll(w, o.in)
	return o
}

// Wrong: the answer says that the text was written and put.
func (o *outlet) send(s string) (int, error) {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	x := &written{text: b, err: make(chan error, 1)}
	o.in <- x
	err := <-x.err
	return b.Len(), err // want `used by Len after it was handed to a goroutine that puts it back`
}

// Right: how long it is was known before.
func (o *outlet) sent(s string) (int, error) {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	n := b.Len()
	x := &written{text: b, err: make(chan error, 1)}
	o.in <- x
	return n, <-x.err
}

// A receiver that answers before anything is put gives the text back with its answer.

func copyAll(w io.Writer, in <-chan *written) {
	for x := range in {
		if x.text.Len() == 0 {
			texts.Put(x.text)
			continue
		}
		_, err := w.Write(x.text.Bytes())
		x.err <- err
	}
}

type copies struct{ in chan *written }

func newCopies(w io.Writer) *copies {
	c := &copies{in: make(chan *written, 4)}
	go copyAll(w, c.in)
	return c
}

// Right: it was answered, and so it is still his.
func (c *copies) send(s string) (int, error) {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	x := &written{text: b, err: make(chan error, 1)}
	c.in <- x
	err := <-x.err
	n := b.Len()
	texts.Put(b)
	return n, err
}

// Several may receive from a channel that a function made.

func writeEach(w io.Writer, in <-chan *bytes.Buffer, all *sync.WaitGroup) {
	defer all.Done()
	for b := range in {
		w.Write(b.Bytes())
		texts.Put(b)
	}
}

// Wrong: one of them may have put it.
func writeLines(w io.Writer, lines []string) (n int) {
	in := make(chan *bytes.Buffer, 8)
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go writeEach(w, in, &all)
	}
	for _, l := range lines {
		b := texts.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(l)
		in <- b
		n += b.Len() // want `used by Len after it was handed to a goroutine that puts it back`
	}
	close(in)
	all.Wait()
	return n
}
