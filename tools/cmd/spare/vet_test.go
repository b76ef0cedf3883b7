// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/underrace"
	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/pattern/patterntest"
)

// TestVet builds the program and runs spare vet with its analyzers. What the
// driver does with what analyzers report is tested in internal/vetcmd.
func TestVet(t *testing.T) {
	if underrace.Enabled() {
		t.Skip("runs a program that is not built with -race")
	}
	spare := filepath.Join(t.TempDir(), "spare")
	if out, err := exec.Command("go", "build", "-o", spare, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	for name, test := range map[string]func(t *testing.T, spare string){
		"Pages": testPages, "Packages": testPackages, "Order": testOrder, "GoVet": testGoVet, "Fixes": testFixes, "Manual": testManual,
	} {
		t.Run(name, func(t *testing.T) { test(t, spare) })
	}
}

// TestVetHelp reads the manual and the pages through spare help.
func TestVetHelp(t *testing.T) {
	stdout, stderr, code := spare(t, "help", "vet")
	contains(t, "the manual", stdout, "usage: spare vet", "-sarif FILE", "  use-after-put ", "  unused-ignore ")
	contains(t, "the manual", strings.Join(strings.Fields(stdout), " "), "(never reported in _test.go files: "+strings.Join(notInTests, ", ")+")")
	if code != 0 || stderr != "" {
		t.Errorf("code %d, %s", code, stderr)
	}
	if stdout, stderr, code = spare(t, "help", "vet", "put-nil"); code != 0 || stderr != "" || stdout != pattern.Page("put-nil") {
		t.Errorf("code %d, %s\n%s", code, stderr, stdout)
	}
	for _, args := range [][]string{{"help", "vet", "nonsense"}, {"vet", "-only=nonsense"}} {
		stdout, stderr, code = spare(t, args...)
		contains(t, "standard error", stderr, `unknown pattern "nonsense"`, "spare help vet")
		if code != 2 || stdout != "" {
			t.Errorf("%q: code %d, %s", args, code, stdout)
		}
	}
}

// program runs a command in dir.
func program(t *testing.T, dir, name string, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// categories runs spare vet -json and returns the patterns found in each
// package, once each.
func categories(t *testing.T, dir, spare string, args ...string) map[string][]string {
	t.Helper()
	exit, stdout, stderr := program(t, dir, spare, append([]string{"vet", "-json"}, args...)...)
	if exit > 1 {
		t.Fatalf("exit %d\n%s", exit, stderr)
	}
	var tree vetcmd.Tree
	if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]string)
	for id, results := range tree {
		for _, r := range results {
			for _, d := range r.Diagnostics {
				found[id] = append(found[id], d.Category)
			}
		}
		slices.Sort(found[id])
		found[id] = slices.Compact(found[id])
	}
	return found
}

func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	addFiles(t, dir, files)
	return dir
}

func addFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// notInTests are the patterns that are not reported in _test.go files, as the manual and docs/vet/README.md say.
var notInTests = []string{
	"missing-put", "retained-refs", "oversize-retention", "stale-header", "put-by-value", "put-local-addr", "bootstrap-self-ref",
}

// testPages holds every page to its word: what it calls wrong is reported as
// its pattern, in a test too but for the patterns that waste only time or memory, and about what
// it calls right spare vet is silent. stack-alias is wrong with some toolchains only: go vet's tool is told
// that it is one of them.
func testPages(t *testing.T, spare string) {
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26.0\n"}
	for _, name := range pattern.Names() {
		for _, heading := range []string{patterntest.Wrong, patterntest.Right} {
			src, err := patterntest.File(name, heading)
			if err != nil {
				t.Fatal(err)
			}
			files[name+"/"+heading+"/p.go"] = src
			if heading == patterntest.Wrong {
				files[name+"/TEST/p_test.go"] = src
			}
		}
	}
	dir := writeFiles(t, files)
	found := categories(t, dir, spare, "./...")
	_, stdout, stderr := program(t, dir, "go", "vet", "-vettool="+spare, "-json", "-stackalias.toolchain=go1.26.8", "./"+pattern.StackAlias+"/...")
	if !strings.Contains(stdout, `"category": "stack-alias"`) || !strings.Contains(stdout, "TEST/p_test.go") || strings.Contains(stdout, "RIGHT/p.go") {
		t.Errorf("%s: want what is wrong, and not what is right: %s\n%s", pattern.StackAlias, stdout, stderr)
	}
	for _, name := range pattern.Names() {
		if got := found["example.com/m/"+name+"/WRONG"]; name != pattern.StackAlias && !slices.Contains(got, name) {
			t.Errorf("%s: what is wrong is reported as %q", name, got)
		}
		if got := found["example.com/m/"+name+"/RIGHT"]; len(got) > 0 {
			t.Errorf("%s: what is right is reported as %q", name, got)
		}
		if got := found["example.com/m/"+name+"/TEST"]; name != pattern.StackAlias && slices.Contains(got, name) == slices.Contains(notInTests, name) {
			t.Errorf("%s: what is wrong in a test is reported as %q", name, got)
		}
	}
}

// packages is a module with two kinds of misuse: double-put in pool, and in app
// a use after put that can be seen from facts alone: app does not import sync,
// and the pool is two packages away.
var packages = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26.0\n",
	"pool/pool.go": `package pool

import "sync"

type Conn struct{ Id int }

var conns = sync.Pool{New: func() any { return new(Conn) }}

func get() *Conn  { return conns.Get().(*Conn) }
func put(c *Conn) { *c = Conn{}; conns.Put(c) }

func Dial(id int) *Conn {
	c := get()
	c.Id = id
	return c
}

func (c *Conn) Close() { put(c) }

func twice() {
	c := get()
	put(c)
	put(c)
}
`,
	"client/client.go": `package client

import "example.com/m/pool"

func Open(id int) *pool.Conn { return pool.Dial(id) }
func Done(c *pool.Conn)      { c.Close() }
`,
	"app/app.go": `package app

import "example.com/m/client"

func ID() int {
	c := client.Open(1)
	client.Done(c)
	return c.Id
}
`,
}

