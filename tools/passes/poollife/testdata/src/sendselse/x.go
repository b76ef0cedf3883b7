// SPDX-License-Identifier: BSD-3-Clause

// Package sendselse queues pooled values for a receiver that puts them.
package sendselse

import (
	"bytes"
	"context"
	"sync"
)

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func line(p []byte) *bytes.Buffer {
	b := lines.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	return b
}

type note struct {
	text *bytes.Buffer
	err  error
}

// After an error nothing is taken any more.

type inbox struct {
	mu    sync.Mutex
	notes chan note
	err   error
}

func (b *inbox) add(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return
	}
	b.err = n.err
	b.notes <- n
}

func (b *inbox) read(p []byte) (int, error) {
	n := <-b.notes
	if n.err != nil {
		return 0, n.err
	}
	defer lines.Put(n.text)
	return copy(p, n.text.Bytes()), nil
}

func (b *inbox) fill(p []byte) {
	b.add(note{text: line(p)}) // want `field text, taken from lines at line 54, is not put back on the path that ends here`
}

// Nor after it was closed.

type log struct {
	mu     sync.Mutex
	out    chan *bytes.Buffer
	closed bool
}

func (l *log) add(b *bytes.Buffer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.out <- b
}

func (l *log) run(write func([]byte)) {
	for b := range l.out {
		write(b.Bytes())
		lines.Put(b)
	}
}

func (l *log) print(p []byte) {
	b := line(p) // want `b, taken from lines at line 82, is not put back on the path that ends here`
	l.add(b)
}

// What cannot wait is dropped.

type feed struct {
	out  chan *bytes.Buffer
	last chan *note
}

func (f *feed) offer(b *bytes.Buffer) {
	select {
	case f.out <- b:
	default:
	}
}

func (f *feed) wait(ctx context.Context, n *note) {
	select {
	case f.last <- n:
	case <-ctx.Done():
	}
}

func (f *feed) run(write func([]byte)) {
	for {
		select {
		case b := <-f.out:
			write(b.Bytes())
			lines.Put(b)
		case n := <-f.last:
			write(n.text.Bytes())
			lines.Put(n.text)
			return
		}
	}
}

func (f *feed) print(p []byte) {
	b := line(p) // want `b, taken from lines at line 122, is not put back on the path that ends here`
	f.offer(b)
}

func (f *feed) end(ctx context.Context, p []byte) {
	b := line(p) // want `b, taken from lines at line 127, is not put back on the path that ends here`
	f.wait(ctx, &note{text: b})
}

// Here it is put.

type fairLog struct {
	mu     sync.Mutex
	out    chan *bytes.Buffer
	closed bool
}

func (l *fairLog) add(b *bytes.Buffer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		lines.Put(b)
		return
	}
	l.out <- b
}

func (l *fairLog) run(write func([]byte)) {
	for b := range l.out {
		write(b.Bytes())
		lines.Put(b)
	}
}

func (l *fairLog) print(p []byte) { l.add(line(p)) }

// Or by the caller, who is told.

type askedLog struct {
	out    chan *bytes.Buffer
	closed bool
}

func (l *askedLog) add(b *bytes.Buffer) bool {
	if l.closed {
		return false
	}
	l.out <- b
	return true
}

func (l *askedLog) run(write func([]byte)) {
	for b := range l.out {
		write(b.Bytes())
		lines.Put(b)
	}
}

func (l *askedLog) print(p []byte) {
	b := line(p)
	if !l.add(b) {
		lines.Put(b)
	}
}

// What is asked is the value: what the function does not send has its place elsewhere, or is none.

type textLog struct{ out chan *bytes.Buffer }

func (l *textLog) add(b *bytes.Buffer) {
	if b == nil || b.Len() == 0 {
		return
	}
	l.out <- b
}

func (l *textLog) run(write func([]byte)) {
	for b := range l.out {
		write(b.Bytes())
		lines.Put(b)
	}
}

func (l *textLog) print(p []byte) { l.add(line(p)) }

// The receiver is not the one who puts.

type loan struct {
	out    chan *bytes.Buffer
	closed bool
}

func (l *loan) add(b *bytes.Buffer) {
	if l.closed {
		return
	}
	l.out <- b
}

func (l *loan) run(write func([]byte), done chan<- struct{}) {
	for b := range l.out {
		write(b.Bytes())
		done <- struct{}{}
	}
}

func (l *loan) print(p []byte, done <-chan struct{}) {
	b := line(p)
	defer lines.Put(b)
	l.add(b)
	<-done
}
