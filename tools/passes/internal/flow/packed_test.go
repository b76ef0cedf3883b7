// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
)

// TestPackedSummary packs summaries with all fields set in some way. What was never asked for is passed on as it came.
func TestPackedSummary(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		v, ok := quick.Value(reflect.TypeFor[anySummary](), r)
		if !ok {
			t.Fatal("no value")
		}
		want := v.Interface().(anySummary).Summary
		data, err := want.GobEncode()
		if err != nil {
			t.Fatal(err)
		}
		var got Summary
		if err := got.GobDecode(data); err != nil {
			t.Fatal(err)
		}
		if text, wanted := got.String(), want.String(); text != wanted {
			t.Fatalf("%s, want %s", text, wanted)
		}
		if again, err := got.GobEncode(); err != nil || string(again) != string(data) {
			t.Fatalf("passed on with other bytes: %v", err)
		}
		if got.unpack(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// An anySummary is a summary that package quick can make: its expressions are not endless.
type anySummary struct{ Summary }

func (anySummary) Generate(r *rand.Rand, _ int) reflect.Value {
	return reflect.ValueOf(anySummary{fill(r, reflect.New(reflect.TypeFor[Summary]()).Elem(), 0).Interface().(Summary)})
}

// fill sets all fields that others can name. Lists are nil or have elements, as those that were packed.
func fill(r *rand.Rand, v reflect.Value, depth int) reflect.Value {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int:
		v.SetInt(int64(r.Intn(2000) - 1000))
	case reflect.String:
		v.SetString([]string{"", "a", "\xff\x00", "example.com/p.Type"}[r.Intn(4)])
	case reflect.Pointer:
		if depth < 6 && r.Intn(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if n := r.Intn(3); n > 0 && depth < 6 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for k := range n {
				fill(r, v.Index(k), depth+1)
			}
		}
	case reflect.Struct:
		for k := range v.NumField() {
			if v.Type().Field(k).IsExported() {
				fill(r, v.Field(k), depth+1)
			}
		}
	}
	return v
}
