// Package putfailed puts values that failed, and drops those that did not.
package putfailed

import (
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

type decoder struct {
	z   *gzip.Reader
	bad bool
}

func (d *decoder) reset(r io.Reader) error { return d.z.Reset(r) }

var (
	inverted = sync.Pool{New: func() any { return new(decoder) }}
	inline   = sync.Pool{New: func() any { return new(decoder) }}
	decoders = sync.Pool{New: func() any { return new(decoder) }}
	sessions = sync.Pool{New: func() any { return new(session) }}
)

func releaseInverted(d *decoder) {
	if err := d.reset(nil); err != nil {
		inverted.Put(d)
	}
}

func readInverted(r io.Reader) ([]byte, error) {
	d := inverted.Get().(*decoder) // want `not put back`
	defer releaseInverted(d)
	if err := d.reset(r); err != nil {
		return nil, err
	}
	return io.ReadAll(d.z)
}

func readInline(r io.Reader) ([]byte, error) {
	d := inline.Get().(*decoder) // want `not put back`
	defer func() {
		if err := d.reset(nil); err != nil {
			inline.Put(d)
		}
	}()
	if err := d.reset(r); err != nil {
		return nil, err
	}
	return io.ReadAll(d.z)
}

// What works goes back.
func release(d *decoder) {
	if err := d.reset(nil); err == nil {
		decoders.Put(d)
	}
}

func read(r io.Reader) ([]byte, error) {
	d := decoders.Get().(*decoder)
	defer release(d)
	if err := d.reset(r); err != nil {
		return nil, err
	}
	return io.ReadAll(d.z)
}

// Who has the session where it could be opened ends it.
type session struct{ id int }

func (s *session) open(id int) error {
	if id == 0 {
		return errors.New("no id")
	}
	s.id = id
	return nil
}

func open(id int) (*session, error) {
	s := sessions.Get().(*session)
	if err := s.open(id); err != nil {
		sessions.Put(s)
		return nil, err
	}
	return s, nil
}

func end(s *session) { sessions.Put(s) }
