// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import (
	"errors"
	"io"
	"net/textproto"
	"sync"
)

var headerReaders sync.Pool

func headerReader(c *textproto.Conn) *textproto.Reader {
	if v := headerReaders.Get(); v != nil {
		r := v.(*textproto.Reader)
		r.R = c.Reader.R
		return r
	}
	return textproto.NewReader(c.Reader.R)
}

func putHeaderReader(r *textproto.Reader) {
	r.R = nil
	headerReaders.Put(r)
}

func deferredLate(c *textproto.Conn) (textproto.MIMEHeader, error) {
	r := headerReader(c) // want `r, taken from headerReaders at line 29, is not put back on the path that ends here`
	line, err := r.ReadLine()
	if err != nil {
		return nil, err
	}
	defer putHeaderReader(r)
	if line == "" {
		return nil, errors.New("no greeting")
	}
	return r.ReadMIMEHeader()
}

func deferredFirst(c *textproto.Conn) (textproto.MIMEHeader, error) {
	r := headerReader(c)
	defer putHeaderReader(r)
	line, err := r.ReadLine()
	if err != nil {
		return nil, err
	}
	if line == "" {
		return nil, errors.New("no greeting")
	}
	h, err := r.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	return h, nil
}

func deferredLateTested(c *textproto.Conn) (h textproto.MIMEHeader, err error) {
	r := headerReader(c) // want `r, taken from headerReaders at line 59, is not put back on the path that ends here`
	if _, err = r.ReadLine(); err != nil {
		return nil, err
	}
	defer func() {
		putHeaderReader(r)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}()
	if h, err = r.ReadMIMEHeader(); err != nil {
		return nil, err
	}
	return h, nil
}

func putOnSecondError(c *textproto.Conn) (string, error) {
	r := headerReader(c) // want `r, taken from headerReaders at line 76, is not put back on the path that ends here`
	first, err := r.ReadLine()
	if err != nil {
		return "", err
	}
	second, err := r.ReadLine()
	if err != nil {
		putHeaderReader(r)
		return "", err
	}
	putHeaderReader(r)
	return first + second, nil
}

// What failed is dropped everywhere.
func droppedAlways(c *textproto.Conn) (string, error) {
	r := headerReader(c)
	first, err := r.ReadLine()
	if err != nil {
		return "", err
	}
	second, err := r.ReadLine()
	if err != nil {
		return "", err
	}
	putHeaderReader(r)
	return first + second, nil
}

// The end of the input is no failure.
func putAtEnd(c *textproto.Conn) (string, error) {
	r := headerReader(c)
	first, err := r.ReadLine()
	if err != nil {
		return "", err
	}
	second, err := r.ReadLine()
	if err == io.EOF {
		putHeaderReader(r)
		return first, nil
	}
	if err != nil {
		return "", err
	}
	putHeaderReader(r)
	return first + second, nil
}

// A session that does not answer is not the same as a query that is wrong.
type session interface {
	Ping() error
	Query(q string) (string, error)
}

var sessions = sync.Pool{New: func() any { return dialSession() }}

var dialSession func() session

func pingedFirst(q string) (string, error) {
	s := sessions.Get().(session)
	if err := s.Ping(); err != nil {
		return "", err
	}
	defer sessions.Put(s)
	s1, err := s.Query(q)
	if err != nil {
		return "", err
	}
	return s1, nil
}

// Nor is one that cannot begin.
type encoder interface {
	Reset(w io.Writer) error
	Encode(v any) error
}

var encoders = sync.Pool{New: func() any { return newEncoder() }}

var newEncoder func() encoder

func resetFirst(w io.Writer, v any) error {
	e := encoders.Get().(encoder)
	if err := e.Reset(w); err != nil {
		return err
	}
	defer encoders.Put(e)
	if err := e.Encode(v); err != nil {
		return err
	}
	return e.Reset(nil)
}
