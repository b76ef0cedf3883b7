// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func newHandlers() trio[http.Handler] {
	return trio[http.Handler]{http.HandlerFunc(handleNaive), newSyncPoolHandler(), newSpareHandler()}
}

// response is the http.ResponseWriter of the tests.
type response struct {
	lateWriter
	header http.Header
	status int
}

func (r *response) Header() http.Header    { return r.header }
func (r *response) WriteHeader(status int) { r.status = status }

// post sends body to h and returns what came back.
func post(h http.Handler, body io.Reader) (*response, error) {
	req, err := http.NewRequest("POST", "/orders", body)
	if err != nil {
		return nil, err
	}
	w := &response{header: make(http.Header), status: http.StatusOK}
	h.ServeHTTP(w, req)
	return w, nil
}

// show gives status, content type, encoding and the text of the answer.
func (r *response) show() string {
	body := r.got
	encoding := r.header.Get("Content-Encoding")
	if encoding == "gzip" {
		zr, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return fmt.Sprint(err)
		}
		if body, err = io.ReadAll(zr); err != nil {
			return fmt.Sprint(err)
		}
	}
	return fmt.Sprintf("%d %s %s %s", r.status, r.header.Get("Content-Type"), encoding, body)
}

const orderJSON = `{"customer":"Jack","lines":[` +
	`{"item":"knife","count":2,"cents":1250},{"item":"shield","count":1,"cents":8900},{"item":"herbs","count":30,"cents":15}]}`

// orders are bodies and the answers to them. The partial ones lie between full ones:
// what they do not mention must not come from elsewhere.
var orders = []struct{ body, answer string }{
	{orderJSON, `200 application/json gzip {"customer":"Jack","lines":[{"item":"knife","cents":2500},{"item":"shield","cents":8900},{"item":"herbs","cents":450}],"total":11850}` + "\n"},
	{`{}`, `200 application/json gzip {"customer":"","lines":[],"total":0}` + "\n"},
	{`{"customer":"Jill","lines":[{"item":"a"},{"count":3},{"cents":5},{}]}`, `200 application/json gzip {"customer":"Jill","lines":[{"item":"a","cents":0},{"item":"","cents":0},{"item":"","cents":0},{"item":"","cents":0}],"total":0}` + "\n"},
	{`{"customer":"Mallory","lines":[{"item":"x","count":1,"cents":1},7]}`, "400 text/plain; charset=utf-8  order is not valid JSON\n"},
	{`{"lines":[{"item":"y","count":2,"cents":4}]}`, `200 application/json gzip {"customer":"","lines":[{"item":"y","cents":8}],"total":8}` + "\n"},
	{``, "400 text/plain; charset=utf-8  order is not valid JSON\n"},
	{`{"customer":"` + strings.Repeat("long ", 1000) + `"}`, `200 application/json gzip {"customer":"` + strings.Repeat("long ", 1000) + `","lines":[],"total":0}` + "\n"},
	{strings.Repeat(" ", maxOrder+1), "413 text/plain; charset=utf-8  order is too large\n"},
}

func TestHandler(t *testing.T) {
	prove(t, newHandlers(), proof[http.Handler, int, *response]{
		inputs: []int{0, 1, 2, 3, 4, 5, 6, 7}, // of orders
		run: func(h http.Handler, i int) (*response, error) {
			return post(h, strings.NewReader(orders[i].body))
		},
		show: (*response).show,
		want: func(i int) string { return orders[i].answer },
	})
}

// Those with the same compressor must send the same bytes, not only the same text.
func TestHandlerSameBytes(t *testing.T) {
	var want string
	for impl, h := range newHandlers().all() {
		w, err := post(h, strings.NewReader(orderJSON))
		if err != nil {
			t.Fatal(err)
		}
		if impl == "naive" {
			want = string(w.got)
		}
		if got := string(w.got); impl != "spare" && got != want || got == "" {
			t.Errorf("%s: got %q, want %q", impl, got, want)
		}
	}
}

func TestHandlerUnknownLength(t *testing.T) {
	for impl, h := range newHandlers().all() {
		req, err := http.NewRequest("POST", "/orders", strings.NewReader(orderJSON))
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = -1
		w := &response{header: make(http.Header), status: http.StatusOK}
		h.ServeHTTP(w, req)
		if w.status != http.StatusLengthRequired {
			t.Errorf("%s: status %d, want %d", impl, w.status, http.StatusLengthRequired)
		}
	}
}

// A client that goes away, in its request or in the answer, must not be felt by
// the next one.
func TestHandlerClientGone(t *testing.T) {
	for impl, h := range newHandlers().all() {
		for range 10 {
			req, err := http.NewRequest("POST", "/orders", io.MultiReader(strings.NewReader(orderJSON[:40]), errorReader{}))
			if err != nil {
				t.Fatal(err)
			}
			req.ContentLength = int64(len(orderJSON))
			w := &response{header: make(http.Header), status: http.StatusOK}
			h.ServeHTTP(w, req)
			if w.status != http.StatusBadRequest {
				t.Fatalf("%s: body that breaks off: status %d", impl, w.status)
			}
			if req, err = http.NewRequest("POST", "/orders", strings.NewReader(orderJSON)); err != nil {
				t.Fatal(err)
			}
			h.ServeHTTP(brokenResponse{make(http.Header)}, req)

			w, err = post(h, strings.NewReader(orderJSON))
			if err != nil {
				t.Fatal(err)
			}
			if got := w.show(); got != orders[0].answer {
				t.Fatalf("%s: after a broken connection: got %s", impl, got)
			}
		}
	}
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

type brokenResponse struct{ header http.Header }

func (r brokenResponse) Header() http.Header         { return r.header }
func (r brokenResponse) WriteHeader(int)             {}
func (r brokenResponse) Write(p []byte) (int, error) { return brokenWriter{}.Write(p) }

// discard is the http.ResponseWriter of the benchmark: it costs a handler nothing
// but the two entries of the header, which each pays for.
type discard struct {
	header http.Header
	n      int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { d.n += len(p); return len(p), nil }

func BenchmarkHandler(b *testing.B) {
	compare(b, newHandlers(), func(b *testing.B, h http.Handler) {
		body := strings.NewReader(orderJSON)
		req, err := http.NewRequest("POST", "/orders", body)
		if err != nil {
			b.Fatal(err)
		}
		w := &discard{header: make(http.Header)}
		for b.Loop() {
			body.Reset(orderJSON)
			w.n = 0
			h.ServeHTTP(w, req)
			if w.n == 0 {
				b.Fatal("no answer")
			}
		}
	})
}
