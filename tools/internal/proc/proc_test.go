// SPDX-License-Identifier: BSD-3-Clause

package proc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/proc"
)

func TestOutputKeepsBothEnds(t *testing.T) {
	var o proc.Output
	fmt.Fprint(&o, "short")
	if got := o.String(); got != "short" {
		t.Errorf("String() = %q", got)
	}
	var long proc.Output
	fmt.Fprint(&long, "the beginning\n")
	for i := range 100000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	got := long.String()
	if len(got) > 128<<10 {
		t.Errorf("%d bytes are kept", len(got))
	}
	if !strings.HasPrefix(got, "the beginning\nline 0\n") || !strings.HasSuffix(got, "line 99999\n") || !strings.Contains(got, "left out") {
		t.Errorf("kept %q ... %q", got[:40], got[len(got)-40:])
	}
}
