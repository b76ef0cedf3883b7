package lifecycle

import "io"

// The page is put at the end of the input and stays in the field.
type seeker struct {
	p   *page
	off int
	eof bool
	r   io.ReadSeeker
}

func newSeeker(r io.ReadSeeker) *seeker { return &seeker{p: pages.Get().(*page), r: r} }

func (s *seeker) finish() {
	s.eof = true
	pages.Put(s.p)
}

func (s *seeker) Read(p []byte) (int, error) {
	if s.eof {
		return 0, io.EOF
	}
	if s.off >= s.p.n {
		n, err := s.r.Read(s.p.b[:])
		if err != nil {
			s.finish()
			return 0, err
		}
		s.p.n, s.off = n, 0
	}
	n := copy(p, s.p.b[s.off:s.p.n])
	s.off += n
	return n, nil
}

func (s *seeker) Seek(off int64, whence int) (int64, error) {
	s.eof = false
	s.p.n = 0 // want `s is written after it was put in pages`
	s.off = 0
	return s.r.Seek(off, whence)
}

// The same with a page taken anew.
type renewed struct {
	p   *page
	off int
	eof bool
	r   io.ReadSeeker
}

func (s *renewed) Read(p []byte) (int, error) {
	if s.eof {
		return 0, io.EOF
	}
	n, err := s.r.Read(s.p.b[:])
	if err != nil {
		s.eof = true
		pages.Put(s.p)
		return 0, err
	}
	return copy(p, s.p.b[:n]), nil
}

func (s *renewed) Seek(off int64, whence int) (int64, error) {
	if s.eof {
		s.p = pages.Get().(*page)
		s.eof = false
	}
	s.p.n = 0
	return s.r.Seek(off, whence)
}

// The error that ended the input stays.
type sticky struct {
	p   *page
	err error
	r   io.Reader
}

func (s *sticky) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(s.p.b[:])
	if err != nil {
		s.err = err
		pages.Put(s.p)
		return 0, err
	}
	return copy(p, s.p.b[:n]), nil
}

func (s *sticky) Reset(r io.Reader) { s.p, s.err, s.r = pages.Get().(*page), nil, r }

// Read puts the page again at each call past the end.
type forgetful struct {
	p *page
	r io.Reader
}

func (f *forgetful) Read(p []byte) (int, error) {
	n, err := f.r.Read(f.p.b[:])
	if err != nil {
		pages.Put(f.p) // want `f.p is put in pages a second time`
		return 0, err
	}
	return copy(p, f.p.b[:n]), nil
}
