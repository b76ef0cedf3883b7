// SPDX-License-Identifier: BSD-3-Clause

package jsonpool_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"weak"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/jsonpool"
)

type item struct {
	SKU  string
	Tags []string
	More map[string]any
	Next *item
}

type order struct {
	ID    int
	Name  string
	Items []item
	Attrs map[string]string
	Any   any
	Ptr   *item
	Deep  struct{ Words []string }
	Pair  [2][]int
	Raw   json.RawMessage
	inner string
}

const full = `{"ID":1,"Name":"secret","Items":[{"SKU":"secret","Tags":["secret"],"More":{"secret":1},"Next":{"SKU":"secret"}},{"SKU":"b"}],` +
	`"Attrs":{"secret":"x"},"Any":{"secret":[1]},"Ptr":{"SKU":"secret"},"Deep":{"Words":["secret","b"]},"Pair":[[1,2],[3]],"Raw":{"secret":1}}`

var documents = []string{
	full, `{}`, `{"Items":[{},{"Tags":[]}]}`, full, `{"Items":[],"Attrs":{},"Deep":{"Words":[]},"Pair":[[],null]}`,
	`{"Items":null,"Attrs":null,"Any":null}`, full, `{"Items":[{"More":{}},{"Next":{}},{},{},{}],"Any":{},"Ptr":{}}`,
	full, `{"Pair":[[7]]}`, `null`, full, `{"Deep":{"Words":["x"]}}`,
}

func decodeNew(t *testing.T, doc string) order {
	t.Helper()
	var o order
	if err := json.Unmarshal([]byte(doc), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestPoolEqualsNew(t *testing.T) {
	var p jsonpool.Pool[order]
	for round := range 3 {
		for i, doc := range documents {
			x, err := p.Unmarshal([]byte(doc))
			if i%2 == 1 {
				x, err = p.Decode(strings.NewReader(doc))
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := decodeNew(t, doc); !reflect.DeepEqual(x.V, want) {
				t.Errorf("round %d, document %d: got %+v, want %+v", round, i, x.V, want)
			}
			x.V.inner = "secret"
			if i%3 == 0 {
				x.V.Name = "secret of the user"
				x.V.Items = append(x.V.Items, item{SKU: "secret"})
			}
			p.Put(x)
			for range 3 { // a document that fails halfway
				if _, err := p.Unmarshal([]byte(full[:len(full)-20])); err == nil {
					t.Fatal("no error")
				}
				if _, err := p.Unmarshal([]byte(`{"Items":[{"SKU":"secret"},{"SKU":3}],"Name":"secret"}`)); err == nil {
					t.Fatal("no error")
				}
			}
		}
	}
	x := p.Get()
	if !reflect.DeepEqual(x.V, order{}) {
		t.Errorf("Get: %+v", x.V)
	}
	p.Put(x)
}

// Values that are not structs.
func TestPoolOfAnything(t *testing.T) {
	var s jsonpool.Pool[[]item]
	var m jsonpool.Pool[map[string]int]
	var a jsonpool.Pool[any]
	var e jsonpool.Pool[[]struct{}]
	for range 3 {
		x, err := s.Unmarshal([]byte(`[{"SKU":"a"},{}]`))
		if err != nil || !reflect.DeepEqual(x.V, []item{{SKU: "a"}, {}}) {
			t.Error(x, err)
		}
		s.Put(x)
		if x, err = s.Unmarshal([]byte(`[]`)); err != nil || x.V == nil || len(x.V) != 0 {
			t.Error(x, err)
		}
		s.Put(x)
		y, err := m.Unmarshal([]byte(`{"a":1}`))
		if err != nil || !reflect.DeepEqual(y.V, map[string]int{"a": 1}) {
			t.Error(y, err)
		}
		m.Put(y)
		if y, err = m.Unmarshal([]byte(`{"b":1}`)); err != nil || !reflect.DeepEqual(y.V, map[string]int{"b": 1}) {
			t.Error(y, err)
		}
		m.Put(y)
		z, err := a.Unmarshal([]byte(`[1,"x"]`))
		if err != nil || !reflect.DeepEqual(z.V, []any{1.0, "x"}) {
			t.Error(z, err)
		}
		a.Put(z)
		w, err := e.Unmarshal([]byte(`[{},{}]`))
		if err != nil || len(w.V) != 2 {
			t.Error(w, err)
		}
		e.Put(w)
	}
}

// A slice that the user put into the target, or took out of it, stays the user's.
func TestPoolTakesOnlyItsOwnArrays(t *testing.T) {
	var p jsonpool.Pool[order]
	defaults := []item{{SKU: "default"}, {SKU: "other"}}
	var taken [][]item
	for i := range 20 {
		x, err := p.Unmarshal([]byte(full))
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 0:
			x.V.Items = defaults
		case 1:
			taken = append(taken, x.V.Items)
			x.V.Items = nil
		case 2:
			x.V.Deep.Words = x.V.Deep.Words[1:]
		case 3:
			x.V.Items = defaults[:1]
		}
		p.Put(x)
	}
	if defaults[0].SKU != "default" || defaults[1].SKU != "other" {
		t.Errorf("the user's slice is now %+v", defaults)
	}
	for _, s := range taken {
		if !reflect.DeepEqual(s, decodeNew(t, full).Items) {
			t.Errorf("a slice that was taken out is now %+v", s)
		}
	}
}

func TestPutTwicePanics(t *testing.T) {
	var p jsonpool.Pool[order]
	x := p.Get()
	p.Put(x)
	p.Put(nil)
	defer func() {
		if v := recover(); v != "jsonpool: Put of a Value that is not in use" {
			t.Errorf("panic %v", v)
		}
	}()
	p.Put(x) //spare:ignore double-put the second Put is to panic
}

func TestEncode(t *testing.T) {
	type doc struct {
		S string
		M map[string]int
		N []int
	}
	for i, v := range []any{1, "<&>", nil, doc{"x", map[string]int{"b": 1, "a": 2}, nil}, &doc{}, []string{}, strings.Repeat("long", 30000), json.RawMessage(`{"a" : 1}`)} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			got, err := jsonpool.Append([]byte("before"), v)
			if err != nil || string(got) != "before"+string(want) {
				t.Errorf("%d: Append: %.100q, %v; want %.100q", i, got, err, want)
			}
			w := new(countingWriter)
			if err := jsonpool.Encode(w, v); err != nil || w.String() != string(want)+"\n" || w.writes != 1 {
				t.Errorf("%d: Encode: %.100q, %v in %d writes; want %.100q", i, w.String(), err, w.writes, want)
			}
		}
	}
	c := jsonpool.Config{Codec: &jsonpool.Standard{NoEscapeHTML: true, Prefix: ">", Indent: " "}}
	for range 3 {
		got, err := c.Append(nil, []string{"<"})
		if err != nil || string(got) != "[\n> \"<\"\n>]" {
			t.Errorf("%q, %v", got, err)
		}
		if got, err = jsonpool.Append(nil, "<"); err != nil || string(got) != `"\u003c"` {
			t.Errorf("options of one Config reached another: %q, %v", got, err)
		}
	}
}

