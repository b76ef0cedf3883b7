// SPDX-License-Identifier: BSD-3-Clause

package jsonpool_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/spare-go/spare/codec/jsonpool"
)

// The target that was used by one document before gives for another what a new one gives, from any
// bytes, and so do Decode, a limit, and the flags of Standard beside a json.Decoder.
func FuzzDecode(f *testing.F) {
	for i, doc := range documents {
		f.Add(documents[(i+3)%len(documents)], doc, 1000)
	}
	f.Add(full, `{"ID":1} {"ID":2}`, 3)
	f.Add(full[:len(full)/2], `{"Items":[{"SKU":"a"},7]}`, 20)
	f.Add(`{"Unknown":1}`, " \n", 1)
	f.Add(`{"Items":[{"Tags":["a"]}],"Items":[{}]}`, `{"Items":[{}],"items":[{"Next":{}}]}`, 40)
	type pool = jsonpool.Pool[order]
	var p pool
	limited := []*pool{{Config: jsonpool.Config{MaxSize: 1}}, {Config: jsonpool.Config{MaxSize: 30}}, {Config: jsonpool.Config{MaxSize: 300}}}
	const trailing = jsonpool.AllowTrailingData
	flagged := []*pool{{Config: jsonpool.Config{Flags: trailing}}, {Config: jsonpool.Config{Flags: trailing | jsonpool.DisallowUnknownFields}}}
	f.Fuzz(func(t *testing.T, first, second string, n int) {
		for _, doc := range []string{first, second, first} {
			var want order
			wantErr := json.Unmarshal([]byte(doc), &want)
			x, err := p.Unmarshal([]byte(doc))
			compare(t, "Unmarshal", x, err, &want, wantErr)
			p.Put(x)
			if strings.Trim(doc, " \t\r\n") == "" {
				wantErr = io.EOF
			}
			x, err = p.Decode(strings.NewReader(doc))
			compare(t, "Decode", x, err, &want, wantErr)
			p.Put(x)

			own := limited[uint(n)%uint(len(limited))]
			limit := own.Config.MaxSize
			x, err = own.Decode(struct{ io.Reader }{strings.NewReader(doc)})
			if large := len(doc) > limit; large != errors.Is(err, jsonpool.ErrTooLarge) {
				t.Errorf("a limit of %d for %d bytes: %v", limit, len(doc), err)
			} else if !large {
				compare(t, "Decode within a limit", x, err, &want, wantErr)
			}
			own.Put(x)

			// The first value, whatever follows, and without unknown members.
			for _, p := range flagged {
				var want order
				dec := json.NewDecoder(strings.NewReader(doc))
				if p.Config.Flags != trailing {
					dec.DisallowUnknownFields()
				}
				wantErr := dec.Decode(&want)
				x, err := p.Unmarshal([]byte(doc))
				if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(x.V, want) {
					t.Errorf("flags %d, %q: %v, want %v", p.Config.Flags, doc, err, wantErr)
				}
				p.Put(x)
			}
		}
	})
}

func compare(t *testing.T, what string, x *jsonpool.Value[order], err error, want *order, wantErr error) {
	t.Helper()
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%s: error %v, want %v", what, err, wantErr)
	} else if err == nil && !reflect.DeepEqual(&x.V, want) {
		t.Errorf("%s: got %+v, want %+v", what, x.V, *want)
	}
}

// What is appended and what is encoded is what encoding/json makes of any value.
func FuzzEncode(f *testing.F) {
	for _, doc := range documents {
		f.Add(doc, "  ")
	}
	f.Add(`["<&>\u2028", 1e400, 1.5, null, true, {"a":{}}]`, "")
	f.Fuzz(func(t *testing.T, doc, indent string) {
		var v any
		if json.Unmarshal([]byte(doc), &v) != nil {
			v = doc // a string, also of invalid UTF-8
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := jsonpool.Append([]byte("dst"), v)
		if err != nil || string(got) != "dst"+string(want) {
			t.Errorf("Append: %q, %v; want %q", got, err, want)
		}
		var b bytes.Buffer
		if err := jsonpool.Encode(&b, v); err != nil || b.String() != string(want)+"\n" {
			t.Errorf("Encode: %q, %v; want %q", b.String(), err, want)
		}
		indented := jsonpool.Config{Codec: &jsonpool.Standard{Indent: indent, NoEscapeHTML: true}}
		for range 2 {
			var got, want bytes.Buffer
			plain := json.NewEncoder(&want)
			plain.SetIndent("", indent)
			plain.SetEscapeHTML(false)
			if err := plain.Encode(v); err != nil {
				t.Fatal(err)
			}
			if err := indented.Encode(&got, v); err != nil || got.String() != want.String() {
				t.Errorf("Encode, indented by %q: %q, %v; want %q", indent, got.String(), err, want.String())
			}
		}
	})
}
