package retained

import (
	"context"
	"io"
	"net/http"
	"sync"
	"unsafe"
)

// Fields of pooled structs that are set for each use. Wrong and right in turn.

type turn struct {
	w http.ResponseWriter
	r *http.Request
	n int
}

var turns = sync.Pool{New: func() any { return new(turn) }}

type handler struct{ do func(*turn) }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := turns.Get().(*turn)
	defer turns.Put(t) // want `t, the pooled turn, still leads to what the last user set in w, r, which holds what belongs to one use`
	t.w, t.r = w, r
	h.do(t)
}

type clearedTurn struct {
	w http.ResponseWriter
	r *http.Request
	n int
}

var clearedTurns = sync.Pool{New: func() any { return new(clearedTurn) }}

func serveCleared(w http.ResponseWriter, r *http.Request, do func(*clearedTurn)) {
	t := clearedTurns.Get().(*clearedTurn)
	defer func() {
		t.w, t.r = nil, nil
		clearedTurns.Put(t)
	}()
	t.w, t.r = w, r
	do(t)
}

// With a composite literal, and a function that puts.

type call struct {
	ctx  context.Context
	name string
}

var calls = sync.Pool{New: func() any { return new(call) }}

func newCall(ctx context.Context, name string) *call {
	c := calls.Get().(*call)
	*c = call{ctx: ctx, name: name}
	return c
}

func (c *call) free() {
	if c != nil {
		calls.Put(c) // want `c, the pooled call, still leads to what the last user set in ctx`
	}
}

type neatCall struct {
	ctx  context.Context
	name string
}

var neatCalls = sync.Pool{New: func() any { return new(neatCall) }}

func newNeatCall(ctx context.Context, name string) *neatCall {
	c := neatCalls.Get().(*neatCall)
	*c = neatCall{ctx: ctx, name: name}
	return c
}

func (c *neatCall) free() {
	*c = neatCall{}
	neatCalls.Put(c)
}

// A setter that clears when it is called with nil.

type view struct {
	ctx context.Context
	w   http.ResponseWriter
}

var views = sync.Pool{New: func() any { return new(view) }}

func (v *view) Reset(ctx context.Context, w http.ResponseWriter) { v.ctx, v.w = ctx, w }

func render(ctx context.Context, w http.ResponseWriter) {
	v := views.Get().(*view)
	v.Reset(ctx, w)
	v.Reset(nil, nil)
	views.Put(v)
}

type keptView struct {
	ctx context.Context
	w   http.ResponseWriter
}

var keptViews = sync.Pool{New: func() any { return new(keptView) }}

func (v *keptView) Reset(ctx context.Context, w http.ResponseWriter) { v.ctx, v.w = ctx, w }

func renderKept(ctx context.Context, w http.ResponseWriter) {
	v := keptViews.Get().(*keptView)
	v.Reset(ctx, w)
	keptViews.Put(v) // want `v, the pooled keptView, still leads to what the last user set in ctx, w`
}

// What is set back to is a value of the package.

type job struct{ ctx context.Context }

var jobs = sync.Pool{New: func() any { return new(job) }}

func run(ctx context.Context, f func(*job)) {
	j := jobs.Get().(*job)
	j.ctx = ctx
	f(j)
	j.ctx = context.Background()
	jobs.Put(j)
}

// In a generic pool of the package, in an embedded struct.

type pool[T any] struct{ p sync.Pool }

