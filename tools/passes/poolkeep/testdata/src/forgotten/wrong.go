package forgotten

import (
	"io"
	"sync"
	"sync/atomic"
)

// A flag that is claimed by CAS, and a reset after Get that forgets it.

type job struct {
	name     string
	started  int32
	reported int32
	logged   atomic.Bool
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func newJob(name string) *job {
	j := jobs.Get().(*job)
	j.begin(name)
	return j
}

func (j *job) begin(name string) { // want `begin resets fields of the pooled job but not reported, logged, which is set in use`
	j.name = name
	j.started = 0
}

func (j *job) end() { jobs.Put(j) }

func (j *job) start() bool  { return atomic.CompareAndSwapInt32(&j.started, 0, 1) }
func (j *job) report() bool { return atomic.CompareAndSwapInt32(&j.reported, 0, 1) }
func (j *job) log() bool    { return j.logged.CompareAndSwap(false, true) }

func runJob(n *atomic.Int64) {
	j := newJob("x")
	defer j.end()
	if j.start() && j.report() && j.log() {
		n.Add(1)
	}
}

// A flag in a struct that is embedded in the pooled one, set by a setter.

type meta struct {
	length int
	secure bool
	keys   []string
}

func (m *meta) setSecure(on bool) { m.secure = on }

func (m *meta) clean() { // want `clean resets fields of the pooled call but not secure`
	m.length = 0
	clear(m.keys)
	m.keys = m.keys[:0]
}

type call struct {
	meta
	body []byte
}

func (c *call) Reset() {
	c.clean()
	c.body = c.body[:0]
}

type host struct{ calls sync.Pool }

func newHost() *host {
	return &host{calls: sync.Pool{New: func() any { return new(call) }}}
}

func (h *host) do(r io.Reader, secure bool, f func(*call)) string {
	c := h.calls.Get().(*call)
	defer func() {
		c.Reset()
		h.calls.Put(c)
	}()
	if secure {
		c.setSecure(true)
	}
	f(c)
	return c.scheme()
}

func (m *meta) scheme() string {
	if m.secure {
		return "https"
	}
	return "http"
}

// A generic pool.

type poolOf[T any] struct{ p sync.Pool }

func (p *poolOf[T]) take() *T {
	if v, ok := p.p.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (p *poolOf[T]) give(v *T) { p.p.Put(v) }

type visit struct {
	depth  int
	failed bool
}

var visits poolOf[visit]

func (v *visit) fail() { v.failed = true }

func walk(n int) bool {
	v := visits.take()
	defer leave(v)
	if n > 9 {
		v.fail()
	}
	v.depth += n
	return !v.failed // want `field failed of v, taken from visits at line 102, is read as the last user left it`
}

func leave(v *visit) {
	v.depth = 0
	visits.give(v)
}

// The same, with a caller that is not in view.

type trip struct {
	depth int
	late  bool
}

var trips poolOf[trip]

func Depart() *trip { return trips.take() }

func (t *trip) Delay() { t.late = true }

func (t *trip) Late() bool {
	if t.late {
		return true
	}
	return t.depth > 3
}

func (t *trip) Arrive() { // want `Arrive resets fields of the pooled trip but not late`
	t.depth = 0
	trips.give(t)
}

// The flag that says closed outlives the close.

type conn struct {
	buf    []byte
	closed bool
}

var conns = sync.Pool{New: func() any { return new(conn) }}

func dial() *conn { return conns.Get().(*conn) }

func (c *conn) Close() error { // want `Close resets fields of the pooled conn but not closed`
	if c.closed {
		return nil
	}
	c.closed = true
	c.buf = c.buf[:0]
	conns.Put(c)
	return nil
}

// The flag says that a field is parsed; the field is emptied, the flag is not.

type query struct {
	raw    string
	args   map[string]string
	parsed bool
}

var queries = sync.Pool{New: func() any { return &query{args: map[string]string{}} }}

func acquireQuery(raw string) *query {
	q := queries.Get().(*query)
	q.raw = raw
	return q
}

func releaseQuery(q *query) { // want `releaseQuery resets fields of the pooled query but not parsed`
	q.raw = ""
	q.args = nil
	queries.Put(q)
}

func (q *query) arg(name string) string {
	if !q.parsed {
		q.parsed = true
		q.args = map[string]string{q.raw: q.raw}
	}
	return q.args[name]
}

// A function that a user sets, and a default where there is none.

type client struct {
	url    string
	encode func(any) []byte
}

var clients = sync.Pool{New: func() any { return new(client) }}

func AcquireClient() *client { return clients.Get().(*client) }

func ReleaseClient(c *client) { // want `ReleaseClient resets fields of the pooled client but not encode`
	c.url = ""
	clients.Put(c)
}

func (c *client) SetEncode(f func(any) []byte) { c.encode = f }

func (c *client) send(x any) []byte {
	if c.encode == nil {
		c.encode = func(any) []byte { return nil }
	}
	return c.encode(x)
}

// The flag keeps Close from its work, and is reached past the guard.

type node struct {
	kids  []*node
	inner bool
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func Parse(s string) *node {
	n := nodes.Get().(*node)
	for i := 0; i < len(s); i++ {
		k := Parse(s[i+1:])
		k.inner = true
		n.kids = append(n.kids, k)
	}
	return n
}

func (n *node) Close() {
	if n.inner {
		return
	}
	n.free()
}

func (n *node) free() { // want `free resets fields of the pooled node but not inner`
	for _, k := range n.kids {
		k.free()
	}
	clear(n.kids)
	n.kids = n.kids[:0]
	nodes.Put(n)
}

// What is collected is never emptied, and a limit is reached once for all.

type report struct {
	title  string
	notes  []int
	labels map[string]int
	tries  int
}

var reports = sync.Pool{New: func() any { return &report{labels: map[string]int{}} }}

func OpenReport(title string) *report {
	r := reports.Get().(*report)
	r.title = title
	return r
}

func (r *report) CloseReport() { // want `CloseReport resets fields of the pooled report but not notes, labels, tries, which is set in use`
	r.title = ""
	reports.Put(r)
}

func (r *report) Note(n int)     { r.notes = append(r.notes, n) }
func (r *report) Label(s string) { r.labels[s] = len(s) }
func (r *report) Retry() bool    { r.tries++; return !r.spent() }
func (r *report) Each(f func(int)) {
	for _, n := range r.notes {
		f(n)
	}
	for _, n := range r.labels {
		f(n)
	}
}

func (r *report) spent() bool {
	if r.tries > 3 {
		return true
	}
	return false
}

// An exported setter: whoever else calls it, the one in view leaves the flag set.

type message struct {
	text   string
	urgent bool
}

var messages sync.Pool

func takeMessage() *message {
	if m, ok := messages.Get().(*message); ok {
		return m
	}
	return new(message)
}

func putMessage(m *message) {
	m.clear()
	messages.Put(m)
}

func (m *message) clear() { m.text = "" } // want `clear resets fields of the pooled message but not urgent`

func (m *message) SetUrgent(on bool) { m.urgent = on }

func (m *message) line() string {
	if m.urgent {
		return "! " + m.text
	}
	return m.text
}

func say(text string, loud bool, w func(*message)) {
	m := takeMessage()
	defer putMessage(m)
	if loud {
		m.SetUrgent(true)
	}
	m.text = text
	w(m)
}
