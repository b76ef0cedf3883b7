// Package encoders has pooled writers behind what an encoder writes to, and pooled values that other objects keep.
package encoders

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"sync"
)

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// A lazy writer takes its gzip.Writer with the first byte.
type lazy struct {
	to  io.Writer
	zip *gzip.Writer
}

func (l *lazy) Write(p []byte) (int, error) {
	if l.zip == nil {
		l.zip = zippers.Get().(*gzip.Writer)
		l.zip.Reset(l.to)
	}
	return l.zip.Write(p)
}

func (l *lazy) Close() error {
	if l.zip == nil {
		return nil
	}
	err := l.zip.Close()
	l.zip.Reset(nil)
	zippers.Put(l.zip)
	return err
}

func encode(to io.Writer, v any) {
	l := &lazy{to: to}
	if err := json.NewEncoder(l).Encode(v); err == nil {
		if l.Close() == nil {
			return
		}
	}
	l.Close() // want `is put in zippers a second time`
}

// A tidy one lets go of what it puts.
type tidy struct {
	to  io.Writer
	zip *gzip.Writer
}

func (t *tidy) Write(p []byte) (int, error) {
	if t.zip == nil {
		t.zip = zippers.Get().(*gzip.Writer)
		t.zip.Reset(t.to)
	}
	return t.zip.Write(p)
}

func (t *tidy) Close() error {
	z := t.zip
	if t.zip = nil; z == nil {
		return nil
	}
	err := z.Close()
	z.Reset(nil)
	zippers.Put(z)
	return err
}

func encodeTidy(to io.Writer, v any) {
	t := &tidy{to: to}
	if err := json.NewEncoder(t).Encode(v); err == nil {
		if t.Close() == nil {
			return
		}
	}
	t.Close()
}

type frame struct{ data []byte }

var frames = sync.Pool{New: func() any { return &frame{data: make([]byte, 512)} }}

// A source wraps what is written to it, for a reader.
type source struct{ from *bytes.Buffer }

func (s *source) Read(p []byte) (int, error) { return s.from.Read(p) }

func (s *source) Write(p []byte) (int, error) {
	s.from = bytes.NewBuffer(p)
	return len(p), nil
}

type reading struct{ from io.ReadWriter }

var readings = sync.Pool{New: func() any { return &reading{from: &source{}} }}

type user interface{ Use(r *reading) }

func early(u user, in io.Reader) {
	f := frames.Get().(*frame)
	n, _ := in.Read(f.data)
	r := readings.Get().(*reading)
	r.from.Write(f.data[:n])
	frames.Put(f)
	u.Use(r) // want `f is passed to Use after it was put in frames`
	readings.Put(r)
}

func inTime(u user, in io.Reader) {
	f := frames.Get().(*frame)
	n, _ := in.Read(f.data)
	r := readings.Get().(*reading)
	r.from.Write(f.data[:n])
	u.Use(r)
	frames.Put(f)
	readings.Put(r)
}

// Two that put what one took.

type upload struct {
	f    *frame
	left int
}

func (u *upload) end() {
	frames.Put(u.f)
	u.f = nil
}

func begin(text string) *upload {
	f := frames.Get().(*frame)
	defer frames.Put(f)
	f.data = append(f.data[:0], text...)
	return &upload{f: f, left: 1} // want `memory of f is returned while the deferred call puts it in frames`
}

func attach(u *upload, text string) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], text...)
	u.f = f // want `field f keeps memory of f after the value was put in frames .line \d+., and end puts what the field holds again`
	frames.Put(f)
}

// What a count puts and leaves in its field.

type counts struct{ p sync.Pool }

func (c *counts) get(n int) []int {
	if v, ok := c.p.Get().(*[]int); ok && cap(*v) >= n {
		return (*v)[:n]
	}
	return make([]int, n)
}

func (c *counts) put(s []int) {
	if s == nil {
		return
	}
	c.p.Put(&s)
}

var numbers counts

type group struct {
	seen []int
	left int
}

func (g *group) add(k int) {
	if g.seen == nil {
		g.seen = numbers.get(64)
		clear(g.seen)
	}
	g.seen[k]++
	if g.left--; g.left == 0 {
		numbers.put(g.seen) // want `what field seen holds is put in its pool here and left in the field, and drop puts it a second time`
	}
}

func (g *group) drop() {
	numbers.put(g.seen)
	g.seen = nil
}

type party struct {
	seen []int
	left int
}

func (p *party) add(k int) {
	if p.seen == nil {
		p.seen = numbers.get(64)
		clear(p.seen)
	}
	p.seen[k]++
	if p.left--; p.left == 0 {
		numbers.put(p.seen)
		p.seen = nil
	}
}

func (p *party) drop() {
	numbers.put(p.seen)
	p.seen = nil
}