func (p *pool[T]) get() *T {
	if v, ok := p.p.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (p *pool[T]) put(v *T) { p.p.Put(v) }

type base struct{ req *http.Request }

type page struct {
	base
	title string
}

var pages pool[page]

func show(r *http.Request, f func(*page)) {
	p := pages.get()
	p.req = r
	p.title = ""
	f(p)
	pages.put(p) // want `p, the pooled page, still leads to what the last user set in req`
}

// Emptied on the wrong side of the pool.

type node struct{ next *node }

type leaf struct{ up *leaf }

type parse struct {
	nodes []*node
	pos   int
}

var parses = sync.Pool{New: func() any { return new(parse) }}

func (p *parse) add() { p.nodes = append(p.nodes, new(node)) }

func parseAll(n int) []*node {
	p := parses.Get().(*parse)
	*p = parse{}
	defer parses.Put(p) // want `p, the pooled parse, still leads to what the last user set in nodes, which is cleared only after Get`
	for range n {
		p.add()
	}
	return p.nodes
}

type neatParse struct {
	nodes []*node
	pos   int
}

var neatParses = sync.Pool{New: func() any { return new(neatParse) }}

func (p *neatParse) add() { p.nodes = append(p.nodes, new(node)) }

func parseNeat(n int) []*node {
	p := neatParses.Get().(*neatParse)
	defer func() {
		*p = neatParse{}
		neatParses.Put(p)
	}()
	for range n {
		p.add()
	}
	return p.nodes
}

// A wrapper that clears and puts is called after Get, too.

type counter struct {
	w io.Writer
	n int
}

var counters sync.Pool

func takeCounter(w io.Writer) *counter {
	v := counters.Get()
	if v == nil {
		return &counter{w: w}
	}
	c := v.(*counter)
	c.w = w
	return c
}

func dropCounter(c *counter) {
	c.w = nil
	c.n = 0
	counters.Put(c)
}

func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return c.w.Write(b) }

func count(w io.Writer, f func(io.Writer) error) (int, error) {
	c := takeCounter(w)
	err := f(c)
	n := c.n
	dropCounter(c)
	return n, err
}

// A reset that forgets one of the references.

type task struct {
	f    func()
	done func(error)
	next *task
}

var tasks = sync.Pool{New: func() any { return new(task) }}

func spawn(f func(), done func(error)) *task {
	t := tasks.Get().(*task)
	t.set(f, done)
	return t
}

func (t *task) set(f func(), done func(error)) { t.f, t.done = f, done }

func (t *task) recycle() {
	t.f = nil
	t.next = nil
	tasks.Put(t) // want `t, the pooled task, still leads to what the last user set in done, which is not cleared although other fields are`
}

// Kept on purpose: equipment that is made once, the owner of the pool, a logger, and
// values that the package has for all.

type logger interface{ Log(string) }

type owner struct {
	p sync.Pool
	l logger
}

type item struct {
	owner *owner
	log   logger
	buf   *node
	mode  func() int
	next  *item
}

func (o *owner) take() *item {
	i, ok := o.p.Get().(*item)
	if !ok {
		i = new(item)
	}
	i.init(o, o.l, normal)
	return i
}

func normal() int { return 0 }

func (i *item) init(o *owner, l logger, mode func() int) {
	i.owner, i.log, i.mode = o, l, mode
	if i.buf == nil {
		i.buf = new(node)
	}
}

func (i *item) free() {
	i.next = nil
	i.owner.p.Put(i)
}

// Field by field, after Get.

