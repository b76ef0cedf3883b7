package fields

import (
	"io"
	"strconv"
	"sync"
)

// Fields of pooled structs, one by one.

type entry struct {
	buf   []byte
	level int
}

var entries = sync.Pool{New: func() any { return new(entry) }}

func logEntry(w io.Writer, level int, msg string) {
	e := entries.Get().(*entry)
	e.level = level
	e.buf = append(e.buf, msg...) // want `field buf of e, taken from entries at line 19, is appended to as the last user left it`
	w.Write(e.buf)
	if cap(e.buf) <= 1<<16 {
		entries.Put(e)
	}
}

var cutEntries = sync.Pool{New: func() any { return new(entry) }}

func logCut(w io.Writer, level int, msg string) {
	e := cutEntries.Get().(*entry)
	e.level = level
	e.buf = append(e.buf, msg...)
	w.Write(e.buf)
	if cap(e.buf) <= 1<<16 {
		e.buf = e.buf[:0]
		cutEntries.Put(e)
	}
}

type context struct {
	flags  uint8
	indent string
	tmp    []byte
}

var contexts = sync.Pool{New: func() any { return new(context) }}

func indented(v, indent string) string {
	c := contexts.Get().(*context)
	c.tmp = c.tmp[:0]
	if indent != "" {
		c.flags |= 1 // want `field flags of c, taken from contexts at line 50, is read as the last user left it`
		c.indent = indent
	}
	if c.flags&1 != 0 {
		c.tmp = append(c.tmp, c.indent...) // want `field indent of c, taken from contexts at line 50, is read as the last user left it`
	}
	c.tmp = append(c.tmp, v...)
	s := string(c.tmp)
	if cap(c.tmp) < 1<<16 {
		contexts.Put(c)
	}
	return s
}

var clearContexts = sync.Pool{New: func() any { return new(context) }}

func indentedRight(v, indent string) string {
	c := clearContexts.Get().(*context)
	*c = context{tmp: c.tmp[:0]}
	if indent != "" {
		c.flags |= 1
		c.indent = indent
	}
	if c.flags&1 != 0 {
		c.tmp = append(c.tmp, c.indent...)
	}
	c.tmp = append(c.tmp, v...)
	s := string(c.tmp)
	if cap(c.tmp) < 1<<16 {
		clearContexts.Put(c)
	}
	return s
}

// A flag that is looked at before it is set says what was done to the value.
type compressor struct {
	table *[1024]uint32
	dirty bool
	size  int
}

var compressors = sync.Pool{New: func() any { return new(compressor) }}

func compress(src []byte) (n int) {
	c := compressors.Get().(*compressor)
	if c.table == nil {
		c.table = new([1024]uint32)
	} else if c.dirty {
		clear(c.table[:])
	}
	c.dirty = true
	for _, b := range src {
		c.table[b]++
	}
	n = int(c.table[0])
	compressors.Put(c)
	return n
}

// A size that was learned is read by the next user on purpose.
func learned(src []byte) []byte {
	c := compressors.Get().(*compressor)
	out := make([]byte, 0, c.size)
	out = append(out, src...)
	c.size = len(out)
	compressors.Put(c)
	return out
}

type block struct{ data []byte }

