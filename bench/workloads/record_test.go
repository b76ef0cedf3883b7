// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// The record of the JSON benchmarks, and its text.
const jackJSON = `{"id":1,"name":"Jack","items":["knife","shield","herbs"]}`

func jack() *record {
	return &record{ID: 1, Name: "Jack", Items: []string{"knife", "shield", "herbs"}}
}

// encodings are records and what both encoders must make of them.
var encodings = []struct {
	record *record
	json   string
}{
	{jack(), jackJSON},
	{&record{}, `{"id":0,"name":"","items":null}`},
	{&record{ID: 2, Name: "Jill", Items: []string{}}, `{"id":2,"name":"Jill","items":[]}`},
	{&record{ID: -3, Name: "<&>", Items: []string{"\n"}}, `{"id":-3,"name":"\u003c\u0026\u003e","items":["\n"]}`},
	{
		&record{ID: 4, Name: strings.Repeat("n", 3000), Items: []string{"rope"}},
		`{"id":4,"name":"` + strings.Repeat("n", 3000) + `","items":["rope"]}`,
	},
}

// decodings are documents and the records that both decoders must make of them. The
// partial ones lie between full ones: what they do not mention must be zero.
var decodings = []struct{ json, shown string }{
	{jackJSON, `1 "Jack" ["knife" "shield" "herbs"]`},
	{`{}`, `0 "" []`},
	{`{"id":2,"name":"Jill","items":["a","b","c","d","e"]}`, `2 "Jill" ["a" "b" "c" "d" "e"]`},
	{`{"id":3}`, `3 "" []`},
	{`{"items":[null,null,null,null,"x"]}`, `0 "" ["" "" "" "" "x"]`},
	{`{"name":"Joan"}`, `0 "Joan" []`},
	{`{"id":null,"name":null,"items":[null]}`, `0 "" [""]`},
}

// showRecord copies all that a decoder made of a document. A nil and an empty slice
// read the same.
func showRecord(r *record) string {
	runtime.Gosched()
	return fmt.Sprintf("%d %q %q", r.ID, r.Name, r.Items)
}

// checkNoLeak decodes documents that mention less and less through decode, over and
// over, and reports a field that an earlier document left behind.
func checkNoLeak(decode func(doc string) (string, error)) error {
	for range 50 {
		for _, d := range decodings {
			got, err := decode(d.json)
			if err != nil {
				return fmt.Errorf("%s: %w", d.json, err)
			}
			if got != d.shown {
				return fmt.Errorf("%s: got %s, want %s", d.json, got, d.shown)
			}
			// A document that fails halfway must leave nothing behind either.
			if _, err := decode(`{"id":7,"name":"Mallory","items":["x","y",5]}`); err == nil {
				return fmt.Errorf("a number among the items passed")
			}
		}
	}
	return nil
}

func TestDecodersLeakNothing(t *testing.T) {
	for impl, job := range jsonDecodes.all() {
		t.Run("job=JSONDecode/impl="+impl, func(t *testing.T) {
			if err := checkNoLeak(decodeWith(job)); err != nil {
				t.Error(err)
			}
		})
	}
	for impl, job := range jsonDecodeStreams.all() {
		t.Run("job=JSONDecodeStream/impl="+impl, func(t *testing.T) {
			if err := checkNoLeak(decodeStreamWith(job)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLeakCheckSeesLeaks shows that checkNoLeak finds the ways in which real code
// leaks: no reset at all, and a reset of what is in view only.
func TestLeakCheckSeesLeaks(t *testing.T) {
	resets := map[string]func(*record){
		"none":    func(*record) {},
		"in view": func(r *record) { *r = record{Items: r.Items[:0]} },
		"no name": func(r *record) { clear(r.Items[:cap(r.Items)]); r.ID, r.Items = 0, r.Items[:0] },
	}
	for name, reset := range resets {
		var shared record
		err := checkNoLeak(func(doc string) (string, error) {
			defer reset(&shared)
			if err := json.Unmarshal([]byte(doc), &shared); err != nil {
				return "", err
			}
			return showRecord(&shared), nil
		})
		if err == nil {
			t.Errorf("reset %s: the leak was not seen", name)
		}
	}
}

// decodeWith and decodeStreamWith bring the two kinds of decoders into one form.

func decodeWith(job jsonDecode) func(string) (string, error) {
	return func(doc string) (shown string, err error) {
		err = job([]byte(doc), func(r *record) error {
			shown = showRecord(r)
			return nil
		})
		return shown, err
	}
}

func decodeStreamWith(job jsonDecodeStream) func(string) (string, error) {
	return func(doc string) (shown string, err error) {
		// A reader that gives little at a time, with a second value behind the first.
		src := io.MultiReader(strings.NewReader(doc[:len(doc)/2]), strings.NewReader(doc[len(doc)/2:]), strings.NewReader("\n{\"id\":99}\n"))
		err = job(src, func(r *record) error {
			shown = showRecord(r)
			return nil
		})
		return shown, err
	}
}
