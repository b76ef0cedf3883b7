// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// A randomType returns a type that JSON can fill.
func randomType(r *rand.Rand, depth int) reflect.Type {
	leaves := []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[float64](),
		reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[time.Time](), reflect.TypeFor[[]byte](),
	}
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	switch r.IntN(10) {
	case 0, 1, 2:
		return reflect.SliceOf(randomType(r, depth-1))
	case 3:
		return reflect.MapOf(reflect.TypeFor[string](), randomType(r, depth-1))
	case 4:
		return reflect.PointerTo(randomType(r, depth-1))
	case 5:
		return reflect.ArrayOf(1+r.IntN(3), randomType(r, depth-1))
	case 6:
		return leaves[r.IntN(len(leaves))]
	default:
		return randomStruct(r, depth)
	}
}

func randomStruct(r *rand.Rand, depth int) reflect.Type {
	fields := make([]reflect.StructField, 1+r.IntN(5))
	for i := range fields {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i),
			Type: randomType(r, depth-1),
			Tag:  reflect.StructTag(fmt.Sprintf(`json:"f%d"`, i)),
		}
	}
	return reflect.StructOf(fields)
}

// randomJSON appends a document for t that leaves things out, now and then with null
// or a value of the wrong kind.
func randomJSON(r *rand.Rand, b []byte, t reflect.Type) []byte {
	switch r.IntN(40) {
	case 0, 1:
		return append(b, "null"...)
	case 2:
		return append(b, `{"wrong":["kind"]}`...)
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return fmt.Appendf(b, `"2026-01-%02dT00:00:00Z"`, 1+r.IntN(28))
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]():
		return append(b, []string{`{"secret":1}`, `["secret",2]`, `"secret"`, `[]`, `{}`}[r.IntN(5)]...)
	case reflect.TypeFor[[]byte]():
		return append(b, []string{`""`, `"c2VjcmV0"`}[r.IntN(2)]...)
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return fmt.Appendf(b, "%d", r.IntN(1000))
	case reflect.String:
		return fmt.Appendf(b, `"secret %d"`, r.IntN(1000))
	case reflect.Bool:
		return append(b, []string{"true", "false"}[r.IntN(2)]...)
	case reflect.Pointer:
		return randomJSON(r, b, t.Elem())
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range r.IntN(7) {
			if i > 0 {
				b = append(b, ',')
			}
			b = randomJSON(r, b, t.Elem())
		}
		return append(b, ']')
	case reflect.Map:
		b = append(b, '{')
		for i := range r.IntN(4) {
			if i > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, `"k%d":`, i*10+r.IntN(10))
			b = randomJSON(r, b, t.Elem())
		}
		return append(b, '}')
	case reflect.Struct:
		b = append(b, '{')
		first := true
		for i := range t.NumField() {
			if r.IntN(3) == 0 {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = fmt.Appendf(b, `"f%d":`, i)
			b = randomJSON(r, b, t.Field(i).Type)
		}
		return append(b, '}')
	}
	panic(t)
}

// For any type and any sequence of documents, a reused target holds what a new one
// holds. It also counts how many arrays are reused: none would prove nothing.
func TestReusedTargetEqualsNew(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 100
	}
	reused, failed := 0, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		typ := randomStruct(r, 4)
		if seed%5 == 0 {
			typ = randomType(r, 4)
		}
		target := reflect.New(typ)
		a := newArrays(target.Elem(), slicePaths(typ))
		for i := range 12 {
			doc := randomJSON(r, nil, typ)
			fresh := reflect.New(typ)
			wantErr := json.Unmarshal(doc, fresh.Interface())

			a.install()
			for j := range a {
				if a[j].kept.cap > 0 {
					reused++
				}
			}
			err := json.Unmarshal(doc, target.Interface())
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("seed %d, document %d of %v: error %v, want %v\n%s", seed, i, typ, err, wantErr, doc)
			}
			if err == nil {
				a.settle(false)
				if !reflect.DeepEqual(target.Interface(), fresh.Interface()) {
					t.Fatalf("seed %d, document %d of %v:\n%s\ngot  %#v\nwant %#v", seed, i, typ, doc, target.Elem(), fresh.Elem())
				}
			} else {
				failed++
			}
			a.take()
			target.Elem().SetZero()
			for j := range a {
				k := a[j].contents
				k.SetLen(k.Cap())
				for n := range k.Len() {
					if !k.Index(n).IsZero() {
						t.Fatalf("seed %d: an idle array of %v holds %#v", seed, typ, k)
					}
				}
				k.SetLen(0)
			}
		}
	}
	if reused < rounds || failed < rounds/10 {
		t.Errorf("%d arrays were reused and %d documents failed: too few to show anything", reused, failed)
	}
}

// The test above would see each of the faults that pools of targets have.
func TestPropertySeesFaults(t *testing.T) {
	type item struct{ A, B string }
	type doc struct {
		Items []item
		M     map[string]int
		P     *item
	}
	first, second := []byte(`{"Items":[{"A":"1","B":"secret"}],"M":{"secret":1},"P":{"B":"secret"}}`), []byte(`{"Items":[{"A":"2"}],"M":{"x":1},"P":{}}`)
	var want doc
	if err := json.Unmarshal(second, &want); err != nil {
		t.Fatal(err)
	}
	for name, reset := range map[string]func(*doc){
		"none":         func(d *doc) {},
		"length only":  func(d *doc) { *d = doc{Items: d.Items[:0]} },
		"map kept":     func(d *doc) { *d = doc{M: d.M} },
		"pointer kept": func(d *doc) { *d = doc{P: d.P} },
	} {
		var d doc
		if err := json.Unmarshal(first, &d); err != nil {
			t.Fatal(err)
		}
		reset(&d)
		if err := json.Unmarshal(second, &d); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(d, want) {
			t.Errorf("reset %q leaks nothing: encoding/json has changed", name)
		}
	}
}

func TestLargeArrays(t *testing.T) {
	var v struct{ S []int64 }
	a := newArrays(reflect.ValueOf(&v).Elem(), slicePaths(reflect.TypeOf(v)))
	decode := func(n int) {
		a.install()
		b, _ := json.Marshal(map[string]any{"S": make([]int64, n)})
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		a.settle(false)
		a.take()
		v.S = nil
	}
	decode(100000)
	for range 5 {
		decode(90000)
	}
	if a.size() < 90000*8 {
		t.Error("an array that is used was let go")
	}
	decode(10)
	if a.size() > maxArray {
		t.Errorf("%d bytes stay for 10 elements", a.size())
	}
	decode(10)
	if a.size() == 0 || a.size() > maxArray {
		t.Errorf("%d bytes for 10 elements", a.size())
	}
}
