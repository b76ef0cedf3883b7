package lostpaths

import (
	"errors"
	"io"
	"sync"
)

// A buffer that is taken when a message begins, and put when all of it was written.

type pageHolder struct{ page []byte }

var pageHolders = sync.Pool{New: func() any { return pageHolder{make([]byte, 4096)} }} // boxed once each

type link struct {
	to   io.Writer
	page []byte
	cur  *message
}

type message struct {
	l      *link
	n      int
	failed error
}

func (l *link) begin() *message {
	if l.page == nil {
		h := pageHolders.Get().(pageHolder)
		l.page = h.page
	}
	l.cur = &message{l: l}
	return l.cur
}

func (m *message) fail(err error) error {
	m.failed = err
	m.l.cur = nil
	return err
}

func (m *message) out(last bool) error {
	l := m.l
	if _, err := l.to.Write(l.page[:m.n]); err != nil {
		return m.fail(err) // want `what field page holds is put where all was written`
	}
	if last {
		l.cur = nil
		pageHolders.Put(pageHolder{l.page})
		l.page = nil
	}
	m.n = 0
	return nil
}

func (m *message) Close() error {
	if m.failed != nil {
		return m.failed
	}
	return m.out(true)
}

// The page goes back either way.

type linkRight struct {
	to   io.Writer
	page []byte
	cur  *messageRight
}

type messageRight struct {
	l      *linkRight
	n      int
	failed error
}

var errOver = errors.New("over")

func (l *linkRight) begin() *messageRight {
	if l.page == nil {
		h := pageHolders.Get().(pageHolder)
		l.page = h.page
	}
	l.cur = &messageRight{l: l}
	return l.cur
}

func (m *messageRight) over(err error) error {
	if m.failed != nil {
		return err
	}
	l := m.l
	m.failed = err
	l.cur = nil
	pageHolders.Put(pageHolder{l.page})
	l.page = nil
	return err
}

func (m *messageRight) out(last bool) error {
	l := m.l
	if _, err := l.to.Write(l.page[:m.n]); err != nil {
		return m.over(err)
	}
	if last {
		m.over(errOver)
		return nil
	}
	m.n = 0
	return nil
}

func (m *messageRight) Close() error {
	if m.failed != nil {
		return m.failed
	}
	return m.out(true)
}

// Who writes may try again: the page is still there for that.

type linkAgain struct {
	to   io.Writer
	page []byte
	last error
}

func (l *linkAgain) fill(b []byte) int {
	if l.page == nil {
		h := pageHolders.Get().(pageHolder)
		l.page = h.page
	}
	return copy(l.page, b)
}

func (l *linkAgain) out(n int) error {
	if _, err := l.to.Write(l.page[:n]); err != nil {
		l.last = err
		return err
	}
	pageHolders.Put(pageHolder{l.page})
	l.page = nil
	return nil
}

func (l *linkAgain) Send(b []byte) error {
	n := l.fill(b)
	if err := l.out(n); err == nil {
		return nil
	}
	return l.out(n)
}

// The link puts what is left when it is closed.

type linkClosed struct {
	to   io.Writer
	page []byte
	err  error
}

func (l *linkClosed) fill(b []byte) int {
	if l.page == nil {
		h := pageHolders.Get().(pageHolder)
		l.page = h.page
	}
	return copy(l.page, b)
}

func (l *linkClosed) out(n int) error {
	if _, err := l.to.Write(l.page[:n]); err != nil {
		l.err = err
		return err
	}
	pageHolders.Put(pageHolder{l.page})
	l.page = nil
	return nil
}

func (l *linkClosed) Send(b []byte) error {
	if l.err != nil {
		return l.err
	}
	return l.out(l.fill(b))
}

func (l *linkClosed) Close() {
	if l.page != nil {
		pageHolders.Put(pageHolder{l.page})
		l.page = nil
	}
}
