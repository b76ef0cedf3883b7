// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/profsource"
)

// answers serves the bodies in turn, at every path, and the last one for ever.
func answers(t testing.TB, bodies ...[]byte) string {
	var n atomic.Int64
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(bodies[min(int(n.Add(1)), len(bodies))-1])
	})
}

func serve(t testing.TB, h http.HandlerFunc) string {
	s := httptest.NewServer(h) // on loopback, on a free port
	t.Cleanup(s.Close)
	return s.URL
}

var (
	atFirst = heap{at: time.Unix(1_700_000_000, 0), samples: []heapSample{
		objects(1000, 10, 96, "alloc", "handle", "main"),
		objects(50, 50, 4096, "cache", "start", "main"),
	}}
	later = heap{at: time.Unix(1_700_000_020, 0), samples: []heapSample{
		objects(1500, 12, 96, "alloc", "handle", "main"),
		objects(50, 49, 4096, "cache", "start", "main"),
		objects(30, 0, 512, "encode", "handle", "main"),
	}}
)

// The difference has what was allocated between the snapshots, and what is in
// use at the second. Its span is by the clock of the process.
func TestURLDifference(t *testing.T) {
	moved := later
	moved.base = 0x7f0000000000 // the same process, mapped elsewhere: names decide
	for name, second := range map[string]heap{"same": later, "moved": moved} {
		t.Run(name, func(t *testing.T) {
			p, err := profsource.URL(t.Context(), answers(t, atFirst.gz(), second.gz()), time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			checkNormal(t, p)
			want := stacks(heap{samples: []heapSample{
				{[]string{"alloc", "handle", "main"}, 96, [4]int64{500, 500 * 96, 12, 12 * 96}},
				{[]string{"cache", "start", "main"}, 4096, [4]int64{0, 0, 49, 49 * 4096}},
				{[]string{"encode", "handle", "main"}, 512, [4]int64{30, 30 * 512, 0, 0}},
			}}.profile())
			if got := stacks(p.P); !maps.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			if p.Span != 20*time.Second {
				t.Errorf("span %v, want 20s", p.Span)
			}
		})
	}
}

// A live process, whose every allocation is sampled: what it did before the first
// snapshot is not counted, what it did after is, to the last object.
func TestURLOfLiveProcess(t *testing.T) {
	want := map[string]sum{"allocateSmall": {3000, 3000 * smallSize}, "allocateLarge": {300, 300 * largeSize}}
	for _, c := range []struct {
		name, path string
		span       time.Duration
		inuse      bool
	}{
		{"host", "", 300 * time.Millisecond, true},
		{"index", "/debug/pprof/", 300 * time.Millisecond, true},
		{"profile", "/debug/pprof/allocs?debug=1", 300 * time.Millisecond, true},
		{"seconds", "/debug/pprof/allocs?seconds=1", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := start(t, "service", "5000", "3000")
			p, err := profsource.URL(soon(t), server+c.path, c.span)
			if err != nil {
				t.Fatal(err)
			}
			checkNormal(t, p)
			if got := sums(p.P); !maps.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if p.Span < c.span || p.Span > time.Minute || c.span == 0 && p.Span < time.Second {
				t.Errorf("span %v", p.Span)
			}
			if inuse := len(p.P.SampleType) == 4; inuse != c.inuse {
				t.Errorf("in use is known: %v, want %v", inuse, c.inuse)
			}
			if !strings.HasPrefix(p.From, server+"/debug/pprof/allocs") {
				t.Errorf("From %q", p.From)
			}
		})
	}
}

