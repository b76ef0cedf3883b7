// Lists of what has a Close that puts it there.
package closedlists

import "sync"

// A shelf keeps the cursors that were closed, by the name of their book.
type shelf struct {
	mu    sync.Mutex
	pages map[string][]int
	idle  map[string][]*cursor
}

type cursor struct {
	from *shelf
	book string
	left []int
}

func (s *shelf) take(book string) *cursor {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle := s.idle[book]
	if n := len(idle); n > 0 {
		c := idle[n-1]
		idle[n-1] = nil
		s.idle[book] = idle[:n-1]
		return c
	}
	return &cursor{}
}

func (s *shelf) giveBack(c *cursor) {
	s.mu.Lock()
	s.idle[c.book] = append(s.idle[c.book], c)
	s.mu.Unlock()
}

func (s *shelf) open(book string) *cursor {
	c := s.take(book)
	c.from, c.book, c.left = s, book, s.pages[book]
	return c
}

func (c *cursor) Close() error {
	c.from.giveBack(c)
	return nil
}

func (c *cursor) next() int {
	if len(c.left) == 0 {
		return -1
	}
	p := c.left[0]
	c.left = c.left[1:]
	return p
}

// Wrong: another one may have the cursor already.
func (s *shelf) longest(books []string) (n int) {
	for _, book := range books {
		c := s.open(book)
		_ = c.Close()
		n = max(n, len(c.left)) // want `c is read after it was put in the list idle`
	}
	return n
}

// Right: who closes it has read all.
func (s *shelf) sum(book string) (sum int) {
	c := s.open(book)
	for p := c.next(); p >= 0; p = c.next() {
		sum += p
	}
	_ = c.Close()
	return sum
}

// A line is closed where there is no room for it: its Close ends it.
type line struct {
	to   string
	open bool
}

func (l *line) Close() error {
	l.open = false
	return nil
}

type exchange struct {
	mu    sync.Mutex
	lines []*line
}

func (e *exchange) dial(to string) *line {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.lines); n > 0 {
		l := e.lines[n-1]
		e.lines = e.lines[:n-1]
		return l
	}
	return &line{to: to, open: true}
}

func (e *exchange) keep(l *line) {
	e.mu.Lock()
	e.lines = append(e.lines, l)
	e.mu.Unlock()
}

// Right: a line that is not kept is closed, and was not lost.
func (e *exchange) call(to string, say func(*line) error) error {
	l := e.dial(to)
	if err := say(l); err != nil {
		_ = l.Close()
		return err
	}
	e.keep(l)
	return nil
}
