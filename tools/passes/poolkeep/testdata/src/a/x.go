package a

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// missing-reset

var dirty = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func writeDirty(s string) string {
	b := dirty.Get().(*bytes.Buffer)
	b.WriteString(s) // want `b, taken from dirty at line 16, is written to without a reset`
	out := b.String()
	dirty.Put(b) // want `dirty keeps b, put at line 19, whatever its size`
	return out
}

var resetOnGet = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func writeReset(s string) string {
	b := resetOnGet.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	out := b.String()
	if b.Cap() < 1024 {
		resetOnGet.Put(b)
	}
	return out
}

var resetOnPut = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putReset(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	b.Reset()
	resetOnPut.Put(b)
}

func writeResetLater(s string) string {
	b := resetOnPut.Get().(*bytes.Buffer)
	defer putReset(b)
	b.WriteString(s)
	return b.String()
}

type message struct {
	ID   int
	Tags []string
}

var messages = sync.Pool{New: func() any { return new(message) }}

func decode(p []byte, handle func(*message)) error {
	m := messages.Get().(*message)
	defer messages.Put(m)
	if err := json.Unmarshal(p, m); err != nil { // want `m, taken from messages at line 61, is decoded into without a reset`
		return err
	}
	handle(m)
	return nil
}

var cleared = sync.Pool{New: func() any { return new(message) }}

func decodeCleared(r io.Reader, handle func(*message)) error {
	m := cleared.Get().(*message)
	defer cleared.Put(m)
	*m = message{}
	if err := json.NewDecoder(r).Decode(m); err != nil {
		return err
	}
	handle(m)
	return nil
}

var slabs = sync.Pool{New: func() any { return new([]int) }}

func collect(in []int, use func([]int)) {
	p := slabs.Get().(*[]int)
	for _, v := range in {
		*p = append(*p, v) // want `p, taken from slabs at line 86, is appended to without a reset`
	}
	use(*p)
	slabs.Put(p) // want `slabs keeps p, put at line 91, whatever its size`
}

var cutSlabs = sync.Pool{New: func() any { return new([]int) }}

func collectCut(in []int, use func([]int)) {
	p := cutSlabs.Get().(*[]int)
	for _, v := range in {
		*p = append(*p, v)
	}
	use(*p)
	if cap(*p) > 1<<16 {
		return
	}
	*p = (*p)[:0]
	cutSlabs.Put(p)
}