type countingWriter struct {
	bytes.Buffer
	writes int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.writes++
	return w.Buffer.Write(p)
}

type brokenWriter struct{ panic bool }

func (w brokenWriter) Write([]byte) (int, error) {
	if w.panic {
		panic(codectest.ErrBroken)
	}
	return 0, codectest.ErrBroken
}

type badMarshaler struct{ panic bool }

func (m badMarshaler) MarshalJSON() ([]byte, error) {
	if m.panic {
		panic(codectest.ErrBroken)
	}
	return nil, codectest.ErrBroken
}

// nested encodes itself with the same pool.
type nested struct{ N int }

func (n nested) MarshalJSON() ([]byte, error) {
	return jsonpool.Append(nil, []int{n.N})
}

// viaAppend hides that a Codec can write by itself.
type viaAppend struct{ jsonpool.Codec }

// No error and no panic is seen by anyone but the one who caused it.
func TestErrorsDoNotStick(t *testing.T) {
	for _, c := range []*jsonpool.Config{{}, {Codec: viaAppend{new(jsonpool.Standard)}}} {
		good := func() {
			t.Helper()
			for range 4 {
				var b bytes.Buffer
				if err := c.Encode(&b, nested{7}); err != nil || b.String() != "[7]\n" {
					t.Errorf("next Encode: %q, %v", b.String(), err)
				}
				if b, err := c.Append(nil, nested{8}); err != nil || string(b) != "[8]" {
					t.Errorf("next Append: %q, %v", b, err)
				}
			}
		}
		for range 5 {
			if err := c.Encode(brokenWriter{}, 1); err != codectest.ErrBroken {
				t.Errorf("broken writer: %v", err)
			}
			good()
			if v := codectest.Caught(func() { c.Encode(brokenWriter{panic: true}, 1) }); v != codectest.ErrBroken {
				t.Errorf("panicking writer: %v", v)
			}
			good()
			for _, v := range []any{make(chan int), badMarshaler{}, func() {}} {
				w := new(countingWriter)
				if err := c.Encode(w, []any{"secret", v}); err == nil || w.writes > 0 {
					t.Errorf("%T: %v, wrote %q", v, err, w.String())
				}
				if b, err := c.Append([]byte("dst"), []any{"secret", v}); err == nil || string(b) != "dst" {
					t.Errorf("%T: %q, %v", v, b, err)
				}
				good()
			}
			if v := codectest.Caught(func() { c.Append(nil, badMarshaler{panic: true}) }); v != codectest.ErrBroken {
				t.Errorf("panicking marshaller: %v", v)
			}
			good()
		}
	}
}

