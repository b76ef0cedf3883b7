// SPDX-License-Identifier: BSD-3-Clause

package httppool_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/jsonpool"
	"github.com/spare-go/spare/codec/zstdpool"
)

var errBroken = errors.New("connection reset")

func post(body io.Reader) *http.Request { return httptest.NewRequest("POST", "/", body) }

// bodyOf returns a Body with the bytes of s.
func bodyOf(t testing.TB, s string) *httppool.Body {
	t.Helper()
	b, err := httppool.NewBody(func(dst []byte) ([]byte, error) { return append(dst, s...), nil })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReadBody(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 1000, 70000, 300000} {
		want := strings.Repeat("x", n)
		for _, limit := range []int64{-1, 0, 999, 1000, 69999, 70000, 1 << 20} {
			for _, known := range []bool{true, false} {
				var r io.Reader = strings.NewReader(want)
				if !known {
					r = iotest.HalfReader(struct{ io.Reader }{r})
				}
				w := httptest.NewRecorder()
				body, err := httppool.ReadBody(w, post(r), limit)
				if int64(n) > max(limit, 0) {
					var large *http.MaxBytesError
					if !errors.As(err, &large) || large.Limit != max(limit, 0) || httppool.Status(err) != 413 || w.Header().Get("Connection") != "close" || body.Bytes() != nil {
						t.Errorf("%d bytes, limit %d: %v, %v", n, limit, err, w.Header())
					}
				} else if err != nil || string(body.Bytes()) != want {
					t.Errorf("%d bytes, limit %d: %d bytes, %v", n, limit, len(body.Bytes()), err)
				}
				body.Release()
				body.Release()
				if body.Bytes() != nil { //spare:ignore use-after-put a released body has to say that it is empty
					t.Error("Bytes after Release")
				}
				if _, err := body.NewReader(); err != httppool.ErrReleased {
					t.Error(err)
				}
			}
		}
	}
	body, err := httppool.ReadBody(httptest.NewRecorder(), post(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(errBroken))), 100)
	if err != errBroken || httppool.Status(err) != 400 || body.Bytes() != nil {
		t.Error(err)
	}
	r := post(nil)
	r.Body = nil
	if body, err := httppool.ReadBody(httptest.NewRecorder(), r, 0); err != nil || len(body.Bytes()) != 0 {
		t.Error(err)
	}
	new(httppool.Body).Release()
	// A length that is claimed costs no memory before it comes.
	r = post(strings.NewReader("little"))
	r.ContentLength = 1 << 40
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body, err = httppool.ReadBody(httptest.NewRecorder(), r, 1<<50)
	runtime.ReadMemStats(&after)
	if err != nil || string(body.Bytes()) != "little" || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%v, %d bytes allocated", err, after.TotalAlloc-before.TotalAlloc)
	}
	body.Release()
}

// The memory is not reused while a reader is open, nor later by a stale handle.
func TestBodyOutlivesRelease(t *testing.T) {
	var stale []*httppool.Body
	for i := range 50 {
		text := fmt.Sprintf("body %d of many", i)
		b := bodyOf(t, text)
		r1, err := b.NewReader()
		if err != nil {
			t.Fatal(err)
		}
		r2, _ := b.NewReader()
		b.Release()
		for _, old := range stale {
			old.Release()
		}
		others := []*httppool.Body{bodyOf(t, "intruder of the same size"), bodyOf(t, "intruder")}
		head := make([]byte, 4)
		io.ReadFull(r1, head)
		rest, err := io.ReadAll(r1)
		if string(head)+string(rest) != text || err != nil {
			t.Fatalf("got %q, %v", string(head)+string(rest), err)
		}
		r1.Close()
		r1.Close()
		if _, err := r1.Read(head); err != httppool.ErrReleased {
			t.Errorf("Read after Close: %v", err)
		}
		others = append(others, bodyOf(t, "intruder"))
		if all, err := io.ReadAll(r2); string(all) != text || err != nil {
			t.Fatalf("got %q, %v", all, err)
		}
		r2.Close()
		for _, o := range others {
			if !strings.HasPrefix(string(o.Bytes()), "intruder") {
				t.Fatalf("%q", o.Bytes())
			}
			o.Release()
		}
		stale = append(stale, b)
	}
}

// roundTripper is a transport with the habits that bring trouble.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func noContent(r *http.Request) *http.Response {
	return &http.Response{StatusCode: 204, Body: http.NoBody, Header: http.Header{}, Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
}

