package lostpaths

import (
	"bytes"
	"io"
)

// What is put and left in its field is put from there once more.

type peer struct {
	w      io.Writer
	cache  *bytes.Buffer
	in     bytes.Buffer
	closed bool
}

func putFrame(b *bytes.Buffer) {
	b.Reset()
	frames.Put(b)
}

func (p *peer) end() {
	p.in.Reset()
	if p.cache != nil {
		putFrame(p.cache)
		p.cache = nil
	}
}

type loop struct{ react func(*peer) []byte }

func (l *loop) onRead(p *peer, b *bytes.Buffer) {
	p.cache = b
	if out := l.react(p); out != nil {
		p.w.Write(out)
	}
	p.in.Write(p.cache.Bytes())
	putFrame(p.cache) // want `what field cache holds is put in frames here and left in the field, and end puts it a second time`
	p.closed = p.in.Len() == 0
}

type peerRight struct {
	w     io.Writer
	cache *bytes.Buffer
	in    bytes.Buffer
}

func (p *peerRight) end() {
	if p.cache != nil {
		putFrame(p.cache)
		p.cache = nil
	}
}

func (p *peerRight) onRead(b *bytes.Buffer) {
	p.cache = b
	p.in.Write(p.cache.Bytes())
	putFrame(p.cache)
	p.cache = nil
}

// Taken here.
type scratchUser struct {
	tmp *bytes.Buffer
	w   io.Writer
}

func (s *scratchUser) flush(data []byte) {
	s.tmp = frames.Get().(*bytes.Buffer)
	s.tmp.Reset()
	s.tmp.Write(data)
	s.w.Write(s.tmp.Bytes())
	frames.Put(s.tmp) // want `what field tmp holds is put in frames here and left in the field, and Close puts it a second time`
}

func (s *scratchUser) Close() error {
	if s.tmp == nil {
		return nil
	}
	frames.Put(s.tmp)
	s.tmp = nil
	return nil
}

// Nobody puts from the field.
type scratchLeft struct {
	tmp *bytes.Buffer
	w   io.Writer
}

func (s *scratchLeft) flush(data []byte) {
	s.tmp = frames.Get().(*bytes.Buffer)
	s.tmp.Reset()
	s.tmp.Write(data)
	s.w.Write(s.tmp.Bytes())
	frames.Put(s.tmp)
}

// Another function takes it out of the field.
type scratchCleared struct {
	tmp *bytes.Buffer
	w   io.Writer
}

func (s *scratchCleared) flush(data []byte) {
	s.tmp = frames.Get().(*bytes.Buffer)
	s.tmp.Reset()
	s.tmp.Write(data)
	s.finish()
	frames.Put(s.tmp)
	s.forget()
}

func (s *scratchCleared) finish() { s.w.Write(s.tmp.Bytes()) }
func (s *scratchCleared) forget() { s.tmp = nil }

func (s *scratchCleared) Close() {
	if s.tmp != nil {
		frames.Put(s.tmp)
		s.tmp = nil
	}
}

// The object comes in a struct.
type arrival struct {
	p *peer2
	b *bytes.Buffer
}

type peer2 struct {
	cache *bytes.Buffer
	in    bytes.Buffer
}

func (p *peer2) end() {
	if p.cache != nil {
		putFrame(p.cache)
		p.cache = nil
	}
}

func (l *loop) arrived(a arrival) {
	p := a.p
	p.cache = a.b
	p.in.Write(p.cache.Bytes())
	putFrame(p.cache) // want `what field cache holds is put in frames here and left in the field`
}