func TestDecodeOptions(t *testing.T) {
	const strict, trailing = jsonpool.DisallowUnknownFields, jsonpool.AllowTrailingData
	type doc struct{ A int }
	for _, c := range []struct {
		in    string
		flags jsonpool.Flags
		max   int
		err   string // "" for none
	}{
		{`{"A":1}`, 0, 0, ""},
		{" {\"A\":1}\n ", 0, 0, ""},
		{`{"A":1} x`, 0, 0, "after top-level value"},
		{`{"A":1}{"A":2}`, 0, 0, "after top-level value"},
		{`{"A":1}{"A":2}`, trailing, 0, ""},
		{`{"A":1} x`, trailing, 0, ""},
		{`{"A":1} x`, strict, 0, "after top-level value"},
		{"{\"A\":1} \t\r\n", strict, 0, ""},
		{`{"A":1,"B":2}`, 0, 0, ""},
		{`{"A":1,"B":2}`, strict, 0, `unknown field "B"`},
		{`{"A":1,"B":2}`, strict | trailing, 0, `unknown field "B"`},
		{`{"A":1} {`, strict | trailing, 0, ""},
		{`{"A":1}`, 0, 7, ""},
		{`{"A":1}`, 0, 6, "exceeds the limit of 6 bytes"},
		{`{"A":1}` + strings.Repeat(" ", 10000), 0, 100, "exceeds the limit of 100 bytes"},
		{``, 0, 0, "EOF"}, {" \n\t ", strict, 0, "EOF"},
		{`{"A":`, 0, 0, "unexpected end"}, {`{"A":`, strict, 0, "unexpected end"}, {`{"A":`, trailing, 0, "unexpected end"},
		{`{"A":"x"}`, 0, 0, "cannot unmarshal string"}, {`{"A":"x"}`, strict, 0, "cannot unmarshal string"},
		{`{"A":1}`, jsonpool.ZeroCopyStrings, 0, "does not support"},
	} {
		conf := jsonpool.Config{Flags: c.flags, MaxSize: c.max}
		pool := jsonpool.Pool[doc]{Config: conf}
		check := func(how string, got int, err error) {
			t.Helper()
			if c.err == "" && (err != nil || got != 1) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%s %q with flags %b, limit %d: %d, %v; want error %q", how, c.in, c.flags, c.max, got, err, c.err)
			}
			if c.max > 0 && c.err != "" && !errors.Is(err, jsonpool.ErrTooLarge) {
				t.Errorf("%v is not ErrTooLarge", err)
			}
		}
		for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
			var d doc
			err := conf.Decode(r, &d)
			check("Decode", d.A, err)
			if errors.Is(err, io.EOF) && err != io.EOF {
				t.Errorf("%v wraps EOF", err)
			}
		}
		x, err := pool.Decode(strings.NewReader(c.in))
		if err == nil {
			check("Pool.Decode", x.V.A, err)
			pool.Put(x)
		} else {
			check("Pool.Decode", 0, err)
		}
		if c.err != "EOF" {
			var d doc
			err := conf.Unmarshal([]byte(c.in), &d)
			check("Unmarshal", d.A, err)
		}
	}
	if err := jsonpool.Decode(io.MultiReader(strings.NewReader(`{"A":1}`), iotest.ErrReader(codectest.ErrBroken)), new(doc)); err != codectest.ErrBroken {
		t.Errorf("broken reader: %v", err)
	}
	if !errors.Is(new(jsonpool.Standard).Unmarshal(nil, nil, jsonpool.ZeroCopyStrings), jsonpool.ErrUnsupported) {
		t.Error("not ErrUnsupported")
	}
}

