// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// A Pool is a *spare.Pool[T] or a *spare.Slices[E].
type Pool interface {
	Stats() spare.Stats
}

// grace is how long Leaks waits for goroutines that are about to put a value.
var grace = time.Second

// Leaks makes the test fail at its end if more values were taken from one of the
// pools than were put into it since the call. Nobody else may use the pools
// meanwhile: no parallel test. Goroutines that still run have a second to come
// to their Put.
//
// In a checked build the failure lists the stacks of the Gets of all that is out. For a
// Slices the list includes arrays that append left behind: it is the count
// that says how many are missing.
func Leaks(t TB, pools ...Pool) {
	t.Helper()
	if len(pools) == 0 {
		t.Errorf("pooltest: Leaks was given no pool")
		return
	}
	before := make([]int64, len(pools))
	for i, p := range pools {
		before[i] = balance(p)
	}
	t.Cleanup(func() {
		t.Helper()
		deadline := time.Now().Add(grace)
		for i, p := range pools {
			missing := balance(p) - before[i]
			for missing > 0 && time.Now().Before(deadline) {
				time.Sleep(time.Millisecond)
				missing = balance(p) - before[i]
			}
			if missing > 0 {
				t.Errorf("%s", leak(p, missing))
			}
		}
		checked.Sweep()
	})
}

// balance returns how many values are out.
func balance(p Pool) int64 {
	s := p.Stats()
	return int64(s.Gets - s.Puts)
}

// leak describes missing values.
func leak(p Pool, missing int64) string {
	var b strings.Builder
	what := "values"
	if missing == 1 {
		what = "value"
	}
	fmt.Fprintf(&b, "pooltest: %d %s of %s did not come back", missing, what, describe(p))
	if !Checked {
		b.WriteString("; run with -tags spare_checked to see where they were taken")
		return b.String()
	}
	// Sound: the address is compared, and not used.
	for _, s := range checked.Outstanding(reflect.ValueOf(p).UnsafePointer()) {
		fmt.Fprintf(&b, "\n%d out, taken by:\n%s", s.Count, s.Text)
	}
	return b.String()
}

// describe names a pool by its type and its Name.
func describe(p Pool) string {
	v := reflect.ValueOf(p)
	text := strings.TrimPrefix(v.Type().String(), "*")
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if f := v.Elem().FieldByName("Name"); f.IsValid() && f.Kind() == reflect.String && f.String() != "" {
			text += fmt.Sprintf(" %q", f.String())
		}
	}
	return text
}
