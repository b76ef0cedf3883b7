package forgotten

import (
	"sync"
	"sync/atomic"
	"time"
)

// Set up once, and kept on purpose.

type printer struct {
	out   []byte
	table [256]byte
	tab   int
	ready bool
	timer *time.Timer
}

var printers = sync.Pool{New: func() any { return new(printer) }}

func (p *printer) prepare() {
	if !p.ready {
		p.ready = true
		p.tab = 8
	}
}

func print(b []byte) int {
	p := printers.Get().(*printer)
	p.prepare()
	if p.timer == nil {
		p.timer = time.NewTimer(time.Second)
	} else {
		p.timer.Reset(time.Second)
	}
	p.out = append(p.out, b[0], b[1])
	n := len(p.out)
	p.timer.Stop()
	p.out = p.out[:0]
	printers.Put(p)
	return n
}

// Set by whoever takes a value, here in each of two wrappers.

type event struct {
	msg  string
	json bool
	err  bool
}

var events = sync.Pool{New: func() any { return new(event) }}

func takeEvent() *event { return events.Get().(*event) }

func jsonEvent() *event {
	e := takeEvent()
	e.json = true
	return e
}

func errorEvent(msg string) *event {
	e := takeEvent()
	e.json = true
	e.msg = msg
	return e
}

func (e *event) done() string {
	s := e.msg
	if e.json {
		s = `"` + s + `"`
	}
	e.msg = ""
	events.Put(e)
	return s
}

// The whole struct is replaced.

type frame struct {
	data []byte
	last bool
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func (f *frame) end() { f.last = true }

func send(f func(*frame)) bool {
	x := frames.Get().(*frame)
	f(x)
	if x.last {
		x.data = nil
	}
	last := x.last
	*x = frame{data: x.data[:0]}
	frames.Put(x)
	return last
}

// Reset where it is taken.

type token struct {
	text string
	seen bool
}

var tokens = sync.Pool{New: func() any { return new(token) }}

func next() *token {
	t := tokens.Get().(*token)
	t.seen = false
	return t
}

func (t *token) mark() bool {
	if t.seen {
		return false
	}
	t.seen = true
	return true
}

func (t *token) free() {
	t.text = ""
	tokens.Put(t)
}

// A value with the flag set is never put.

type page struct {
	body   []byte
	pinned bool
}

var pages = sync.Pool{New: func() any { return new(page) }}

func getPage() *page { return pages.Get().(*page) }

func (p *page) pin() { p.pinned = true }

func (p *page) release() {
	if p.pinned {
		return
	}
	p.body = p.body[:0]
	pages.Put(p)
}

// What New sets, and counters.

type slot struct {
	id     int
	pooled bool
	uses   atomic.Int64
	gen    uint64
	key    string
}

var slots = sync.Pool{New: func() any {
	s := new(slot)
	s.setup()
	return s
}}

func (s *slot) setup() { s.pooled = true }

func useSlot(key string) bool {
	s := slots.Get().(*slot)
	s.key = key
	s.uses.Add(1)
	s.gen++
	ok := s.pooled && s.uses.Load() > 0 && s.gen != 0
	s.key = ""
	slots.Put(s)
	return ok
}

// A flag that the start of each use sets with the rest.

type scanner struct {
	src  []byte
	pos  int
	open bool
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (s *scanner) start(b []byte) {
	s.src = b
	s.pos = 0
	s.open = true
}

func newScanner(lazy bool, b []byte) *scanner {
	s := scanners.Get().(*scanner)
	if !lazy {
		s.start(b)
	}
	return s
}

func (s *scanner) more() bool { return s.open && s.pos < len(s.src) }

func (s *scanner) close() {
	s.src = nil
	scanners.Put(s)
}

// A configuration that the pool's owner gives to each value.

type worker struct {
	task   func()
	filter func(string) bool
}

type group struct {
	pool   sync.Pool
	filter func(string) bool
}

func (g *group) get() *worker {
	w, _ := g.pool.Get().(*worker)
	if w == nil {
		w = new(worker)
	}
	if g.filter != nil {
		w.filter = g.filter
	}
	return w
}

func (w *worker) allowed(s string) bool { return w.filter == nil || w.filter(s) }

func (g *group) put(w *worker) {
	w.task = nil
	g.pool.Put(w)
}

// Never pooled.

type plainFlag struct {
	name string
	set  bool
}

func (p *plainFlag) Reset() { p.name = "" }

func (p *plainFlag) on() bool {
	if !p.set {
		p.set = true
		return true
	}
	return false
}

// A cache, a table with a length of its own, a number that counts the uses, and
// a list that is cut where it is used.

type lexer struct {
	src    string
	memo   map[string]int
	blocks [][]byte
	used   int
	uses   int
	queue  []int
}

var lexers = sync.Pool{New: func() any { return &lexer{memo: map[string]int{}} }}

func OpenLexer(src string) *lexer {
	l := lexers.Get().(*lexer)
	l.src = src
	l.used = 0
	return l
}

func (l *lexer) CloseLexer() {
	l.src = ""
	l.uses++
	if l.uses > 1000 {
		return
	}
	lexers.Put(l)
}

func (l *lexer) Word(s string) int {
	n, ok := l.memo[s]
	if !ok {
		n = len(s)
		l.memo[s] = n
	}
	return n
}

func (l *lexer) Block() []byte {
	if l.used == len(l.blocks) {
		l.blocks = append(l.blocks, nil)
	}
	l.used++
	return l.blocks[l.used-1]
}

func (l *lexer) Push(n int) { l.queue = append(l.queue, n) }

func (l *lexer) Flush(f func(int)) {
	for _, n := range l.queue {
		f(n)
	}
	l.queue = l.queue[:0]
}

// An exported setter that gets its value from its callers: they may always call it.

type parcel struct {
	to      string
	express bool
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func (p *parcel) SetExpress(on bool) { p.express = on }

func (p *parcel) unpack() { p.to = "" }

func (p *parcel) label() string {
	if p.express {
		return "express: " + p.to
	}
	return p.to
}

func post(to string, fast bool) string {
	p := parcels.Get().(*parcel)
	p.to = to
	p.SetExpress(fast)
	s := p.label()
	p.unpack()
	parcels.Put(p)
	return s
}