// Idle memory holds nothing of the user's, and results nothing of the pool's.
func TestRetention(t *testing.T) {
	type big struct {
		bytes.Buffer
		_ [64]byte
	}
	var refs []func() (string, bool)
	track := func(name string, x *big) *big {
		w := weak.Make(x)
		refs = append(refs, func() (string, bool) { return name, w.Value() != nil })
		return x
	}
	trackBytes := func(name string, b []byte) []byte {
		w := weak.Make(&b[0])
		refs = append(refs, func() (string, bool) { return name, w.Value() != nil })
		return b
	}
	var p jsonpool.Pool[order]
	func() {
		if err := jsonpool.Encode(track("writer", new(big)), 1); err != nil {
			t.Fatal(err)
		}
		trackBytes("dst", must(jsonpool.Append(trackBytes("old dst", make([]byte, 10, 100))[:0], strings.Repeat("x", 200))))
		r := track("reader", new(big))
		r.WriteString(full)
		x, err := p.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		r = track("reader within a limit", new(big))
		r.WriteString(full)
		if err := (&jsonpool.Config{MaxSize: 10000}).Decode(r, new(order)); err != nil {
			t.Fatal(err)
		}
		item := new(item)
		w := weak.Make(item)
		refs = append(refs, func() (string, bool) { return "value behind a decoded slice", w.Value() != nil })
		x.V.Items[0].Next = item
		x.V.Items[1].Tags = []string{string(trackBytes("input", []byte(strings.Repeat("y", 100))))}
		p.Put(x)
	}()
	runtime.GC()
	for _, ref := range refs {
		if name, alive := ref(); alive {
			t.Errorf("the %s is still held", name)
		}
	}
	if s := p.Stats(); s.Idle != 1 && !codectest.Inexact {
		t.Errorf("%+v", s)
	}

	var results []order
	var bs [][]byte
	for i := range 50 {
		doc := fmt.Sprintf(`{"Name":"name %d","Raw":["raw %d"]}`, i, i)
		var o order
		if err := jsonpool.Decode(strings.NewReader(doc), &o); err != nil {
			t.Fatal(err)
		}
		x, err := p.Decode(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, o, order{Name: x.V.Name, Raw: x.V.Raw})
		p.Put(x)
		bs = append(bs, must(jsonpool.Append(nil, o.Name)))
	}
	for i, o := range results {
		if o.Name != fmt.Sprintf("name %d", i/2) || string(o.Raw) != fmt.Sprintf(`["raw %d"]`, i/2) || string(bs[i/2]) != fmt.Sprintf(`"name %d"`, i/2) {
			t.Errorf("result %d is now %q, %q, %q", i/2, o.Name, o.Raw, bs[i/2])
		}
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// A keeper keeps what it must not.
type keeper struct{ b []byte }

func (k *keeper) UnmarshalJSON(b []byte) error {
	k.b = b
	return nil
}

// The data of Unmarshal are the caller's. So a type whose UnmarshalJSON keeps its argument shows
// nothing of others, as it may with Decode.
func TestUnmarshalIsInNoPool(t *testing.T) {
	type rec struct{ K keeper }
	var p jsonpool.Pool[rec]
	var c jsonpool.Config
	x, err := p.Unmarshal([]byte(`{"K":"the first user's"}`))
	if err != nil {
		t.Fatal(err)
	}
	var y rec
	if err := c.Unmarshal([]byte(`{"K":"the first user's"}`), &y); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		var z rec
		if err := c.Decode(strings.NewReader(`{"K":"another user's"}`), &z); err != nil {
			t.Fatal(err)
		}
	}
	if want := `"the first user's"`; string(x.V.K.b) != want || string(y.K.b) != want {
		t.Errorf("%s and %s", x.V.K.b, y.K.b)
	}
}

func TestConcurrent(t *testing.T) {
	var p jsonpool.Pool[order]
	wants := make([]order, len(documents))
	for i := range documents {
		wants[i] = decodeNew(t, documents[i])
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				k := (g + i) % len(documents)
				x, err := p.Decode(strings.NewReader(documents[k]))
				if err != nil {
					t.Error(err)
					return
				}
				runtime.Gosched()
				if !reflect.DeepEqual(x.V, wants[k]) {
					t.Errorf("goroutine %d, use %d: %+v", g, i, x.V)
				}
				var b bytes.Buffer
				if err := jsonpool.Encode(&b, g*1000+i); err != nil || b.String() != fmt.Sprintln(g*1000+i) {
					t.Errorf("%q, %v", b.String(), err)
				}
				p.Put(x)
			}
		})
	}
	wg.Wait()
}

func TestSynctest(t *testing.T) {
	var p jsonpool.Pool[order]
	work := func(t *testing.T) {
		x, err := p.Decode(strings.NewReader(full))
		if err != nil {
			t.Fatal(err)
		}
		p.Put(x)
		if _, err := jsonpool.Append(nil, 1); err != nil {
			t.Error(err)
		}
	}
	synctest.Test(t, work)
	work(t)
}

