// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"errors"
	"sync"
)

// A visit that a handler keeps for itself is not put: the handler says so by a flag.

type visit struct {
	path string
	kept bool
}

func (v *visit) Keep()        { v.kept = true }
func (v *visit) isKept() bool { return v.kept }

var visits = sync.Pool{New: func() any { return new(visit) }}

type visitor struct {
	handle func(*visit) error
}

func (s *visitor) serve(path string) error { // right
	v, ok := visits.Get().(*visit)
	if !ok {
		v = new(visit)
	}
	defer func() {
		if v.isKept() {
			return
		}
		*v = visit{}
		visits.Put(v)
	}()
	if path == "" {
		return errors.New("no path")
	}
	v.path = path
	return s.handle(v)
}

func newKeeper(log func(string)) *visitor {
	return &visitor{handle: func(v *visit) error {
		v.Keep()
		go func() { log(v.path) }()
		return nil
	}}
}

func (s *visitor) serveFew(path string, few bool) {
	v := visits.Get().(*visit) // want `v, taken from visits at line 54, is not put back on the path that ends here`
	v.path, v.kept = path, false
	if few {
		return
	}
	s.handle(v)
	if !v.kept {
		visits.Put(v)
	}
}
