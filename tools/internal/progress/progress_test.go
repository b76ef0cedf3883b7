// SPDX-License-Identifier: BSD-3-Clause

package progress_test

import (
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/progress"
)

// A log gets each phase, the first step of each, and then a step now and then.
func TestLogIsNotFlooded(t *testing.T) {
	var log strings.Builder
	l := progress.New(&log)
	l.Phase("building %d packages", 2)
	l.Phase("measuring")
	for i := range 1000 {
		l.Step("step %d", i)
	}
	l.Clear()
	l.Note("something to know")
	want := "spare: building 2 packages\nspare: measuring\nspare: step 0\nspare: something to know\n"
	if log.String() != want {
		t.Errorf("the log has\n%s\nwant\n%s", log.String(), want)
	}
}
