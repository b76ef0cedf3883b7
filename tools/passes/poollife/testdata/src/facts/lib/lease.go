package lib

import (
	"bytes"
	"errors"
	"sync"
)

// Values that come with the function that puts them.

var leases = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Lease() (*bytes.Buffer, func()) {
	b := leases.Get().(*bytes.Buffer)
	b.Reset()
	return b, func() { leases.Put(b) }
}

func LeaseOnce() (*bytes.Buffer, func()) {
	b := leases.Get().(*bytes.Buffer)
	b.Reset()
	var once sync.Once
	return b, func() { once.Do(func() { leases.Put(b) }) }
}

func LeaseOnceFunc() (*bytes.Buffer, func()) {
	b := leases.Get().(*bytes.Buffer)
	b.Reset()
	return b, sync.OnceFunc(func() { leases.Put(b) })
}

func LeaseRoom(n int) ([]byte, func(), error) {
	if n < 0 {
		return nil, nil, errors.New("negative")
	}
	b := leases.Get().(*bytes.Buffer)
	b.Reset()
	b.Grow(n)
	return b.AvailableBuffer()[:n], func() {
		if b.Cap() <= 1<<16 {
			leases.Put(b)
		}
	}, nil
}

func LeaseOrKeep() (*bytes.Buffer, func(keep bool)) {
	b := leases.Get().(*bytes.Buffer)
	b.Reset()
	return b, func(keep bool) {
		if !keep {
			leases.Put(b)
		}
	}
}

type Slate struct{ lines []string }

var slates = sync.Pool{New: func() any { return new(Slate) }}

func (s *Slate) Add(line string) { s.lines = append(s.lines, line) }
func (s *Slate) Lines() int      { return len(s.lines) }
func (s *Slate) wipe() {
	clear(s.lines)
	s.lines = s.lines[:0]
	slates.Put(s)
}

func LeaseSlate() (*Slate, func()) {
	s := slates.Get().(*Slate)
	return s, s.wipe
}
