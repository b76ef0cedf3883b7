// SPDX-License-Identifier: BSD-3-Clause

package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/internal/flow"
)

// TestBudget walks functions with more paths, or with more memory, than can be followed
// to the end. It counts, so that it says the same on every machine.
func TestBudget(t *testing.T) {
	head := "package p\n\nimport \"sync\"\n\ntype T struct{ n int; next *T }\n\nvar pool = sync.Pool{New: func() any { return new(T) }}\n\nfunc probe(i int) bool\n\n"
	for _, tt := range []struct {
		name, src   string
		steps, work int
	}{
		{
			// Tests that nothing correlates: 2^40 paths.
			"branches", head + "func f() int {\n\tx := pool.Get().(*T)\n\tdefer pool.Put(x)\n" +
				repeat(40, "\tif probe(%d) {\n\t\tx.n += %[1]d\n\t}\n") + "\treturn x.n\n}\n",
			60_000, 100_000,
		},
		{
			// Calls that each end in many ways.
			"calls", head + "func g(x *T) int {\n" + repeat(30, "\tif probe(%d) {\n\t\tx.n = %[1]d\n\t\treturn %[1]d\n\t}\n") + "\tpool.Put(x)\n\treturn 0\n}\n\n" +
				"func f() {\n" + repeat(30, "\tg(pool.Get().(*T)) // %d\n") + "}\n",
			60_000, 100_000,
		},
		{
			// Structs in structs, copied as a whole: each copy is ten thousand symbols.
			"structs", head + "type A struct{ " + repeat(22, "f%d *int; ") + "}\ntype B struct{ " + repeat(22, "a%d A; ") + "}\ntype C struct{ " + repeat(22, "b%d B; ") + "}\n\n" +
				"func f(p, q *C) {\n\tx := pool.Get().(*T)\n" + repeat(40, "\t*p, *q = *q, *p // %d\n") + "\tpool.Put(x)\n}\n",
			10_000, 40_000_000,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "src", "p"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "src", "p", "p.go"), []byte(tt.src), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, r := range analysistest.Run(t, dir, flow.Analyzer, "p") {
				res := r.Result.(*flow.Result)
				t.Logf("steps %d, work %d", res.Steps, res.Work)
				if res.Steps == 0 || res.Steps > tt.steps || res.Work > tt.work {
					t.Errorf("steps %d, work %d: want no more than %d, %d", res.Steps, res.Work, tt.steps, tt.work)
				}
			}
		})
	}
}

// repeat writes a line n times, with its number.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestSecondWalks has functions far from any pool, whose second walks cost all that there is for them, before
// one that deals with a pool: what only its second walk finds is found.
func TestSecondWalks(t *testing.T) {
	src := "package p\n\nimport \"sync\"\n\ntype T struct{ n int }\n\nvar pool = sync.Pool{New: func() any { return new(T) }}\n\n" +
		"type ender interface{ end(x *T) }\n\ntype keeps struct{ n int }\n\nfunc (k *keeps) end(x *T) { k.n = x.n }\n\ntype puts struct{}\n\nfunc (puts) end(x *T) { put1(x) }\n\n" +
		"func put1(x *T) { put2(x) }\nfunc put2(x *T) { pool.Put(x) }\n\nfunc probe(i int) bool\n\nvar enders = []ender{&keeps{}, puts{}}\n\n"
	for n := range 14 {
		src += fmt.Sprintf("func far%d(x *T, k int) (n int) {\n\tenders[k].end(x)\n", n) + repeat(9, "\tif probe(%d) {\n\t\tn += %[1]d\n\t}\n") + "\treturn n\n}\n\n"
	}
	src += "func near(k int) int {\n\tx := pool.Get().(*T)\n\tx.n = k\n\tenders[k].end(x)\n\treturn x.n\n}\n"
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src", "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "p", "p.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, r := range analysistest.Run(t, dir, flow.Analyzer, "p") {
		found := false
		for _, f := range r.Result.(*flow.Result).Findings {
			found = found || f.Pattern == "use-after-put"
		}
		if !found {
			t.Error("the use after the Put in near is not found")
		}
	}
}
