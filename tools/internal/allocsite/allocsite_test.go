// SPDX-License-Identifier: BSD-3-Clause

package allocsite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/allocsite"
)

const source = `package p

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

func lazy(w io.Writer) {
	zw := gzip.NewWriter(w) // made
	zw.Write(nil) // use
	use(zw) // passes
	json.NewEncoder(zw).Encode(1) // wrapped
	fmt.Fprintf(zw, "x") // formatted
}

func use(z *gzip.Writer) {
	z.Write(nil) // used
}

type holder struct{ buf bytes.Buffer }

func (h *holder) add() {
	h.buf.WriteString("x") // field
}

func fields() {
	h := &holder{} // holder
	h.add() // adds
}

var global bytes.Buffer // global

func globals() {
	global.WriteString("x") // grows global
}

func closure() func() {
	var b bytes.Buffer // captured
	return func() { b.WriteByte(1) } // in closure
}

type thing struct{ a, b []byte }

func newThing() *thing { return &thing{a: make([]byte, 10)} } // inside

func outer() *thing {
	return newThing() // calls
}

var pool = sync.Pool{New: func() any { return new(thing) }} // New

func get() *thing {
	return pool.Get().(*thing) // Get
}

func appends(n int) []int {
	var s []int // slice
	for i := range n {
		s = append(s, i) // append
	}
	return s
}

func decode(data []byte) (v map[string]any) {
	json.NewDecoder(bytes.NewReader(data)).Decode(&v) // decodes
	return v
}

func direct() *[64]byte {
	return &[64]byte{} // direct
}
`

const pkg = "p.example/p"

// load reads source as a module, and returns a function that gives the line with
// a comment.
func load(t *testing.T) (p *allocsite.Program, file string, line func(string) int) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	file = filepath.Join(dir, "p.go")
	for name, text := range map[string]string{"go.mod": "module " + pkg + "\n\ngo 1.26\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := allocsite.Load(t.Context(), dir, "", nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	return p, file, func(comment string) int {
		for i, text := range strings.Split(source, "\n") {
			if strings.HasSuffix(text, "// "+comment) {
				return i + 1
			}
		}
		t.Fatalf("no line has // %s", comment)
		return 0
	}
}

