package storealias

import (
	"bytes"
	"fmt"
	"sync"
	"unsafe"
)

// The handler that keeps the visit is passed to a constructor, kept in a field,
// and called there.
type visit struct {
	path []byte
	body []byte
}

type server struct {
	visits  sync.Pool
	handler func(*visit)
}

func newServer(h func(*visit)) *server {
	s := &server{handler: h}
	s.visits.New = func() any { return new(visit) }
	return s
}

func (s *server) serve(raw []byte) {
	r := s.visits.Get().(*visit)
	r.path = append(r.path[:0], raw...)
	s.handler(r) // want `an element of a slice or map keeps memory of r after the value was put in visits`
	s.visits.Put(r)
}

type store interface{ Set(key string, val []byte) }

type table struct{ rows map[string][]byte }

func (t *table) Set(key string, val []byte) { t.rows[key] = val }

type site struct{ store store }

func (s *site) handle(r *visit) {
	s.store.Set(unsafe.String(unsafe.SliceData(r.path), len(r.path)), nil)
}

func listen() *server {
	s := &site{&table{map[string][]byte{}}}
	return newServer(s.handle)
}

// The same with copies.
type copying struct {
	visits  sync.Pool
	handler func(*visit)
}

func newCopying(h func(*visit)) *copying {
	s := &copying{handler: h}
	s.visits.New = func() any { return new(visit) }
	return s
}

func (s *copying) serve(raw []byte) {
	r := s.visits.Get().(*visit)
	r.path = append(r.path[:0], raw...)
	s.handler(r)
	s.visits.Put(r)
}

type lineLog struct{ lines []string }

func (l *lineLog) handle(r *visit) { l.lines = append(l.lines, string(r.path)) }

func listenCopying() *copying { return newCopying(new(lineLog).handle) }

// What is returned leads to the value in two steps.
type verdict struct{ code int }

var verdicts = sync.Pool{New: func() any { return new(verdict) }}

type entry struct{ ctx *checked }

type checked struct{ last *verdict }

func check(code int) *entry {
	e := &entry{ctx: new(checked)}
	v := verdicts.Get().(*verdict)
	defer verdicts.Put(v)
	v.code = code
	e.ctx.last = v
	return e // want `memory of v is returned while the deferred call puts it in verdicts`
}

func checkDropped(code int) *entry {
	e := &entry{ctx: new(checked)}
	v := verdicts.Get().(*verdict)
	defer verdicts.Put(v)
	v.code = code
	e.ctx.last = v
	e.ctx.last = nil
	return e
}

var shared sync.Map

func share(key, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	shared.Store(key, b.Bytes()) // want `an element of a slice or map keeps memory of b`
	bufs.Put(b)
}

func shareCopy(key, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	shared.Store(key, b.String())
	bufs.Put(b)
}

type printer struct{ show func() }

func (p *printer) later(s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	p.show = func() { fmt.Println(b.String()) } // want `b is used by String after it was put in bufs`
	bufs.Put(b)
}

func (p *printer) once(s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	p.show = func() {
		fmt.Println(b.String())
		bufs.Put(b)
	}
}
