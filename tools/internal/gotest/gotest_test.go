// SPDX-License-Identifier: BSD-3-Clause

package gotest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/gotest"
)

func TestMatchTop(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{".", "BenchmarkAny", true},
		{"Copy", "BenchmarkCopy", true},
		{"Copy", "BenchmarkMove", false},
		{"Copy/impl=a", "BenchmarkCopy", true},
		{"Copy/Move", "BenchmarkMove", false},
		{"/impl=a", "BenchmarkMove", true},
		{"Copy/x|Move", "BenchmarkMove", true},
		{"(Copy|Move)/x", "BenchmarkMove", true},
		{"Cop[/y|]", "BenchmarkCopy", true},
		{`Cop\/y`, "BenchmarkCopy", false},
	} {
		p, err := gotest.ParsePattern(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MatchTop(tt.name); got != tt.want {
			t.Errorf("%q matches %s: %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
	for _, bad := range []string{"(", "a/[", "a|b/*"} {
		if _, err := gotest.ParsePattern(bad); err == nil {
			t.Errorf("ParsePattern(%q) has no error", bad)
		}
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	for name, text := range map[string]string{
		"go.mod":        "module m.example\n\ngo 1.26\n",
		"a/a.go":        "package a\n",
		"a/a_test.go":   "package a\nimport \"testing\"\nfunc BenchmarkIn(b *testing.B) {}\nfunc Benchmark(b *testing.B) {}\nfunc Benchmarks(b *testing.B) {}\nfunc BenchmarkNot() {}\nfunc Benchmark_1(b *testing.B) {}\n",
		"a/x_test.go":   "package a_test\nimport \"testing\"\nfunc BenchmarkOut(b *testing.B) {}\n",
		"b/b_test.go":   "package b\nimport \"testing\"\nfunc BenchmarkOnlyTests(b *testing.B) {}\n",
		"c/c.go":        "package c\n",
		"t/t_test.go":   "//go:build tagged\n\npackage t\nimport \"testing\"\nfunc BenchmarkTagged(b *testing.B) {}\n",
		"t/t.go":        "package t\n",
		"bad/bad.go":    "package bad\n",
		"bad/b_test.go": "package bad\nfunc {\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tc := gotest.Toolchain{Dir: dir, Tags: "tagged"}
	if err := tc.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tc.GOROOT == "" || !strings.HasPrefix(tc.GOVERSION, "go1.") {
		t.Errorf("Load found %+v", tc)
	}
	pkgs, err := tc.List(t.Context(), []string{"./a", "./b", "./c", "./t"})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]string)
	for _, p := range pkgs {
		got[p.ImportPath] = p.Benchmarks
	}
	for path, want := range map[string][]string{
		"m.example/a": {"BenchmarkIn", "Benchmark", "Benchmark_1", "BenchmarkOut"},
		"m.example/b": {"BenchmarkOnlyTests"},
		"m.example/c": nil,
		"m.example/t": {"BenchmarkTagged"},
	} {
		if !slices.Equal(got[path], want) {
			t.Errorf("%s has %v, want %v", path, got[path], want)
		}
	}
	for _, pattern := range []string{"./bad", "./missing", "./none/..."} {
		if _, err := tc.List(t.Context(), []string{pattern}); err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(strings.TrimSuffix(pattern, "/..."), "./")) {
			t.Errorf("List(%s): error %v, want one that names it", pattern, err)
		}
	}
}

func TestFlag(t *testing.T) {
	tc := gotest.Toolchain{GOFLAGS: "-mod=mod -overlay=/x/o.json --race"}
	for name, want := range map[string]string{"overlay": "/x/o.json", "mod": "mod", "race": "true", "tags": ""} {
		if got := tc.Flag(name); got != want {
			t.Errorf("Flag(%s) = %q, want %q", name, got, want)
		}
	}
}
