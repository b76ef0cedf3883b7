// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// runMain makes this test binary behave as the program, for tests that need a
// process of their own.
const runMain = "SPARE_TEST_RUN_MAIN"

func TestMain(m *testing.M) {
	// spare report runs go vet with this executable as the tool.
	if os.Getenv(runMain) != "" || vetcmd.IsTool(os.Args[1:]) {
		main()
		return
	}
	os.Exit(m.Run())
}

// spare runs the program in the module testdata/mod, and checks that it leaves
// no temporary file. It returns standard output, standard error and the code.
func spare(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	enter(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out, err bytes.Buffer
	code = run(context.Background(), &out, &err, args)
	empty(t, tmp)
	return out.String(), err.String(), code
}

// enter changes to testdata/mod, which is a module of its own.
func enter(t *testing.T) {
	t.Helper()
	if dir, _ := os.Getwd(); filepath.Base(dir) != "mod" {
		t.Chdir(filepath.Join("testdata", "mod"))
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
}

// empty checks that a directory holds nothing.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
	}
}

// contains checks that a text has all the parts.
func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

func TestCommands(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		code   int
		stdout []string
		stderr []string
	}{
		{nil, 2, nil, []string{"Usage:", "bench", "report"}},
		{[]string{"help"}, 0, []string{"Usage:", "bench", "report"}, nil},
		{[]string{"help", "bench"}, 0, []string{"usage: spare bench", "-benchtime d", "cold-allocs/op"}, nil},
		{[]string{"help", "advise"}, 0, []string{"usage: spare advise", "-pyroscope URL", "already on the stack"}, nil},
		{[]string{"report", "-h"}, 0, []string{"usage: spare report", "-budget d"}, nil},
		{[]string{"help", "nothing"}, 2, nil, []string{`"nothing"`, "bench"}},
		{[]string{"version"}, 0, []string{"spare ", "go1."}, nil},
		{[]string{"benhc"}, 2, nil, []string{`unknown command "benhc"`, "bench, advise, report"}},
		{[]string{"bench", "-bogus"}, 2, nil, []string{"-bogus", "spare help bench"}},
		{[]string{"report", "./ok", "-bogus"}, 2, nil, []string{"-bogus", "spare help report"}},
		{[]string{"bench", "-bench", "Copy/["}, 2, nil, []string{"-bench Copy/[", "regular expression"}},
		{[]string{"bench", "-count", "0"}, 2, nil, []string{"-count 0"}},
		{[]string{"bench", "-benchtime", "fast"}, 2, nil, []string{"-benchtime fast", "250ms", "100x"}},
		{[]string{"bench", "-benchtime", "0x"}, 2, nil, []string{"-benchtime 0x"}},
		{[]string{"bench", "-cpu", "1,none"}, 2, nil, []string{"-cpu 1,none", `"none"`}},
		{[]string{"bench", "-timeout", "-1s"}, 2, nil, []string{"-timeout -1s"}},
		{[]string{"report", "-budget", "0s"}, 2, nil, []string{"-budget 0s"}},
		{[]string{"report", "-o", ""}, 2, nil, []string{"-o"}},
		{[]string{"report", "-o", "a.txt", "-o", "a.txt"}, 2, nil, []string{"-o", "a.txt is named twice"}},
		{[]string{"report", "-try", "-advise=false"}, 2, nil, []string{"-try", "-advise=false"}},
	} {
		t.Run(strings.Join(append([]string{"spare"}, tt.args...), " "), func(t *testing.T) {
			stdout, stderr, code := spare(t, tt.args...)
			if code != tt.code {
				t.Errorf("code %d, want %d", code, tt.code)
			}
			contains(t, "standard output", stdout, tt.stdout...)
			contains(t, "standard error", stderr, tt.stderr...)
			if tt.code != 0 && stdout != "" {
				t.Errorf("a failure wrote to standard output:\n%s", stdout)
			}
			if tt.code == 0 && stderr != "" {
				t.Errorf("a success wrote to standard error:\n%s", stderr)
			}
		})
	}
}
