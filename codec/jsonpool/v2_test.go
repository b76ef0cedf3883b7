// SPDX-License-Identifier: BSD-3-Clause

//go:build goexperiment.jsonv2

package jsonpool_test

import (
	"errors"
	"reflect"
	"testing"

	jsonv2 "encoding/json/v2"

	"github.com/spare-go/spare/codec/jsonpool"
)

// With encoding/json/v2, too, a reused target equals a new one.
func TestV2(t *testing.T) {
	type doc struct {
		A int
		S []struct{ X, Y string }
		M map[string]int
	}
	p := jsonpool.Pool[doc]{Config: jsonpool.Config{Codec: new(jsonpool.V2)}}
	for i := range 30 {
		in := []string{`{"A":1,"S":[{"X":"secret","Y":"secret"},{"Y":"z"}],"M":{"secret":1}}`, `{"S":[{},{"X":"x"}],"M":{"k":2}}`, `{}`, `{"S":[]}`}[i%4]
		var want doc
		if err := jsonv2.Unmarshal([]byte(in), &want); err != nil {
			t.Fatal(err)
		}
		x, err := p.Unmarshal([]byte(in))
		if err != nil || !reflect.DeepEqual(x.V, want) {
			t.Errorf("%s: %+v, %v; want %+v", in, x, err, want)
		}
		p.Put(x)
		b, err := p.Config.Append([]byte("x"), want)
		if plain, _ := jsonv2.Marshal(want); err != nil || string(b) != "x"+string(plain) {
			t.Errorf("%s, %v; want %s", b, err, plain)
		}
	}
	for _, c := range []struct {
		in    string
		flags jsonpool.Flags
		ok    bool
	}{
		{`{"A":1,"B":2}`, 0, true}, {`{"A":1,"B":2}`, jsonpool.DisallowUnknownFields, false},
		{`{"A":1} x`, 0, false}, {`{"A":1} x`, jsonpool.AllowTrailingData, true},
	} {
		var d doc
		if err := new(jsonpool.V2).Unmarshal([]byte(c.in), &d, c.flags); (err == nil) != c.ok || d.A != 1 && c.ok {
			t.Errorf("%s with flags %b: %v", c.in, c.flags, err)
		}
	}
	if err := new(jsonpool.V2).Unmarshal([]byte("{}"), new(doc), jsonpool.ZeroCopyStrings); !errors.Is(err, jsonpool.ErrUnsupported) {
		t.Error(err)
	}
}