func testPackages(t *testing.T, spare string) {
	found := categories(t, writeFiles(t, packages), spare, "./...")
	for _, tt := range []struct {
		name string
		want []string
	}{{"pool", []string{pattern.DoublePut}}, {"client", nil}, {"app", []string{pattern.UseAfterPut}}} {
		if got := found["example.com/m/"+tt.name]; !slices.Equal(got, tt.want) {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
}

// testOrder compares the output of cold and warm runs with one and two
// processes. A copy of the program with another byte at its end is a tool of
// which the go command has no result yet.
func testOrder(t *testing.T, spare string) {
	dir := writeFiles(t, packages)
	for _, name := range pattern.Names() {
		src, err := patterntest.File(name, patterntest.Wrong)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "p.go"), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(spare)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for _, p := range []string{"1", "2"} {
		data = append(data, '\n')
		tool := filepath.Join(t.TempDir(), "spare")
		if err := os.WriteFile(tool, data, 0o777); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOFLAGS", "-mod=mod -p="+p)
		for _, state := range []string{"cold", "warm"} {
			exit, stdout, stderr := program(t, dir, tool, "vet", "-sarif=-", "./...")
			if exit != 1 {
				t.Fatalf("exit %d\n%s", exit, stderr)
			}
			if out := stdout + stderr; first == "" {
				first = out
			} else if out != first {
				t.Errorf("-p=%s, %s: the output differs:\n%s\nfirst:\n%s", p, state, out, first)
			}
		}
	}
}

// testGoVet runs the program as the tool of go vet.
func testGoVet(t *testing.T, spare string) {
	dir := writeFiles(t, packages)
	tool := "-vettool=" + spare
	exit, stdout, stderr := program(t, dir, "go", "vet", tool, "./pool")
	if exit != 1 || stdout != "" || !strings.Contains(stderr, "[double-put]\n") {
		t.Errorf("exit %d, %s\n%s", exit, stdout, stderr)
	}
	if exit, _, text := program(t, dir, spare, "vet", "./pool"); exit != 1 || text != stderr {
		t.Errorf("spare vet: exit %d\n%s\ngo vet:\n%s", exit, text, stderr)
	}
	// With -x the go command prints what it runs: now nothing, and what
	// depends on client when it has changed.
	program(t, dir, "go", "vet", tool, "./...")
	for _, analyses := range []int{0, 2} {
		if _, _, commands := program(t, dir, "go", "vet", "-x", tool, "./..."); strings.Count(commands, "/vet.cfg\n") != analyses {
			t.Errorf("want %d analyses:\n%s", analyses, commands)
		}
		const name = "client/client.go"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(packages[name]+"\nvar Changed int\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	exit, stdout, _ = program(t, dir, "go", "vet", tool, "-json", "./pool")
	if exit != 0 || !strings.Contains(stdout, `"category": "double-put"`) {
		t.Errorf("-json: exit %d\n%s", exit, stdout)
	}
	if exit, _, stderr := program(t, dir, "go", "vet", tool, "-only=put-nil", "./..."); exit != 0 {
		t.Errorf("-only: exit %d\n%s", exit, stderr)
	}
}

// testFixes applies every suggested fix to the pages' wrong code: the result
// must build, and nothing that had a fix may be found again.
func testFixes(t *testing.T, spare string) {
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26.0\n"}
	for _, name := range pattern.Names() {
		src, err := patterntest.File(name, patterntest.Wrong)
		if err != nil {
			t.Fatal(err)
		}
		files[name+"/p.go"] = src
	}
	dir := writeFiles(t, files)
	fixable := func() (n int) {
		_, stdout, _ := program(t, dir, spare, "vet", "-json", "./...")
		var tree vetcmd.Tree
		if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Findings() {
			if len(d.SuggestedFixes) > 0 {
				n++
			}
		}
		return n
	}
	if fixable() == 0 {
		t.Fatal("no finding has a fix")
	}
	exit, patch, stderr := program(t, dir, spare, "vet", "-diff", "./...")
	if exit != 1 || !strings.HasPrefix(patch, "diff a/") {
		t.Errorf("-diff: exit %d\n%s%s", exit, patch, stderr)
	}
	exit, _, stderr = program(t, dir, spare, "vet", "-fix", "./...")
	if exit != 1 || !strings.HasPrefix(stderr, "spare vet: fixes applied: ") {
		t.Errorf("-fix: exit %d\n%s", exit, stderr)
	}
	if n := fixable(); n != 0 {
		t.Errorf("%d findings with fixes are left:\n%s", n, stderr)
	}
}

// testManual runs every command of docs/vet/README.md that runs spare vet or
// go vet: each must be understood.
func testManual(t *testing.T, spare string) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "vet", "README.md"))
	if os.IsNotExist(err) {
		t.Skip("the tools module alone, outside the repository, has no docs folder")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(spare)+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := writeFiles(t, packages)
	ran := 0
	for line := range strings.Lines(string(readme)) {
		command, ok := strings.CutPrefix(line, "    ")
		if !ok || !strings.HasPrefix(command, "spare vet ") && !strings.HasPrefix(command, "go vet ") {
			continue
		}
		ran++
		if exit, _, stderr := program(t, dir, "sh", "-c", command); exit > 1 {
			t.Errorf("%sexit %d\n%s", command, exit, stderr)
		}
	}
	if ran < 9 {
		t.Errorf("only %d commands found", ran)
	}
}
