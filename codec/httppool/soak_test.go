// SPDX-License-Identifier: BSD-3-Clause

package httppool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/jsonpool"
	"github.com/spare-go/spare/codec/zstdpool"
)

// question is what clients send, answer what they must get for it.
type question struct {
	ID    int
	Words []string
	Attrs map[string]string `json:",omitempty"`
	Note  *string           `json:",omitempty"`
}

type answer struct {
	ID    int
	Text  string
	Attrs int
	Note  string
}

func (q *question) answer() answer {
	a := answer{ID: q.ID, Text: strings.Join(q.Words, " "), Attrs: len(q.Attrs)}
	if q.Note != nil {
		a.Note = *q.Note
	}
	return a
}

// ask makes a question of its own for each id, which leaves things out that others
// have.
func ask(r *rand.Rand, id int) *question {
	q := &question{ID: id}
	for range r.IntN(1 + r.IntN(1<<r.IntN(13))) {
		q.Words = append(q.Words, fmt.Sprintf("w%d.%d", id, r.IntN(100)))
	}
	if r.IntN(2) == 0 {
		q.Attrs = map[string]string{fmt.Sprint("attr", id): "x"}
	}
	if r.IntN(2) == 0 {
		note := fmt.Sprint("note ", id)
		q.Note = &note
	}
	return q
}

const soakLimit = 256 << 10

// soakLeast is how many requests there are, also on a machine that is busy otherwise.
const soakLeast = 200

// soak is a server's handlers and the counts of what happened.
type soak struct {
	t         *testing.T
	questions jsonpool.Pool[question]

	requests, faults, mismatches, refused, again atomic.Int64

	// fresh has a connection of HTTP/1.1 for each request, so that no earlier fault
	// has touched it; nil for HTTP/2.
	fresh *http.Client

	lost atomic.Uint64 // targets that a handler did not put back
}

func (s *soak) mismatch(format string, args ...any) {
	if s.mismatches.Add(1) < 10 {
		s.t.Errorf(format, args...)
	}
}

// read reads the body and compares it with the checksum that the client took before
// it was sent.
func (s *soak) read(w http.ResponseWriter, r *http.Request) *httppool.Body {
	body, err := httppool.ReadBody(w, r, soakLimit)
	if err != nil {
		http.Error(w, err.Error(), httppool.Status(err))
		return nil
	}
	if got, want := fmt.Sprint(crc32.ChecksumIEEE(body.Bytes())), r.Header.Get("X-Sum"); got != want {
		s.mismatch("the server got a body of %d bytes with sum %s, the client sent %s", len(body.Bytes()), got, want)
	}
	return body
}

func (s *soak) answer(w http.ResponseWriter, r *http.Request) {
	body := s.read(w, r)
	if body == nil {
		return
	}
	defer body.Release()
	q, err := s.questions.Unmarshal(body.Bytes())
	if err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}
	defer s.questions.Put(q)
	httppool.WriteJSON(w, http.StatusOK, q.V.answer())
}

func (s *soak) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/answer", s.answer)
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		if body := s.read(w, r); body != nil {
			defer body.Release()
			w.Header().Set("Content-Type", "application/json")
			w.Write(body.Bytes())
		}
	})
	mux.HandleFunc("/panic", func(w http.ResponseWriter, r *http.Request) {
		if body := s.read(w, r); body != nil {
			defer body.Release()
			q, err := s.questions.Unmarshal(body.Bytes())
			if err == nil {
				s.lost.Add(1)
				httppool.WriteJSON(w, http.StatusOK, q.V.answer())
			}
		}
		panic(http.ErrAbortHandler)
	})
	// An answer before the body has come: the transport is still sending it.
	mux.HandleFunc("/early", func(w http.ResponseWriter, r *http.Request) {
		httppool.WriteJSON(w, http.StatusOK, answer{Text: "early"})
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/answer", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/hijack", func(w http.ResponseWriter, r *http.Request) {
		body := s.read(w, r)
		if body == nil {
			return
		}
		defer body.Release()
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler) // HTTP/2
		}
		conn.Close()
		w.Write(body.Bytes()) // fails
	})
	// A handler that passes the body on.
	mux.HandleFunc("/forward", func(w http.ResponseWriter, r *http.Request) {
		body := s.read(w, r)
		if body == nil {
			return
		}
		client := r.Context().Value(clientKey{}).(*http.Client)
		scheme := "http://"
		if r.TLS != nil {
			scheme = "https://"
		}
		req, err := http.NewRequestWithContext(r.Context(), "POST", scheme+r.Host+"/answer", nil)
		if err != nil {
			panic(err)
		}
		req.Header.Set("X-Sum", r.Header.Get("X-Sum"))
		req.Header["Idempotency-Key"] = []string{}
		resp, err := httppool.Do(client, req, body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", "application/json")
		io.Copy(w, resp.Body)
	})
	return mux
}

