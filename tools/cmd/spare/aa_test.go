// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Equal builds of the workloads, compared as two sides, must not be called
// different in more than 5% of the comparisons. What this machine does decides
// here, and it takes minutes, so that it runs on demand only:
//
//	SPARE_AA=1 go test -run TestRealEquals -v -timeout 30m ./cmd/spare
//
// The statistics behind it are tested always: see internal/compare.
func TestRealEquals(t *testing.T) {
	if os.Getenv("SPARE_AA") == "" {
		t.Skip("measures for minutes; SPARE_AA=1 runs it")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), &stdout, &stderr, []string{"bench", "-json", "-tags-a=", "-tags-b=", "-count=12", "-benchtime=20ms", "./bench/workloads"})
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr.String())
	}
	var doc struct {
		Load struct {
			Before, After float64
		}
		Comparisons []struct {
			Name, Unit string
			Ratio, P   float64
			Differs    bool
			NoiseFloor float64 `json:"noise_floor"`
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Comparisons) < 100 {
		t.Fatalf("%d comparisons, want a hundred at least", len(doc.Comparisons))
	}
	called, rejected := 0, 0
	for _, c := range doc.Comparisons {
		if c.P < 0.05 {
			rejected++
		}
		if c.Differs {
			called++
			t.Logf("called different: %s, %s: %.3f, p %.4f, floor %.3f", c.Name, c.Unit, c.Ratio, c.P, c.NoiseFloor)
		}
	}
	n := len(doc.Comparisons)
	t.Logf("%d comparisons of equal builds: %d called different; %d rejected by the test alone, before correction and floor; load %.1f to %.1f", n, called, rejected, doc.Load.Before, doc.Load.After)
	if called > n/20 {
		t.Errorf("%d of %d comparisons of equal builds are called different, more than 5%%", called, n)
	}
}