func TestAllocs(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	type rec struct {
		ID    int
		Name  string
		Items []int
		Rows  []struct{ A, B int }
	}
	var p jsonpool.Pool[rec]
	r := &rec{1, "name", []int{1, 2, 3}, nil}
	doc := []byte(`{"ID":1,"Items":[1,2,3],"Rows":[{"A":1},{"B":2}]}`)
	src := bytes.NewReader(doc)
	dst := make([]byte, 0, 1000)
	c := jsonpool.Config{Codec: viaAppend{new(jsonpool.Standard)}}
	fresh := testing.AllocsPerRun(100, func() { json.Unmarshal(doc, r) })
	for _, x := range []struct {
		name string
		want float64
		f    func()
	}{
		{"Append", 0, func() { jsonpool.Append(dst, r) }},
		{"Encode", 0, func() { jsonpool.Encode(io.Discard, r) }},
		{"Encode through Append", 0, func() { c.Encode(io.Discard, r) }},
		{"Decode", fresh, func() { src.Reset(doc); jsonpool.Decode(src, r) }},
		{"Pool.Decode", fresh, func() {
			src.Reset(doc)
			x, err := p.Decode(src)
			if err != nil {
				t.Fatal(err)
			}
			p.Put(x)
		}},
	} {
		x.f()
		if got := testing.AllocsPerRun(100, x.f); got != x.want {
			t.Errorf("%s: %v allocations, want %v", x.name, got, x.want)
		}
	}
}

// After a collection the pools make nothing anew. encoding/json does: it keeps its state in a
// sync.Pool, and so allocates as much as without jsonpool, at most.
func TestAllocsAfterGC(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	type rec struct {
		ID    int
		Items []int
		Rows  []struct{ A, B int }
	}
	var p jsonpool.Pool[rec]
	doc := []byte(`{"ID":1,"Items":[1,2,3],"Rows":[{"A":1},{"B":2}]}`)
	src := bytes.NewReader(doc)
	r := &rec{Items: []int{1, 2, 3}}
	target := new(rec)
	decoding := codectest.AllocsAfterGC(func() { json.Unmarshal(doc, target) })
	encoding := codectest.AllocsAfterGC(func() { json.NewEncoder(io.Discard).Encode(r) })
	dst := make([]byte, 0, 1000)
	viaBuffer := jsonpool.Config{Codec: viaAppend{new(jsonpool.Standard)}}
	limit := jsonpool.Config{MaxSize: 1000}
	for _, c := range []struct {
		name string
		want int
		f    func()
	}{
		{"Append", encoding, func() { jsonpool.Append(dst, r) }},
		{"Encode", encoding, func() { jsonpool.Encode(io.Discard, r) }},
		{"Encode through Append", encoding, func() { viaBuffer.Encode(io.Discard, r) }},
		{"Decode", decoding, func() { src.Reset(doc); jsonpool.Decode(src, target) }},
		{"Decode within a limit", decoding, func() { src.Reset(doc); limit.Decode(src, target) }},
		{"Pool", decoding + codectest.EngineAllocsAfterGC(), func() {
			x, err := p.Unmarshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			p.Put(x)
		}},
	} {
		if got := codectest.AllocsAfterGC(c.f); got > c.want {
			t.Errorf("%s: %d allocations, want no more than the %d of encoding/json", c.name, got, c.want)
		}
	}
}

// Idle targets hold their arrays, and Stats and MaxIdle know.
func TestIdleBytes(t *testing.T) {
	type rec struct{ Items []int64 }
	p := jsonpool.Pool[rec]{MaxIdle: 100 << 10}
	fill := func(n int) *jsonpool.Value[rec] {
		x, err := p.Unmarshal([]byte("{\"Items\":[0" + strings.Repeat(",1", n-1) + "]}"))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	a, b, large := fill(1000), fill(1000), fill(50000)
	p.Put(large)
	if s := p.Stats(); s.IdleBytes != 0 {
		t.Errorf("400 kB were kept: %+v", s)
	}
	p.Put(a)
	p.Put(b)
	s := p.Stats()
	if s.Idle != 2 && !codectest.Inexact || s.IdleBytes < int64(s.Idle)*8000 || s.IdleBytes > 32<<10 {
		t.Errorf("two targets with arrays of 8 kB: %+v", s)
	}
	q := jsonpool.Pool[rec]{}
	x, err := q.Unmarshal([]byte("{\"Items\":[0" + strings.Repeat(",1", 999) + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	q.Put(x)
	if s := q.Stats(); s.IdleBytes < int64(s.Idle)*8000 {
		t.Errorf("without MaxIdle: %+v", s)
	}
}
