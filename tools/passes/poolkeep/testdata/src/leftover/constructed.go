package leftover

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

var segmentReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 1<<16) }}

var errBeyond = errors.New("beyond the segment")

// A segment's reader is reset by the constructor, in a method of its own; where that fails nobody gets it.
type segment struct {
	file   io.ReadSeeker
	buf    *bufio.Reader
	at     int
	length int
}

func openSegment(file io.ReadSeeker, length int) (*segment, error) {
	s := &segment{file: file, buf: segmentReaders.Get().(*bufio.Reader), length: length}
	if err := s.rewind(); err != nil {
		segmentReaders.Put(s.buf)
		return nil, err
	}
	return s, nil
}

func (s *segment) rewind() error { return s.seek(0) }

func (s *segment) seek(at int) error {
	if at > s.length {
		return errBeyond
	}
	if _, err := s.file.Seek(int64(at), io.SeekStart); err != nil {
		return err
	}
	s.buf.Reset(s.file)
	s.at = at
	return nil
}

func (s *segment) peek(n int) ([]byte, error) { return s.buf.Peek(n) }

func (s *segment) close() {
	s.buf.Reset(nil)
	segmentReaders.Put(s.buf)
}

// Wrong: who opens a lazy segment may read it before anybody sought.
type lazySegment struct {
	file io.ReadSeeker
	buf  *bufio.Reader
}

func openLazily(file io.ReadSeeker) *lazySegment {
	return &lazySegment{file: file, buf: segmentReaders.Get().(*bufio.Reader)}
}

func (s *lazySegment) seek(at int64) error {
	if _, err := s.file.Seek(at, io.SeekStart); err != nil {
		return err
	}
	s.buf.Reset(s.file)
	return nil
}

func (s *lazySegment) peek(n int) ([]byte, error) {
	return s.buf.Peek(n) // want `buf is used here also where the pooled writer or reader in it was not reset`
}

func (s *lazySegment) close() {
	s.buf.Reset(nil)
	segmentReaders.Put(s.buf)
}
