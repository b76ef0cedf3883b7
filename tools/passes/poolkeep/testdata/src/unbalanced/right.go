package unbalanced

import (
	"errors"
	"sync"
)

// Right: set back before the Put.
type scanner struct {
	in    string
	depth int
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (r *scanner) list() error {
	r.depth++
	if r.depth > 64 {
		return errors.New("too deep")
	}
	r.depth--
	return nil
}

func scan(s string) error {
	r := scanners.Get().(*scanner)
	r.in = s
	err := r.list()
	r.in, r.depth = "", 0
	scanners.Put(r)
	return err
}

// Right: a deferred function brings it down whatever happens.
type walker struct{ depth int }

var walkers = sync.Pool{New: func() any { return new(walker) }}

func (w *walker) step(n int) error {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > 64 {
		return errors.New("too deep")
	}
	if n > 0 {
		return w.step(n - 1)
	}
	return nil
}

func walk(n int) error {
	w := walkers.Get().(*walker)
	defer walkers.Put(w)
	return w.step(n)
}

// Right: it comes down before the error is returned.
type nester struct{ level int }

var nesters = sync.Pool{New: func() any { return new(nester) }}

func (n *nester) enter(f func() error) error {
	n.level++
	err := f()
	n.level--
	if err != nil {
		return errors.New("within: " + err.Error())
	}
	return nil
}

func nest(f func() error) error {
	n := nesters.Get().(*nester)
	defer nesters.Put(n)
	return n.enter(f)
}

// Right: what failed is not put.
type frames struct{ open []int }

var framesPool = sync.Pool{New: func() any { return new(frames) }}

func (f *frames) push(n int) { f.open = append(f.open, n) }
func (f *frames) pop()       { f.open = f.open[:len(f.open)-1] }

func (f *frames) run(in []int) error {
	for _, n := range in {
		if n < 0 {
			return errors.New("negative")
		}
		f.push(n)
	}
	for range in {
		f.pop()
	}
	return nil
}

func run(in []int) error {
	f := framesPool.Get().(*frames)
	if err := f.run(in); err != nil {
		return err
	}
	framesPool.Put(f)
	return nil
}

// Right: the count says who still has it.
type shared struct {
	users int
	data  []byte
}

var sharedPool = sync.Pool{New: func() any { return new(shared) }}

func (s *shared) hold() { s.users++ }

func (s *shared) drop() {
	if s.users--; s.users == 0 {
		sharedPool.Put(s)
	}
}

func send(s *shared, to func(*shared) error) error {
	s.hold()
	if err := to(s); err != nil {
		return errors.New("not sent: " + err.Error())
	}
	s.drop()
	return nil
}

func take() *shared {
	s := sharedPool.Get().(*shared)
	s.hold()
	return s
}
