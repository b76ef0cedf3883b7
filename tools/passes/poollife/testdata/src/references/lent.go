package references

import "sync"

// What a shelf lends, its own references keep.
type book struct {
	at  int
	pg  *page
	out bool
}

type bookshelf struct {
	mu    sync.Mutex
	books []book
	index map[string]*page
}

func (s *bookshelf) add(at int, p *page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.ref()
	s.books = append(s.books, book{at: at, pg: p})
}

func (s *bookshelf) first() *page {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.books) == 0 {
		return nil
	}
	return s.books[0].pg
}

func (s *bookshelf) firstRef() *page {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.books) == 0 {
		return nil
	}
	p := s.books[0].pg
	p.ref()
	return p
}

func (s *bookshelf) empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.books {
		b.pg.unref()
	}
	s.books = nil
}

func (s *bookshelf) last(key string) *page {
	p := s.first()
	s.note(key)
	s.empty()
	return p // want `the page that is returned here was lent by first without a reference of its own`
}

func (s *bookshelf) size() int {
	p := s.first()
	s.empty()
	return len(p.data) // want `the page that is used here was lent by first without a reference of its own`
}

func (s *bookshelf) sizeBefore() int {
	p := s.first()
	n := len(p.data)
	s.empty()
	return n
}

func (s *bookshelf) lastRef() *page {
	p := s.firstRef()
	s.empty()
	return p
}

func (s *bookshelf) lastCounted() *page {
	p := s.first()
	p.ref()
	s.empty()
	return p
}

func (s *bookshelf) note(key string) { s.index[key] = nil }

// Another shelf is emptied.
func move(s, o *bookshelf) int {
	p := s.first()
	o.empty()
	return len(p.data)
}

// This one has no references of its own: it only knows where pages are.
type finder struct{ pages []*page }

func (f *finder) add(p *page)  { f.pages = append(f.pages, p) }
func (f *finder) first() *page { return f.pages[0] }

func (f *finder) dropAll() {
	for _, p := range f.pages {
		p.unref()
	}
}

func useFinder(f *finder) {
	p := newPage("c")
	f.add(p)
}

// The reference of a field is given up with the field; who counted one has it still.
type holder struct{ cur *page }

func (h *holder) get() *page { return h.cur.ref() }

func (h *holder) drop() {
	h.cur.unref()
	h.cur = nil
}

func (h *holder) last() int {
	p := h.get()
	h.drop()
	n := len(p.data)
	p.unref()
	return n
}
