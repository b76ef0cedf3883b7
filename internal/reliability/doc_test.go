// SPDX-License-Identifier: BSD-3-Clause

// Package reliability tests the pools where it hurts, and writes what it finds into
// docs/reliability.md:
//
//	go test ./internal/reliability -update
package reliability

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

var update = flag.Bool("update", false, "write the figures into docs/reliability.md")

// normalOnly skips a test that builds programs of its own.
func normalOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	if race.Enabled || checked.Enabled {
		t.Skip("builds what it runs itself")
	}
}

// document compares a section of docs/reliability.md with what a test found, or
// writes it.
func document(t *testing.T, section, text string) {
	t.Helper()
	if t.Failed() {
		return
	}
	file := filepath.Join("..", "..", "docs", "reliability.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mark := "<!-- " + section + " -->\n"
	head, rest, ok := strings.Cut(string(data), mark)
	old, tail, ok2 := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !ok2 {
		t.Fatalf("%s has no section %q", file, section)
	}
	if old == text {
		return
	}
	if !*update {
		t.Errorf("the section %q of docs/reliability.md is not up to date; go test ./internal/reliability -update writes it:\n%s", section, text)
		return
	}
	if err := os.WriteFile(file, []byte(head+mark+text+"<!-- end -->\n"+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// figure logs figures that differ from run to run, and writes them if asked to.
func figure(t *testing.T, section, text string) {
	t.Helper()
	t.Log(text)
	if *update {
		document(t, section, text)
	}
}
