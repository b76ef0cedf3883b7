// SPDX-License-Identifier: BSD-3-Clause

package allocsite_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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

var buffers, arrays sync.Pool

func getBuffer() *bytes.Buffer {
	if b, ok := buffers.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func pooled() {
	b := buffers.Get().(*bytes.Buffer) // buffer
	b.WriteString("x") // grows buffer
	c := getBuffer() // by a function
	c.WriteString("x") // grows by a function
	p := arrays.Get().(*[]byte) // array
	*p = append((*p)[:0], 1) // grows array
	q := arrays.Get().(*[]byte) // sliced
	r := (*q)[:0]
	r = append(r, 1) // grows sliced
	*q = r
}

func made() {
	d := new(bytes.Buffer) // new
	d.WriteString("x") // grows new
}

func uses(r io.Reader, keep *thing, ch chan []byte, use func([]byte)) []byte {
	data, err := io.ReadAll(r) // data
	if err != nil || len(data) == 0 {
		return nil
	}
	use(data) // reads
	s := string(data) // copied
	_ = s
	keep.a = data // stored
	ch <- data // sent
	go use(data) // started
	var b bytes.Buffer // bytes
	b.WriteString("x")
	use(b.Bytes()) // bytes used
	keep.b = b.Bytes() // bytes stored
	return data // returned
}

func still(n int, use func(...any)) int {
	var table [64]int // flat
	fixed := make([]int, 8) // fixed
	grown := make([]int, 8) // appended
	passed := make([]int, 8) // passed
	held := &thing{} // held
	for i := range table {
		table[i] = fixed[i%8]
	}
	grown = append(grown, n)
	use(passed)
	held.a = append(held.a, 1)
	first, second := []int{1}, &thing{a: make([]byte, n)} // two
	return len(grown) + len(fixed) + copy(fixed, table[:]) + len(first) + len(second.a)
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
		{"a buffer of a pool", append(grow[:3:3], "pooled grows buffer"), "buffer", "bytes.Buffer from a sync.Pool", "bytes.Buffer"},
		{"a buffer of a pool, by a function", append(grow[:3:3], "pooled grows by a function"), "by a function", "bytes.Buffer from a sync.Pool", "bytes.Buffer"},
		{"an array of a pool", []string{"pooled grows array"}, "array", "[]byte from a sync.Pool", "[]byte"},
		{"a slice of an array of a pool", []string{"pooled grows sliced"}, "sliced", "[]byte from a sync.Pool", "[]byte"},
		{"a buffer by new", append(grow[:3:3], "made grows new"), "new", "bytes.Buffer", "bytes.Buffer"},
	} {
		c := p.Cut(stack(tt.frames...))
		if c.File != file || c.Line != line(tt.at) || c.What != tt.what || c.Owner != tt.owner {
			t.Errorf("%s: %s:%d makes %q, owner %q; want line %d, %q, %q", tt.name, filepath.Base(c.File), c.Line, c.What, c.Owner, line(tt.at), tt.what, tt.owner)
		}
		if want := tt.name == "a global"; c.Global != want {
			t.Errorf("%s: global %v", tt.name, c.Global)
		}
		if miss := tt.name == "a pool's miss"; c.Miss != miss || c.OwnPool != miss || (c.Pool != "") != (miss || strings.Contains(tt.name, " of a pool")) {
			t.Errorf("%s: pool %q, miss %v, of the program %v", tt.name, c.Pool, c.Miss, c.OwnPool)
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

// A value has the name of the variable that it is given to, not of one that holds it.
func TestMakesVariable(t *testing.T) {
	p, file, line := load(t)
	got := make(map[string]string)
	for _, m := range p.Makes(file, line("two")) {
		got[m.Expr] = m.Var
	}
	for expr, want := range map[string]string{"first": "first", "[]int{…}": "first", "&thing{…}": "second", "make([]byte, n)": ""} {
		if v, ok := got[expr]; !ok || v != want {
			t.Errorf("%s is the value of %q, want %q; there are %q", expr, v, want, got)
		}
	}
}

func TestUses(t *testing.T) {
	p, file, line := load(t)
	check := func(name, method string, at int, want map[string]bool) {
		t.Helper()
		got := make(map[int]bool)
		for _, u := range p.Uses(file, at, name, method) {
			got[u.Line] = u.Leaves
		}
		for comment, leaves := range want {
			if v, ok := got[line(comment)]; !ok || v != leaves {
				t.Errorf("%s, the line %q: leaves %v (there: %v), want %v", name, comment, v, ok, leaves)
			}
		}
		if method != "" && len(got) != len(want) {
			t.Errorf("%s: %v, want %d lines", name, got, len(want))
		}
	}
	check("data", "", line("data"), map[string]bool{"reads": false, "copied": false, "stored": true, "sent": true, "started": true, "returned": true})
	check("b", "Bytes", line("bytes"), map[string]bool{"bytes used": false, "bytes stored": true})
	if got := p.Uses(file, line("data"), "nothing", ""); got != nil {
		t.Errorf("uses of no variable: %v", got)
	}
}

func TestGrows(t *testing.T) {
	p, file, line := load(t)
	for comment, tt := range map[string]struct {
		name string
		want bool
	}{"flat": {"table", false}, "fixed": {"fixed", false}, "appended": {"grown", true}, "passed": {"passed", true}, "held": {"held", true}} {
		if got := p.Grows(file, line(comment), tt.name); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
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
	if slices.ContainsFunc(all, func(s allocsite.Sample) bool { return s.Mean }) {
		t.Errorf("the profile tells the sizes: %+v", all)
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
	for _, s := range p.Sample {
		s.NumLabel = nil // as stores merge them
	}
	if all, err = allocsite.Samples(p); err != nil || len(all) != 2 || !all[0].Mean || all[0].Size != 128 {
		t.Errorf("without sizes: %+v, %v", all, err)
	}
	p.SampleType = []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}
	if _, err := allocsite.Samples(p); !errors.Is(err, allocsite.ErrKind) || !strings.Contains(err.Error(), "samples, cpu") {
		t.Errorf("a CPU profile: %v", err)
	}
}
