// Package elsewhere empties pooled values in other functions, and other values than the pooled ones.
package elsewhere

import (
	"sync"
	"unsafe"

	"elsewhere/reset"
)

var rowPool = sync.Pool{New: func() any { return new([]reset.Row) }}

func rows(in []reset.Row, use func([]reset.Row)) {
	p := rowPool.Get().(*[]reset.Row)
	all := append(*p, in...)
	use(all)
	*p = reset.Rows(all)
	rowPool.Put(p)
}

var leftPool = sync.Pool{New: func() any { return new([]reset.Row) }}

func rowsLeft(in []reset.Row, use func([]reset.Row)) {
	p := leftPool.Get().(*[]reset.Row)
	all := append(*p, in...) // want `p, taken from leftPool at line 24, is appended to without a reset`
	use(all)
	*p = all
	if cap(all) < 1024 {
		leftPool.Put(p)
	}
}

// A header is a part of the pooled writer, and is used on its own by readers, who set its flag.
type header struct {
	prefix []byte
	count  int
	shared bool
}

func (h *header) reset() {
	if h.shared {
		h.prefix = nil
	} else {
		h.prefix = h.prefix[:0]
	}
	h.count = 0
}

func (h *header) share(src []byte) {
	h.shared = true
	h.prefix = src[1:]
	h.count = int(src[0])
}

type writer struct {
	h   header
	buf []byte
}

func (w *writer) reset() {
	w.h.reset()
	w.buf = w.buf[:0]
}

var writers sync.Pool

func write(items []byte, out func([]byte)) {
	w, _ := writers.Get().(*writer)
	if w == nil {
		w = new(writer)
	}
	w.h.prefix = append(w.h.prefix[:0], items...)
	w.h.count = len(items)
	w.buf = append(w.buf, w.h.prefix...)
	out(w.buf)
	w.reset()
	if cap(w.buf) < 1<<16 {
		writers.Put(w)
	}
}

func read(src []byte) (all []header) {
	for len(src) > 2 {
		var h header
		h.share(src[:2])
		all = append(all, h)
		src = src[2:]
	}
	return all
}

func readInto(all []header, src []byte) []header {
	all = grown(all)
	for i := range all {
		all[i].share(src[2*i:])
	}
	return all
}

func grown(all []header) []header { return append(all, header{}) }

// A mark is the same, but the pooled reader sets the flag of its own.
type mark struct {
	prefix []byte
	shared bool
	count  int
}

func (m *mark) reset() {
	if m.shared { // want `field shared of r, taken from readers at line 129, is read as the last user left it`
		m.prefix = nil
	} else {
		m.prefix = m.prefix[:0]
	}
	m.count = 0
}

func (m *mark) share(src []byte) {
	m.shared = true
	m.prefix = src[1:]
	m.count = int(src[0])
}

type reader struct{ m mark }

var readers = sync.Pool{New: func() any { return new(reader) }}

func next(src []byte, own bool, out func([]byte)) {
	r := readers.Get().(*reader)
	if own {
		r.m.share(src)
	} else {
		r.m.prefix = append(r.m.prefix[:0], src...)
	}
	out(r.m.prefix)
	r.m.reset()
	readers.Put(r)
}

// A flag that the taker sets always, where a new value stands in for nil.
type flush struct {
	rows  []int
	until int64
	green bool
}

func (f *flush) reset() {
	f.rows = f.rows[:0]
	f.until = 0
}

var flushes sync.Pool

func getFlush(until int64, green bool) *flush {
	v := flushes.Get()
	if v == nil {
		v = &flush{}
	}
	f := v.(*flush)
	f.until = until
	f.green = green
	return f
}

func putFlush(f *flush) {
	f.reset()
	if cap(f.rows) < 1024 {
		flushes.Put(f)
	}
}

func flushAll(blue, green []int, use func([]int)) {
	for _, g := range []bool{false, true} {
		go func() {
			f := getFlush(1, g)
			from := blue
			if f.green {
				from = green
			}
			f.rows = append(f.rows, from...)
			use(f.rows)
			putFlush(f)
		}()
	}
}

// Records of one pool are given to those of another, which never have a level.
type rec struct {
	level int
	text  []byte
}

var (
	full   = sync.Pool{New: func() any { return new(rec) }}
	shells = sync.Pool{New: func() any { return new(rec) }}
)

func shell(p []byte, ch chan<- *rec) {
	s := shells.Get().(*rec)
	s.text = p
	hand(s, ch)
	s.text = nil
	shells.Put(s)
}

func hand(s *rec, ch chan<- *rec) {
	own := full.Get().(*rec)
	own.level = s.level
	own.text = append(own.text[:0], s.text...)
	ch <- own
}

func drain(ch <-chan *rec, use func([]byte)) {
	for r := range ch {
		use(r.text)
		r.text = r.text[:0]
		if cap(r.text) < 1024 {
			full.Put(r)
		}
	}
}

// Most fields of a cursor are set back as bytes.
type cursor struct {
	hook func()
	seen int
	room [4]byte
	kept []byte
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

const cleared = unsafe.Offsetof(cursor{}.kept)

func (c *cursor) onClose(f func()) { c.hook = f }

func (c *cursor) close() {
	if c.hook != nil {
		c.hook()
	}
	c.seen = 0
	*(*[cleared]byte)(unsafe.Pointer(c)) = [cleared]byte{}
	cursors.Put(c)
}

func scan(f func(), n int) {
	c := cursors.Get().(*cursor)
	if n > 3 {
		c.onClose(f)
	}
	c.seen += n
	println(c.seen)
	c.close()
}

// The error of a group is set by each who counts it down, and read by those who waited.
type group struct {
	n   int
	wg  sync.WaitGroup
	err error
}

var groups = sync.Pool{New: func() any { return new(group) }}

func newGroup(n int) *group {
	g := groups.Get().(*group)
	g.n = n
	g.wg.Add(1)
	return g
}

func (g *group) done(err error) {
	g.err = err
	g.wg.Done()
}

func waitFor(n int, run func(*group)) error {
	g := newGroup(n)
	run(g)
	g.wg.Wait()
	err := g.err
	g.n = 0
	groups.Put(g)
	return err
}
