// SPDX-License-Identifier: BSD-3-Clause

package leftopen

import (
	"errors"
	"io"
	"sync"
)

// Iterators that have values from a pool until they are closed.

type slab struct{ data [4096]byte }

var slabs = sync.Pool{New: func() any { return new(slab) }}

type quarry struct {
	from io.Reader
	cut  []*slab
}

func (q *quarry) dig() (*slab, error) {
	s := slabs.Get().(*slab)
	q.cut = append(q.cut, s)
	if _, err := io.ReadFull(q.from, s.data[:]); err != nil {
		return nil, err
	}
	return s, nil
}

func (q *quarry) Close() {
	for _, s := range q.cut {
		slabs.Put(s)
	}
	q.cut = nil
}

// A row has several quarries, one after the other.
type row struct {
	all []*quarry
	now *slab
	err error
}

func newRow(all ...*quarry) *row { return &row{all: all} }

func (r *row) Next() bool {
	for len(r.all) > 0 {
		q := r.all[0]
		s, err := q.dig()
		if err == nil {
			r.now = s
			return true
		}
		if !errors.Is(err, io.EOF) {
			r.err = err
			return false
		}
		q.Close()
		r.all = r.all[1:]
	}
	return false
}

func (r *row) Close() {
	for _, q := range r.all {
		q.Close()
	}
	r.all = nil
}

// Wrong: where one is not taken, the row is left as it is.
func haul(sites []io.Reader, load func(*[4096]byte) error) error {
	var all []*quarry
	for _, s := range sites {
		all = append(all, &quarry{from: s})
	}
	r := newRow(all...)
	for r.Next() {
		if err := load(&r.now.data); err != nil {
			return err // want `r is left here before its end, and not closed: what cut holds by then, taken from a pool, is not put back; defer its Close`
		}
	}
	return r.err
}

// Right: it is closed in any case.
func haulRight(sites []io.Reader, load func(*[4096]byte) error) error {
	var all []*quarry
	for _, s := range sites {
		all = append(all, &quarry{from: s})
	}
	r := newRow(all...)
	defer r.Close()
	for r.Next() {
		if err := load(&r.now.data); err != nil {
			return err
		}
	}
	return r.err
}

// Right: the quarries are.
func haulParts(sites []io.Reader, load func(*[4096]byte) error) error {
	var all []*quarry
	for _, s := range sites {
		q := &quarry{from: s}
		defer q.Close()
		all = append(all, q)
	}
	r := newRow(all...)
	for r.Next() {
		if err := load(&r.now.data); err != nil {
			return err
		}
	}
	return r.err
}

// Right: the caller has the quarries.
func haulFrom(all []*quarry, load func(*[4096]byte) error) error {
	r := newRow(all...)
	for r.Next() {
		if err := load(&r.now.data); err != nil {
			return err
		}
	}
	return r.err
}

// Right: the row is left at its end only.
func haulAll(sites []io.Reader, load func(*[4096]byte)) {
	var all []*quarry
	for _, s := range sites {
		all = append(all, &quarry{from: s})
	}
	r := newRow(all...)
	for r.Next() {
		load(&r.now.data)
	}
}

// Right: somebody else has it, too.
func haulKept(sites []io.Reader, keep func(*row), load func(*[4096]byte) error) error {
	var all []*quarry
	for _, s := range sites {
		all = append(all, &quarry{from: s})
	}
	r := newRow(all...)
	keep(r)
	for r.Next() {
		if err := load(&r.now.data); err != nil {
			return err
		}
	}
	return r.err
}

// A well is one iterator by itself.
type well[T any] struct {
	bucket *slab
	n      int
	draw   func([]byte) (T, int)
	last   T
}

func (w *well[T]) More() (ok bool) {
	if w.bucket == nil {
		w.bucket = slabs.Get().(*slab)
	}
	w.last, w.n = w.draw(w.bucket.data[:])
	if w.n == 0 {
		w.Free()
		return false
	}
	return true
}

func (w *well[T]) Free() {
	if w.bucket != nil {
		slabs.Put(w.bucket)
		w.bucket = nil
	}
}

// Wrong: who has enough forgets the bucket.
func drink(draw func([]byte) (int, int), enough int) (sum int) {
	w := &well[int]{draw: draw}
	for sum < enough && w.More() { // want `w.bucket, taken from slabs at line \d+, is not put back on the path that ends here`
		sum += w.last
		if sum < 0 {
			return 0
		}
	}
	return sum
}

// Right: the bucket is freed on both ways.
func drinkRight(draw func([]byte) (int, int), enough int) (sum int) {
	w := &well[int]{draw: draw}
	for w.More() {
		sum += w.last
		if sum >= enough {
			w.Free()
			return sum
		}
	}
	return sum
}

// A spring puts what it has before it tells of more.
type spring struct {
	cup  *slab
	from io.Reader
	sum  int
}

func (s *spring) Next() bool {
	s.cup = slabs.Get().(*slab)
	n, err := s.from.Read(s.cup.data[:])
	s.sum += n
	s.Close()
	return err == nil
}

