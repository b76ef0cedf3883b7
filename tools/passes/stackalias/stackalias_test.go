// SPDX-License-Identifier: BSD-3-Clause

package stackalias_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/stackalias"
)

// Test names the toolchain, so that the result does not depend on the one that
// runs the tests. Package silent has the shapes of which package a has reports.
func Test(t *testing.T) {
	flag := stackalias.Analyzer.Flags.Lookup("toolchain")
	usual := flag.Value.String()
	t.Cleanup(func() { flag.Value.Set(usual) })
	for _, tt := range []struct{ toolchain, pkg string }{
		{"go1.26", "a"},
		{"go1.26rc1", "a"},
		{"go1.26.0", "a"},
		{"go1.26.8", "a"},
		{"go1.26.8 X:nodwarf5", "a"},
		{"go1.26.8-vendor", "a"},
		{"go1.26.8", "generated"},

		{"go1.26.9", "silent"},
		{"go1.26.10", "silent"},
		{"go1.25.8", "silent"},
		{"go1.25", "silent"},
		{"go1.27", "silent"},
		{"go1.27rc1", "silent"},
		{"go1.27.8", "silent"},
		{"go1.260", "silent"},
		{"go2.26.8", "silent"},
		{"devel go1.26-0123456789 Mon Nov 2 10:00:00 2026 +0000", "silent"},
		{"go1.26-devel_0123456789 Mon Nov 2 10:00:00 2026 +0000", "silent"},
		{"go1.27-devel_0123456789 Mon Nov 2 10:00:00 2026 +0000", "silent"},
		{"", "silent"},
	} {
		t.Run(tt.toolchain, func(t *testing.T) {
			if err := flag.Value.Set(tt.toolchain); err != nil {
				t.Fatal(err)
			}
			analysistest.Run(t, analysistest.TestData(), stackalias.Analyzer, tt.pkg)
		})
	}
}
