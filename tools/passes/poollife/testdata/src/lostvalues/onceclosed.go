package lostvalues

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

var onceReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

type onceSession struct {
	br   *bufio.Reader
	conn io.Closer
	once sync.Once
}

func newOnceSession(conn io.ReadCloser) *onceSession {
	br := onceReaders.Get().(*bufio.Reader)
	br.Reset(conn)
	return &onceSession{br: br, conn: conn}
}

var errOver = errors.New("over")

// Right: the second call finds that all was put.
func (s *onceSession) Close() error {
	err := errOver
	s.once.Do(func() {
		err = s.conn.Close()
		s.br.Reset(nil)
		onceReaders.Put(s.br)
		s.br = nil
	})
	return err
}

type earlySession struct {
	br   *bufio.Reader
	conn io.Closer
	once sync.Once
}

func newEarlySession(conn io.ReadCloser) *earlySession {
	br := onceReaders.Get().(*bufio.Reader)
	br.Reset(conn)
	return &earlySession{br: br, conn: conn}
}

// Wrong: the Once does not put, and an error of the connection's loses the reader.
func (s *earlySession) Close() error {
	var err error
	s.once.Do(func() { err = s.conn.Close() })
	if err != nil {
		return err // want `Close returns here without a Put of what field br holds, taken from onceReaders`
	}
	if s.br != nil {
		s.br.Reset(nil)
		onceReaders.Put(s.br)
		s.br = nil
	}
	return nil
}

type flagSession struct {
	b      *bufio.Reader
	closed bool
}

func newFlagSession(r io.Reader) *flagSession {
	b := onceReaders.Get().(*bufio.Reader)
	b.Reset(r)
	return &flagSession{b: b}
}

// Right: it was closed before.
func (s *flagSession) Close() error {
	if s.closed {
		return errors.New("closed")
	}
	s.closed = true
	s.b.Reset(nil)
	onceReaders.Put(s.b)
	return nil
}
