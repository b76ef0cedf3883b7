// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// wellFormed parses a page as strictly as encoding/xml can HTML, and returns
// the names and values of all its attributes.
func wellFormed(t *testing.T, page string) (attrs [][2]string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict = false
	d.AutoClose = xml.HTMLAutoClose
	d.Entity = xml.HTMLEntity
	var open []string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			open = append(open, tok.Name.Local)
			for _, a := range tok.Attr {
				attrs = append(attrs, [2]string{a.Name.Local, a.Value})
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != tok.Name.Local {
				t.Fatalf("</%s> closes %v", tok.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) != 0 {
		t.Errorf("never closed: %v", open)
	}
	return attrs
}

func TestReport(t *testing.T) {
	needsProcesses(t)
	out := filepath.Join(t.TempDir(), "page.html")
	stdout, stderr, code := spare(t, "report", "-count=2", "-benchtime=20000x", "-bench=Copy|Alone|Names/<b>", "-o", out, "./ok", "./names")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the table", stdout,
		"mod.example/ok", "Copy/size=small", "naive", "reuse", "Alone", "mod.example/names", `Names/<b>&"quoted"`,
		"warm", "cold", "after GC", "4096 B", "go1.", "2 rounds of 20000x", out)

	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	attrs := wellFormed(t, page)
	ids := make(map[string]int)
	for _, a := range attrs {
		if a[0] == "id" {
			ids[a[1]]++
		}
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for _, a := range attrs {
		switch a[0] {
		case "src", "srcset", "action", "data", "poster", "xlink:href":
			t.Errorf("the page loads %s=%q", a[0], a[1])
		case "href":
			if !strings.HasPrefix(a[1], "#") || ids[a[1][1:]] != 1 {
				t.Errorf("the link %q leads out of the page, or nowhere", a[1])
			}
		case "aria-labelledby":
			if ids[a[1]] != 1 {
				t.Errorf("aria-labelledby names %q, which is not there", a[1])
			}
		}
	}
	for _, bad := range []string{"<script", "@import", "url(", "://", "ZgotmplZ", "NaN", "<b>&"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	contains(t, "the page", page,
		"prefers-color-scheme: dark", "@media print", "<svg", `role="img"`, "What reuse buys", "Copy/size=large",
		"go1.", "# in the root of module mod.example", "go run github.com/spare-go/spare/tools/cmd/spare", "benchstat -col /impl", "is not told from 1", " report -count=2 -benchtime=20000x &#39;-bench=Copy|Alone|Names/&lt;b&gt;&#39; -o", "Names/&lt;b&gt;&amp;&#34;quoted&#34;", "aria-label=\"Copy/size=small: CPU time relative to naive: reuse ")

	raw := regexp.MustCompile(`(?s)<pre class="raw"[^>]*>(.*?)</pre>`).FindAllStringSubmatch(page, -1)
	if len(raw) != 2 {
		t.Fatalf("the page has %d blocks of raw data, want the samples and the replicas", len(raw))
	}
	if n := len(results(t, html.UnescapeString(raw[0][1]))); n != 2*(5+1) {
		t.Errorf("the raw data have %d results, want 2 rounds of 6", n)
	}
	if n := len(results(t, html.UnescapeString(raw[1][1]))); n != 2*2 {
		t.Errorf("the replicas have %d results, want 2 rounds of the first of two groups", n)
	}
}

func TestReportDefaultFile(t *testing.T) {
	needsTrials(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "mod"))); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"broken", "fails", "panics", "outlives", "late", "exits", "hangs", "mainless", "child", "names", "quirks", "sites", "skips"} {
		if err := os.RemoveAll(filepath.Join(dir, bad)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	var out, errs strings.Builder
	// ./... and spare-report.html are what it does when it is told nothing.
	if code := run(t.Context(), &out, &errs, []string{"report", "-count=1", "-budget=1s"}); code != 0 {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	data, err := os.ReadFile("spare-report.html")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "the page", string(data), "Copy/size=small", "1 round is too few")
	contains(t, "standard error", errs.String(), "warning: 1 round is too few")
}

func TestReportFailureWritesNothing(t *testing.T) {
	needsTrials(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "page.html")
	for _, pkg := range []string{"./broken", "./fails", "./late", "./none"} {
		stdout, stderr, code := spare(t, "report", "-count=1", "-benchtime=2x", "-o", out, pkg)
		if code != 2 {
			t.Errorf("%s: code %d, want 2", pkg, code)
		}
		contains(t, "standard error", stderr, strings.TrimPrefix(pkg, "./"))
		if stdout != "" {
			t.Errorf("%s: standard output:\n%s", pkg, stdout)
		}
		empty(t, dir)
	}
}