// godeltaprof's endpoint counts since the answer before.
func TestURLDeltaEndpoint(t *testing.T) {
	url := answers(t, atFirst.gz(), later.gz()) + "/debug/pprof/delta_heap"
	p, err := profsource.URL(t.Context(), url, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stacks(p.P), stacks(later.profile()); !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if p.Span < time.Millisecond || p.Span > time.Minute {
		t.Errorf("span %v", p.Span)
	}
}

func TestURLErrors(t *testing.T) {
	otherRate := later
	otherRate.rate = 4096
	status := func(code int, text string) string {
		return serve(t, func(w http.ResponseWriter, r *http.Request) { http.Error(w, text, code) })
	}
	for name, c := range map[string]struct {
		url  string
		want []string
	}{
		"no scheme":      {"localhost:6060/debug/pprof/allocs", []string{"http://"}},
		"other scheme":   {"ftp://localhost/allocs", []string{"http://"}},
		"not a URL":      {"http://[::1/", []string{"not an address"}},
		"dead":           {dead(t), []string{"connection refused", "is it running"}},
		"not found":      {status(404, "Unknown profile"), []string{"404", "Unknown profile", "check the path"}},
		"forbidden":      {status(403, "who are you"), []string{"403", "credentials"}},
		"broken":         {status(500, "failed to collect profile"), []string{"500", "failed to collect profile"}},
		"html":           {answers(t, []byte("<html><body>hi")), []string{"HTML"}},
		"empty":          {answers(t, nil), []string{"is empty"}},
		"cpu":            {answers(t, written(otherKind("cpu", "samples", "cpu"))), []string{"CPU profile"}},
		"goroutine":      {answers(t, written(otherKind("goroutine", "goroutine"))), []string{"goroutine profile"}},
		"mutex":          {answers(t, written(otherKind("contentions", "contentions", "delay"))), []string{"mutex"}},
		"cpu by name":    {"http://127.0.0.1:1/debug/pprof/profile?seconds=30", []string{"the CPU profile", "/debug/pprof/allocs"}},
		"mutex by name":  {"http://127.0.0.1:1/x/debug/pprof/mutex", []string{"the mutex profile", "http://127.0.0.1:1/x/debug/pprof/allocs"}},
		"bad seconds":    {"http://127.0.0.1:1/debug/pprof/allocs?seconds=-1", []string{"seconds=-1"}},
		"truncated":      {answers(t, atFirst.gz()[:60]), []string{"truncated"}},
		"broken off":     {serve(t, breakOff), []string{"truncated", "try again"}},
		"restarted":      {answers(t, later.gz(), atFirst.gz()), []string{"restarted", "one process", "alloc_objects"}},
		"rate changed":   {answers(t, atFirst.gz(), otherRate.gz()), []string{"MemProfileRate", "524288", "4096"}},
		"second is dead": {serve(t, onlyOnce(atFirst.gz())), []string{"503", "gone"}},
		"nothing":        {answers(t, atFirst.gz(), atFirst.gz()), []string{"no allocation was recorded", "longer span"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := profsource.URL(soon(t), c.url, time.Millisecond)
			wantError(t, p, err, append(c.want, c.url)...)
		})
	}
	t.Run("no span", func(t *testing.T) {
		url := answers(t, atFirst.gz())
		p, err := profsource.URL(t.Context(), url, 0)
		wantError(t, p, err, url, "span")
	})
	t.Run("huge", func(t *testing.T) {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { zeros(w, 300<<20) })
		p, err := profsource.URL(soon(t), url, time.Millisecond)
		wantError(t, p, err, url, "larger than 256 MB")
	})
}

// A password in the URL is sent, and shown nowhere.
func TestURLPassword(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "hunter2" {
			http.Error(w, "no", http.StatusUnauthorized)
		} else {
			http.Error(w, "teapot", http.StatusTeapot)
		}
	})
	p, err := profsource.URL(t.Context(), strings.Replace(server, "http://", "http://me:hunter2@", 1), time.Second)
	wantError(t, p, err, "teapot", "me:xxxxx@")
	if strings.Contains(err.Error(), "hunter2") {
		t.Error("the password is in the error")
	}
}

func TestHeaderIsSent(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, r.Header.Get("X-Scope-OrgID")+"!", http.StatusTeapot)
	})
	ctx := profsource.WithHeader(t.Context(), http.Header{"X-Scope-Orgid": {"team-a"}})
	p, err := profsource.URL(ctx, server, time.Second)
	wantError(t, p, err, "team-a!")
}

// Cancelling ends the wait for an answer and the wait between snapshots.
func TestURLCancelled(t *testing.T) {
	asked := make(chan struct{}, 1)
	hang := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	between := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(atFirst.gz())
		asked <- struct{}{}
	})
	for name, url := range map[string]string{"hanging": hang, "between": between} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-asked
				cancel()
			}()
			p, err := profsource.URL(ctx, url, time.Hour)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v, want context.Canceled", err)
			}
			wantError(t, p, err, url)
		})
	}
	t.Run("deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		p, err := profsource.URL(ctx, between, time.Hour)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want context.DeadlineExceeded", err)
		}
		wantError(t, p, err, between)
	})
}

// dead is an address on which nobody listens: its port is none that the servers of other cases could get.
func dead(*testing.T) string { return "http://127.0.0.1:1" }

// free is the address of a port that is free now.
func free(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return fmt.Sprintf("http://%s", l.Addr())
}

// breakOff announces more than it sends.
func breakOff(w http.ResponseWriter, r *http.Request) {
	data := atFirst.gz()
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.Write(data[:len(data)/2])
}

func onlyOnce(body []byte) http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) > 1 {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		io.Copy(w, bytes.NewReader(body))
	}
}

func TestDiff(t *testing.T) {
	read := func(h heap) *profsource.Profile {
		p, err := profsource.File(t.Context(), writeFile(t, "mem.prof", h.gz()))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	base, p := read(atFirst), read(later)
	before := stacks(base.P)
	d, err := profsource.Diff(base, p)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, d)
	if d.Span != 20*time.Second {
		t.Errorf("span %v", d.Span)
	}
	if got, want := sumOf(d), (sum{530, 500*96 + 30*512}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if !maps.Equal(stacks(base.P), before) {
		t.Error("Diff changed its base")
	}
	d, err = profsource.Diff(p, base)
	wantError(t, d, err, "fell", p.From, base.From)
	d, err = profsource.Diff(p, p)
	wantError(t, d, err, "no allocation", p.From)
}

func sumOf(p *profsource.Profile) sum {
	var all sum
	for _, s := range p.P.Sample {
		all.objects += s.Value[0]
		all.bytes += s.Value[1]
	}
	return all
}
