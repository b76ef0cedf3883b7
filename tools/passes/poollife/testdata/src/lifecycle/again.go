package lifecycle

import "io"

// The error that ended the input is forgotten by Seek; the page is not taken anew.
type rewound struct {
	p   *page
	pos int
	end int
	err error
	r   io.ReadSeeker
}

func (s *rewound) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.pos == s.end {
		n, err := s.r.Read(s.p.b[:]) // want `s.p is passed to Read after it was put in pages .*, when Read is called again after Seek`
		if err != nil {
			s.err = err
			pages.Put(s.p) // want `s.p is put in pages a second time`
			return 0, err
		}
		s.pos, s.end = 0, n
	}
	n := copy(b, s.p.b[s.pos:s.end])
	s.pos += n
	return n, nil
}

func (s *rewound) Seek(off int64, whence int) (int64, error) {
	s.err = nil
	s.pos, s.end = 0, 0
	return s.r.Seek(off, whence)
}

// Read takes a page when there is none.
type lazy struct {
	p   *page
	err error
	r   io.ReadSeeker
}

func (s *lazy) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.p == nil {
		s.p = pages.Get().(*page)
	}
	n, err := s.r.Read(s.p.b[:])
	if err != nil {
		s.err = err
		pages.Put(s.p)
		s.p = nil
		return 0, err
	}
	return copy(b, s.p.b[:n]), nil
}

func (s *lazy) Seek(off int64, whence int) (int64, error) {
	s.err = nil
	return s.r.Seek(off, whence)
}

// Nothing can be read after the end: Seek says so.
type ended struct {
	p   *page
	err error
	r   io.ReadSeeker
}

func (s *ended) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(s.p.b[:])
	if err != nil {
		s.err = err
		pages.Put(s.p)
		return 0, err
	}
	return copy(b, s.p.b[:n]), nil
}

func (s *ended) Seek(off int64, whence int) (int64, error) {
	if s.err != nil {
		return 0, s.err
	}
	return s.r.Seek(off, whence)
}
