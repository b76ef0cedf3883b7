// SPDX-License-Identifier: BSD-3-Clause

package pooltest_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/pooltest"
)

// A request is what the examples pool.
type request struct {
	user string
	body []byte
}

var requests = spare.Pool[request]{
	Name:  "requests",
	Reset: func(r *request) { r.user, r.body = "", r.body[:0] },
}

func handle(user, body string) int {
	r := requests.Get()
	defer requests.Put(r)
	r.user = user
	r.body = append(r.body, body...)
	return len(r.body)
}

// run runs a test and prints how it fails.
func run(test func(t pooltest.TB)) {
	var f fake
	test(&f)
	for _, e := range f.end() {
		// The rest of a report differs between builds.
		line, _, _ := strings.Cut(e, "\n")
		line, _, _ = strings.Cut(line, "; run with")
		fmt.Println(line)
	}
}

func ExampleLeaks() {
	TestHandle := func(t pooltest.TB) { // a *testing.T
		pooltest.Leaks(t, &requests) // fails the test if a request is missing at its end
		handle("gopher", "hello")
		requests.Get() // and never Put
	}
	run(TestHandle)
	// Output:
	// pooltest: 1 value of spare.Pool[github.com/spare-go/spare/pooltest_test.request] "requests" did not come back
}

func ExampleAllocs() {
	TestHandleAllocs := func(t pooltest.TB) { // a *testing.T
		// One request and its body at first, nothing from then on, not even
		// after a collection.
		want := pooltest.Counts{Cold: pooltest.Any, Warm: 0, AfterGC: 0}
		pooltest.Allocs(t, want, func() {
			handle("gopher", "hello")
		})
	}
	run(TestHandleAllocs)
}

func ExampleStorm() {
	TestHandleInStorm := func(t pooltest.TB) { // a *testing.T
		pooltest.Storm(t, func() {
			for range 1000 {
				if n := handle("gopher", "hello"); n != 5 {
					t.Errorf("handle = %d", n)
				}
			}
		})
	}
	run(TestHandleInStorm)
	// Output:
}

func ExampleResets() {
	TestReset := func(t pooltest.TB) { // a *testing.T
		forgetful := spare.Pool[request]{
			Name:  "forgetful",
			Reset: func(r *request) { r.body = r.body[:0] },
		}
		pooltest.Resets(t, &forgetful, func(r *request) {
			r.user = "gopher"
			r.body = append(r.body, "hello"...)
		})
	}
	run(TestReset)
	// Output:
	// pooltest: after Reset a value of spare.Pool[github.com/spare-go/spare/pooltest_test.request] "forgetful" shows its next user user: gopher
}

// A nil function makes each misuse a failure of the test, which goes on.
func ExampleOnMisuse() {
	TestClose := func(t pooltest.TB) { // a *testing.T
		pooltest.OnMisuse(t, nil)
		r := requests.Get()
		requests.Put(r)
		//spare:ignore double-put this is what the example is about
		requests.Put(r) // fails the test in a checked build
	}
	run(TestClose)
}

// A function of one's own can look for a misuse that has to be found.
func ExampleOnMisuse_expected() {
	TestSecondCloseIsFound := func(t pooltest.TB) { // a *testing.T
		found := false
		pooltest.OnMisuse(t, func(report string) {
			found = found || strings.HasPrefix(report, "spare: double Put")
		})
		r := requests.Get()
		requests.Put(r)
		//spare:ignore double-put this is what the example is about
		requests.Put(r)
		if !found && pooltest.Checked {
			t.Errorf("the second Put is not reported")
		}
	}
	run(TestSecondCloseIsFound)
}

// With SPARE_GUARD=1 in a checked build, on linux and darwin, the line that
// uses a slice after its Put faults.
func ExampleExplain() {
	var lines spare.Slices[byte]
	debug.SetPanicOnFault(true) // on this goroutine
	defer func() {
		if report, ok := pooltest.Explain(recover()); ok {
			fmt.Println(report) // begins: spare: use after Put
		}
	}()
	line := append(lines.Get(100), "hello"...)
	lines.Put(line)
	//spare:ignore use-after-put this is what the example is about
	line[0] = 'j'
}

// TestExamples runs what of the examples has no output of its own.
func TestExamples(t *testing.T) {
	t.Run("Leaks", func(t *testing.T) {
		pooltest.Leaks(t, &requests)
		handle("gopher", "hello")
	})
	t.Run("Allocs", func(t *testing.T) {
		want := pooltest.Counts{Cold: pooltest.Any}
		if magazine.Portable {
			want.AfterGC = pooltest.Any // sync.Pool forgets which shard is near
		}
		pooltest.Allocs(t, want, func() { handle("gopher", "hello") })
	})
	t.Run("OnMisuse", func(t *testing.T) {
		if pooltest.Checked { // else the Put would put the same value twice
			var f fake
			pooltest.OnMisuse(&f, nil)
			r := requests.Get()
			requests.Put(r)
			requests.Put(r)
			if e := f.end(); len(e) != 1 {
				t.Errorf("reported %q", e)
			}
			ExampleOnMisuse_expected()
		}
	})
	t.Run("Resets", func(t *testing.T) {
		pooltest.Resets(t, &requests, func(r *request) { r.user, r.body = "gopher", []byte("hello") })
	})
}
