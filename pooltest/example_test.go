// SPDX-License-Identifier: BSD-3-Clause

package pooltest_test

import (
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/pooltest"
)

// A request is what the examples pool.
type request struct{ body []byte }

var requests spare.Pool[request]

func handle(body string) int {
	r := requests.Get()
	defer requests.Put(r)
	r.body = append(r.body[:0], body...)
	return len(r.body)
}

func ExampleLeaks() {
	_ = func(t *testing.T) {
		pooltest.Leaks(t, &requests) // fails the test if a request is missing at its end
		handle("hello")
	}
}

func ExampleAllocs() {
	_ = func(t *testing.T) {
		// One request and its body at first, nothing from then on, not even
		// after a collection.
		pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any, Warm: 0, AfterGC: 0}, func() {
			handle("hello")
		})
	}
}

func ExampleStorm() {
	_ = func(t *testing.T) {
		pooltest.Storm(t, func() {
			for range 1000 {
				if n := handle("hello"); n != 5 {
					t.Fatalf("handle = %d", n)
				}
			}
		})
	}
}

func ExampleOnMisuse() {
	_ = func(t *testing.T) {
		pooltest.OnMisuse(t, nil) // a double Put fails this test, and the next one runs
		handle("hello")
	}
}

// TestExamples runs what the examples show.
func TestExamples(t *testing.T) {
	pooltest.Leaks(t, &requests)
	pooltest.OnMisuse(t, nil)
	want := pooltest.Counts{Cold: pooltest.Any}
	if magazine.Portable {
		want.AfterGC = pooltest.Any // sync.Pool forgets which shard is near
	}
	pooltest.Allocs(t, want, func() { handle("hello") })
	pooltest.Storm(t, func() {
		for range 1000 {
			handle("hello")
		}
	})
}