func TestCut(t *testing.T) {
	p, file, line := load(t)
	if !p.Contains(file) {
		t.Fatalf("%s was not read", file)
	}
	// A stack is written as functions, leaf first; those of the program have a
	// comment of their line behind a space.
	stack := func(frames ...string) []allocsite.Frame {
		var out []allocsite.Frame
		for _, f := range frames {
			name, comment, own := strings.Cut(f, " ")
			if own {
				out = append(out, allocsite.Frame{Func: pkg + "." + name, File: file, Line: line(comment)})
			} else {
				out = append(out, allocsite.Frame{Func: name, File: "/goroot/x.go", Line: 1})
			}
		}
		return append(out, allocsite.Frame{Func: "runtime.main", File: "/goroot/proc.go", Line: 1})
	}
	const newWriter, write = "compress/flate.NewWriter", "compress/gzip.(*Writer).Write"
	grow := []string{"bytes.growSlice", "bytes.(*Buffer).grow", "bytes.(*Buffer).WriteString"}
	for _, tt := range []struct {
		name   string
		frames []string
		at     string // a comment
		what   string
		owner  string
	}{
		{"lazily made", []string{newWriter, write, "lazy use"}, "made", "gzip.NewWriter", "gzip.Writer"},
		{"in a callee", []string{newWriter, write, "use used", "lazy passes"}, "made", "gzip.NewWriter", "gzip.Writer"},
		{"behind a wrapper", []string{newWriter, write, "encoding/json.(*Encoder).Encode", "lazy wrapped"}, "made", "gzip.NewWriter", "gzip.Writer"},
		{"behind fmt", []string{newWriter, write, "fmt.Fprintf", "lazy formatted"}, "made", "gzip.NewWriter", "gzip.Writer"},
		{"at once", []string{"compress/gzip.NewWriterLevel", "compress/gzip.NewWriter", "lazy made"}, "made", "gzip.NewWriter", ""},
		{"a codec's other memory", []string{"compress/flate.(*huffmanEncoder).generate", "compress/flate.(*compressor).close", "compress/gzip.(*Writer).Close", "lazy use"}, "made", "gzip.NewWriter", "gzip.Writer"},
		{"a field", append(grow[:3:3], "(*holder).add field", "fields adds"), "holder", "bytes.Buffer in h.buf", "bytes.Buffer"},
		{"a global", append(grow[:3:3], "globals grows global"), "global", "bytes.Buffer", "bytes.Buffer"},
		{"a captured variable", append(grow[:3:3], "closure.func1 in closure"), "captured", "bytes.Buffer", "bytes.Buffer"},
		{"the program's constructor", []string{"newThing inside", "outer calls"}, "calls", "newThing", ""},
		{"a pool's miss", []string{"init.func1 New", "sync.(*Pool).Get", "get Get"}, "Get", "miss of a sync.Pool", ""},
		{"append", []string{"appends append"}, "slice", "[]int grown by append", "[]int"},
		{"a decoder's buffer", []string{"encoding/json.(*Decoder).refill", "encoding/json.(*Decoder).Decode", "decode decodes"}, "decodes", "json.NewDecoder", "json.Decoder"},
		{"what is decoded is not the decoder's", []string{"reflect.New", "encoding/json.indirect", "encoding/json.(*decodeState).object", "encoding/json.(*Decoder).Decode", "decode decodes"}, "decodes", "json.(*Decoder).Decode", ""},
		{"the line itself", []string{"direct direct"}, "direct", "", ""},
	} {
		c := p.Cut(stack(tt.frames...))
		if c.File != file || c.Line != line(tt.at) || c.What != tt.what || c.Owner != tt.owner {
			t.Errorf("%s: %s:%d makes %q, owner %q; want line %d, %q, %q", tt.name, filepath.Base(c.File), c.Line, c.What, c.Owner, line(tt.at), tt.what, tt.owner)
		}
		if want := tt.name == "a global"; c.Global != want {
			t.Errorf("%s: global %v", tt.name, c.Global)
		}
		if want := tt.name == "a pool's miss"; (c.Pool != "") != want {
			t.Errorf("%s: pool %q", tt.name, c.Pool)
		}
		if c.Foreign {
			t.Errorf("%s: foreign", tt.name)
		}
	}
	if c := p.Cut(stack("net/http.(*conn).serve")); !c.Foreign {
		t.Errorf("a stack of others: %+v", c)
	}
}

// The path of a profile from another machine is not here, and its source is.
func TestCutFindsTheSourceByPackage(t *testing.T) {
	p, file, line := load(t)
	c := p.Cut([]allocsite.Frame{
		{Func: "compress/flate.NewWriter", File: "compress/flate/deflate.go", Line: 1},
		{Func: "compress/gzip.(*Writer).Write", File: "compress/gzip/gzip.go", Line: 1},
		{Func: pkg + ".lazy", File: pkg + "@v1.2.3/p.go", Line: line("use")},
	})
	if c.File != file || c.Line != line("made") {
		t.Errorf("%s:%d, want %s:%d", c.File, c.Line, file, line("made"))
	}
}

func TestMakes(t *testing.T) {
	p, file, line := load(t)
	for comment, want := range map[string]struct {
		kind allocsite.Kind
		expr string
		size int64
	}{
		"direct": {allocsite.New, "&[64]byte{}", 64},
		"append": {allocsite.Append, "append(s, i)", 0},
		"holder": {allocsite.New, "&holder{}", 40},
		"slice":  {allocsite.Variable, "s", 24},
	} {
		found := false
		for _, m := range p.Makes(file, line(comment)) {
			found = found || m.Kind == want.kind && m.Expr == want.expr && m.Size == want.size
		}
		if !found {
			t.Errorf("%s: %+v has no %+v", comment, p.Makes(file, line(comment)), want)
		}
	}
}

