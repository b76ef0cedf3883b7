package partly

import (
	"errors"
	"strconv"
	"sync"
)

// Wrong: what decides are fields that are set for each use.
type reading struct {
	text string
	mode int
	out  any
	errs []error
}

var readings = sync.Pool{New: func() any { return new(reading) }}

func newReading(text string) *reading {
	r := readings.Get().(*reading)
	r.text = text
	r.errs = nil
	return r
}

func Number(text string) (any, error) {
	r := newReading(text)
	defer readings.Put(r) // want `still leads to what the last user set in errs`
	v := r.run(1)         // want `field out of the reading from a pool is set only where it applies`
	return v, errors.Join(r.errs...)
}

func (r *reading) run(mode int) any {
	r.mode = mode
	r.step()
	return r.out
}

func (r *reading) step() {
	if r.mode == 1 {
		n, err := strconv.Atoi(r.text)
		if err != nil {
			r.errs = append(r.errs, err)
			return
		}
		r.out = n
	}
}

// Right: the caller looks at the errors first.
type parsing struct {
	text string
	out  any
	err  error
}

var parsings = sync.Pool{New: func() any { return new(parsing) }}

func newParsing(text string) *parsing {
	r := parsings.Get().(*parsing)
	r.text = text
	r.err = nil
	return r
}

func Parsed(text string) (any, error) {
	r := newParsing(text)
	defer parsings.Put(r)
	v := r.run()
	if r.err != nil {
		return nil, r.err
	}
	return v, nil
}

func (r *parsing) run() any {
	r.step()
	return r.out
}

func (r *parsing) step() {
	n, err := strconv.Atoi(r.text)
	if err != nil {
		r.err = err
		return
	}
	r.out = n
}

// Right: a state that nobody sets says whether it is set.
type lazy struct {
	text string
	have bool
	out  any
}

var lazies = sync.Pool{New: func() any { return new(lazy) }}

func Lazy(text string) any {
	l := lazies.Get().(*lazy)
	defer lazies.Put(l)
	l.text = text
	return l.value()
}

func (l *lazy) value() any {
	if !l.have {
		l.out, l.have = l.text, true
	}
	return l.out
}