type clientKey struct{}

// one sends one request of a random kind from base.
func (s *soak) one(r *rand.Rand, c *http.Client, base string, proxied bool, id int) {
	kinds := []string{"/answer", "/answer", "/answer", "/echo", "/early", "/redirect", "/forward", "/panic", "/hijack", "/abort", "/slow", "/leave", "/garbage", "/large"}
	kind := kinds[r.IntN(len(kinds))]
	q := ask(r, id)
	body, err := httppool.NewJSONBody(q)
	switch kind {
	case "/garbage":
		body, err = httppool.NewBody(func(b []byte) ([]byte, error) { return fmt.Appendf(b, `{"ID":%d,"Words":["secret"`, id), nil })
	case "/large":
		body, err = httppool.NewBody(func(b []byte) ([]byte, error) {
			return append(b, bytes.Repeat([]byte{' '}, soakLimit+1+r.IntN(1<<20))...), nil
		})
	}
	if err != nil {
		s.t.Error(err)
		return
	}
	sent := string(body.Bytes())
	want, wantStatus := "", http.StatusOK
	path := kind
	switch kind {
	case "/echo":
		want = sent
	case "/early":
		want = `{"ID":0,"Text":"early","Attrs":0,"Note":""}` + "\n"
	case "/garbage":
		path, want, wantStatus = "/answer", "not JSON\n", http.StatusBadRequest
	case "/large":
		path, want, wantStatus = "/answer", "http: request body too large\n", http.StatusRequestEntityTooLarge
	default:
		b, err := json.Marshal(q.answer())
		if err != nil {
			s.t.Error(err)
		}
		want = string(b) + "\n"
	}
	if kind == "/abort" || kind == "/slow" || kind == "/leave" {
		path = "/answer"
	}
	fault := path != kind || kind == "/panic" || kind == "/hijack" || kind == "/early"
	// Requests that are cut off by design may fail, and a connection on which a large
	// body is refused may break before the answer is read.
	mayFail := kind == "/panic" || kind == "/hijack" || kind == "/abort" || kind == "/large" || kind == "/early"
	ctx := context.Background()
	if kind == "/abort" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.IntN(3000))*time.Microsecond)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(ctx, "POST", base+path, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	req.Header.Set("X-Sum", fmt.Sprint(crc32.ChecksumIEEE([]byte(sent))))
	// A connection may be closed just when it is to be used again, after an earlier
	// fault on it. The transport tries again, with GetBody, if it is told that it may.
	req.Header["Idempotency-Key"] = []string{}
	encoding := []string{"gzip", "zstd", "identity", ""}[r.IntN(4)]
	if encoding != "" {
		req.Header.Set("Accept-Encoding", encoding)
	}
	s.requests.Add(1)
	if fault {
		s.faults.Add(1)
	}
	reused := false
	traced := req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused },
	}))
	resp, err := httppool.Do(c, traced, body)
	if err != nil && !mayFail && !proxied && reused && s.fresh != nil {
		// The server closes a connection of HTTP/1.1 when a handler panics, also when
		// its answer had been sent whole, and the transport does not try a request
		// again of which it had written a part. Then the client must, as any would,
		// and on a connection of its own it must get the right answer.
		s.again.Add(1)
		if body, err = httppool.NewBody(func(b []byte) ([]byte, error) { return append(b, sent...), nil }); err != nil {
			s.t.Error(err)
			return
		}
		resp, err = httppool.Do(s.fresh, req, body)
	}
	if err != nil {
		if mayFail || proxied { // a proxy has no GetBody
			s.refused.Add(1)
		} else {
			s.mismatch("%s of %d bytes: %v", kind, len(sent), err)
		}
		return
	}
	defer resp.Body.Close()
	if kind == "/leave" {
		io.CopyN(io.Discard, resp.Body, int64(r.IntN(100)))
		return
	}
	var in io.Reader = resp.Body
	if kind == "/slow" {
		in = &slowReader{r: in}
	}
	got, err := io.ReadAll(in)
	if err != nil {
		if mayFail {
			s.refused.Add(1)
		} else {
			s.mismatch("%s: reading the answer: %v", kind, err)
		}
		return
	}
	switch resp.Header.Get("Content-Encoding") {
	case "gzip":
		got, err = gzippool.AppendDecompress(nil, got, 10<<20)
	case "zstd":
		got, err = zstdpool.AppendDecompress(nil, got, 10<<20)
	}
	if err != nil || resp.StatusCode != wantStatus || string(got) != want {
		s.mismatch("%s %q: status %d, %v\ngot  %.300q\nwant %.300q", kind, encoding, resp.StatusCode, err, got, want)
	}
}