// A transport may read the body after RoundTrip has returned, and close it later still.
func TestDoTransportReadsLater(t *testing.T) {
	release := make(chan struct{})
	got := make(chan string, 100)
	c := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		body := r.Body
		go func() {
			<-release
			b, err := io.ReadAll(body)
			body.Close()
			got <- fmt.Sprint(string(b), err)
		}()
		return noContent(r), nil
	})}
	want := make(map[string]bool)
	for i := range 50 {
		text := fmt.Sprintf("request %d", i)
		req, _ := http.NewRequest("POST", "http://test", nil)
		resp, err := httppool.Do(c, req, bodyOf(t, text))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		want[text+"<nil>"] = true
	}
	close(release)
	for range 50 {
		if s := <-got; !want[s] {
			t.Errorf("the transport read %q", s)
		} else {
			delete(want, s)
		}
	}
}

// Redirects and retries ask for the body again.
func TestDoGetBody(t *testing.T) {
	n := 0
	var bodies []string
	c := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		bodies = append(bodies, fmt.Sprint(string(b), err, r.ContentLength))
		bodyOf(t, "intruder").Release()
		if n++; n < 4 {
			resp := noContent(r)
			resp.StatusCode = http.StatusPermanentRedirect
			resp.Header.Set("Location", fmt.Sprint("/", n))
			return resp, nil
		}
		return noContent(r), nil
	})}
	req, _ := http.NewRequest("POST", "http://test", nil)
	if _, err := httppool.Do(c, req, bodyOf(t, "contents")); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(bodies) != fmt.Sprint([]string{"contents<nil> 8", "contents<nil> 8", "contents<nil> 8", "contents<nil> 8"}) {
		t.Errorf("%q", bodies)
	}
	if _, err := req.GetBody(); err != httppool.ErrReleased {
		t.Errorf("GetBody after Do: %v", err)
	}
	b := bodyOf(t, "x")
	b.Release()
	if _, err := httppool.Do(c, req, b); err != httppool.ErrReleased {
		t.Errorf("Do with a released body: %v", err)
	}
	n = 3
	bodies = nil
	if _, err := httppool.Do(c, req, bodyOf(t, "")); err != nil || bodies[0] != "<nil> 0" {
		t.Errorf("empty body: %q, %v", bodies, err)
	}
	// A transport that panics does not keep the body.
	c.Transport = roundTripper(func(r *http.Request) (*http.Response, error) { panic(errBroken) })
	b = bodyOf(t, "x")
	func() {
		defer func() {
			if recover() != errBroken {
				t.Error("no panic")
			}
		}()
		httppool.Do(c, req, b)
	}()
	if b.Bytes() != nil { //spare:ignore use-after-put the subject of the test
		t.Error("the body was not released")
	}
	if _, err := httppool.NewJSONBody(make(chan int)); err == nil {
		t.Error("no error for a channel")
	}
}

// Close may come while another goroutine reads.
func TestReaderConcurrentClose(t *testing.T) {
	for i := range 200 {
		text := strings.Repeat(fmt.Sprint(i%10), 5000)
		b := bodyOf(t, text)
		r, _ := b.NewReader()
		var wg sync.WaitGroup
		wg.Go(func() {
			all, err := io.ReadAll(iotest.HalfReader(r))
			if !strings.HasPrefix(text, string(all)) || err != nil && err != httppool.ErrReleased {
				t.Errorf("%.20q, %v", all, err)
			}
		})
		wg.Go(func() { b.Release(); r.Close() })
		wg.Go(func() {
			o := bodyOf(t, strings.Repeat("x", 5000))
			o.Release()
		})
		wg.Wait()
	}
}

func TestWriteJSON(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	for _, c := range []struct {
		v    any
		want string
	}{{map[string]int{"a": 1}, `{"a":1}`}, {long, `"` + long + `"`}, {nil, "null"}} {
		w := httptest.NewRecorder()
		if err := httppool.WriteJSON(w, 201, c.v); err != nil || w.Code != 201 || w.Body.String() != c.want+"\n" || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%v: %d %q %v", err, w.Code, w.Body, w.Header())
		}
		if n := w.Header().Get("Content-Length"); (n != "") != (len(c.want) > 2000) || n != "" && n != fmt.Sprint(len(c.want)+1) {
			t.Errorf("Content-Length %q", n)
		}
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/problem+json")
	if err := httppool.WriteJSON(w, 200, make(chan int)); err == nil || w.Body.Len() > 0 {
		t.Errorf("%v, %q", err, w.Body)
	}
	conf := &jsonpool.Config{Codec: &jsonpool.Standard{NoEscapeHTML: true}}
	if err := httppool.WriteJSONWith(conf, w, 500, "<"); err != nil || w.Code != 500 || w.Body.String() != "\"<\"\n" || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("%v %d %q %v", err, w.Code, w.Body, w.Header())
	}
}