type walker struct {
	visit func(*node) bool
	stack []*node
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

func walk(root *node, visit func(*node) bool) {
	w := walkers.Get().(*walker)
	w.stack = nil
	w.visit = nil
	w.visit = visit
	for n := root; n != nil && w.visit(n); n = n.next {
		w.stack = append(w.stack, n)
	}
	walkers.Put(w) // want `w, the pooled walker, still leads to what the last user set in visit, stack, which is cleared only after Get`
}

// The array is kept, and what it holds is cleared.

type path struct {
	nodes []*node
	n     int
}

var paths = sync.Pool{New: func() any { return new(path) }}

func length(root *node) int {
	p := paths.Get().(*path)
	p.nodes = p.nodes[:0]
	for n := root; n != nil; n = n.next {
		p.nodes = append(p.nodes, n)
	}
	n := len(p.nodes)
	clear(p.nodes)
	paths.Put(p)
	return n
}

// What a reset leaves on purpose: nothing of a caller's.

type frame struct {
	f     func()
	next  *frame
	state *node
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func push(f func(), next *frame) *frame {
	x := frames.Get().(*frame)
	x.f, x.next = f, next
	if x.state == nil {
		x.state = new(node)
	}
	return x
}

func (x *frame) pop() *frame {
	next := x.next
	*x = frame{state: x.state}
	frames.Put(x)
	return next
}

// Cut after Get, and put full.

type batch struct{ list []*leaf }

var batches = sync.Pool{New: func() any { return new(batch) }}

func each(first *leaf, do func([]*leaf)) {
	b := batches.Get().(*batch)
	defer batches.Put(b) // want `b goes to batches \(line 385\) with its elements`
	l := b.list[:0]
	for n := first; n != nil; n = n.up {
		l = append(l, n)
	}
	b.list = l
	do(l)
}

// A type parameter may be a pointer.

type cell[T any] struct {
	value T
	next  *cell[T]
}

type ring[T any] struct {
	p    sync.Pool
	head *cell[T]
}

func (r *ring[T]) add(v T) {
	c, ok := r.p.Get().(*cell[T])
	if !ok {
		c = new(cell[T])
	}
	c.value = v
	c.next = r.head
	r.head = c
}

func (r *ring[T]) drop() {
	c := r.head
	r.head = c.next
	c.next = nil
	r.p.Put(c) // want `c, the pooled cell, still leads to what the last user set in value`
}

// A map that is emptied after Get.

type index struct{ byName map[string]*node }

var indexes = sync.Pool{New: func() any { return &index{byName: map[string]*node{}} }}

func lookup(names []string, n *node) int {
	x := indexes.Get().(*index)
	clear(x.byName)
	for _, s := range names {
		x.byName[s] = n
	}
	size := len(x.byName)
	if size < 1000 {
		indexes.Put(x) // want `x, the pooled index, still leads to what the last user set in byName, which is cleared only after Get`
	}
	return size
}

type neatIndex struct{ byName map[string]*node }

var neatIndexes = sync.Pool{New: func() any { return &neatIndex{byName: map[string]*node{}} }}

func lookupNeat(names []string, n *node) int {
	x := neatIndexes.Get().(*neatIndex)
	for _, s := range names {
		x.byName[s] = n
	}
	size := len(x.byName)
	clear(x.byName)
	if size < 1000 {
		neatIndexes.Put(x)
	}
	return size
}

// An interner keeps what it has.

type intern struct{ seen map[string]*node }

var interns = sync.Pool{New: func() any { return &intern{seen: map[string]*node{}} }}

func unique(s string) *node {
	x := interns.Get().(*intern)
	n := x.seen[s]
	if n == nil {
		n = new(node)
		if len(x.seen) < 1000 {
			x.seen[s] = n
		}
	}
	interns.Put(x)
	return n
}

// Set back to equipment by those who put.

type coder struct {
	w   io.Writer
	tab *node
	err error
}

var coders = sync.Pool{New: func() any { return &coder{w: new(plain)} }}

type plain struct{ b []byte }

func (p *plain) Write(b []byte) (int, error) { p.b = append(p.b, b...); return len(b), nil }

func (c *coder) Reset(w io.Writer) {
	c.w = w
	c.err = nil
	c.tab = nil
}

func code(f func(*coder)) {
	c := coders.Get().(*coder)
	p, _ := c.w.(*plain)
	defer func() {
		p.b = p.b[:0]
		c.Reset(p)
		coders.Put(c)
	}()
	f(c)
}

func codeTo(w io.Writer, c *coder, f func(*coder)) {
	c.Reset(w)
	f(c)
}

// Cleared as bytes.

type iter struct {
	hook func()
	next *iter
	pos  int
}

var iters = sync.Pool{New: func() any { return new(iter) }}

func newIter(hook func()) *iter {
	i := iters.Get().(*iter)
	i.hook = hook
	return i
}

func (i *iter) reset() { *(*[16]byte)(unsafe.Pointer(i)) = [16]byte{} }

func (i *iter) close() {
	i.next = nil
	i.reset()
	iters.Put(i)
}
