package unemptied

import (
	"bytes"
	"crypto/md5"
	"encoding/json"
	"hash"
	"io"
	"sync"
)

// A map that code out of view fills, and that goes back with what is in it.

type entry struct {
	tags map[string]string
	text string
}

type tagger interface{ tag(*entry) }

type sink struct {
	taggers []tagger
	entries sync.Pool
}

func (s *sink) take() *entry {
	if e, ok := s.entries.Get().(*entry); ok {
		return e
	}
	return &entry{tags: map[string]string{}}
}

func (s *sink) log(text string, out func(k, v string)) {
	e := s.take()
	e.text = text
	for _, t := range s.taggers {
		t.tag(e)
	}
	for k, v := range e.tags {
		out(k, v)
	}
	s.entries.Put(e) // want `field tags of the pooled entry is filled in use .* and never emptied`
}

type zone struct{ name string }

func (z zone) tag(e *entry) { e.tags["zone"] = z.name }

// A digest in a field.

type checker struct {
	sum  hash.Hash
	last [md5.Size]byte
}

var checkers = sync.Pool{New: func() any { return &checker{sum: md5.New()} }}

func check(b []byte) [md5.Size]byte {
	c := checkers.Get().(*checker)
	defer checkers.Put(c) // want `field sum of the pooled checker is filled in use`
	c.sum.Write(b)
	c.sum.Sum(c.last[:0])
	return c.last
}

// A buffer under an encoder that was made with it.

type marshaler struct {
	out bytes.Buffer
	enc *json.Encoder
}

var marshalers = sync.Pool{New: func() any {
	m := new(marshaler)
	m.enc = json.NewEncoder(&m.out)
	return m
}}

func marshal(v any) (string, error) {
	m := marshalers.Get().(*marshaler)
	defer func() {
		if m.out.Cap() < 1<<16 {
			marshalers.Put(m) // want `field out of the pooled marshaler is filled in use`
		}
	}()
	if err := m.enc.Encode(v); err != nil {
		return "", err
	}
	return m.out.String(), nil
}

// A buffer behind a pointer, reset by one of two users.

type scratch struct {
	key *bytes.Buffer
	n   int
}

var scratches = sync.Pool{New: func() any { return &scratch{key: new(bytes.Buffer)} }}

func (s *scratch) free() {
	if s.key.Cap() < 1<<16 {
		scratches.Put(s)
	}
}

func lookup(get func([]byte) int, parts []string) int {
	s := scratches.Get().(*scratch)
	defer s.free()
	for _, p := range parts {
		s.key.WriteString(p) // want `field key of s, taken from scratches at line 108, is written to as the last user left it`
	}
	return get(s.key.Bytes())
}

func store(set func([]byte), parts []string) {
	s := scratches.Get().(*scratch)
	defer s.free()
	s.key.Reset()
	for _, p := range parts {
		s.key.WriteString(p)
	}
	set(s.key.Bytes())
}

// A slice in an object that was made with the pooled one.

type keys struct{ list []int }

func (k *keys) add(n int) { k.list = append(k.list, n) } // want `field list of s, taken from sorters at line 140, is appended to as the last user left it`

type sorter struct {
	keys *keys
	desc bool
}

var sorters = sync.Pool{New: func() any { return &sorter{keys: new(keys)} }}

func smallest(a, b int, less func([]int) int) int {
	s := sorters.Get().(*sorter)
	s.keys.add(a)
	s.keys.add(b)
	n := less(s.keys.list)
	sorters.Put(s)
	return n
}

// A number that one of two users sets, and a reset that forgets it.

type page struct {
	no    int
	title string
	lang  int
}

var pages = sync.Pool{New: func() any { return new(page) }}

func plainPage(title string) *page {
	p := pages.Get().(*page)
	p.title = title
	return p
}

func pageIn(title string, lang int) *page {
	p := pages.Get().(*page)
	p.title = title
	p.lang = lang
	return p
}

func (p *page) free() { // want `free resets fields of the pooled page but not lang`
	p.no, p.title = 0, ""
	pages.Put(p)
}

func (p *page) show(out func(string, int)) {
	if p.lang > 0 {
		out(p.title, p.lang)
	} else {
		out(p.title, -1)
	}
	p.free()
}

// Bits that are set and never cleared.

type visited struct{ bits []uint64 }

func (v *visited) size(n int) {
	if cap(v.bits) < n {
		v.bits = make([]uint64, n)
	}
	v.bits = v.bits[:n]
}

func (v *visited) mark(i int) bool {
	old := v.bits[i>>6]&(1<<(i&63)) != 0
	v.bits[i>>6] |= 1 << (i & 63)
	return old
}

var visiteds = sync.Pool{New: func() any { return new(visited) }}

func distinct(nums []int) (n int) {
	v := visiteds.Get().(*visited)
	v.size(16)
	for _, i := range nums {
		if !v.mark(i & 1023) {
			n++
		}
	}
	if cap(v.bits) < 1<<10 {
		visiteds.Put(v) // want `the elements of field bits of the pooled visited are added to .* and never cleared`
	}
	return n
}

// What is put keeps the reader that it was lent, while another reference is cleared.

type parser struct {
	in   io.Reader
	done func()
	line int
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func newParser(in io.Reader, done func()) *parser {
	p := parsers.Get().(*parser)
	p.in, p.done, p.line = in, done, 0
	return p
}

func (p *parser) free() {
	p.done = nil
	parsers.Put(p) // want `field in of the pooled parser still leads to what it was given`
}

func parse(in io.Reader, handle func(*parser)) {
	p := newParser(in, func() {})
	handle(p)
	p.free()
}

// A decoder fills a part of a pooled value.

type call struct {
	args params
	seq  int
}

type params struct{ Name, Owner string }

var calls = sync.Pool{New: func() any { return new(call) }}

func serve(b []byte, do func(*params)) error {
	c := calls.Get().(*call)
	defer calls.Put(c)
	if err := json.Unmarshal(b, &c.args); err != nil { // want `field args of c, taken from calls at line 257, is decoded into as the last user left it`
		return err
	}
	do(&c.args)
	return nil
}

// A limit is no limit when it only makes room.

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func body(r io.Reader, use func([]byte)) error {
	p := bodies.Get().(*[]byte)
	b := (*p)[:0]
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err != nil {
			break
		}
	}
	use(b)
	*p = b
	bodies.Put(p) // want `bodies keeps p, put at line 285, whatever its size`
	return nil
}
