// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"io"
	"sync"
)

type block [4096]byte

var blocks = sync.Pool{New: func() any { return new(block) }}

// A tail copies until its context ends, and tells nobody that it has.
type tail struct {
	from   io.Reader
	to     io.Writer
	buf    *block
	cancel context.CancelFunc
}

func startTail(ctx context.Context, to io.Writer, from io.Reader) *tail {
	t := &tail{from: from, to: to, buf: blocks.Get().(*block)}
	ctx, t.cancel = context.WithCancel(ctx)
	go t.run(ctx, t.buf)
	return t
}

func (t *tail) run(ctx context.Context, buf *block) {
	for ctx.Err() == nil {
		n, err := t.from.Read(buf[:])
		if err != nil {
			return
		}
		t.to.Write(buf[:n])
	}
}

func (t *tail) Close() error {
	t.cancel()
	blocks.Put(t.buf) // want `field buf is put while the goroutine that startTail started`
	t.buf = nil
	return nil
}

// The same, with the buffer read from the field by a literal.
type pump struct {
	from io.ReadCloser
	to   io.Writer
	buf  *block
}

func (p *pump) Start() {
	p.buf = blocks.Get().(*block)
	go func() {
		for {
			n, err := p.from.Read(p.buf[:])
			if err != nil {
				return
			}
			p.to.Write(p.buf[:n])
		}
	}()
}

func (p *pump) Stop() {
	p.to = io.Discard
	blocks.Put(p.buf) // want `field buf is put while the goroutine that Start started`
}

// One that says when it is done, and is waited for.
type goodTail struct {
	tail
	done chan struct{}
}

func startGoodTail(ctx context.Context, to io.Writer, from io.Reader) *goodTail {
	t := &goodTail{tail{from: from, to: to, buf: blocks.Get().(*block)}, make(chan struct{})}
	ctx, t.cancel = context.WithCancel(ctx)
	go t.follow(ctx, t.buf)
	return t
}

func (t *goodTail) follow(ctx context.Context, buf *block) {
	defer close(t.done)
	for ctx.Err() == nil {
		n, err := t.from.Read(buf[:])
		if err != nil {
			return
		}
		t.to.Write(buf[:n])
	}
}

func (t *goodTail) Shut() {
	t.cancel()
	<-t.done
	blocks.Put(t.buf)
	t.buf = nil
}

// One that puts the block itself.
type ownTail struct {
	from io.Reader
	buf  *block
}

func startOwnTail(from io.Reader) *ownTail {
	t := &ownTail{from: from, buf: blocks.Get().(*block)}
	go t.run()
	return t
}

func (t *ownTail) run() {
	defer t.free()
	for {
		if _, err := t.from.Read(t.buf[:]); err != nil {
			return
		}
	}
}

func (t *ownTail) free() {
	blocks.Put(t.buf)
	t.buf = nil
}

// One that is kept off by a lock and a field that is nil then.
type lockedTail struct {
	mu   sync.Mutex
	from io.Reader
	buf  *block
}

func startLockedTail(from io.Reader) *lockedTail {
	t := &lockedTail{from: from, buf: blocks.Get().(*block)}
	go t.run()
	return t
}

func (t *lockedTail) run() {
	for {
		t.mu.Lock()
		if t.buf == nil {
			t.mu.Unlock()
			return
		}
		_, err := t.from.Read(t.buf[:])
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *lockedTail) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	blocks.Put(t.buf)
	t.buf = nil
}

// What ends it is not in view: it may wait.
type stopper interface{ Halt() }

type servedTail struct {
	from   io.Reader
	buf    *block
	server stopper
}

func startServedTail(from io.Reader, s stopper) *servedTail {
	t := &servedTail{from: from, buf: blocks.Get().(*block), server: s}
	go t.run(t.buf)
	return t
}

func (t *servedTail) run(buf *block) {
	for {
		if _, err := t.from.Read(buf[:]); err != nil {
			return
		}
	}
}

func (t *servedTail) Close() {
	t.server.Halt()
	blocks.Put(t.buf)
}
