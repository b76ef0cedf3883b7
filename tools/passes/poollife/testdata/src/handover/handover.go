// SPDX-License-Identifier: BSD-3-Clause

// Package handover has values that are handed to goroutines: over channels that are variables,
// by signs, by counts, and to several at once.
package handover

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type packet struct {
	mem [512]byte
	n   int
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func pump(r io.Reader, w io.Writer) {
	ch := make(chan *packet, 4)
	defer close(ch)
	go func() {
		for p := range ch {
			w.Write(p.mem[:p.n])
			packets.Put(p)
		}
	}()
	for {
		p := packets.Get().(*packet)
		n, err := r.Read(p.mem[:])
		if err != nil {
			packets.Put(p)
			return
		}
		ch <- p
		p.n = n // want `p is written after it was handed to a goroutine that puts it back`
	}
}

func pumpRight(r io.Reader, w io.Writer) {
	ch := make(chan *packet, 4)
	defer close(ch)
	go drain(ch, w)
	for {
		p := packets.Get().(*packet)
		n, err := r.Read(p.mem[:])
		if err != nil {
			packets.Put(p)
			return
		}
		p.n = n
		ch <- p
	}
}

func drain(ch chan *packet, w io.Writer) {
	for p := range ch {
		w.Write(p.mem[:p.n])
		packets.Put(p)
	}
}

func total(w io.Writer, parts [][]byte) (n int) {
	ch := make(chan *packet)
	defer close(ch)
	go empty(ch, w)
	for _, b := range parts {
		p := packets.Get().(*packet)
		p.n = copy(p.mem[:], b)
		ch <- p
		n += p.n // want `p is read after it was handed to a goroutine that puts it back`
	}
	return n
}

func empty(ch chan *packet, w io.Writer) {
	for p := range ch {
		w.Write(p.mem[:p.n])
		packets.Put(p)
	}
}

// Frames are told apart by a byte that was read into an array.
func frames(r io.Reader, seen map[int][]byte) error {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	p := packets.Get().(*packet)
	defer packets.Put(p)
	if head[1] > 0 {
		seen[int(head[0])] = p.mem[:head[1]] // want `an element of a slice or map keeps memory of p after the value was put in packets`
	}
	return nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type target interface{ Send([]byte) error }

func sendAll(to []target, text string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b) // want `b is put in buffers while the goroutine started at line 114 may still use it`
	b.WriteString(text)
	errs := make(chan error, len(to))
	for _, t := range to {
		go func() { errs <- t.Send(b.Bytes()) }()
	}
	for range to {
		if err := <-errs; err != nil {
			return err // with others still at it
		}
	}
	return nil
}

func sendAllRight(to []target, text string) (err error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(text)
	errs := make(chan error, len(to))
	for _, t := range to {
		go func() { errs <- t.Send(b.Bytes()) }()
	}
	for range to {
		err = errors.Join(err, <-errs)
	}
	return err
}

// A load is made by one for all that ask for it at the time.
type load struct {
	done chan struct{}
	buf  *bytes.Buffer
	left atomic.Int32
}

type loader struct {
	mu    sync.Mutex
	loads map[string]*load
}

func (l *loader) get(key string, fill func(*bytes.Buffer), use func([]byte)) {
	l.mu.Lock()
	if o, ok := l.loads[key]; ok {
		l.mu.Unlock()
		<-o.done
		use(o.buf.Bytes())
		return
	}
	o := &load{done: make(chan struct{}), buf: buffers.Get().(*bytes.Buffer)}
	l.loads[key] = o
	l.mu.Unlock()
	fill(o.buf)
	l.mu.Lock()
	delete(l.loads, key)
	l.mu.Unlock()
	close(o.done)
	use(o.buf.Bytes())
	o.buf.Reset()
	buffers.Put(o.buf) // want `buf is put here while those that waited for done`
}

type counted struct {
	ready sync.WaitGroup
	buf   *bytes.Buffer
	left  atomic.Int32
}

func (c *counted) release() {
	if c.left.Add(-1) == 0 {
		c.buf.Reset()
		buffers.Put(c.buf)
	}
}

func (c *counted) read(use func([]byte)) {
	c.ready.Wait()
	use(c.buf.Bytes())
	c.release()
}

func (c *counted) fill(text string, use func([]byte)) {
	c.buf.WriteString(text)
	c.ready.Done()
	use(c.buf.Bytes())
	c.release()
}

// The last one puts, but the others read on.
func (c *counted) releaseEarly(use func([]byte)) {
	last := c.left.Add(-1) == 0
	use(c.buf.Bytes()) // want `c\.buf is used after the reference to it was counted down`
	if last {
		buffers.Put(c.buf)
	}
}

func (c *counted) releaseLate(use func([]byte)) {
	use(c.buf.Bytes())
	if c.left.Add(-1) > 0 {
		return
	}
	use(c.buf.Bytes()) // nobody else has it
	buffers.Put(c.buf)
}

type shared struct {
	left atomic.Int32
	size int
	mem  []byte
}

var shareds = sync.Pool{New: func() any { return new(shared) }}

func (s *shared) free(stats func(int)) {
	if s.left.Add(-1) != 0 {
		stats(s.size) // want `s is used after the reference to it was counted down`
		return
	}
	shareds.Put(s)
}

func (s *shared) freeRight(stats func(int)) {
	stats(s.size)
	switch n := s.left.Add(-1); {
	case n > 0:
		return
	case n < 0:
		panic("freed twice")
	}
	s.size = 0
	shareds.Put(s)
}

var replies = sync.Pool{New: func() any { return make(chan error, 1) }}

var errLate = errors.New("late")

func ask(f func() error, d time.Duration) error {
	ch := replies.Get().(chan error)
	go func() {
		ch <- f()
		replies.Put(ch) // want `the channel is put while what was sent on it`
	}()
	select {
	case err := <-ch:
		return err
	case <-time.After(d):
		return errLate
	}
}

func askRight(f func() error, d time.Duration) error {
	ch := replies.Get().(chan error)
	go func() { ch <- f() }()
	select {
	case err := <-ch:
		replies.Put(ch)
		return err
	case <-time.After(d):
		return errLate
	}
}

type sender struct{ next http.RoundTripper }

func (s *sender) send(r *http.Request, v any) (*http.Response, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b) // want `b is put in buffers while the HTTP transport that sends the request`
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
	return s.next.RoundTrip(out)
}

func (s *sender) sendRight(r *http.Request, v any) (*http.Response, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.Body = io.NopCloser(bytes.NewReader(b))
	return s.next.RoundTrip(out)
}
