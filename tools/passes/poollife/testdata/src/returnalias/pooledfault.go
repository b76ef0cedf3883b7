// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"fmt"
	"sync"
)

// What comes with an error nobody looks at, but the error itself may be what is in the pool.

type fault struct {
	line int
	text []byte
}

func (f *fault) Error() string { return fmt.Sprint(f.line, string(f.text)) }

type reading struct {
	rest  []byte
	count int
	fault fault
}

var readings = sync.Pool{New: func() any { return new(reading) }}

func (r *reading) failed() bool {
	if len(r.rest) == 0 {
		r.fault.line, r.fault.text = r.count, append(r.fault.text[:0], "empty"...)
		return true
	}
	r.fault.line = 0
	return false
}

func readText(text []byte) (int, error) {
	r := readings.Get().(*reading)
	r.rest = text
	if r.failed() {
		r.rest = nil
		readings.Put(r)
		return 0, &r.fault // want `memory of r is returned after it was put in readings`
	}
	n := r.count
	r.rest = nil
	readings.Put(r)
	return n, nil
}

func readTextCopied(text []byte) (int, error) {
	r := readings.Get().(*reading)
	r.rest = text
	if r.failed() {
		f := fault{r.fault.line, append([]byte(nil), r.fault.text...)}
		r.rest = nil
		readings.Put(r)
		return 0, &f
	}
	n := r.count
	r.rest = nil
	readings.Put(r)
	return n, nil
}

func readTextTold(text []byte) (int, error) {
	r := readings.Get().(*reading)
	r.rest = text
	if r.failed() {
		err := fmt.Errorf("reading: line %d: %s", r.fault.line, r.fault.text)
		r.rest = nil
		readings.Put(r)
		return 0, err
	}
	n := r.count
	r.rest = nil
	readings.Put(r)
	return n, nil
}

// A value that is returned with an error is not used.
func readingOf(text []byte, check func(*reading) error) (*reading, error) {
	r := readings.Get().(*reading)
	r.rest = text
	if err := check(r); err != nil {
		readings.Put(r)
		return r, err
	}
	return r, nil
}