func TestNames(t *testing.T) {
	for fn, want := range map[string][3]string{
		"a.b/c.(*T).M":           {"a.b/c", "(*T).M", "c.(*T).M"},
		"a.b/c%2ed.F":            {"a.b/c.d", "F", "c%2ed.F"},
		"a.b/c.F[go.shape.int]":  {"a.b/c", "F[go.shape.int]", "c.F[...]"},
		"a.b/c.F[a.b/d.T].func1": {"a.b/c", "F[a.b/d.T].func1", "c.F[a.b/d.T].func1"},
		`a.b/c.(*T[go.shape.struct { A [2]a/b.C "json:\"a\"" }]).M`: {"a.b/c", `(*T[go.shape.struct { A [2]a/b.C "json:\"a\"" }]).M`, "c.(*T[...]).M"},
		"main.main":                   {"main", "main", "main.main"},
		"encoding/json.(*Decoder).Do": {"encoding/json", "(*Decoder).Do", "json.(*Decoder).Do"},
	} {
		if got := [3]string{allocsite.PackagePath(fn), allocsite.LocalName(fn), allocsite.QualifiedName(fn)}; got != want {
			t.Errorf("%s: %q, want %q", fn, got, want)
		}
	}
	if typ, method, ok := allocsite.Receiver("a.b/c.(*T[go.shape.int]).M"); typ != "a.b/c.T" || method != "M" || !ok {
		t.Errorf("a generic receiver: %q %q %v", typ, method, ok)
	}
	if _, _, ok := allocsite.Receiver("a.b/c.F.func1"); ok {
		t.Error("a function literal has a receiver")
	}
}

func TestSamples(t *testing.T) {
	fn := &profile.Function{ID: 1, Name: "p.F", Filename: "p.go"}
	rt := &profile.Function{ID: 2, Name: "runtime.makeslice", Filename: "slice.go"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: rt, Line: 1}, {Function: fn, Line: 7}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects"}, {Type: "alloc_space"}, {Type: "inuse_objects"}, {Type: "inuse_space"}},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{loc}, Value: []int64{10, 1280, 1, 128}, NumLabel: map[string][]int64{"bytes": {128}}},
			{Location: []*profile.Location{loc}, Value: []int64{5, 640, 0, 0}, NumLabel: map[string][]int64{"bytes": {128}}},
			{Location: []*profile.Location{loc}, Value: []int64{1, 64, 0, 0}, NumLabel: map[string][]int64{"bytes": {64}}},
		},
	}
	all, err := allocsite.Samples(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%d samples, want one for each size: %+v", len(all), all)
	}
	s := all[0]
	if s.Size != 128 || s.Objects != 15 || s.Bytes != 1920 || s.InUseObjects != 1 || len(s.Stack) != 1 || s.Stack[0] != (allocsite.Frame{Func: "p.F", File: "p.go", Line: 7}) {
		t.Errorf("the first: %+v", s)
	}
	left := allocsite.Subtract(all, []allocsite.Sample{{Stack: s.Stack, Size: 128, Objects: 5, Bytes: 640}, {Stack: s.Stack, Size: 64, Objects: 1, Bytes: 64}})
	if len(left) != 1 || left[0].Objects != 10 || left[0].Bytes != 1280 {
		t.Errorf("the difference: %+v", left)
	}
	p.SampleType = []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}
	if _, err := allocsite.Samples(p); !errors.Is(err, allocsite.ErrKind) || !strings.Contains(err.Error(), "samples, cpu") {
		t.Errorf("a CPU profile: %v", err)
	}
}
