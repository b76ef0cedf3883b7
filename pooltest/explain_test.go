// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked && (linux || darwin)

package pooltest_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/pooltest"
)

// stale uses a slice after its Put, and says what the checks know about the fault.
func stale() (report string, ok bool) {
	var lines spare.Slices[byte]
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { report, ok = pooltest.Explain(recover()) }()
	line := append(lines.Get(100), "hello"...)
	lines.Put(line)
	line[0] = 'j'
	return "", false
}

func TestExplain(t *testing.T) {
	checked.SetGuard(1)
	defer checked.SetGuard(0)
	report, ok := stale()
	if !ok {
		t.Fatal("the fault is not explained")
	}
	rest := report
	for _, part := range []string{"spare: use after Put: ", "byte 0 of memory that was put into Slices[uint8]", "Get:", "pooltest_test.stale", "Put:", "pooltest_test.stale", "What to do:"} {
		i := strings.Index(rest, part)
		if i < 0 {
			t.Fatalf("no %q, in its order, in\n%s", part, report)
		}
		rest = rest[i+len(part):]
	}

	// Without guard pages nothing faults, and the sweep finds the write.
	checked.SetGuard(0)
	var f fake
	var reports []string
	pooltest.OnMisuse(&f, func(report string) { reports = append(reports, report) })
	if report, ok := stale(); ok {
		t.Errorf("without guard pages there is a report:\n%s", report)
	}
	f.end()
	if len(reports) != 1 || !strings.Contains(reports[0], "write after Put") {
		t.Errorf("reported %q", reports)
	}
}
