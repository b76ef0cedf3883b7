// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/spare-go/spare/codec/jsonpool"
)

type record struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

const recordJSON = `{"id":1,"name":"Jack","items":["knife","shield","herbs"]}`

var records = sync.Pool{New: func() any { return new(record) }}

// BenchmarkJSONDecode is the job of the same name in the workloads, with other
// codecs behind jsonpool.
func BenchmarkJSONDecode(b *testing.B) {
	data := []byte(recordJSON)
	b.Run("impl=syncpool", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := records.Get().(*record)
			if err := json.Unmarshal(data, r); err != nil || r.Name != "Jack" {
				b.Fatal(err)
			}
			clear(r.Items[:cap(r.Items)])
			*r = record{Items: r.Items[:0]}
			records.Put(r)
		}
	})
	for _, c := range []struct {
		name string
		jsonpool.Config
	}{
		{"spare", jsonpool.Config{}},
		{"spare-segmentio", jsonpool.Config{Codec: segmentioCodec{}}},
		{"spare-segmentio-zerocopy", jsonpool.Config{Codec: segmentioCodec{}, Flags: jsonpool.ZeroCopyStrings}},
		{"spare-goccy", jsonpool.Config{Codec: new(goccyCodec)}},
	} {
		b.Run("impl="+c.name, func(b *testing.B) {
			p := jsonpool.Pool[record]{Config: c.Config}
			b.ReportAllocs()
			for b.Loop() {
				r, err := p.Unmarshal(data)
				if err != nil || r.V.Name != "Jack" {
					b.Fatal(err)
				}
				p.Put(r)
			}
		})
	}
}

type nested struct {
	Name  string
	Items []struct {
		A, B string
		P    *string
		M    map[string]int
	}
	M map[string]string
	P *struct{ X, Y int }
	E []int
}

// Whatever codec is behind, no target shows anything of its last user's; where the
// codec merges, an empty array may be nil.
func TestCodecsLeakNothing(t *testing.T) {
	docs := []string{
		`{"Name":"secret","Items":[{"A":"secret","B":"secret","P":"secret","M":{"secret":1}},{"A":"secret"}],"M":{"secret":"x"},"P":{"X":1,"Y":2},"E":[1,2,3]}`,
		`{"Items":[{},{"B":"b"},{"M":{"m":1}}],"M":{"k":"v"},"P":{"X":7}}`,
		`{}`,
		`{"E":[4],"Items":[{"P":"p"}]}`,
	}
	for name, codec := range map[string]jsonpool.Codec{"standard": new(jsonpool.Standard), "segmentio": segmentioCodec{}, "goccy": new(goccyCodec)} {
		p := jsonpool.Pool[nested]{Config: jsonpool.Config{Codec: codec}}
		for i := range 40 {
			doc := docs[(i*7+i/4)%len(docs)]
			var want nested
			if err := codec.Unmarshal([]byte(doc), &want, 0); err != nil {
				t.Fatal(err)
			}
			got, err := p.Decode(strings.NewReader(doc))
			if err != nil || !reflect.DeepEqual(got.V, want) {
				t.Errorf("%s, %s: got %+v, %v; want %+v", name, doc, got.V, err, want)
			}
			p.Put(got)
			b, err := jsonpool.Append(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			conf := jsonpool.Config{Codec: codec}
			if out, err := conf.Append([]byte("x"), want); err != nil || string(out) != "x"+string(b) {
				t.Errorf("%s: %s, %v; want %s", name, out, err, b)
			}
		}
	}
}
