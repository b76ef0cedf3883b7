// Package chanlists takes values from channels that serve as pools.
package chanlists

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
)

// A list that makes what it lacks: what the other paths give back is lost here.
type texts struct{ free chan *bytes.Buffer }

func (t *texts) get() *bytes.Buffer {
	select {
	case b := <-t.free:
		return b
	default:
		return new(bytes.Buffer)
	}
}

func (t *texts) put(b *bytes.Buffer) {
	b.Reset()
	select {
	case t.free <- b:
	default:
	}
}

func (t *texts) fill(write func(io.Writer) error) (*bytes.Buffer, error) {
	b := t.get()
	return b, write(b)
}

func (t *texts) page(w io.Writer, write func(io.Writer) error) error {
	b, err := t.fill(write) // want `not put back on the path`
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	t.put(b)
	return err
}

func (t *texts) size(write func(io.Writer) error) (int, error) {
	b := t.get() // want `not put back on the path`
	if err := write(b); err != nil {
		return 0, err
	}
	n := b.Len()
	t.put(b)
	return n, nil
}

func (t *texts) deferred(w io.Writer, write func(io.Writer) error) error {
	b, err := t.fill(write)
	defer t.put(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func (t *texts) both(w io.Writer, write func(io.Writer) error) error {
	b, err := t.fill(write)
	if err != nil {
		t.put(b)
		return err
	}
	_, err = w.Write(b.Bytes())
	t.put(b)
	return err
}

// The others give back what they take.
func (t *texts) drop(write func(io.Writer) error) (string, error) {
	b, err := t.fill(write) // want `not put back on any path`
	return b.String(), err
}

// A list of which all who take one leave it to others what becomes of it: it is made again.
type drafts struct{ free chan *bytes.Buffer }

func (d *drafts) get() *bytes.Buffer {
	select {
	case b := <-d.free:
		return b
	default:
		return new(bytes.Buffer)
	}
}

func (d *drafts) put(b *bytes.Buffer) {
	b.Reset()
	select {
	case d.free <- b:
	default:
	}
}

func (d *drafts) drop(write func(io.Writer) error) (string, error) {
	b := d.get()
	err := write(b)
	return b.String(), err
}

// A list that is filled once.
type block struct{ b []byte }

type blocks struct {
	free  chan *block
	full  chan *block
	quit  chan struct{}
	fresh int
}

func newBlocks(n int) *blocks {
	p := &blocks{free: make(chan *block, n), full: make(chan *block, n), quit: make(chan struct{})}
	for i := 0; i < n; i++ {
		p.free <- &block{make([]byte, 1024)}
	}
	return p
}

func (p *blocks) readAll(r io.Reader) error {
	for {
		var b *block
		select { // want `not put back on the path`
		case b = <-p.free:
		case <-p.quit:
			return nil
		}
		if _, err := io.ReadFull(r, b.b); err != nil {
			return err
		}
		p.full <- b
	}
}

func (p *blocks) readOn(r io.Reader) error {
	for {
		b := <-p.free
		if _, err := io.ReadFull(r, b.b); err != nil {
			p.free <- b
			return err
		}
		p.full <- b
	}
}

func (p *blocks) writeAll(w io.Writer) error {
	for b := range p.full {
		_, err := w.Write(b.b)
		p.free <- b
		if err != nil {
			return err
		}
	}
	return nil
}

// Work that is queued, as much as there is: none of it comes back.
type job struct{ id int }

type queue struct {
	jobs   chan *job
	failed []*job
}

func newQueue(n int) *queue {
	q := &queue{jobs: make(chan *job, n)}
	for i := range n {
		q.jobs <- &job{i}
	}
	return q
}

func (q *queue) work(do func(int) error) {
	j := <-q.jobs
	if err := do(j.id); err != nil {
		q.failed = append(q.failed, j)
	}
}

// Connections, of which only so many are out at a time.
type conn struct{ net.Conn }

type conns struct {
	dial func() (net.Conn, error)
	idle chan *conn
	out  chan struct{}
}

func (p *conns) acquire(ctx context.Context) (*conn, error) {
	select {
	case p.out <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case c := <-p.idle:
		return c, nil
	default:
	}
	n, err := p.dial()
	if err != nil {
		<-p.out
		return nil, err
	}
	return &conn{n}, nil
}

func (p *conns) release(c *conn, err error) {
	<-p.out
	if err != nil {
		c.Close()
		return
	}
	select {
	case p.idle <- c:
	default:
		c.Close()
	}
}

type stream struct {
	c    *conn
	give func(*conn, error)
}

func (p *conns) open(ctx context.Context, name string) (*stream, error) {
	c, err := p.acquire(ctx) // want `not put back on the path`
	if err != nil {
		return nil, err
	}
	if len(name) > 255 {
		return nil, errors.New("name too long")
	}
	return &stream{c, p.release}, nil
}

func (p *conns) openAny(ctx context.Context, name string) (*stream, error) {
	c, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c, name); err != nil {
		p.release(c, err)
		return nil, err
	}
	return &stream{c, p.release}, nil
}

func (s *stream) finish() error {
	_, err := s.c.Write([]byte{0})
	return err
}

// Who is told of the error closes the connection; it is still one of those that are out.
func (s *stream) Close() error {
	if err := s.finish(); err != nil {
		return err // want `without a Put of what field c holds`
	}
	s.give(s.c, nil)
	return nil
}

type call struct {
	c    *conn
	give func(*conn, error)
}

func (p *conns) call(ctx context.Context) (*call, error) {
	c, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &call{c, p.release}, nil
}

func (s *call) Close() error {
	_, err := s.c.Write([]byte{0})
	s.give(s.c, err)
	return err
}
