package spentonce

import (
	"strings"
	"sync"
)

// What the Once fills is emptied, the Once is spent.

type request struct {
	raw   string
	parse sync.Once
	args  map[string]string
}

var requests = sync.Pool{New: func() any { return &request{args: map[string]string{}} }}

func (r *request) arg(k string) string {
	r.parse.Do(func() {
		for _, p := range strings.Split(r.raw, "&") {
			k, v, _ := strings.Cut(p, "=")
			r.args[k] = v
		}
	})
	return r.args[k]
}

func release(r *request) {
	r.raw = ""
	clear(r.args)   // want `field args of the pooled request is emptied for the next user \(line 30\), but the sync.Once parse`
	requests.Put(r) // want `requests keeps r, put at line 31, whatever its size`
}

func serve(raw string, out func(string)) {
	r := requests.Get().(*request)
	r.raw = raw
	out(r.arg("a"))
	release(r)
}

// By a method; not emptied, but made from what is of one use.

type doc struct {
	text  string
	once  sync.Once
	words int
}

var docs = sync.Pool{New: func() any { return new(doc) }}

func (d *doc) count() { d.words = len(strings.Fields(d.text)) }

func (d *doc) size() int {
	d.once.Do(d.count)
	return d.words // want `field words of d, taken from docs at line 59, is read as the last user left it`
}

func words(text string) int {
	d := docs.Get().(*doc)
	d.text = text
	n := d.size()
	d.text = ""
	docs.Put(d)
	return n
}

// The memory that it makes is let go.

type job struct {
	id   int
	init sync.Once
	buf  []byte
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) bytes() []byte {
	j.init.Do(func() { j.buf = make([]byte, 64) })
	return j.buf
}

func work(id int, f func([]byte)) {
	j := jobs.Get().(*job)
	j.id = id
	f(j.bytes())
	j.id, j.buf = 0, nil // want `field buf of the pooled job is emptied`
	jobs.Put(j)
}

// A slice of what was worked out.

type query struct {
	text  string
	split sync.Once
	terms []string
}

var queries = sync.Pool{New: func() any { return new(query) }}

func (q *query) list() []string {
	q.split.Do(func() { q.terms = strings.Fields(q.text) })
	return q.terms
}

func search(text string, out func([]string)) {
	q := queries.Get().(*query)
	q.text = text
	out(q.list())
	q.text = ""    // want `field terms of the pooled query is worked out from text under the sync.Once split`
	queries.Put(q) // want `field terms still leads to`
}
