package callbacks

import (
	"bufio"
	"sync"
)

// A callback says whether it takes over what it is given.
type lot struct{ n []int }

var lots = sync.Pool{New: func() any { return new(lot) }}

type verdict int

const (
	taken verdict = iota
	refused
)

type feeder struct {
	judge func(*lot) verdict
	take  func(*lot) bool
	s     *bufio.Scanner
}

func (f *feeder) judged() error {
	l := lots.Get().(*lot)
	for f.s.Scan() {
		l.n = append(l.n[:0], len(f.s.Bytes()))
		switch f.judge(l) {
		case taken:
			l = lots.Get().(*lot)
		case refused:
			l.n = l.n[:0]
		}
	}
	if err := f.s.Err(); err != nil {
		lots.Put(l)
		return err
	}
	lots.Put(l)
	return nil
}

func (f *feeder) asked() error {
	l := lots.Get().(*lot)
	for f.s.Scan() {
		l.n = append(l.n[:0], len(f.s.Bytes()))
		if f.take(l) {
			l = lots.Get().(*lot)
		}
	}
	if err := f.s.Err(); err != nil {
		lots.Put(l)
		return err
	}
	lots.Put(l)
	return nil
}

// Here an error ends the loop.
func failing(next func() bool, use func(*lot) error) error {
	l := lots.Get().(*lot) // want `l, taken from lots at line 63, is not put back on the path that ends here`
	for next() {
		l.n = l.n[:0]
		if err := use(l); err != nil {
			return err
		}
	}
	lots.Put(l)
	return nil
}

// Nothing is asked of the callback.
func unasked(next func() bool, check func() error, use func(*lot) verdict) error {
	l := lots.Get().(*lot) // want `l, taken from lots at line 76, is not put back on the path that ends here`
	for next() {
		l.n = l.n[:0]
		use(l)
		if err := check(); err != nil {
			return err
		}
	}
	lots.Put(l)
	return nil
}