type decoder struct {
	src *block
	off int
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func putDecoder(d *decoder) {
	d.off = 0
	decoders.Put(d) // want `field src still leads to what it was given when d goes to decoders \(line 133\)`
}

func sum(b *block) (n int) {
	d := decoders.Get().(*decoder)
	d.src = b
	for d.off = 0; d.off < len(d.src.data); d.off++ {
		n += int(d.src.data[d.off])
	}
	putDecoder(d)
	return n
}

var cleanDecoders = sync.Pool{New: func() any { return new(decoder) }}

func putClean(d *decoder) {
	d.off = 0
	d.src = nil
	cleanDecoders.Put(d)
}

func sumClean(b *block) (n int) {
	d := cleanDecoders.Get().(*decoder)
	d.src = b
	for d.off = 0; d.off < len(d.src.data); d.off++ {
		n += int(d.src.data[d.off])
	}
	putClean(d)
	return n
}

// What the pool itself set lives as long as the pool.
type home struct{ p sync.Pool }

type tenant struct {
	home *home
	n    int
}

func (h *home) get() *tenant {
	t, ok := h.p.Get().(*tenant)
	if !ok {
		t = new(tenant)
	}
	t.home = h
	return t
}

func (t *tenant) free() {
	t.n = 0
	t.home.p.Put(t)
}

func visit(h *home) int {
	t := h.get()
	t.n++
	n := t.n
	t.free()
	return n
}

// Growth in a field.

type lineBuf struct{ bs []byte }

var lineBufs = sync.Pool{New: func() any { return new(lineBuf) }}

func (b *lineBuf) add(s string) { b.bs = append(b.bs, s...) }

func writeLine(w io.Writer, s string) {
	b := lineBufs.Get().(*lineBuf)
	b.bs = b.bs[:0]
	b.add(s)
	w.Write(b.bs)
	lineBufs.Put(b) // want `lineBufs keeps b, put at line 207, whatever its size`
}

var boundBufs = sync.Pool{New: func() any { return new(lineBuf) }}

func writeBound(w io.Writer, s string) {
	b := boundBufs.Get().(*lineBuf)
	b.bs = b.bs[:0]
	b.add(s)
	w.Write(b.bs)
	if cap(b.bs) <= 1<<16 {
		boundBufs.Put(b)
	}
}

// Numbers and constants bound themselves.
var shortBufs = sync.Pool{New: func() any { return new(lineBuf) }}

func writeShort(w io.Writer, n int) {
	b := shortBufs.Get().(*lineBuf)
	b.bs = append(b.bs[:0], "n="...)
	b.bs = strconv.AppendInt(b.bs, int64(n), 10)
	b.bs = append(b.bs, '\n')
	w.Write(b.bs)
	shortBufs.Put(b)
}

// A map that goes back with its keys.

var sets = sync.Pool{New: func() any { return make(map[string]bool) }}

func unique(in []string) int {
	m := sets.Get().(map[string]bool)
	for _, s := range in {
		m[s] = true // want `m, taken from sets at line 239, is written to without a reset`
	}
	n := len(m)
	if n < 100 {
		sets.Put(m)
	}
	return n
}

var clearSets = sync.Pool{New: func() any { return make(map[int]bool) }}

func uniqueClear(in []int) int {
	m := clearSets.Get().(map[int]bool)
	for _, s := range in {
		m[s] = true
	}
	n := len(m)
	if n < 100 {
		clear(m)
		clearSets.Put(m)
	}
	return n
}

var emptySets = sync.Pool{New: func() any { return make(map[rune]bool) }}

func uniqueDelete(in []rune) int {
	m := emptySets.Get().(map[rune]bool)
	for _, s := range in {
		m[s] = true
	}
	n := len(m)
	for k := range m {
		delete(m, k)
	}
	if n < 100 {
		emptySets.Put(m)
	}
	return n
}

// An error that stays.

type sticky struct {
	w   io.Writer
	n   int
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	if s.err != nil { // want `field err of s, taken from stickies at line 303, is read as the last user left it`
		return 0, s.err
	}
	var n int
	n, s.err = s.w.Write(p)
	s.n += n
	return n, s.err
}

var stickies = sync.Pool{New: func() any { return new(sticky) }}

func copyAll(w io.Writer, parts [][]byte) (int, error) {
	s := stickies.Get().(*sticky)
	s.w, s.n = w, 0
	for _, p := range parts {
		s.Write(p)
	}
	n, err := s.n, s.err
	s.w = nil
	stickies.Put(s)
	return n, err
}

var freshStickies = sync.Pool{New: func() any { return new(sticky) }}

func copyFresh(w io.Writer, p []byte) (int, error) {
	s := freshStickies.Get().(*sticky)
	*s = sticky{w: w}
	s.Write(p)
	n, err := s.n, s.err
	s.w = nil
	freshStickies.Put(s)
	return n, err
}

// A free list in a pooled struct is meant to come back with its elements.

type freeList struct{ nodes []*block }

var freeLists = sync.Pool{New: func() any { return new(freeList) }}

func freeBlock(b *block) {
	l := freeLists.Get().(*freeList)
	l.nodes = append(l.nodes, b)
	freeLists.Put(l)
}

func newBlock() *block {
	l := freeLists.Get().(*freeList)
	defer freeLists.Put(l)
	n := len(l.nodes)
	if n == 0 {
		return new(block)
	}
	b := l.nodes[n-1]
	l.nodes = l.nodes[:n-1]
	return b
}
