// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"errors"
	"sync"
)

// Cursors of a ledger, which has a list of those that nobody uses.

type cursor struct {
	on   *ledger
	rows []int
	own  bool
}

type ledger struct {
	idle  []*cursor
	pages map[string][]int
}

func (l *ledger) takeCursor() *cursor {
	if n := len(l.idle); n > 0 {
		c := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return c
	}
	return &cursor{on: l, own: true}
}

func (l *ledger) giveCursor(c *cursor) {
	if !c.own {
		return
	}
	l.idle = append(l.idle, c)
}

type rowSource interface {
	Rows() []int
	Close()
}

type pageSource struct{ at *cursor }

func newPageSource(l *ledger, page string) *pageSource {
	c := l.takeCursor()
	c.rows = append(c.rows[:0], l.pages[page]...)
	return &pageSource{c}
}

func (s *pageSource) Rows() []int { return s.at.rows }
func (s *pageSource) Close()      { s.at.on.giveCursor(s.at) }

type anyOf struct{ sources []rowSource }

func (a *anyOf) Rows() []int { return a.sources[0].Rows() }
func (a *anyOf) Close() {
	for _, s := range a.sources {
		s.Close()
	}
}

// gathered reads what the sources have into one.
func gathered(l *ledger, sources []rowSource) rowSource {
	if len(sources) > 8 {
		return nil
	}
	all := &cursor{on: l}
	for _, s := range sources {
		all.rows = append(all.rows, s.Rows()...)
	}
	return &pageSource{all}
}

// Wrong: the sources are nobody's where there is one for all.
func openAny(l *ledger, pages []string) rowSource {
	var sources []rowSource
	for _, p := range pages {
		sources = append(sources, newPageSource(l, p))
	}
	if one := gathered(l, sources); one != nil {
		return one // want `is closed neither here nor by what gathered returns on this path`
	}
	return &anyOf{sources}
}

// Right: they are closed first.
func openAnyClosed(l *ledger, pages []string) rowSource {
	var sources []rowSource
	for _, p := range pages {
		sources = append(sources, newPageSource(l, p))
	}
	if one := gathered(l, sources); one != nil {
		for _, s := range sources {
			s.Close()
		}
		return one
	}
	return &anyOf{sources}
}

// lasting closes what it was given when it is closed.
type lasting struct {
	rows []int
	of   []rowSource
}

func (a *lasting) Rows() []int { return a.rows }
func (a *lasting) Close() {
	for _, s := range a.of {
		s.Close()
	}
}

func gatheredLasting(sources []rowSource) rowSource {
	if len(sources) > 8 {
		return nil
	}
	return &lasting{sources[0].Rows(), sources}
}

// Right: what is returned has them.
func openAnyLasting(l *ledger, pages []string) rowSource {
	var sources []rowSource
	for _, p := range pages {
		sources = append(sources, newPageSource(l, p))
	}
	if one := gatheredLasting(sources); one != nil {
		return one
	}
	return &anyOf{sources}
}

// Right: the rows that are returned are those of the first source.
type firstRows struct{ rows []int }

func (f *firstRows) Rows() []int { return f.rows }
func (f *firstRows) Close()      {}

func gatheredFirst(sources []rowSource) rowSource {
	if len(sources) != 1 {
		return nil
	}
	return &firstRows{sources[0].Rows()}
}

func openAnyFirst(l *ledger, pages []string) rowSource {
	var sources []rowSource
	for _, p := range pages {
		sources = append(sources, newPageSource(l, p))
	}
	if one := gatheredFirst(sources); one != nil {
		return one
	}
	return &anyOf{sources}
}

// The same with a pool.
type blotBuf struct{ sum int }

var blotBufs = sync.Pool{New: func() any { return new(blotBuf) }}

type blot struct{ buf *blotBuf }

func newBlot(n int) (*blot, error) {
	if n < 0 {
		return nil, errors.New("no blot")
	}
	b := &blot{buf: blotBufs.Get().(*blotBuf)}
	b.buf.sum = n
	return b, nil
}

func (b *blot) total() int { return b.buf.sum }

func (b *blot) Close() {
	if b.buf != nil {
		blotBufs.Put(b.buf)
		b.buf = nil
	}
}

type blots struct {
	list []*blot
	sum  int
}

func (b *blots) Close() {
	for _, x := range b.list {
		x.Close()
	}
}

func summed(list []*blot) *blots {
	sum := 0
	for _, x := range list {
		sum += x.total()
	}
	return &blots{sum: sum}
}

// Wrong.
func openBlots(from []int, whole bool) (*blots, error) {
	var list []*blot
	for _, n := range from {
		b, err := newBlot(n)
		if err != nil {
			for _, b := range list {
				b.Close()
			}
			return nil, err
		}
		list = append(list, b)
	}
	if whole {
		return summed(list), nil // want `is closed neither here nor by what summed returns on this path`
	}
	return &blots{list: list}, nil
}

// Right.
func openBlotsClosed(from []int, whole bool) *blots {
	var list []*blot
	for _, n := range from {
		b, err := newBlot(n)
		if err != nil {
			continue
		}
		list = append(list, b)
	}
	if whole {
		all := summed(list)
		(&blots{list: list}).Close()
		return all
	}
	return &blots{list: list}
}
