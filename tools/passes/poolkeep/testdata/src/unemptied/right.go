package unemptied

import (
	"bytes"
	"crypto/md5"
	"encoding/json"
	"hash"
	"io"
	"sync"
)

// Cleared where it is put.

type note struct{ tags map[string]string }

var notes = sync.Pool{New: func() any { return &note{map[string]string{}} }}

func (n *note) add(k, v string) { n.tags[k] = v }

func writeNote(k, v string, out func(string, string)) {
	n := notes.Get().(*note)
	n.add(k, v)
	for k, v := range n.tags {
		out(k, v)
	}
	clear(n.tags)
	notes.Put(n)
}

// A memory of what was worked out: it is searched where it is filled.

type namer struct {
	names map[int]string
	last  string
}

var namers = sync.Pool{New: func() any { return &namer{names: map[int]string{}} }}

func (n *namer) name(id int, work func(int) string) string {
	if s, ok := n.names[id]; ok {
		return s
	}
	s := work(id)
	n.names[id] = s
	return s
}

func nameOf(id int, work func(int) string) string {
	n := namers.Get().(*namer)
	defer namers.Put(n)
	n.last = n.name(id, work)
	return n.last
}

// The same keys each time.

type form struct{ data map[string]string }

var forms = sync.Pool{New: func() any { return &form{map[string]string{}} }}

func fill(title string, show func(k, v string)) {
	f := forms.Get().(*form)
	f.data["title"] = title
	for k, v := range f.data {
		show(k, v)
	}
	forms.Put(f)
}

// A digest that is reset by a helper.

type digester struct{ sum hash.Hash }

var digesters = sync.Pool{New: func() any { return &digester{md5.New()} }}

func again(h hash.Hash) { h.Reset() }

func digest(b []byte) []byte {
	d := digesters.Get().(*digester)
	defer digesters.Put(d)
	again(d.sum)
	d.sum.Write(b)
	return d.sum.Sum(nil)
}

// A buffer under an encoder, reset before use.

type renderer struct {
	out *bytes.Buffer
	enc *json.Encoder
}

var renderers = sync.Pool{New: func() any {
	b := new(bytes.Buffer)
	return &renderer{b, json.NewEncoder(b)}
}}

func render(v any) (string, error) {
	r := renderers.Get().(*renderer)
	r.out.Reset()
	err := r.enc.Encode(v)
	s := r.out.String()
	if r.out.Cap() < 1<<16 {
		renderers.Put(r)
	}
	return s, err
}

// The field is another's: set for each use.

type tee struct{ to *bytes.Buffer }

var tees = sync.Pool{New: func() any { return new(tee) }}

func copyTo(b *bytes.Buffer, p []byte) {
	t := tees.Get().(*tee)
	t.to = b
	t.to.Write(p)
	t.to = nil
	tees.Put(t)
}

// Every user sets the number.

type rect struct{ w, h, rot int }

var rects = sync.Pool{New: func() any { return new(rect) }}

func square(n, rot int) *rect {
	r := rects.Get().(*rect)
	r.w, r.h, r.rot = n, n, rot
	return r
}

func wide(n, rot int) *rect {
	r := rects.Get().(*rect)
	r.w, r.h, r.rot = 2*n, n, rot
	return r
}

func (r *rect) draw(out func(int, int)) {
	if r.rot > 0 {
		out(r.h, r.w)
	}
	r.w, r.h = 0, 0
	rects.Put(r)
}

// Cleared when it is sized.

type seen struct{ bits []uint64 }

func (s *seen) size(n int) {
	if cap(s.bits) < n {
		s.bits = make([]uint64, n)
	}
	s.bits = s.bits[:n]
	clear(s.bits)
}

func (s *seen) mark(i int) { s.bits[i>>6] |= 1 << (i & 63) }

var seens = sync.Pool{New: func() any { return new(seen) }}

func union(nums []int) (all uint64) {
	s := seens.Get().(*seen)
	s.size(16)
	for _, i := range nums {
		s.mark(i & 1023)
	}
	all = s.bits[0]
	if cap(s.bits) < 1<<10 {
		seens.Put(s)
	}
	return all
}

// Both references are cleared; what lives as long as the program may stay.

type server struct{ name string }

type session struct {
	in  io.Reader
	srv *server
	end func()
}

var sessions = sync.Pool{New: func() any { return new(session) }}

func open(srv *server, in io.Reader, end func()) *session {
	s := sessions.Get().(*session)
	s.srv, s.in, s.end = srv, in, end
	return s
}

func (s *session) free() {
	s.in, s.end = nil, nil
	sessions.Put(s)
}

func run(srv *server, in io.Reader, handle func(*session)) {
	s := open(srv, in, func() {})
	handle(s)
	s.free()
}

// The part that a decoder fills is zeroed before.

type request struct {
	args params
	seq  int
}

var requests = sync.Pool{New: func() any { return new(request) }}

func handle(b []byte, do func(*params)) error {
	r := requests.Get().(*request)
	defer requests.Put(r)
	r.args = params{}
	if err := json.Unmarshal(b, &r.args); err != nil {
		return err
	}
	do(&r.args)
	return nil
}

// The slice grows, but what goes back is the one that came.

var chunks = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

func gather(parts [][]byte, use func([]byte)) {
	p := chunks.Get().(*[]byte)
	b := make([]byte, 0, 64)
	for _, q := range parts {
		n := copy(*p, q)
		if n > 0 {
			b = append(b, (*p)[:n]...)
		}
	}
	use(b)
	chunks.Put(p)
}
