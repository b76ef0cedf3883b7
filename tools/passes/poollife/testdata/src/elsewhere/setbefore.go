// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"sync"
	"sync/atomic"
)

// A library lends scrolls. What is there counts references, of which the library has one.

type scroll struct {
	refs        atomic.Int32
	title       string
	text        []byte
	weight      int
	used        int64
	newer, prev *scroll
}

var scrolls = sync.Pool{New: func() any { return new(scroll) }}

func newScroll(title string) *scroll {
	s := scrolls.Get().(*scroll)
	s.title, s.newer, s.prev = title, s, s
	s.refs.Store(1)
	return s
}

func (s *scroll) take() *scroll { s.refs.Add(1); return s }

func (s *scroll) giveBack() {
	if s.refs.Add(-1) == 0 {
		s.write(nil)
		s.title, s.newer, s.prev = "", nil, nil
		scrolls.Put(s)
	}
}

func (s *scroll) write(text []byte) { s.text = text }

func (s *scroll) seen(at int64) { s.used = at }

type library struct {
	mu      sync.Mutex
	byTitle map[string]*scroll
	oldest  *scroll
	weight  int
	most    int
}

func (l *library) add(s *scroll) {
	l.byTitle[s.title] = s
	if l.oldest == nil {
		l.oldest = s
	}
}

// front makes a scroll the last one to go.
func (l *library) front(s *scroll) {
	if l.oldest == s && s.newer != s {
		l.oldest = s.newer
	}
}

func (l *library) clear() {
	for l.weight > l.most && l.oldest != nil {
		s := l.oldest
		delete(l.byTitle, s.title)
		l.weight -= s.weight
		if l.oldest = s.newer; s.newer == s {
			l.oldest = nil
		}
		s.giveBack()
	}
}

// That its text is set does not keep the scroll in the library.
func (l *library) change(title string, text []byte) *scroll {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.byTitle[title]
	if s == nil {
		return nil
	}
	s.write(text)
	l.weight += len(text) - s.weight
	l.clear()
	return s.take() // want `s may be what clear took out of byTitle and put`
}

// The reference is taken before.
func (l *library) changeTaken(title string, text []byte) *scroll {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.byTitle[title]
	if s == nil {
		return nil
	}
	s.write(text)
	s.take()
	l.weight += len(text) - s.weight
	l.clear()
	return s
}

// It is the last one to go.
func (l *library) changeLast(title string, text []byte) *scroll {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.byTitle[title]
	if s == nil {
		return nil
	}
	l.front(s)
	s.write(text)
	l.weight += len(text) - s.weight
	l.clear()
	return s.take()
}

// It was seen just now, which the library may go by.
func (l *library) changeSeen(title string, text []byte, now int64) *scroll {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.byTitle[title]
	if s == nil {
		return nil
	}
	s.seen(now)
	l.weight += len(text) - s.weight
	l.clear()
	return s.take()
}

// Room is made before it is looked up.
func (l *library) changeAfter(title string, text []byte) *scroll {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.weight += len(text)
	l.clear()
	s := l.byTitle[title]
	if s == nil {
		return nil
	}
	s.write(text)
	return s.take()
}