// A slowReader gives time to others between small reads.
type slowReader struct {
	r io.Reader
	n int
}

func (s *slowReader) Read(p []byte) (int, error) {
	if s.n++; s.n < 20 {
		time.Sleep(100 * time.Microsecond)
	}
	return s.r.Read(p[:min(len(p), 512)])
}

// Concurrent clients and faults of all kinds, over HTTP/1.1 and HTTP/2, directly and
// through a proxy: every answer is compared with what its request asked for.
// SPARE_SOAK sets the duration at least.
func TestSoak(t *testing.T) {
	duration := 2 * time.Second
	if testing.Short() {
		duration = 300 * time.Millisecond
	}
	if v := os.Getenv("SPARE_SOAK"); v != "" {
		var err error
		if duration, err = time.ParseDuration(v); err != nil {
			t.Fatal("SPARE_SOAK: ", err)
		}
	}
	wrap, err := gzhttp.NewWrapper(
		gzhttp.Implementation(httppool.GzipFactory(nil)),
		gzhttp.ZstdImplementation(httppool.ZstdFactory(nil)),
		gzhttp.MinSize(100))
	if err != nil {
		t.Fatal(err)
	}
	for _, proto := range []int{1, 2} {
		t.Run("HTTP"+strconv.Itoa(proto), func(t *testing.T) {
			s := &soak{t: t}
			var client *http.Client
			quiet := log.New(io.Discard, "", 0)
			start := func(h http.Handler) *httptest.Server {
				srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.ProtoMajor != proto {
						s.mismatch("%s instead of HTTP/%d", r.Proto, proto)
					}
					h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, client)))
				}))
				srv.Config.ErrorLog = quiet
				if proto == 1 {
					// Most faults cost a connection of HTTP/1.1. With TLS, three
					// quarters of the time would go to handshakes.
					srv.Start()
					return srv
				}
				srv.EnableHTTP2 = true
				srv.StartTLS()
				return srv
			}
			srv := start(wrap(s.handler()))
			defer srv.Close()
			client = srv.Client()
			client.Timeout = 20 * time.Second
			// By default all but two connections are closed after each request.
			client.Transport.(*http.Transport).MaxIdleConnsPerHost = 64
			if proto == 1 {
				once := client.Transport.(*http.Transport).Clone()
				once.DisableKeepAlives = true
				s.fresh = &http.Client{Transport: once, Timeout: client.Timeout}
			}
			target, err := url.Parse(srv.URL)
			if err != nil {
				t.Fatal(err)
			}
			bufs := new(httppool.BufferPool)
			proxy := httputil.NewSingleHostReverseProxy(target)
			proxy.Transport, proxy.BufferPool, proxy.ErrorLog = client.Transport, bufs, quiet
			proxy.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) { panic(http.ErrAbortHandler) }
			front := start(proxy)
			defer front.Close()

			until := time.Now().Add(duration)
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(g), uint64(proto)))
					base := srv.URL
					if g%3 == 2 {
						base = front.URL
					}
					for i := 0; time.Now().Before(until) || s.requests.Load() < soakLeast; i++ {
						s.one(r, client, base, base == front.URL, g*1000000+i)
					}
				})
			}
			wg.Wait()
			t.Logf("HTTP/%d: %d requests, %d faults injected, %d refused or cut off, %d sent again, %d mismatches",
				proto, s.requests.Load(), s.faults.Load(), s.refused.Load(), s.again.Load(), s.mismatches.Load())
			// One in some ten thousand; many would hide a fault of the pools behind the second try.
			if s.again.Load() > 3+s.requests.Load()/1000 {
				t.Errorf("%d of %d requests broke on a used connection", s.again.Load(), s.requests.Load())
			}
			if s.faults.Load() < soakLeast/4 {
				t.Error("too few faults to show anything")
			}
			if bufs.Stats().Gets == 0 || s.questions.Stats().Gets == 0 {
				t.Error("the pools were not used")
			}
			front.Close()
			srv.Close() // and wait for handlers
			if b, q := bufs.Stats(), s.questions.Stats(); b.Gets != b.Puts || q.Gets != q.Puts+s.lost.Load() {
				t.Errorf("something was not put back: buffers %+v, questions %+v", b, q)
			}
		})
	}
}
