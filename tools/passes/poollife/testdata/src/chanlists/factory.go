package chanlists

import (
	"errors"
	"net"
)

// A list of sessions: where it has none, one is made, which may fail.

type session struct {
	conn     net.Conn
	snapshot uint64
}

func (s *session) Close() { s.conn.Close() }

type closer interface{ Close() }

type sessions struct {
	idle chan closer
	open func() (closer, error)
}

func newSessions(n int, addr string) *sessions {
	return &sessions{idle: make(chan closer, n), open: func() (closer, error) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		return &session{conn: c}, nil
	}}
}

func (l *sessions) Get() (closer, error) {
	select {
	case s := <-l.idle:
		return s, nil
	default:
		return l.open()
	}
}

func (l *sessions) Put(s closer) {
	select {
	case l.idle <- s:
	default:
		s.Close()
	}
}

var errSession = errors.New("not a session")

// Wrong: what is deferred first runs last.
func (l *sessions) at(ts uint64, run func(*session) error) error {
	c, err := l.Get()
	if err != nil {
		return err
	}
	s, ok := c.(*session)
	if !ok {
		return errSession
	}
	old := s.snapshot
	defer func() {
		s.snapshot = old // want `c is written after it was put in the channel idle`
	}()
	defer l.Put(c)
	s.snapshot = ts
	return run(s)
}

// Right: it is put last.
func (l *sessions) atRight(ts uint64, run func(*session) error) error {
	c, err := l.Get()
	if err != nil {
		return err
	}
	defer l.Put(c)
	s, ok := c.(*session)
	if !ok {
		return errSession
	}
	old := s.snapshot
	defer func() { s.snapshot = old }()
	s.snapshot = ts
	return run(s)
}

// Right: one that failed is closed, and not put.
func (l *sessions) ask(q []byte) error {
	c, err := l.Get()
	if err != nil {
		return err
	}
	s := c.(*session)
	if _, err := s.conn.Write(q); err != nil {
		s.Close()
		return err
	}
	l.Put(c)
	return nil
}

// Right: or its connection is.
func (l *sessions) askAgain(q []byte) error {
	c, err := l.Get()
	if err != nil {
		return err
	}
	s := c.(*session)
	if _, err := s.conn.Write(q); err != nil {
		s.conn.Close()
		return err
	}
	l.Put(c)
	return nil
}

// Wrong: it is neither put nor closed.
func (l *sessions) askOnce(q []byte, ready func() error) error {
	c, err := l.Get() // want `c, taken from the channel idle at line 121, is not put back on the path that ends here`
	if err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	l.Put(c)
	return nil
}
