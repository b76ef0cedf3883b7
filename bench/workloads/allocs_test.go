// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/spare-go/spare/pooltest"
)

// The jobs of spare that promise it make nothing of their own, warm or after a collection: what they
// make is what encoding/json makes of the strings of a document, and net/http of two header fields.
func TestSpareAllocs(t *testing.T) {
	jack := jack()
	text := []byte(text200)
	zipped := gzipped(text200)
	ignore := func([]byte) error { return nil }
	// encoding/json has its state in a sync.Pool, which is empty after a collection in which it was
	// not used.
	const state = 2
	for _, c := range []struct {
		name    string
		afterGC int
		f       func() error
	}{
		{"JSONEncodeStream", state, func() error { return jsonEncodeStreamSpare(io.Discard, jack) }},
		{"JSONEncode", state, func() error { return jsonEncodeSpare(jack, ignore) }},
		{"Gzip", 0, func() error { return gzipSpare(io.Discard, text) }},
		{"Gunzip", 0, func() error { return gunzipSpare(zipped, ignore) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any, AfterGC: c.afterGC}, func() {
				if err := c.f(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}

	// Into a target with arrays that are large enough.
	var o order
	var r record
	orderText, recordText := []byte(orderJSON), []byte(jackJSON)
	ofOrder := int(testing.AllocsPerRun(100, func() { json.Unmarshal(orderText, &o) }))
	ofRecord := int(testing.AllocsPerRun(100, func() { json.Unmarshal(recordText, &r) }))
	header := make(http.Header)
	ofHeader := int(testing.AllocsPerRun(100, func() { setGzippedJSON(header) }))

	t.Run("JSONDecode", func(t *testing.T) {
		use := func(*record) error { return nil }
		pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any, Warm: ofRecord, AfterGC: ofRecord}, func() {
			if err := jsonDecodeSpare(recordText, use); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("Handler", func(t *testing.T) {
		h := newSpareHandler()
		body := strings.NewReader(orderJSON)
		req, err := http.NewRequest("POST", "/orders", body)
		if err != nil {
			t.Fatal(err)
		}
		w := &discard{header: make(http.Header)}
		want := ofOrder + ofHeader
		pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any, Warm: want, AfterGC: want + state}, func() {
			body.Reset(orderJSON)
			w.n = 0
			if h.ServeHTTP(w, req); w.n == 0 {
				t.Fatal("no answer")
			}
		})
		t.Logf("%d objects for the strings of the order, %d for the header", ofOrder, ofHeader)
	})
}
