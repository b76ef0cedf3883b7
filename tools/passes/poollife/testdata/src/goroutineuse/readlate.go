package goroutineuse

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Readers and writers that go on with the buffer when they have returned.

var errSlow = errors.New("slow")

type chunkStore interface {
	save(name string, r io.Reader) error
}

// impatient gives up on a read that takes too long.
type impatient struct {
	from io.Reader
	wait time.Duration
}

type reading struct {
	n   int
	err error
}

func (p *impatient) Read(b []byte) (int, error) {
	res := make(chan reading, 1)
	go func() {
		n, err := p.from.Read(b)
		res <- reading{n, err}
	}()
	select {
	case r := <-res:
		return r.n, r.err
	case <-time.After(p.wait):
		return 0, errSlow
	}
}

type guarded struct {
	chunkStore
	wait time.Duration
}

func (g guarded) save(name string, r io.Reader) error {
	return g.chunkStore.save(name, inTime(r, g.wait))
}

func inTime(r io.Reader, d time.Duration) io.Reader { return &impatient{r, d} }

var lateBufs = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}

type memStore struct{ put func(name string, b []byte) }

func (m *memStore) save(name string, r io.Reader) error { return m.copyTo(name, r) }

func (m *memStore) copyTo(name string, r io.Reader) error {
	b := lateBufs.Get().(*[]byte)
	defer lateBufs.Put(b) // want `b is put in lateBufs while the goroutine started at line \d+ may still use it`
	for {
		n, err := readChunk(r, *b)
		m.put(name, (*b)[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readChunk(r io.Reader, b []byte) (int, error) {
	return io.ReadFull(r, b[:cap(b)])
}

// The same for a writer, and a Put that all ways come by.

type dropping struct{ to net.Conn }

func (d dropping) Write(b []byte) (n int, err error) {
	done := make(chan struct{})
	go func() { // want `b may be a buffer from a pool that greet puts when the call is over`
		defer close(done)
		n, err := d.to.Write(b)
		_, _ = n, err
	}()
	select {
	case <-done:
		return len(b), nil
	case <-time.After(time.Second):
		return 0, errSlow
	}
}

var greetings = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

type session struct{ out io.Writer }

func newSession(c net.Conn, slow bool) *session {
	if slow {
		return &session{out: dropping{c}}
	}
	return &session{out: c}
}

func (s *session) greet(name string) error {
	b := greetings.Get().(*[]byte)
	*b = append((*b)[:0], name...)
	_, err := s.out.Write(*b)
	greetings.Put(b)
	if err != nil {
		return err
	}
	return nil
}

// One that has a buffer of its own for the goroutine.

type ownBuffer struct {
	from io.Reader
	wait time.Duration
}

func (p *ownBuffer) Read(b []byte) (int, error) {
	res := make(chan []byte, 1)
	size := len(b)
	go func() {
		own := make([]byte, size)
		n, _ := p.from.Read(own)
		res <- own[:n]
	}()
	select {
	case r := <-res:
		return copy(b, r), nil
	case <-time.After(p.wait):
		return 0, errSlow
	}
}

// One that makes the read end, and waits for that.

type ending struct {
	from net.Conn
	wait time.Duration
}

func (p *ending) Read(b []byte) (int, error) {
	res := make(chan reading, 1)
	go func() {
		n, err := p.from.Read(b)
		res <- reading{n, err}
	}()
	select {
	case r := <-res:
		return r.n, r.err
	case <-time.After(p.wait):
		p.from.Close()
		<-res
		return 0, errSlow
	}
}

// One that can be waited for.

type joined struct {
	from io.Reader
	over chan struct{}
}

func (p *joined) Read(b []byte) (int, error) {
	res := make(chan reading, 1)
	go func() {
		n, err := p.from.Read(b)
		res <- reading{n, err}
		close(p.over)
	}()
	select {
	case r := <-res:
		return r.n, r.err
	case <-time.After(time.Second):
		return 0, errSlow
	}
}

func (p *joined) Close() error {
	<-p.over
	return nil
}

func (m *memStore) saveClosed(r io.ReadCloser) (err error) {
	b := lateBufs.Get().(*[]byte)
	n, err := r.Read(*b)
	if end := r.Close(); end != nil {
		err = end
	}
	m.put("b", (*b)[:n])
	lateBufs.Put(b)
	return err
}

type closing interface {
	saveClosed(r io.ReadCloser) error
}

func saveAll(c net.Conn, s chunkStore, j closing) error {
	if err := s.save("a", &ownBuffer{c, time.Second}); err != nil {
		return err
	}
	if err := j.saveClosed(&joined{c, make(chan struct{})}); err != nil {
		return err
	}
	return s.save("c", &ending{c, time.Second})
}

// What was read to is put only if the read came to its end, and lost otherwise.

type hurried struct{ from io.Reader }

func (p *hurried) Read(b []byte) (int, error) {
	res := make(chan reading, 1)
	go func() {
		n, err := p.from.Read(b)
		res <- reading{n, err}
	}()
	select {
	case r := <-res:
		return r.n, r.err
	case <-time.After(time.Second):
		return 0, errSlow
	}
}

func (m *memStore) saveDropping(r io.Reader) error {
	b := lateBufs.Get().(*[]byte) // want `b, taken from lateBufs at line 238, is not put back on the path`
	n, err := io.ReadFull(r, *b)
	if err != nil {
		return err
	}
	m.put("d", (*b)[:n])
	lateBufs.Put(b)
	return nil
}

func (m *memStore) saveHurried(c net.Conn) error { return m.saveDropping(&hurried{c}) }

// Nobody reads to a pooled buffer through this one.

type patient struct{ from io.Reader }

func (p *patient) Read(b []byte) (int, error) {
	res := make(chan reading, 1)
	go func() {
		n, err := p.from.Read(b)
		res <- reading{n, err}
	}()
	select {
	case r := <-res:
		return r.n, r.err
	case <-time.After(time.Hour):
		return 0, errSlow
	}
}

func readOnce(c net.Conn) (int, error) {
	b := make([]byte, 32)
	return io.ReadFull(&patient{c}, b)
}
