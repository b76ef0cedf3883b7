// SPDX-License-Identifier: BSD-3-Clause

package leftcleanup

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var errBad = errors.New("bad")

// Those that are not kept are passed over.
type part struct {
	data []byte
	free func()
}

func parts(in io.Reader, out io.Writer, keep func([]byte) bool) {
	ch := make(chan part)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for p := range ch { // want `p, received at line [0-9]+, has in free what puts its memory back, which is called on other paths .*, but not on the one that ends here`
			if !keep(p.data) {
				continue
			}
			out.Write(p.data)
			p.free()
		}
	}()
	for range 10 {
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		b.ReadFrom(io.LimitReader(in, 10))
		ch <- part{data: b.Bytes(), free: func() { buffers.Put(b) }}
	}
	close(ch)
	wg.Wait()
}

// A message by pointer, over a channel in a field.
type msg struct {
	b    *bytes.Buffer
	done func()
}

type server struct{ in chan *msg }

func (s *server) feed(r io.Reader) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(io.LimitReader(r, 10))
	s.in <- &msg{b: b, done: func() { giveBack(b) }}
}

func giveBack(b *bytes.Buffer) { buffers.Put(b) }

func (s *server) one(w io.Writer) error {
	m, ok := <-s.in // want `m, received at line [0-9]+, has in done what puts its memory back, which is called on other paths .*, but not on the one that ends here`
	if !ok {
		return io.EOF
	}
	if m.b.Len() == 0 {
		return errBad
	}
	_, err := w.Write(m.b.Bytes())
	m.done()
	return err
}

// The function that gives the memory back is called by who writes, where that succeeds.
type item[T any] struct {
	v       T
	buf     []byte
	release func()
}

func produce[T any](ch chan<- item[T], v T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	give := func() { buffers.Put(b) }
	if b.Cap() > 1<<20 {
		give()
		return
	}
	ch <- item[T]{v: v, buf: b.AvailableBuffer(), release: give}
}

func consume[T any](ch <-chan item[T], w io.Writer) (err error) {
	for it := range ch { // want `it, received at line [0-9]+, has in release what puts its memory back, which is called on other paths .*, but not on the one that ends here`
		if err := write(it, w); err != nil {
			return err
		}
	}
	return nil
}

func write[T any](it item[T], w io.Writer) error {
	if _, err := w.Write(it.buf); err != nil {
		return err
	}
	it.release()
	return nil
}

// A deferred call gives it back in any case.
type rpart struct {
	data []byte
	free func()
}

func sendR(ch chan rpart) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- rpart{b.Bytes(), func() { buffers.Put(b) }}
}

func recvR(ch chan rpart, w io.Writer) error {
	for p := range ch {
		if err := useR(p, w); err != nil {
			return err
		}
	}
	return nil
}

func useR(p rpart, w io.Writer) error {
	defer p.free()
	_, err := w.Write(p.data)
	return err
}

// Whether it was given back is told by the result.
type tpart struct {
	data []byte
	free func()
}

func sendT(ch chan tpart) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- tpart{b.Bytes(), func() { buffers.Put(b) }}
}

func recvT(ch chan tpart, w io.Writer) {
	for p := range ch {
		if !tryT(p, w) {
			p.free()
		}
	}
}

func tryT(p tpart, w io.Writer) bool {
	if len(p.data) == 0 {
		return false
	}
	w.Write(p.data)
	p.free()
	return true
}

// Whether it was given back is in a variable.
type fpart struct {
	data []byte
	free func()
}

func sendF(ch chan fpart) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- fpart{b.Bytes(), func() { buffers.Put(b) }}
}

func recvF(ch chan fpart, w io.Writer) {
	for p := range ch {
		written := false
		if len(p.data) > 0 {
			w.Write(p.data)
			p.free()
			written = true
		}
		if !written {
			p.free()
		}
	}
}

// Those of an error have none.
type npart struct {
	data []byte
	err  error
	free func()
}

func sendN(ch chan npart, err error) {
	if err != nil {
		ch <- npart{err: err}
		return
	}
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- npart{data: b.Bytes(), free: func() { buffers.Put(b) }}
}

func recvN(ch chan npart, w io.Writer) error {
	for p := range ch {
		if p.err != nil {
			return p.err
		}
		w.Write(p.data)
		p.free()
	}
	return nil
}

// What is too short is kept for later.
type kpart struct {
	data []byte
	free func()
}

type keeper struct{ list []kpart }

func sendK(ch chan kpart) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- kpart{data: b.Bytes(), free: func() { buffers.Put(b) }}
}

func (k *keeper) recv(ch chan kpart, w io.Writer) {
	for p := range ch {
		if len(p.data) < 10 {
			k.list = append(k.list, p)
			continue
		}
		w.Write(p.data)
		p.free()
	}
	for _, p := range k.list {
		w.Write(p.data)
		p.free()
	}
}

// The same is asked twice.
type upart struct {
	data []byte
	free func()
}

func sendU(ch chan upart) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	ch <- upart{data: b.Bytes(), free: func() { buffers.Put(b) }}
}

func recvU(ch chan upart, w io.Writer, dry bool) {
	for p := range ch {
		if !dry {
			w.Write(p.data)
			if p.free != nil {
				p.free()
			}
		}
		println(len(p.data))
		if dry {
			p.free()
		}
	}
}

// The function only counts.
type cpart struct {
	data []byte
	free func()
}

func sendC(ch chan cpart, n *int) { ch <- cpart{data: make([]byte, 10), free: func() { *n++ }} }

func recvC(ch chan cpart, w io.Writer) error {
	for p := range ch {
		if _, err := w.Write(p.data); err != nil {
			return err
		}
		p.free()
	}
	return nil
}

// The sender gives it back where the answer is an error.
type spart struct {
	data  []byte
	free  func()
	reply chan error
}

func sendS(ch chan spart) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	free := func() { buffers.Put(b) }
	reply := make(chan error, 1)
	ch <- spart{b.Bytes(), free, reply}
	err := <-reply
	if err != nil {
		free()
	}
	return err
}

func recvS(ch chan spart, w io.Writer) {
	for p := range ch {
		_, err := w.Write(p.data)
		p.reply <- err
		if err == nil {
			p.free()
		}
	}
}
