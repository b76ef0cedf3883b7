package memogrows // What a pooled value remembers of the inputs of all its users, and records that it gathers.

import (
	"bufio"
	"io"
	"reflect"
	"strings"
	"sync"
)

// A table of names, behind a pointer that is made with the value.

type names struct {
	mu    sync.Mutex
	known map[string]int
}

func (n *names) number(s string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if k, ok := n.known[s]; ok {
		return k
	}
	k := len(s)
	n.known[s] = k
	return k
}

type parser struct{ names *names }

func newParser() *parser {
	p := &parser{}
	p.init()
	return p
}

func (p *parser) init() { p.names = &names{known: map[string]int{}} }

var parsers = sync.Pool{New: func() any { return newParser() }}

func sum(form map[string][]string) (n int) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p) // want `map known, which the pooled parser leads to, gets text of the input for keys`
	for key := range form {
		n += p.names.number(key)
	}
	return n
}

// Text that is kept once for all that is equal, in a map that is made when it is first needed.

type reader struct{ seen map[string]string }

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) text(b []byte) string {
	if s, ok := r.seen[string(b)]; ok {
		return s
	}
	if r.seen == nil {
		r.seen = make(map[string]string)
	}
	s := string(b)
	r.seen[s] = s
	return s
}

func column(rows [][]byte) (out []string) {
	r := readers.Get().(*reader)
	for _, b := range rows {
		out = append(out, r.text(b))
	}
	readers.Put(r) // want `map seen, which the pooled reader leads to, gets text of the input for keys`
	return out
}

// The words of lines.

type counter struct{ words map[string]*int }

var counters = sync.Pool{New: func() any { return &counter{words: map[string]*int{}} }}

func (c *counter) word(s string) *int {
	if n := c.words[s]; n != nil {
		return n
	}
	n := new(int)
	c.words[s] = n
	return n
}

func scan(r io.Reader, each func(*int)) {
	c := counters.Get().(*counter)
	s := bufio.NewScanner(r)
	for s.Scan() {
		for _, w := range strings.Fields(s.Text()) {
			each(c.word(w))
		}
	}
	counters.Put(c) // want `map words, which the pooled counter leads to, gets text of the input for keys`
}

// Right: a limit.

type limited struct{ seen map[string]string }

var limiteds = sync.Pool{New: func() any { return &limited{seen: map[string]string{}} }}

func (r *limited) text(b []byte) string {
	if s, ok := r.seen[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(r.seen) < 1000 {
		r.seen[s] = s
	}
	return s
}

func limitedText(b []byte) string {
	r := limiteds.Get().(*limited)
	defer limiteds.Put(r)
	return r.text(b)
}

// Right: cleared with each use.

type cleared struct{ seen map[string]bool }

var cleareds = sync.Pool{New: func() any { return &cleared{seen: map[string]bool{}} }}

func distinct(rows [][]byte) (n int) {
	c := cleareds.Get().(*cleared)
	for _, b := range rows {
		if !c.seen[string(b)] {
			c.seen[string(b)] = true
			n++
		}
	}
	clear(c.seen)
	cleareds.Put(c) // want `cleareds keeps c, put at line 141, whatever its size`
	return n
}

// Right: what it remembers is made anew by the one who puts it.

type renewed struct{ names *names }

func (r *renewed) renew() { r.names = &names{known: map[string]int{}} }

var reneweds = sync.Pool{New: func() any { r := new(renewed); r.renew(); return r }}

func renewedSum(form map[string][]string) (n int) {
	r := reneweds.Get().(*renewed)
	for key := range form {
		n += len(key)
		r.names.mu.Lock()
		r.names.mu.Unlock()
	}
	r.renew()
	reneweds.Put(r)
	return n
}

// Right: names of a type's fields.

type codec struct{ fields map[string]int }

var codecs = sync.Pool{New: func() any { return &codec{fields: map[string]int{}} }}

func (c *codec) learn(t reflect.Type) {
	for k := range t.NumField() {
		c.fields[t.Field(k).Name] = k
	}
}

func fieldOf(v any, name string) int {
	c := codecs.Get().(*codec)
	defer codecs.Put(c) // want `codecs keeps c, put at line 179, whatever its size` `field fields of the pooled codec is filled in use`
	c.learn(reflect.TypeOf(v))
	return c.fields[name]
}