// gzhttp uses the codecs that it is given, for each level, with its random padding, and
// after handlers that panic.
func TestFactories(t *testing.T) {
	text := strings.Repeat("some text to compress ", 500)
	for _, backend := range []gzippool.Backend{gzippool.Klauspost, gzippool.Standard} {
		gz, zs := &gzippool.Pool{Backend: backend}, new(zstdpool.Pool)
		gf, zf := httppool.GzipFactory(gz), httppool.ZstdFactory(zs)
		lo, hi := gf.Levels()
		for level := lo; level <= hi; level++ {
			var b bytes.Buffer
			z := gf.New(&b, level)
			io.WriteString(z, text)
			z.Flush()
			z.Close()
			z.Close()
			r, err := gzip.NewReader(&b)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := io.ReadAll(r); err != nil || string(out) != text {
				t.Errorf("%v level %d: %d bytes, %v", backend, level, len(out), err)
			}
		}
		lo, hi = zf.Levels()
		for level := lo; level <= hi; level++ {
			var b bytes.Buffer
			z := zf.New(&b, level)
			io.WriteString(z, text)
			z.Flush()
			z.Close()
			z.Close()
			if out, err := zstdpool.AppendDecompress(nil, b.Bytes(), 1<<20); err != nil || string(out) != text {
				t.Errorf("zstd level %d: %d bytes, %v", level, len(out), err)
			}
		}
		wrap, err := gzhttp.NewWrapper(gzhttp.Implementation(gf), gzhttp.ZstdImplementation(zf), gzhttp.RandomJitter(32, 0, false))
		if err != nil {
			t.Fatal(err)
		}
		h := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, text)
			if r.URL.Path == "/panic" {
				panic(http.ErrAbortHandler)
			}
		}))
		before := gz.Stats().Gets
		for i := range 20 {
			for _, encoding := range []string{"gzip", "zstd"} {
				r := httptest.NewRequest("GET", []string{"/", "/panic"}[i%2], nil)
				r.Header.Set("Accept-Encoding", encoding)
				w := httptest.NewRecorder()
				func() {
					defer func() { recover() }()
					h.ServeHTTP(w, r)
				}()
				if got := w.Header().Get("Content-Encoding"); got != encoding {
					t.Fatalf("encoding %q, want %q", got, encoding)
				}
				var out []byte
				var err error
				if encoding == "gzip" {
					out, err = gzippool.AppendDecompress(nil, w.Body.Bytes(), 1<<20)
				} else {
					out, err = zstdpool.AppendDecompress(nil, w.Body.Bytes(), 1<<20)
				}
				if err != nil || string(out) != text {
					t.Errorf("%s: %d bytes, %v", encoding, len(out), err)
				}
			}
		}
		if gz.Stats().Gets < before+20 || zs.Stats().Gets < 20 {
			t.Errorf("gzhttp did not use the pools: %+v, %+v", gz.Stats(), zs.Stats())
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("options that zstd refuses were accepted")
		}
	}()
	httppool.ZstdFactory(&zstdpool.Pool{EncoderOptions: []zstd.EOption{zstd.WithWindowSize(3)}})
}

// The Content-Length that WriteJSON sets is not that of a compressed answer, and is right for
// another.
func TestContentLength(t *testing.T) {
	wrap, err := gzhttp.NewWrapper(gzhttp.Implementation(httppool.GzipFactory(nil)), gzhttp.ZstdImplementation(httppool.ZstdFactory(nil)))
	if err != nil {
		t.Fatal(err)
	}
	h := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := httppool.WriteJSON(w, http.StatusOK, strings.Repeat("text ", 2000)); err != nil {
			t.Error(err)
		}
	}))
	for _, encoding := range []string{"gzip", "zstd", "identity"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		n := w.Header().Get("Content-Length")
		if compressed := w.Header().Get("Content-Encoding") != ""; compressed != (encoding != "identity") {
			t.Errorf("%s: encoding %q", encoding, w.Header().Get("Content-Encoding"))
		} else if n != "" && n != fmt.Sprint(w.Body.Len()) || n == "" && !compressed {
			t.Errorf("%s: Content-Length %q of %d bytes", encoding, n, w.Body.Len())
		}
	}
}

// A Body that could not be filled leaves nothing behind.
func TestNewBodyError(t *testing.T) {
	out := func() (n uint64) {
		for name, s := range spare.All() {
			if name == "httppool" {
				n = s.Gets - s.Puts
			}
		}
		return n
	}
	before := out()
	for range 10 {
		if _, err := httppool.NewJSONBody(make(chan int)); err == nil {
			t.Fatal("a channel has become JSON")
		}
	}
	if n := out() - before; n != 0 {
		t.Errorf("%d arrays were not put back", n)
	}
}

