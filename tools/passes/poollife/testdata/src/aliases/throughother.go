package aliases

import (
	"sync"
	"unsafe"
)

type sheet0 struct{ b []byte }

var sheets0 = sync.Pool{New: func() any { return new(sheet0) }}

// A shelf has a page while it is open.
type shelf struct {
	page  *sheet0
	index *shelfIndex
}

type shelfIndex struct{ b []byte }

func (s *shelf) open() {
	s.page = sheets0.Get().(*sheet0)
	s.index = &shelfIndex{s.page.b}
}

func (s *shelf) close() {
	if s.page != nil {
		sheets0.Put(s.page)
		s.page, s.index = nil, nil
	}
}

func (s *shelf) name() string {
	b := s.index.b
	return unsafe.String(unsafe.SliceData(b), len(b))
}

type finding struct {
	names []string
	raw   []byte
}

type findings struct {
	list []*finding
	last *finding
}

func (f *findings) add(x *finding) { f.list = append(f.list, x) }

// The page is the shelf's; what was found in it goes elsewhere.
func searchNames(s *shelf, to *findings) {
	s.open()
	defer s.close()
	to.add(&finding{names: []string{s.name()}}) // want `keeps memory of s after the value was put in sheets0`
}

func searchRaw(s *shelf, to *findings) {
	s.open()
	defer s.close()
	to.last = &finding{raw: s.page.b} // want `field last keeps memory of s after the value was put in sheets0`
}

func searchCopied(s *shelf, to *findings) {
	s.open()
	defer s.close()
	to.add(&finding{names: []string{string(s.page.b)}})
	to.last = &finding{raw: append([]byte(nil), s.page.b...)}
}

// What is left is the shelf's own.
type shelves struct{ one *shelf }

func (x *shelves) reopen() {
	s := &shelf{}
	s.page = sheets0.Get().(*sheet0)
	x.one = s
	sheets0.Put(s.page)
	s.page = nil
}