func (s *spring) Close() {
	if s.cup != nil {
		slabs.Put(s.cup)
		s.cup = nil
	}
}

// Right: nothing is in the spring.
func sip(from io.Reader, most int) int {
	s := &spring{from: from}
	for s.Next() {
		if s.sum > most {
			return most
		}
	}
	return s.sum
}

// A ladle tells of its end by an error, and who makes it may fail.
type ladle struct {
	pots []*slab
	from io.Reader
}

var errNoReader = errors.New("no reader")

func newLadle(from io.Reader, most int) (*ladle, error) {
	if from == nil {
		return nil, errNoReader
	}
	l := &ladle{from: io.LimitReader(from, int64(most))}
	return l, nil
}

func (l *ladle) Scoop() (n int, err error) {
	s := slabs.Get().(*slab)
	l.pots = append(l.pots, s)
	n, err = l.from.Read(s.data[:])
	if err != nil {
		l.Destroy()
		return 0, err
	}
	return n, nil
}

func (l *ladle) Peek() byte { return l.pots[len(l.pots)-1].data[0] }

func (l *ladle) Destroy() {
	for _, s := range l.pots {
		slabs.Put(s)
	}
	l.pots = nil
}

func (l *ladle) empty() { l.Destroy() }

// Wrong: who has enough goes.
func stir(from io.Reader, most int) (sum int, err error) {
	l, err := newLadle(from, most)
	if err != nil {
		return 0, err
	}
	for {
		n, err := l.Scoop()
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
		sum += n
		if l.Peek() == 0 {
			return sum, nil // want `l is left here before its end, and not closed: what pots holds by then, taken from a pool, is not put back; defer its Destroy`
		}
	}
}

// Wrong: the loop is left before the end, and both ways meet.
func stirUntil(from io.Reader, most int) (sum int) {
	l, err := newLadle(from, most)
	if err != nil {
		return 0
	}
	for {
		n, err := l.Scoop()
		if err != nil {
			break
		}
		sum += n
		if sum > most { // want `l is left here before its end, and not closed`
			break
		}
	}
	return sum
}

// Right: the ladle is emptied by another name.
func stirEmptied(from io.Reader, most int) (sum int) {
	l, err := newLadle(from, most)
	if err != nil {
		return 0
	}
	for {
		n, err := l.Scoop()
		if err != nil {
			break
		}
		sum += n
		if sum > most {
			break
		}
	}
	l.empty()
	return sum
}

// Right: only what failed is left, and that put what it had.
func stirAll(from io.Reader, most int) (sum int, err error) {
	l, err := newLadle(from, most)
	if err != nil {
		return 0, err
	}
	for {
		n, err := l.Scoop()
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
		sum += n
	}
}

var kept []*ladle

func newKeptLadle(from io.Reader) *ladle {
	l := &ladle{from: from}
	kept = append(kept, l)
	return l
}

// Right: who keeps all ladles may destroy them.
func stirKept(from io.Reader, most int) (sum int) {
	l := newKeptLadle(from)
	for {
		n, err := l.Scoop()
		if err != nil {
			return sum
		}
		if sum += n; sum > most {
			return most
		}
	}
}

// A tap gives its cups to those who drink.
type tap struct {
	cup  *slab
	from io.Reader
}

func (t *tap) Run() (bool, error) {
	s := slabs.Get().(*slab)
	t.cup = s
	_, err := t.from.Read(s.data[:])
	if err == io.EOF {
		t.Free()
		return false, nil
	}
	return err == nil, err
}

func (t *tap) Cup() *slab {
	s := t.cup
	t.cup = nil
	return s
}

func (t *tap) Free() {
	if t.cup != nil {
		slabs.Put(t.cup)
		t.cup = nil
	}
}

// Right: each who drinks puts the cup.
func serve(from io.Reader, guest func(*slab) error) error {
	t := &tap{from: from}
	for {
		more, err := t.Run()
		if err != nil {
			t.Free()
			return err
		}
		if !more {
			return nil
		}
		if err := guest(t.Cup()); err != nil {
			return err
		}
	}
}

type brewery struct{ pool sync.Pool }

type vat struct {
	of   *brewery
	full []*slab
}

func (v *vat) Fill(n int) bool {
	s, ok := v.of.pool.Get().(*slab)
	if !ok {
		s = new(slab)
	}
	v.full = append(v.full, s)
	return n > len(v.full)
}

func (v *vat) Close() {
	for _, s := range v.full {
		v.of.pool.Put(s)
	}
	v.full = nil
}

// Right: the pool is gone with the vat.
func brew(n int, done func() bool) int {
	b := &brewery{}
	v := &vat{of: b}
	for v.Fill(n) {
		if done() {
			return 0
		}
	}
	v.Close()
	return n
}

// Wrong: the pool is somebody else's, and has no vats that were left.
func brewAt(b *brewery, n int, done func() bool) int {
	v := &vat{of: b}
	for v.Fill(n) {
		if done() {
			return 0 // want `v is left here before its end, and not closed: what full holds by then, taken from a pool, is not put back; defer its Close`
		}
	}
	v.Close()
	return n
}
