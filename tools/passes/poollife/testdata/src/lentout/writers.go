// SPDX-License-Identifier: BSD-3-Clause

package lentout

import (
	"compress/gzip"
	"net/http"
	"sync"
)

// Writers that middleware hands to a handler.

var squeezers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

type squeezed struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (s *squeezed) begin() {
	s.z = squeezers.Get().(*gzip.Writer)
	s.z.Reset(s.ResponseWriter)
}

func (s *squeezed) Write(p []byte) (int, error) {
	if s.z == nil {
		s.begin()
	}
	return s.z.Write(p)
}

// Close leaves the writer where it is.
func (s *squeezed) Close() error {
	if s.z == nil {
		return nil
	}
	err := s.z.Close()
	squeezers.Put(s.z) // want `each call of Close puts it in the pool again, and the handler that is given this writer may close it as well`
	return err
}

func squeeze(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := &squeezed{ResponseWriter: w}
		defer s.Close()
		h.ServeHTTP(s, r)
	})
}

type pressed struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (p *pressed) Write(b []byte) (int, error) {
	if p.z == nil {
		p.z = squeezers.Get().(*gzip.Writer)
		p.z.Reset(p.ResponseWriter)
	}
	return p.z.Write(b)
}

// Close lets go of it.
func (p *pressed) Close() error {
	if p.z == nil {
		return nil
	}
	err := p.z.Close()
	squeezers.Put(p.z)
	p.z = nil
	return err
}

func press(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &pressed{ResponseWriter: w}
		defer p.Close()
		h.ServeHTTP(p, r)
	})
}

// A packer is no writer that a handler knows: its end is the middleware's.
type packer struct {
	w http.ResponseWriter
	z *gzip.Writer
}

func (p *packer) end() error {
	if p.z == nil {
		return nil
	}
	err := p.z.Close()
	squeezers.Put(p.z)
	return err
}

type packed struct {
	http.ResponseWriter
	p *packer
}

func (p packed) Write(b []byte) (int, error) {
	if p.p.z == nil {
		p.p.z = squeezers.Get().(*gzip.Writer)
		p.p.z.Reset(p.p.w)
	}
	return p.p.z.Write(b)
}

func pack(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &packer{w: w}
		defer p.end()
		h.ServeHTTP(packed{w, p}, r)
	})
}
