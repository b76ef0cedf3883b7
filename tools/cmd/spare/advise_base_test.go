// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// With -base, only what a process allocated between two of its profiles counts.
func TestAdviseSinceABase(t *testing.T) {
	needsTrials(t)
	before, between := profileOf(t, "Slice", "1"), profileOf(t, "Compress", "65536")
	var both []*profile.Profile
	for _, path := range []string{before, between} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		p.Period = 1 // the base's, as of one process
		both = append(both, p)
	}
	write := func(name string, ps ...*profile.Profile) string {
		p, err := profile.Merge(ps)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base, after := write("base.prof", both[0]), write("after.prof", both...)

	r := adviseJSON(t, "-profile", after, "-base", base)
	if s := siteAt(t, r, "", lineOf(t, "gzip")); s.What != "gzip.NewWriter" || s.Traffic.Bytes == 0 {
		t.Errorf("the compressor: %q, %+v", s.What, s.Traffic)
	}
	for _, s := range r.Sites {
		if s.Line == lineOf(t, "slice") && filepath.Base(s.File) == "sites.go" && s.Traffic.Bytes > 0 {
			t.Errorf("the slice, which is in the base: %+v", s.Traffic)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-profile", base, "-base", after}, "a count fell"},
		{[]string{"-base", base}, "-base"},
		{[]string{"-profile", after, "-profile", after, "-base", base}, "one -profile FILE"},
		{[]string{"-profile", "http://127.0.0.1:1/", "-base", base}, "one -profile FILE"},
		{[]string{"-profile", after, "-base", base + ".none"}, "no such file"},
	} {
		_, stderr, code := spare(t, append([]string{"advise"}, c.args...)...)
		if code != exitFailure || !strings.Contains(stderr, c.want) {
			t.Errorf("advise %q: code %d, %q, want %d and %q", c.args, code, stderr, exitFailure, c.want)
		}
	}
}
