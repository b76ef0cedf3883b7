package carried

import (
	"io"
	"strings"
	"sync"
	"time"
)

// Right: the time is set back.
type wire struct {
	w        io.Writer
	lastBeat time.Time
}

var wires = sync.Pool{New: func() any { return new(wire) }}

func dropWire(l *wire) {
	l.w, l.lastBeat = nil, time.Time{}
	wires.Put(l)
}

func hum(w io.Writer, every time.Duration) {
	l := wires.Get().(*wire)
	defer dropWire(l)
	l.w = w
	if now := time.Now(); now.Sub(l.lastBeat) > every {
		io.WriteString(w, "beat\n")
		l.lastBeat = now
	}
}

// Right: each use sets the flag before it asks.
type lines struct {
	text string
	end  bool
}

var linesPool = sync.Pool{New: func() any { return new(lines) }}

func (r *lines) cut() string {
	line, rest, more := strings.Cut(r.text, "\n")
	r.text, r.end = rest, !more
	return line
}

func countLines(s string) int {
	r := linesPool.Get().(*lines)
	r.text = s
	n := 0
	for {
		r.cut()
		n++
		if r.end {
			break
		}
	}
	r.text = ""
	linesPool.Put(r)
	return n
}

// Right: how large the last table was is kept along with the table.
type packer struct {
	in    []byte
	bits  int
	table []uint16
}

var packers = sync.Pool{New: func() any { return new(packer) }}

func tableFor(bits int) []uint16 { return make([]uint16, 1<<bits) }

func (p *packer) fit(bits int) {
	if p.bits < bits {
		p.bits = bits
		p.table = tableFor(bits)
	}
}

func pack(b []byte, bits int) int {
	p := packers.Get().(*packer)
	p.in = b
	p.fit(bits)
	n := len(p.table) + len(p.in)
	p.in = nil
	packers.Put(p)
	return n
}

// Right: the key that the result was worked out for.
type formatter struct {
	w    io.Writer
	sec  int64
	text string
}

var formatters = sync.Pool{New: func() any { return new(formatter) }}

func (f *formatter) stamp(t time.Time) {
	if s := t.Unix(); s != f.sec {
		f.text = t.Format(time.RFC3339)
		f.sec = s
	}
	io.WriteString(f.w, f.text)
}

func stamp(t time.Time, w io.Writer) {
	f := formatters.Get().(*formatter)
	f.w = w
	f.stamp(t)
	f.w = nil
	formatters.Put(f)
}

// Right: those who put leave the time, and those who take look at it.
type worker struct {
	job  func()
	idle time.Time
}

var workers = sync.Pool{New: func() any { return new(worker) }}

func rest(w *worker) {
	w.job = nil
	w.idle = time.Now()
	workers.Put(w)
}

func work(job func()) bool {
	w := workers.Get().(*worker)
	w.job = job
	late := time.Since(w.idle) > time.Minute
	w.job()
	rest(w)
	return late
}

// Right: whoever is taken is begun, by a helper of the helper.
type cursor struct {
	src string
	off int
	eof bool
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

func (c *cursor) begin(s string) { c.src = s; c.seek(0) }

func (c *cursor) seek(n int) { c.off, c.eof = n, n >= len(c.src) }

func (c *cursor) more() bool {
	if c.eof {
		return false
	}
	c.seek(c.off + 1)
	return true
}

func length(s string) int {
	c := cursors.Get().(*cursor)
	c.begin(s)
	n := 0
	for c.more() {
		n++
	}
	c.src = ""
	cursors.Put(c)
	return n
}

// Right: what is not new is set up where it is taken.
type leaf struct {
	from int
	used int
	mem  *[512]byte
}

var leaves sync.Pool

func newLeaf(from int) *leaf {
	l, _ := leaves.Get().(*leaf)
	if l != nil {
		l.from = from
		l.used = 0
	} else {
		l = &leaf{from: from, mem: new([512]byte)}
	}
	return l
}

func (l *leaf) put(b []byte, at int) int {
	if at -= l.from; at < 0 {
		return 0
	}
	l.used = copy(l.mem[at:], b)
	return l.used
}

func store(b []byte, at int) int {
	l := newLeaf(at)
	n := l.put(b, at)
	leaves.Put(l)
	return n
}

// Right: the flag is set in notes that are part of a letter, which is not pooled.
type note struct {
	text  string
	quick bool
}

func (n *note) empty() { n.text = "" }

type letter struct{ note note }

func (l *letter) init(slow bool) { l.note.quick = !slow }

var notes = sync.Pool{New: func() any { return new(note) }}

func jot(s string) int {
	n := notes.Get().(*note)
	defer notes.Put(n)
	n.text = s
	k := n.count()
	n.empty()
	return k
}

func (n *note) count() int {
	if n.quick {
		return 1
	}
	return len(n.text)
}

// What is noted elsewhere is put back.

type styler struct {
	out    []byte
	strict bool
	mode   int
}

var stylers = sync.Pool{New: func() any { return new(styler) }}

type undo struct {
	s    *styler
	mode int
}

func (u undo) do() { u.s.mode = u.mode }

func (s *styler) quote() undo {
	old := s.mode
	if s.mode == 0 {
		s.mode = 1
	}
	return undo{s, old}
}

func style(x string, out func([]byte)) {
	s := stylers.Get().(*styler)
	s.strict = false
	s.text(x)
	out(s.out)
	if cap(s.out) > 1<<16 {
		return
	}
	s.out = s.out[:0]
	stylers.Put(s)
}

func (s *styler) text(x string) {
	defer s.quote().do()
	s.out = append(s.out, x...)
}
