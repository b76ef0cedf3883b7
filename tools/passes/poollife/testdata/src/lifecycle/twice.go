// Objects that put what they hold when they are closed, closed twice.
package lifecycle

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

type page struct {
	b [64]byte
	n int
}

var pages = sync.Pool{New: func() any { return new(page) }}

// A stream has no guard: a second Close puts the page again.
type stream struct {
	p *page
	r io.Reader
}

func newStream(r io.Reader) *stream { return &stream{pages.Get().(*page), r} }

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.r.Read(s.p.b[:])
	return copy(p, s.p.b[:n]), err
}

func (s *stream) Close() error {
	pages.Put(s.p)
	return nil
}

// A careful one is the same with a guard.
type careful struct {
	p *page
	r io.Reader
}

func newCareful(r io.Reader) *careful { return &careful{pages.Get().(*page), r} }

func (s *careful) Read(p []byte) (int, error) {
	if s.p == nil {
		return 0, io.EOF
	}
	n, err := s.r.Read(s.p.b[:])
	return copy(p, s.p.b[:n]), err
}

func (s *careful) Close() error {
	if s.p == nil {
		return nil
	}
	pages.Put(s.p)
	s.p = nil
	return nil
}

// What a type keeps from its making is the same after code that is not in view.
type limited struct {
	rc io.ReadCloser
	n  int64
}

func (l *limited) Read(p []byte) (int, error) { return l.rc.Read(p) }
func (l *limited) Close() error               { return l.rc.Close() }

func limit(rc io.ReadCloser, n int64) io.ReadCloser { return &limited{rc, n} }

func wrapperAndOwner(r io.Reader) (int64, error) {
	in := newStream(r)
	defer in.Close() // want `l is put in pages a second time`
	l := limit(in, 10)
	defer l.Close()
	return io.Copy(io.Discard, l)
}

func wrapperAlone(r io.Reader) (int64, error) {
	l := limit(newStream(r), 10)
	defer l.Close()
	return io.Copy(io.Discard, l)
}

func wrapperOfCareful(r io.Reader) (int64, error) {
	in := newCareful(r)
	defer in.Close()
	l := limit(in, 10)
	defer l.Close()
	return io.Copy(io.Discard, l)
}

// A function in a field, run by two methods.
type lease struct {
	io.Reader
	done func() error
}

func (l *lease) Close() error { return l.done() }

func borrow(r io.Reader) io.ReadCloser {
	s := newStream(r)
	return &lease{s, func() error { pages.Put(s.p); return nil }}
}

func borrowOnce(r io.Reader) io.ReadCloser {
	s := newStream(r)
	var ended atomic.Bool
	return &lease{s, func() error {
		if ended.CompareAndSwap(false, true) {
			pages.Put(s.p)
		}
		return nil
	}}
}

func closedOnError(w io.Writer, r io.Reader) error {
	l := borrow(r)
	defer l.Close() // want `l is put in pages a second time`
	_, err := io.Copy(w, l)
	if err != nil {
		l.Close()
	}
	return err
}

func closedOnceOnError(w io.Writer, r io.Reader) error {
	l := borrowOnce(r)
	defer l.Close()
	_, err := io.Copy(w, l)
	if err != nil {
		l.Close()
	}
	return err
}

func closedAtTheEnd(w io.Writer, r io.Reader) error {
	l := borrow(r)
	_, err := io.Copy(w, l)
	l.Close()
	return err
}

// An interface with several implementations, one of which holds a page.
type source interface {
	next() (byte, error)
	close()
}

type nothing struct{}

func (nothing) next() (byte, error) { return 0, io.EOF }
func (nothing) close()              {}

type file struct{ p *page }

func (f *file) next() (byte, error) {
	_, err := os.Stdin.Read(f.p.b[:])
	return f.p.b[0], err
}

func (f *file) close() { pages.Put(f.p) }

type guarded struct {
	p    *page
	once sync.Once
}

func (g *guarded) next() (byte, error) { return 0, io.EOF }
func (g *guarded) close()              { g.once.Do(func() { pages.Put(g.p) }) }

type scanner struct{ src source }

func newScanner(kind int) *scanner {
	if kind == 0 {
		return &scanner{nothing{}}
	}
	return &scanner{&file{pages.Get().(*page)}}
}

func (s *scanner) stop() { s.src.close() }

func (s *scanner) run() error {
	_, err := s.src.next()
	if err != nil {
		s.src.close()
	}
	return err
}

func (s *scanner) try() error {
	_, err := s.src.next()
	return err
}

