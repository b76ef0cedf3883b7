// Package leftcount has pooled readers that count what is left of a record.
package leftcount

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

func recordSize(r *bufio.Reader) (int, error) {
	var h [2]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint16(h[:])), nil
}

// The rest is skipped where the value is put, and whether that failed makes no difference.
type tape struct {
	src  *bufio.Reader
	name string
	left int
	pos  int64
}

var tapes = sync.Pool{New: func() any { return new(tape) }}

func playTape(src *bufio.Reader, name string) *tape {
	t := tapes.Get().(*tape)
	t.src = src
	t.name = name
	return t
}

func (t *tape) Read(p []byte) (int, error) {
	if t.left == 0 {
		n, err := recordSize(t.src)
		if err != nil {
			return 0, err
		}
		t.left = n
	}
	n, err := t.src.Read(p[:min(len(p), t.left)])
	t.left -= n
	t.pos += int64(n)
	return n, err
}

func (t *tape) skip() error {
	for t.left > 0 {
		n, err := t.src.Discard(t.left)
		t.left -= n
		if err != nil {
			return err
		}
	}
	return nil
}

func ejectTape(r io.Reader) error {
	t, ok := r.(*tape)
	if !ok {
		return nil
	}
	err := t.skip()
	t.src = nil
	t.name = ""
	t.pos = 0
	tapes.Put(t) // want `field left of the pooled tape counts what is left of what src told`
	return err
}

// A deferred Put, past which errors leave in the middle of a record; the source is an interface.
type lengths interface {
	Next() (int64, error)
	Discard(n int64) error
}

type walker struct {
	over lengths
	todo int64
	seen int
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

func take(over lengths) *walker {
	w := walkers.Get().(*walker)
	w.over, w.seen = over, 0
	return w
}

func leave(w *walker) {
	w.over = nil
	walkers.Put(w) // want `field todo of the pooled walker counts what is left of what over told`
}

func (w *walker) step(most int64) (err error) {
	if w.todo == 0 {
		if w.todo, err = w.over.Next(); err != nil {
			return err
		}
	}
	n := min(most, w.todo)
	if err := w.over.Discard(n); err != nil {
		return err
	}
	w.todo -= n
	w.seen++
	return nil
}

func count(over lengths, steps int, each func(*walker)) (int, error) {
	w := take(over)
	defer leave(w)
	for range steps {
		if err := w.step(16); err != nil {
			return 0, err
		}
		each(w)
	}
	return w.seen, nil
}

// Set for each use.
type reel struct {
	src  *bufio.Reader
	left int
}

var reels = sync.Pool{New: func() any { return new(reel) }}

func takeReel(src *bufio.Reader) *reel {
	r := reels.Get().(*reel)
	*r = reel{src: src}
	return r
}

func (r *reel) next(p []byte) (n int, err error) {
	if r.left == 0 {
		if r.left, err = recordSize(r.src); err != nil {
			return 0, err
		}
	}
	n, err = r.src.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

func useReel(src *bufio.Reader, p []byte) (int, error) {
	r := takeReel(src)
	defer reels.Put(r)
	return r.next(p)
}

// Set back for the next.
type spool struct {
	src  *bufio.Reader
	left int
}

var spools = sync.Pool{New: func() any { return new(spool) }}

func takeSpool(src *bufio.Reader) *spool {
	s := spools.Get().(*spool)
	s.src = src
	return s
}

func putSpool(s *spool) {
	s.src, s.left = nil, 0
	spools.Put(s)
}

func (s *spool) next(p []byte) (n int, err error) {
	if s.left == 0 {
		if s.left, err = recordSize(s.src); err != nil {
			return 0, err
		}
	}
	n, err = s.src.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

func useSpool(src *bufio.Reader, p []byte) (int, error) {
	s := takeSpool(src)
	defer putSpool(s)
	return s.next(p)
}

// Put only where the rest was read, or where nothing is left.
type roll struct {
	src  *bufio.Reader
	left int
}

var rolls = sync.Pool{New: func() any { return new(roll) }}

func takeRoll(src *bufio.Reader) *roll {
	r := rolls.Get().(*roll)
	r.src = src
	return r
}

func (r *roll) next(p []byte) (n int, err error) {
	if r.left == 0 {
		if r.left, err = recordSize(r.src); err != nil {
			return 0, err
		}
	}
	n, err = r.src.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

func (r *roll) finish() error {
	n, err := r.src.Discard(r.left)
	r.left -= n
	return err
}

func putRoll(r *roll) error {
	if err := r.finish(); err != nil {
		return err
	}
	r.src = nil
	rolls.Put(r)
	return nil
}

type strip struct {
	src  *bufio.Reader
	left int
}

var strips = sync.Pool{New: func() any { return new(strip) }}

func takeStrip(src *bufio.Reader) *strip {
	s := strips.Get().(*strip)
	s.src = src
	return s
}

func (s *strip) next(p []byte) (n int, err error) {
	if s.left == 0 {
		if s.left, err = recordSize(s.src); err != nil {
			return 0, err
		}
	}
	n, err = s.src.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

func putStrip(s *strip) {
	if s.left != 0 {
		return
	}
	s.src = nil
	strips.Put(s)
}

func useStrip(src *bufio.Reader, p []byte) (int, error) {
	s := takeStrip(src)
	defer putStrip(s)
	return s.next(p)
}

// What is left of a batch of numbers stays with the value: they come from one source for all.
type numbers interface {
	Reserve(n int) (int, error)
}

type batch struct {
	from numbers
	next int
	left int
	out  []int
}

var batches = sync.Pool{New: func() any { return new(batch) }}

var errNone = errors.New("none")

func (b *batch) one() (int, error) {
	if b.left == 0 {
		n, err := b.from.Reserve(64)
		if err != nil || n == 0 {
			return 0, errNone
		}
		b.left = n
	}
	b.left -= 1
	b.next++
	return b.next, nil
}

type issuer struct {
	from numbers
	pool sync.Pool
}

func newIssuer(from numbers) *issuer {
	i := &issuer{from: from}
	i.pool.New = func() any { return &batch{from: from} }
	return i
}

func (i *issuer) issue() (int, error) {
	b := i.pool.Get().(*batch)
	defer i.pool.Put(b)
	b.out = b.out[:0]
	return b.one()
}

// What was learned is kept: nothing is taken away from it.
type guess struct {
	src  *bufio.Reader
	size int
}

var guesses = sync.Pool{New: func() any { return new(guess) }}

func read(src *bufio.Reader) ([]byte, error) {
	g := guesses.Get().(*guess)
	defer guesses.Put(g)
	g.src = src
	if g.size == 0 {
		n, err := recordSize(g.src)
		if err != nil {
			return nil, err
		}
		g.size = n
	}
	b := make([]byte, g.size)
	_, err := io.ReadFull(g.src, b)
	return b, err
}
