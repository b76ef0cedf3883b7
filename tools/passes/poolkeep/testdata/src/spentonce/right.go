package spentonce

import "sync"

// Renewed.

type call struct {
	raw  string
	once sync.Once
	args map[string]string
}

var calls = sync.Pool{New: func() any { return &call{args: map[string]string{}} }}

func (c *call) all() map[string]string {
	c.once.Do(func() { c.args[c.raw] = c.raw })
	return c.args
}

func handle(raw string, out func(map[string]string)) {
	c := calls.Get().(*call)
	c.raw = raw
	out(c.all())
	c.raw = ""
	c.once = sync.Once{}
	clear(c.args)
	calls.Put(c)
}

// Overwritten as a whole.

type event struct {
	raw  string
	once sync.Once
	n    int
}

var events = sync.Pool{New: func() any { return new(event) }}

func size(raw string) int {
	e := events.Get().(*event)
	e.raw = raw
	e.once.Do(func() { e.n = len(e.raw) })
	n := e.n
	*e = event{}
	events.Put(e)
	return n
}

// The memory that it makes stays for the next user.

type scratch struct {
	name string
	init sync.Once
	buf  []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) room() []byte {
	s.init.Do(func() { s.buf = make([]byte, 0, 4096) })
	return s.buf
}

func use(name string, f func([]byte) []byte) {
	s := scratches.Get().(*scratch)
	s.name = name
	s.buf = f(s.room())
	s.name = ""
	s.buf = s.buf[:0]
	scratches.Put(s)
}
