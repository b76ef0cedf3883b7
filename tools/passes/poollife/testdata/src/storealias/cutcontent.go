package storealias

import (
	"io"
	"sync"
)

// What a call gave is the pooled struct's as soon as that has it, and is cut for the next user.

type loaded struct{ b []byte }

var loadeds = sync.Pool{New: func() any { return new(loaded) }}

func (l *loaded) free() {
	l.b = l.b[:0]
	loadeds.Put(l)
}

type files struct{ m map[string][]byte }

func (f *files) set(name string, b []byte) { f.m[name] = b }

func (f *files) load(name string, r io.Reader) error {
	l := loadeds.Get().(*loaded)
	defer l.free()
	var err error
	if l.b, err = io.ReadAll(r); err != nil {
		return err
	}
	l.b = append(l.b, '\n')
	f.set(name, l.b) // want `an element of a slice or map keeps memory of l`
	return nil
}

// It has let go of what is kept.
func (f *files) loadOwn(name string, r io.Reader) error {
	l := loadeds.Get().(*loaded)
	defer l.free()
	var err error
	if l.b, err = io.ReadAll(r); err != nil {
		return err
	}
	f.set(name, l.b)
	l.b = nil
	return nil
}

// It is dropped, not cut.
func (f *files) loadDropped(name string, r io.Reader) error {
	l := loadeds.Get().(*loaded)
	var err error
	if l.b, err = io.ReadAll(r); err == nil {
		f.set(name, l.b)
	}
	l.b = nil
	loadeds.Put(l)
	return err
}
