// Package countdown has readers that count down what is left of a part.
package countdown

import (
	"bufio"
	"io"
	"sync"
)

type stream struct {
	from *bufio.Reader
	read int
	left int
}

var streams = sync.Pool{New: func() any { return new(stream) }}

func open(from *bufio.Reader) *stream {
	s := streams.Get().(*stream)
	s.from = from
	return s
}

func (s *stream) Read(p []byte) (int, error) {
	if s.left == 0 {
		n, err := s.from.ReadByte()
		if err != nil {
			return 0, err
		}
		s.left = int(n)
	}
	n, err := s.from.Read(p[:min(len(p), s.left)])
	s.left -= n
	s.read += n
	return n, err
}

func (s *stream) release() { // want `release resets fields of the pooled stream but not left, which is set in use`
	s.from, s.read = nil, 0
	streams.Put(s)
}

// One that is put where a part has ended has nothing left.
type parts struct {
	from *bufio.Reader
	read int
	rest int
}

var pooledParts = sync.Pool{New: func() any { return new(parts) }}

func openParts(from *bufio.Reader) *parts {
	p := pooledParts.Get().(*parts)
	p.from, p.read = from, 0
	return p
}

func (p *parts) Read(b []byte) (int, error) {
	if p.rest == 0 {
		n, err := p.from.ReadByte()
		if err != nil || n == 0 {
			p.from = nil
			pooledParts.Put(p)
			return 0, io.EOF
		}
		p.rest = int(n)
	}
	n, err := p.from.Read(b[:min(len(b), p.rest)])
	p.rest -= n
	p.read += n
	return n, err
}
