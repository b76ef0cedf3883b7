// SPDX-License-Identifier: BSD-3-Clause

package escape_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/gotest"
)

const source = `package esc

import (
	"bytes"
	"fmt"
	"io"
)

type T struct{ b [200]byte }

var sink any

func Returned(n int) []byte {
	buf := make([]byte, 0, n) // returned
	return buf
}

func Boxed(w io.Writer, s string) {
	var buf bytes.Buffer // moved
	fmt.Fprintf(&buf, "%s", s)
	w.Write(buf.Bytes())
}

func Stored() {
	t := &T{} // stored
	sink = t
}

func OnStack() byte {
	scratch := make([]byte, 65536) // stack
	scratch[0] = 1
	return scratch[1]
}

func TooLarge() byte {
	big := make([]byte, 1<<20) // large
	return big[1]
}

func Unsized(n int) int {
	s := make([]*T, n) // unsized
	return len(s)
}

func Captured() func() int {
	x := 7 // captured
	return func() int { x++; return x } // closure
}
`

// facts compiles source, and returns what the compiler says on the line with
// a marker.
func facts(t *testing.T) func(marker string) []*escape.Record {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module esc.example\n\ngo 1.26\n", "esc.go": source,
		"esc_test.go": "package esc\nimport \"testing\"\nfunc TestX(t *testing.T) { sink = new(T) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tc := &gotest.Toolchain{Dir: dir, TempDir: t.TempDir()}
	pkgs, err := tc.List(t.Context(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	// Twice: the second time most of it is in the build cache.
	var f *escape.Facts
	for range 2 {
		if f, err = escape.Of(t.Context(), tc, pkgs, t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.At(filepath.Join(pkgs[0].Dir, "esc_test.go"), 3)) == 0 {
		t.Error("nothing is known of the test file")
	}
	return func(marker string) []*escape.Record {
		for i, line := range strings.Split(source, "\n") {
			if strings.HasSuffix(line, "// "+marker) {
				return f.At(filepath.Join(pkgs[0].Dir, "esc.go"), i+1)
			}
		}
		t.Fatalf("no line is marked %s", marker)
		return nil
	}
}

func TestReasons(t *testing.T) {
	at := facts(t)
	for _, tt := range []struct {
		marker string
		cause  escape.Cause
		words  []string
	}{
		{"returned", escape.Returned, []string{"make([]byte, 0, n) is on the heap", "buf holds it", "it is returned: return buf"}},
		{"moved", escape.Boxed, []string{"the variable buf was moved to the heap", "&buf is converted to an interface", "fmt.Fprintf(&buf"}},
		{"stored", escape.Stored, []string{"&T{} is on the heap", "stored in memory that outlives the call: sink = t"}},
		{"stack", "", []string{"make([]byte, 65536) does not escape"}},
		{"large", escape.TooLarge, []string{"too large for the stack"}},
		{"unsized", escape.Unsized, []string{"known at run time only"}},
		{"captured", escape.Captured, []string{"the variable x was moved to the heap", "captured by a closure"}},
		{"closure", escape.Returned, []string{"func literal is on the heap", "returned"}},
	} {
		recs := at(tt.marker)
		if len(recs) != 1 {
			t.Errorf("%s: %d records, want 1", tt.marker, len(recs))
			continue
		}
		if got := recs[0].Cause(); got != tt.cause {
			t.Errorf("%s: cause %q, want %q; flow %+v", tt.marker, got, tt.cause, recs[0].Flow)
		}
		words := strings.Join(recs[0].Words(), "\n")
		for _, part := range tt.words {
			if !strings.Contains(words, part) {
				t.Errorf("%s: the words lack %q:\n%s", tt.marker, part, words)
			}
		}
	}
}
