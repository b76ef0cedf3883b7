// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is predicted of a slice that append outgrows is what its change then saves:
// the change asks the pool for the usual size, or it reuses the first array alone,
// and no more than that is promised.
func TestAdviseTriesWhatGrows(t *testing.T) {
	needsTrials(t)
	enter(t)
	data, err := os.ReadFile(filepath.Join("grow", "grow.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	r := adviseJSON(t, "-try", "-n=0", "-trycount=2", "-cpu=1", "-benchtime=2000x", "-cputime=20ms", "./grow")
	for _, tt := range []struct {
		line  string
		saved float64 // of all bytes; 0 is not known
		patch string  // "" if the site's own bytes have no change
		grown bool    // the site is what append makes
	}{
		{"outgrown", 1, "+	b := outgrownSlices.Get(0)", true},
		{"tail", 0, "+	b := tailSlices.Get(0)", true},
		{"mixed", 1, "+	b := mixedSlices.Get(0)", true},
		{"mixed", 1, "+	b := mixedSlices.Get(0)", false},
		{"longer", 1, "+	b := append(longerSlices.Get(0), make([]byte, n)...)", true},
		{"longer", 1, "+	b := append(longerSlices.Get(0), make([]byte, n)...)", false},
		{"fits", 1, "+	b := fitsSlices.Get(n)", false},
		{"shown", 0, "", true},
		{"shown", 0.2, "+	b := bArray[:0:n]", false},
		{"replaced", 0, "", true},
		{"replaced", 0.2, "+	b := replacedSlices.Get(n)", false},
	} {
		found := false
		for _, s := range r.Sites {
			if filepath.Base(s.File) != "grow.go" || !strings.HasSuffix(lines[s.Line-1], "// "+tt.line) || (s.What == "make") != tt.grown {
				continue
			}
			found = true
			if !strings.Contains(s.Patch, tt.patch) || (s.Patch == "") != (tt.patch == "") {
				t.Errorf("%s, %s: the patch lacks %q:\n%s\n%s", tt.line, s.What, tt.patch, s.Patch, s.Try)
			}
			if tt.patch == "" {
				if s.Measured != nil || !strings.Contains(s.Try, "what append makes when it is full stays new each time") {
					t.Errorf("%s, %s: measured %v, %q", tt.line, s.What, s.Measured, s.Try)
				}
				continue
			}
			if s.Predicted == nil || s.Measured == nil {
				t.Errorf("%s, %s: predicted %v, measured %v; %s", tt.line, s.What, s.Predicted, s.Measured, s.Try)
				continue
			}
			p, m := s.Predicted.Bytes, s.Measured.Bytes[0]
			if m < p[0]-0.02 || m > p[1]+0.02 {
				t.Errorf("%s, %s: predicted %v of the bytes, measured %v", tt.line, s.What, p, m)
			}
			if tt.saved > 0 && !near(m, tt.saved, 0.1) {
				t.Errorf("%s, %s: measured %v of the bytes, want %v", tt.line, s.What, m, tt.saved)
			}
		}
		if !found {
			t.Errorf("%s: no such site (grown %t)", tt.line, tt.grown)
		}
	}
}
