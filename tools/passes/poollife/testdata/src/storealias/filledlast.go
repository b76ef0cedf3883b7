package storealias

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// What is made for a field and then filled, while nobody in view reads the field or what was filled: others do.

var rawLines = sync.Pool{New: func() any { return new([]byte) }}

type parsing interface{ parse([]byte) error }

type words struct{ List [][]byte }

func (w *words) parse(b []byte) error {
	w.List = bytes.Fields(b)
	return nil
}

type byLetter struct{ First map[byte][]byte }

func (l *byLetter) parse(b []byte) error {
	l.First = map[byte][]byte{}
	for _, w := range bytes.Fields(b) {
		l.First[w[0]] = w
	}
	return nil
}

type wordReader struct {
	r   io.Reader
	cur parsing
}

func (r *wordReader) next() error {
	b := rawLines.Get().(*[]byte)
	defer rawLines.Put(b)
	if _, err := io.ReadFull(r.r, *b); err != nil {
		return err
	}
	r.cur = &words{} // want `field cur keeps memory of b after the value was put in rawLines`
	return r.cur.parse(*b)
}

type letterReader struct {
	r   io.Reader
	cur *byLetter
}

func (r *letterReader) next() error {
	b := rawLines.Get().(*[]byte)
	defer rawLines.Put(b)
	if _, err := io.ReadFull(r.r, *b); err != nil {
		return err
	}
	r.cur = new(byLetter) // want `field cur keeps memory of b after the value was put in rawLines`
	return r.cur.parse(*b)
}

// The function itself reads it after that.
type wordWriter struct {
	r   io.Reader
	w   io.Writer
	cur parsing
}

func (r *wordWriter) next() error {
	b := rawLines.Get().(*[]byte)
	defer rawLines.Put(b)
	if _, err := io.ReadFull(r.r, *b); err != nil {
		return err
	}
	r.cur = &words{}
	if err := r.cur.parse(*b); err != nil {
		return err
	}
	return json.NewEncoder(r.w).Encode(r.cur)
}

// What is filled reads it itself.
type scanning struct {
	rest []byte
	n    int
}

func (s *scanning) parse(b []byte) error {
	s.rest = b
	for s.step() {
		s.n++
	}
	return nil
}

func (s *scanning) step() bool {
	if len(s.rest) == 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

type scanReader struct {
	r   io.Reader
	cur *scanning
}

func (r *scanReader) next() error {
	b := rawLines.Get().(*[]byte)
	defer rawLines.Put(b)
	if _, err := io.ReadFull(r.r, *b); err != nil {
		return err
	}
	r.cur = &scanning{}
	return r.cur.parse(*b)
}

// It is copied.
type wordCopy struct {
	List []string
	Raw  []byte
}

func (c *wordCopy) parse(b []byte) error {
	for _, w := range bytes.Fields(b) {
		c.List = append(c.List, string(w))
	}
	c.Raw = append(c.Raw[:0], b...)
	return nil
}

type copyReader struct {
	r   io.Reader
	cur parsing
}

func (r *copyReader) next() error {
	b := rawLines.Get().(*[]byte)
	defer rawLines.Put(b)
	if _, err := io.ReadFull(r.r, *b); err != nil {
		return err
	}
	r.cur = &wordCopy{}
	return r.cur.parse(*b)
}