func TestBufferPool(t *testing.T) {
	var p httppool.BufferPool
	if n := len(p.Get()); n != 32<<10 {
		t.Errorf("a buffer of %d bytes", n)
	}
	small := httppool.BufferPool{Size: 100}
	for range 10 {
		b := small.Get()
		if len(b) != 100 {
			t.Errorf("a buffer of %d bytes", len(b))
		}
		small.Put(b)
		small.Put(make([]byte, 50))
		small.Put(nil)
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(bytes.Repeat([]byte(r.URL.Path), 20000))
	}))
	defer backend.Close()
	u, _ := url.Parse(backend.URL)
	proxy := httputil.NewSingleHostReverseProxy(u)
	proxy.BufferPool = &p
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	front := httptest.NewServer(proxy)
	defer front.Close()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 10 {
				path := fmt.Sprintf("/%d.%d", g, i)
				resp, err := front.Client().Get(front.URL + path)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || string(got) != strings.Repeat(path, 20000) {
					t.Errorf("%s: %d bytes, %v", path, len(got), err)
				}
			}
		})
	}
	wg.Wait()
	if s := p.Stats(); s.Gets != 41 || s.Puts != 40 {
		t.Errorf("%+v", s)
	}
}

type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func TestAllocs(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	var p httppool.BufferPool
	src := strings.NewReader("")
	r := post(src)
	r.Body = io.NopCloser(src)
	w := &discard{http.Header{}}
	v := &answer{Text: "x"}
	for _, c := range []struct {
		name string
		want float64
		f    func()
	}{
		{"BufferPool", 0, func() { p.Put(p.Get()) }},
		{"ReadBody", 0, func() {
			src.Reset("contents")
			b, err := httppool.ReadBody(w, r, 100)
			if err != nil || len(b.Bytes()) != 8 {
				t.Fatal(err)
			}
			b.Release()
		}},
		{"WriteJSON", 0, func() {
			if err := httppool.WriteJSON(w, 200, v); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		r.ContentLength = 8
		c.f()
		if got := testing.AllocsPerRun(100, c.f); got != c.want {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.want)
		}
	}
}

// After a collection nothing is made anew but what encoding/json and net/http make.
func TestAllocsAfterGC(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	var p httppool.BufferPool
	src := strings.NewReader("")
	r := post(src)
	r.Body = io.NopCloser(src)
	r.ContentLength = 8
	w := &discard{http.Header{}}
	v := &answer{Text: "x"}
	enc := json.NewEncoder(io.Discard) // with what it has of its own, which encoding/json/v2 makes much of
	encoding := codectest.AllocsAfterGC(func() { enc.Encode(v) })
	for _, c := range []struct {
		name string
		want int
		f    func()
	}{
		{"BufferPool", 0, func() { p.Put(p.Get()) }},
		{"ReadBody", 0, func() {
			src.Reset("contents")
			b, err := httppool.ReadBody(w, r, 100)
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}},
		{"WriteJSON", encoding, func() { httppool.WriteJSON(w, 200, v) }},
		{"NewJSONBody", encoding + 2, func() { // the Body and the reader
			b, err := httppool.NewJSONBody(v)
			if err != nil {
				t.Fatal(err)
			}
			rd, err := b.NewReader()
			if err != nil {
				t.Fatal(err)
			}
			rd.Close()
			b.Release()
		}},
	} {
		if got := codectest.AllocsAfterGC(c.f); got != c.want {
			t.Errorf("%s: %d allocations, want %d", c.name, got, c.want)
		}
	}
}

func ExampleReadBody() {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := httppool.ReadBody(w, r, 10)
		if err != nil {
			http.Error(w, err.Error(), httppool.Status(err))
			return
		}
		defer body.Release()
		httppool.WriteJSON(w, http.StatusOK, map[string]int{"length": len(body.Bytes())})
	})
	for _, body := range []string{"short", "much too long"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 {"length":5}
	// 413 http: request body too large
}

func ExampleDo() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
	defer srv.Close()
	body, err := httppool.NewJSONBody([]int{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	req, err := http.NewRequest("POST", srv.URL, nil)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := httppool.Do(srv.Client(), req, body) // releases body
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	fmt.Println(string(text), err)
	// Output: [1,2,3] <nil>
}

func ExampleGzipFactory() {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.Implementation(httppool.GzipFactory(nil)),
		gzhttp.ZstdImplementation(httppool.ZstdFactory(nil)))
	if err != nil {
		log.Fatal(err)
	}
	h := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httppool.WriteJSON(w, http.StatusOK, strings.Repeat("a", 5000))
	}))
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	h.ServeHTTP(w, r)
	fmt.Println(w.Header().Get("Content-Encoding"), w.Body.Len() < 200)
	// Output: gzip true
}

func ExampleBufferPool() {
	proxy := &httputil.ReverseProxy{BufferPool: new(httppool.BufferPool)}
	fmt.Println(proxy.BufferPool != nil)
	// Output: true
}