func scan(s *scanner) error {
	defer s.stop() // want `s is put in pages a second time`
	return s.run()
}

func scanTry(s *scanner) error {
	defer s.stop()
	return s.try()
}

type guardedScanner struct{ src source }

func newGuardedScanner(kind int) *guardedScanner {
	if kind == 0 {
		return &guardedScanner{nothing{}}
	}
	return &guardedScanner{&guarded{p: pages.Get().(*page)}}
}

func scanGuarded(s *guardedScanner) error {
	defer s.src.close()
	_, err := s.src.next()
	if err != nil {
		s.src.close()
	}
	return err
}

// Constructors in a map.
var kinds = map[string]func(io.Reader) io.ReadCloser{
	"":     func(r io.Reader) io.ReadCloser { return io.NopCloser(r) },
	"page": func(r io.Reader) io.ReadCloser { return newStream(r) },
}

func byKind(kind string, r io.Reader) error {
	open := kinds[kind]
	if open == nil {
		return errors.New("unknown kind")
	}
	s := open(r)
	defer s.Close() // want `s is put in pages a second time`
	if _, err := io.Copy(io.Discard, s); err != nil {
		return err
	}
	return s.Close()
}

var carefulKinds = map[string]func(io.Reader) io.ReadCloser{
	"":     func(r io.Reader) io.ReadCloser { return io.NopCloser(r) },
	"page": func(r io.Reader) io.ReadCloser { return newCareful(r) },
}

func byCarefulKind(kind string, r io.Reader) error {
	open := carefulKinds[kind]
	if open == nil {
		return errors.New("unknown kind")
	}
	s := open(r)
	defer s.Close()
	if _, err := io.Copy(io.Discard, s); err != nil {
		return err
	}
	return s.Close()
}

// Iterators that their reader closes, and their container as well.
type iter struct{ p *page }

func (i *iter) Close() { pages.Put(i.p) }

type table struct{ its []*iter }

func (t *table) iter() *iter {
	i := &iter{p: pages.Get().(*page)}
	t.its = append(t.its, i)
	return i
}

func (t *table) finish() {
	for _, i := range t.its {
		i.Close()
	}
}

func readerCloses(t *table) int {
	i := t.iter()
	n := i.p.n
	i.Close()
	t.finish() // want `i is put in pages a second time`
	return n
}

func containerCloses(t *table) int {
	n := t.iter().p.n + t.iter().p.n
	t.finish()
	return n
}

func newTable() int {
	t := new(table)
	defer t.finish()
	return t.iter().p.n
}

type index struct{ its map[int]*iter }

func (x *index) iter(n int) *iter {
	i := &iter{p: pages.Get().(*page)}
	x.its[n] = i
	return i
}

func (x *index) finish() {
	for _, i := range x.its {
		i.Close()
	}
}

func indexReaderCloses(x *index, n int) {
	x.iter(n).Close()
	x.finish() // want `is put in pages a second time`
}

func indexReaderRemoves(x *index, n int) {
	x.iter(n).Close()
	delete(x.its, n)
	x.finish()
}

// Iterators over iterators: what was closed on the way is closed at the end again.
type iterator interface {
	Next() bool
	Close() error
}

type none struct{}

func (none) Next() bool   { return false }
func (none) Close() error { return nil }

type leaf struct{ p *page }

func (l *leaf) Next() bool   { _, err := os.Stdin.Read(l.p.b[:]); return err == nil }
func (l *leaf) Close() error { pages.Put(l.p); return nil }

func newLeaf() iterator { return &leaf{pages.Get().(*page)} }

type chain struct {
	its []iterator
	cur int
}

func (c *chain) Next() bool {
	for c.cur < len(c.its) {
		if c.its[c.cur].Next() {
			return true
		}
		c.its[c.cur].Close()
		c.cur++
	}
	return false
}

func (c *chain) Close() error {
	for _, i := range c.its {
		i.Close() // want `is put in pages a second time`
	}
	return nil
}

type cleanChain struct {
	its []iterator
	cur int
}

func (c *cleanChain) Next() bool {
	for c.cur < len(c.its) {
		if c.its[c.cur].Next() {
			return true
		}
		c.its[c.cur].Close()
		c.cur++
	}
	return false
}

func (c *cleanChain) Close() error {
	for _, i := range c.its[c.cur:] {
		i.Close()
	}
	return nil
}

type emptiedChain struct {
	its []iterator
	cur int
}

func (c *emptiedChain) Next() bool {
	if c.its[c.cur].Next() {
		return true
	}
	c.its[c.cur].Close()
	c.its[c.cur] = none{}
	return false
}

