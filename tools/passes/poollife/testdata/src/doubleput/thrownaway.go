package doubleput

import (
	"errors"
	"net"
	"sync"
)

// A pool of what may break takes a value back, or is told that it is of no use any more: one of the two.

type phoneLines interface {
	Get(addr string) (net.Conn, error)
	Put(c net.Conn) error
	Discard(c net.Conn) error
}

type caller1 struct {
	from phoneLines
	line net.Conn
}

func (u *caller1) done(err error, stale bool) {
	if err == nil {
		if stale {
			u.from.Discard(u.line)
		}
		u.from.Put(u.line) // want `as well: what is thrown away must not go back to the pool`
	} else {
		u.from.Discard(u.line)
	}
	u.line = nil
}

func (u *caller1) doneRight(err error, stale bool) {
	if err != nil || stale {
		u.from.Discard(u.line)
	} else {
		u.from.Put(u.line)
	}
	u.line = nil
}

func (u *caller1) doneEarly(err error) {
	if err != nil {
		u.from.Discard(u.line)
		return
	}
	u.from.Put(u.line)
}

// Another value goes back.
func replaceLine(p phoneLines, old, fresh net.Conn) {
	p.Discard(old)
	p.Put(fresh)
}

type dialog struct{ broken bool }

type dialogs struct {
	mu   sync.Mutex
	free []*dialog
	out  int
}

var errNoDialog = errors.New("none")

func (s *dialogs) Acquire() (*dialog, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		x := s.free[n-1]
		s.free = s.free[:n-1]
		s.out++
		return x, nil
	}
	return nil, errNoDialog
}

func (s *dialogs) Release(x *dialog) {
	s.mu.Lock()
	s.free = append(s.free, x)
	s.out--
	s.mu.Unlock()
}

func (s *dialogs) Destroy(x *dialog) {
	s.mu.Lock()
	s.out--
	s.mu.Unlock()
}

func (s *dialogs) with(do func(*dialog)) error {
	x, err := s.Acquire()
	if err != nil {
		return err
	}
	do(x)
	if x.broken {
		s.Destroy(x)
	}
	s.Release(x) // want `as well: what is thrown away must not go back to the pool`
	return nil
}

func (s *dialogs) withRight(do func(*dialog)) error {
	x, err := s.Acquire()
	if err != nil {
		return err
	}
	do(x)
	if x.broken {
		s.Destroy(x)
		return nil
	}
	s.Release(x)
	return nil
}

// A retry takes another one.
func (s *dialogs) retried(do func(*dialog) bool) error {
	for {
		x, err := s.Acquire()
		if err != nil {
			return err
		}
		if do(x) {
			s.Release(x)
			return nil
		}
		s.Destroy(x)
	}
}
