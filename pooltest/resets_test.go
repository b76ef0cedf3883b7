// SPDX-License-Identifier: BSD-3-Clause

package pooltest_test

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/pooltest"
)

type state struct {
	err   error
	n     int
	inner struct{ list []int }
	next  *state
	names map[string]int
	done  chan int
}

func TestResets(t *testing.T) {
	use := func(s *state) {
		s.err = errors.New("stale")
		s.n = 7
		s.inner.list = append(s.inner.list, 1)
		s.next = &state{next: s}
		s.names = map[string]int{"a": 1}
		s.done = make(chan int)
	}
	for _, tt := range []struct {
		name   string
		reset  func(*state)
		except []string
		bad    []string
	}{
		{"no Reset", nil, nil, []string{"err: *errors.errorString", "n: 7", "inner.list: [1]", "next: *pooltest_test.state", "names: map[a:1]", "done: chan int"}},
		{"all", func(s *state) { *s = state{} }, nil, nil},
		{"room kept", func(s *state) { l := s.inner.list[:0]; *s = state{names: s.names}; s.inner.list = l; clear(s.names) }, nil, nil},
		{"one forgotten", func(s *state) { *s = state{err: s.err} }, nil, []string{"err: *errors.errorString"}},
		{"set by Get's caller", func(s *state) { *s = state{err: s.err} }, []string{"err"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var f fake
			pooltest.Resets(&f, &spare.Pool[state]{Reset: tt.reset, Name: "states"}, use, tt.except...)
			if len(f.errors) != len(tt.bad) {
				t.Fatalf("reported %q, want %q", f.errors, tt.bad)
			}
			for i, e := range f.errors {
				if !strings.Contains(e, `"states" shows its next user `+tt.bad[i]) {
					t.Errorf("reported %q, want %q", e, tt.bad[i])
				}
			}
		})
	}

	// A value that points to itself, and one of the standard library.
	var f fake
	type ring struct{ next *ring }
	pooltest.Resets(&f, &spare.Pool[ring]{New: func() *ring { r := new(ring); r.next = r; return r }}, func(*ring) {})
	readers := &spare.Pool[bufio.Reader]{
		New:   func() *bufio.Reader { return bufio.NewReader(strings.NewReader("")) },
		Reset: func(r *bufio.Reader) { r.Reset(strings.NewReader("")) },
	}
	pooltest.Resets(&f, readers, func(r *bufio.Reader) { r.Reset(strings.NewReader("")); r.ReadByte() }, "lastByte", "lastRuneSize")
	pooltest.Resets(&f, &spare.Pool[int]{Reset: func(n *int) { *n = 0 }}, func(n *int) { *n = 1 })
	if f.errors != nil {
		t.Errorf("reported %q", f.errors)
	}
	pooltest.Resets(&f, &spare.Pool[int]{New: func() *int { return nil }}, func(n *int) {})
	pooltest.Resets(&f, &spare.Pool[int]{}, func(n *int) { *n = 1 })
	if len(f.errors) != 2 || !strings.Contains(f.errors[0], "New returned nil") || !strings.Contains(f.errors[1], "its value: 1") {
		t.Errorf("reported %q", f.errors)
	}
}