func (c *emptiedChain) Close() error {
	for _, i := range c.its {
		i.Close()
	}
	return nil
}

func chains(n int) []iterator {
	a, b, c := new(chain), new(cleanChain), new(emptiedChain)
	for range n {
		a.its = append(a.its, newLeaf())
		b.its = append(b.its, newLeaf())
		c.its = append(c.its, newLeaf())
	}
	return []iterator{a, b, c}
}

// Snapshot is for others to use: what it gives out has a Close of its own.
type Snapshot struct{ its []*Cursor }

// Cursor is one of a Snapshot's.
type Cursor struct{ p *page }

// Close puts the page.
func (c *Cursor) Close() { pages.Put(c.p) }

// Cursor gives one out, and keeps it.
func (s *Snapshot) Cursor() *Cursor {
	c := &Cursor{pages.Get().(*page)}
	s.its = append(s.its, c)
	return c
}

// Close closes all cursors.
func (s *Snapshot) Close() {
	for _, c := range s.its {
		c.Close() // want `is put in pages a second time`
	}
}

// Books is the same with a guard.
type Books struct{ its []*Book }

// Book is one of them.
type Book struct{ p *page }

// Close puts the page, once.
func (b *Book) Close() {
	if p := b.p; p != nil {
		b.p = nil
		pages.Put(p)
	}
}

// Book gives one out, and keeps it.
func (s *Books) Book() *Book {
	b := &Book{pages.Get().(*page)}
	s.its = append(s.its, b)
	return b
}

// Close closes all books.
func (s *Books) Close() {
	for _, b := range s.its {
		b.Close()
	}
}

// A number that is counted up to a limit is no number of references.
type rows struct {
	p *page
	n int
}

func (r *rows) Close() { pages.Put(r.p) } // want `r.p is put in pages a second time`

func (r *rows) Next() bool {
	r.n++
	if r.n > 3 {
		r.Close()
		return false
	}
	return true
}

func oneRow(r *rows) int {
	defer r.Close() // want `r is put in pages a second time`
	if !r.Next() {
		return 0
	}
	return r.p.n
}

type shared struct {
	p    *page
	refs int
}

func (s *shared) Close() {
	s.refs--
	if s.refs == 0 {
		pages.Put(s.p)
	}
}

func twoRefs(s *shared) {
	defer s.Close()
	s.Close()
}

// An owner that was given the page puts it.
type owner struct{ p *page }

func newOwner(p *page) *owner { return &owner{p} }

func (o *owner) Close() error {
	_, err := os.Stdout.Write(o.p.b[:])
	pages.Put(o.p)
	return err
}

func bothPut() error {
	p := pages.Get().(*page)
	o := newOwner(p)
	if err := o.Close(); err != nil {
		pages.Put(p) // want `o is put in pages a second time`
		return err
	}
	return nil
}

func ownerPuts() error {
	p := pages.Get().(*page)
	o := newOwner(p)
	return o.Close()
}

// A container of a type parameter.
type group[T interface{ Close() }] struct{ items []T }

func (g *group[T]) add(x T) T {
	g.items = append(g.items, x)
	return x
}

func (g *group[T]) Close() {
	for _, x := range g.items {
		x.Close()
	}
}

func groupAndItem() int {
	var g group[*iter]
	defer g.Close() // want `put in pages a second time`
	i := g.add(&iter{pages.Get().(*page)})
	n := i.p.n
	i.Close()
	return n
}

func groupAlone() int {
	var g group[*iter]
	defer g.Close()
	return g.add(&iter{pages.Get().(*page)}).p.n
}

// A copy of an object holds the same page.
type record struct {
	p  *page
	id int
}

func (r *record) clone() *record {
	c := *r
	c.id++
	return &c
}

func (r *record) Release() {
	if r.p != nil {
		pages.Put(r.p)
		r.p = nil
	}
}

func cloneAndOriginal() int {
	r := &record{p: pages.Get().(*page)}
	defer r.Release() // want `put in pages a second time`
	c := r.clone()
	defer c.Release()
	return c.p.n
}

func cloneAlone() int {
	r := &record{p: pages.Get().(*page)}
	c := r.clone()
	defer c.Release()
	return c.p.n
}

// What a loop puts it takes out of the map, so that the next round finds others.
func (x *index) expire(limit int) {
	for n, i := range x.its {
		if n < limit {
			delete(x.its, n)
			i.Close()
		}
	}
}

func expireOften(x *index, limits []int) {
	for _, n := range limits {
		x.expire(n)
	}
}

func expireAll(x *index) {
	x.finish()
	clear(x.its)
	x.finish()
}
