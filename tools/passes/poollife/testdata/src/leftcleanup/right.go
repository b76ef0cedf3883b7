// SPDX-License-Identifier: BSD-3-Clause

package leftcleanup

import (
	"context"
	"io"
	"log"
	"sync"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// Who asked for the message gives it back.
type aMsg struct {
	data []byte
	free func()
}

type q struct{ ch chan aMsg }

func (q *q) send() {
	b := blocks.Get().(*[]byte)
	q.ch <- aMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func (q *q) next(ctx context.Context) (aMsg, bool) {
	select {
	case m := <-q.ch:
		return m, true
	case <-ctx.Done():
		return aMsg{}, false
	}
}

func (q *q) run(ctx context.Context, w io.Writer) {
	for {
		m, ok := q.next(ctx)
		if !ok {
			return
		}
		w.Write(m.data)
		m.free()
	}
}

// What is long goes on to others.
type bMsg struct {
	data []byte
	free func()
}

func sendB(ch chan bMsg) {
	b := blocks.Get().(*[]byte)
	ch <- bMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func recvB(ch, next chan bMsg, w io.Writer) {
	for m := range ch {
		if len(m.data) > 5 {
			next <- m
			continue
		}
		w.Write(m.data)
		m.free()
	}
}

func recvB2(next chan bMsg) {
	for m := range next {
		m.free()
	}
}

// A method gives it back.
type cMsg struct {
	data []byte
	free func()
}

func (c *cMsg) Close() {
	if c.free != nil {
		c.free()
	}
}

func sendC2(ch chan *cMsg) {
	b := blocks.Get().(*[]byte)
	ch <- &cMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func recvC2(ch chan *cMsg, w io.Writer) {
	for m := range ch {
		if len(m.data) > 5 {
			m.Close()
			continue
		}
		w.Write(m.data)
		m.Close()
	}
}

// The program ends there.
type dMsg struct {
	data []byte
	free func()
}

func sendD(ch chan dMsg) {
	b := blocks.Get().(*[]byte)
	ch <- dMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func recvD(ch chan dMsg, w io.Writer) {
	for m := range ch {
		if _, err := w.Write(m.data); err != nil {
			log.Fatal(err)
		}
		m.free()
	}
}

// A deferred literal gives it back where that was not done.
type eMsg struct {
	data []byte
	free func()
}

func sendE(ch chan eMsg) {
	b := blocks.Get().(*[]byte)
	ch <- eMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func recvE(ch chan eMsg, w io.Writer) error {
	m := <-ch
	done := false
	defer func() {
		if !done {
			m.free()
		}
	}()
	if _, err := w.Write(m.data); err != nil {
		return err
	}
	m.free()
	done = true
	return nil
}

// What is long is kept.
type fMsg struct {
	data []byte
	free func()
}

func sendF2(ch chan fMsg) {
	b := blocks.Get().(*[]byte)
	ch <- fMsg{(*b)[:10], func() { blocks.Put(b) }}
}

func recvF2(ch chan fMsg, w io.Writer, keep map[string][]byte) {
	for m := range ch {
		if len(m.data) > 5 {
			keep["a"] = m.data
			continue
		}
		w.Write(m.data)
		m.free()
	}
}
