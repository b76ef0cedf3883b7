package swaplost

import (
	"bufio"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}

func release(r *bufio.Reader) {
	r.Reset(nil)
	readers.Put(r)
}

// Who comes second finds the flag set.

type source struct {
	ended atomic.Bool
	mu    sync.Mutex
	in    *bufio.Reader
	under io.Closer
}

func open(rc io.ReadCloser) *source {
	in := readers.Get().(*bufio.Reader)
	in.Reset(rc)
	return &source{in: in, under: rc}
}

func (s *source) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.in == nil {
		return 0, io.ErrClosedPipe
	}
	return s.in.Read(p)
}

func (s *source) Close() error {
	if !s.ended.CompareAndSwap(false, true) {
		return nil
	}
	err := s.under.Close()
	s.mu.Lock()
	in := s.in
	s.in = nil
	s.mu.Unlock()
	release(in)
	return err
}

func copyAll(w io.Writer, rc io.ReadCloser) error {
	s := open(rc)
	defer s.Close()
	_, err := io.Copy(w, s)
	return err
}

var errEmpty = errors.New("empty")

// Wrong: not closed where nothing came.
func copySome(w io.Writer, rc io.ReadCloser) error {
	s := open(rc) // want `s, taken from readers .* is not put back`
	n, err := io.Copy(w, s)
	if n == 0 {
		return errEmpty
	}
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	return err
}

// Wrong: a flag that is not set by who puts: with it found set, nothing was put.

type tap struct {
	warned atomic.Uint32
	in     *bufio.Reader
}

func tapOf(r io.Reader) *tap {
	in := readers.Get().(*bufio.Reader)
	in.Reset(r)
	return &tap{in: in}
}

func (t *tap) first() (byte, error) {
	defer release(t.in)
	return t.in.ReadByte()
}

func peek(r io.Reader) (byte, error) {
	t := tapOf(r) // want `t, taken from readers .* is not put back`
	if !t.warned.CompareAndSwap(1, 2) {
		return 0, errEmpty
	}
	return t.first()
}
