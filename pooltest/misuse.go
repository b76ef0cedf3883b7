// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import "github.com/spare-go/spare/internal/checked"

// OnMisuse has f called with each report of misuse until the test ends, where the
// pools would panic otherwise. If f is nil, a report makes the test fail. The misused call
// then does nothing. f may be called by any goroutine, and at any time: by
// a sweep of idle memory, too.
//
// Without the build tag spare_checked there are no reports. The handler belongs
// to the whole process: no parallel tests.
func OnMisuse(t TB, f func(report string)) {
	t.Helper()
	if f == nil {
		f = func(report string) { t.Errorf("%s", report) }
	}
	old := checked.SetHandler(f)
	t.Cleanup(func() {
		defer checked.SetHandler(old)
		checked.Sweep()
	})
}

// Explain turns the value of a panic into a report, if the panic is a fault on
// the guard pages of a checked build (SPARE_GUARD): the use of a slice after its Put. It
// gives the stacks of the Get and the Put. Such a fault is a panic only on a
// goroutine that called debug.SetPanicOnFault(true); otherwise the process ends
// with a trace that shows the line.
func Explain(recovered any) (report string, ok bool) {
	fault, ok := recovered.(interface{ Addr() uintptr })
	if !ok {
		return "", false
	}
	return checked.Explain(fault.Addr())
}