type cursor struct {
	pos  int
	err  error
	done bool
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

func open(pos int) *cursor {
	c := cursors.Get().(*cursor) // want `field err of c, taken from cursors at line 118, is reset neither here nor before a Put`
	c.pos, c.done = pos, false
	return c
}

func (c *cursor) next() bool {
	if c.err != nil || c.done {
		return false
	}
	c.pos++
	if c.pos > 10 {
		c.err, c.done = io.EOF, true
	}
	return true
}

func (c *cursor) close() { cursors.Put(c) }

var timers = sync.Pool{New: func() any { return time.NewTimer(time.Hour) }}

func sleep(stop chan int, d time.Duration) {
	t := timers.Get().(*time.Timer)
	t.Reset(d)
	select {
	case <-stop:
	case <-t.C:
	}
	timers.Put(t) // want `t goes to timers \(line 145\) while it may still be running`
}

var stopped = sync.Pool{New: func() any { return time.NewTimer(time.Hour) }}

func sleepStopped(stop chan int, d time.Duration) {
	t := stopped.Get().(*time.Timer)
	t.Reset(d)
	select {
	case <-stop:
	case <-t.C:
	}
	t.Stop()
	stopped.Put(t)
}

// retained-refs

type entry struct {
	key string
	val any
}

var entries = sync.Pool{New: func() any { return new([]entry) }}

func putEntries(p *[]entry) {
	if cap(*p) > 1024 {
		return
	}
	*p = (*p)[:0]
	entries.Put(p) // want `\*p is cut to length 0 \(line 174\) but not cleared before it goes to entries \(line 175\)`
}

// Somebody extends such slices to what they had.

type slot struct{ val any }

var slots = sync.Pool{New: func() any { return new([]slot) }}

func takeSlots(n int) *[]slot {
	p := slots.Get().(*[]slot)
	if cap(*p) < n {
		*p = make([]slot, n)
	}
	*p = (*p)[:n]
	return p
}

func putSlots(p *[]slot) {
	*p = (*p)[:0]
	slots.Put(p)
}

var refs = sync.Pool{New: func() any { return new([]*entry) }}

func putRefs(p *[]*entry) {
	*p = (*p)[:0]
	refs.Put(p) // want `\*p is cut to length 0 \(line 201\) but not cleared before it goes to refs \(line 202\)`
}

var clearedRefs = sync.Pool{New: func() any { return new([]*message) }}

func putCleared(p *[]*message) {
	clear(*p)
	*p = (*p)[:0]
	clearedRefs.Put(p)
}

var loopRefs = sync.Pool{New: func() any { return new([]*cursor) }}

func putLoop(p *[]*cursor) {
	for i := range *p {
		(*p)[i] = nil
	}
	*p = (*p)[:0]
	loopRefs.Put(p)
}

var numbers = sync.Pool{New: func() any { return new([]int64) }}

func putNumbers(p *[]int64) {
	*p = (*p)[:0]
	numbers.Put(p)
}

// oversize-retention

var sets = sync.Pool{New: func() any { return map[string]bool{} }}

func unique(in []string) int {
	m := sets.Get().(map[string]bool)
	for _, s := range in {
		m[s] = true
	}
	n := len(m)
	clear(m)
	sets.Put(m) // want `sets keeps m, put at line 241, whatever its size`
	return n
}

var boundedSets = sync.Pool{New: func() any { return map[string]bool{} }}

func uniqueBounded(in []string) int {
	m := boundedSets.Get().(map[string]bool)
	for _, s := range in {
		m[s] = true
	}
	n := len(m)
	if n > 1000 {
		return n
	}
	clear(m)
	boundedSets.Put(m)
	return n
}

var fixed = sync.Pool{New: func() any { return new([512]byte) }}

func fill(r io.Reader) {
	p := fixed.Get().(*[512]byte)
	r.Read(p[:])
	fixed.Put(p)
}

// Each variable of a generic pool has functions of its own.

type typed[E any] struct {
	p     sync.Pool
	reset func(E) bool
}

func (q *typed[E]) get() E { return q.p.Get().(E) }
func (q *typed[E]) put(v E) {
	if q.reset(v) {
		q.p.Put(v)
	}
}

type number struct{ n int }

var numberPool = &typed[*number]{reset: func(q *number) bool { q.n = 0; return true }}

var cleanPool = &typed[*bytes.Buffer]{reset: func(b *bytes.Buffer) bool { n := b.Len(); b.Reset(); return n < 99 }}

var dirtyPool = &typed[*bytes.Buffer]{reset: func(b *bytes.Buffer) bool { return b.Len() < 99 }}

func useNumber() int {
	q := numberPool.get()
	defer numberPool.put(q)
	return q.n
}

func useClean(s string) string {
	b := cleanPool.get()
	defer cleanPool.put(b)
	b.WriteString(s)
	return b.String()
}

func useDirty(s string) string {
	b := dirtyPool.get()
	defer dirtyPool.put(b)
	b.WriteString(s) // want `b, taken from dirtyPool at line 305, is written to without a reset`
	return b.String()
}

// An interner: what is in its tables is right for everybody.
var interners = sync.Pool{New: func() any { return map[string]string{} }}

func intern(b []byte) string {
	m := interners.Get().(map[string]string)
	defer interners.Put(m) // want `interners keeps m, put at line 316, whatever its size`
	if s, ok := m[string(b)]; ok {
		return s
	}
	s := string(b)
	m[s] = s
	return s
}

// A digest is as large as it is, whatever is written to it.
type mac struct {
	pad []byte
	sum uint64
}

func (d *mac) Write(p []byte) (int, error) {
	for _, c := range p {
		d.sum = d.sum*31 + uint64(c)
	}
	return len(p), nil
}

func (d *mac) Sum(b []byte) []byte { return append(b, byte(d.sum)) }
func (d *mac) BlockSize() int      { return 1 }

func (d *mac) reset(key []byte) {
	d.sum = 0
	d.pad = append(d.pad[:0], key...)
}

var macs = sync.Pool{New: func() any { return new(mac) }}

func sign(key, p []byte) []byte {
	d := macs.Get().(*mac)
	defer macs.Put(d)
	d.reset(key)
	d.Write(p)
	return d.Sum(nil)
}
