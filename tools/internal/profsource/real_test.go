// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/profsource"
)

// The tests of this file replay what real servers answered. To record it anew,
// name a running Pyroscope and the program of a Parca:
//
//	SPARE_PYROSCOPE=http://127.0.0.1:4040 SPARE_PARCA=/usr/bin/parca go test -trimpath -run Real
//
// with their versions in SPARE_PYROSCOPE_VERSION and SPARE_PARCA_VERSION. (In the
// recordings of November 2026, paths of the machine were replaced afterwards.) The
// allocations are those of the children of this test, of which every one is
// sampled, so that the result is known to the last object.

// A recording is what a server answered to a session of queries.
type recording struct {
	Server      string // name and version
	Query       string // that selects the processes of the test
	From, Until time.Time
	Exchanges   []exchange
}

// An exchange is a request, as the tool sent it, and its answer.
type exchange struct {
	Method, Path, Query string
	Body                []byte
	Status              int
	ContentType         string
	Answer              []byte
}

// key identifies the request.
func (e exchange) key() string { return fmt.Sprintf("%s %s?%s\n%s", e.Method, e.Path, e.Query, e.Body) }

// recorder forwards to a real server and keeps what passes.
func recorder(t *testing.T, target string, rec *recording) string {
	base, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		u := base.JoinPath(r.URL.Path)
		u.RawQuery = r.URL.RawQuery
		req, err := http.NewRequestWithContext(r.Context(), r.Method, u.String(), bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		if typ := r.Header.Get("Content-Type"); typ != "" {
			req.Header.Set("Content-Type", typ)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Error(err)
		}
		e := exchange{r.Method, r.URL.Path, r.URL.RawQuery, body, resp.StatusCode, resp.Header.Get("Content-Type"), answer}
		mu.Lock()
		rec.Exchanges = append(rec.Exchanges, e)
		mu.Unlock()
		e.write(w)
	})
}

func (e exchange) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", e.ContentType)
	w.WriteHeader(e.Status)
	w.Write(e.Answer)
}

// player answers what was recorded, to the very requests that were recorded.
func player(t *testing.T, rec *recording) string {
	answers := map[string]exchange{}
	for _, e := range rec.Exchanges {
		answers[e.key()] = e
	}
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked := exchange{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: body}
		e, ok := answers[asked.key()]
		if !ok {
			t.Errorf("nothing is recorded for %s", asked.key())
		}
		e.write(w)
	})
}

func save(t *testing.T, path string, rec *recording) {
	data, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, gzipped(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, path string) *recording {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rec := &recording{}
	if err := json.NewDecoder(z).Decode(rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

// Three processes push to a real Pyroscope; the query gives their work, to the
// last object.
func TestRealPyroscope(t *testing.T) {
	path := filepath.Join("testdata", "pyroscope.json.gz")
	var rec *recording
	var server string
	if real := os.Getenv("SPARE_PYROSCOPE"); real != "" {
		service := fmt.Sprintf("spare-test-%d", time.Now().Unix())
		rec = &recording{Server: os.Getenv("SPARE_PYROSCOPE_VERSION"), Query: fmt.Sprintf("{service_name=%q}", service), From: time.Now().Truncate(time.Hour)}
		for _, units := range [][]string{{"100", "50"}, {"200"}, {"300", "40", "10"}} {
			run(t, "pusher", append([]string{real, service}, units...)...)
		}
		rec.Until = time.Now().Truncate(time.Second).Add(time.Second)
		time.Sleep(30 * time.Second) // until the server shows what it has
		server = recorder(t, real, rec)
	} else {
		rec = load(t, path)
		server = player(t, rec)
	}
	p, err := profsource.Pyroscope(soon(t), server, rec.Query, rec.From, rec.Until)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	checkWork(t, rec, p, 700)
	p, err = profsource.Pyroscope(soon(t), server, `{service_name="spare-tset"}`, rec.From, rec.Until)
	wantError(t, p, err, "no allocation profiles", "spare-tset")
	p, err = profsource.Pyroscope(soon(t), server, `{service_name=spare-test}`, rec.From, rec.Until)
	wantError(t, p, err, "400", `: 1:15: parse error: unexpected identifier "spare"`)
	if os.Getenv("SPARE_PYROSCOPE") != "" && !t.Failed() {
		save(t, path, rec)
	}
}

// checkWork holds a profile to n units of work.
func checkWork(t *testing.T, rec *recording, p *profsource.Profile, n int64) {
	t.Helper()
	got := map[string]sum{}
	for stack, v := range workStacks(p.P) {
		for _, f := range []string{"allocateSmall", "allocateLarge"} {
			if strings.Contains(stack, "."+f+":") {
				got[f] = sum{got[f].objects + v.objects, got[f].bytes + v.bytes}
			}
		}
	}
	want := map[string]sum{"allocateSmall": {n, n * smallSize}, "allocateLarge": {n / 10, n / 10 * largeSize}}
	if !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", rec.Server, got, want)
	}
}

// A real Parca scrapes two processes, one of which restarts, as it does by
// default, and two with "delta: true". Either query gives what was allocated
// after the first scrape, and all of the process that began later.
func TestRealParca(t *testing.T) {
	path := filepath.Join("testdata", "parca.json.gz")
	var rec *recording
	var server string
	if program := os.Getenv("SPARE_PARCA"); program != "" {
		rec = &recording{Server: os.Getenv("SPARE_PARCA_VERSION"), From: time.Now().Truncate(time.Second)}
		server = recorder(t, parca(t, program), rec)
		rec.Until = time.Now().Truncate(time.Second)
	} else {
		rec = load(t, path)
		server = player(t, rec)
	}
	cumulative, delta := "memory:alloc_space:bytes:space:bytes", "memory:alloc_space:bytes:space:bytes:delta"
	p, err := profsource.Parca(soon(t), server, cumulative+`{job="cumulative"}`, rec.From, rec.Until)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	checkWork(t, rec, p, 300+300+700)
	if len(p.P.SampleType) != 4 || p.Span <= 0 || p.Span > rec.Until.Sub(rec.From) {
		t.Errorf("%d sample types, span %v", len(p.P.SampleType), p.Span)
	}

	p, err = profsource.Parca(soon(t), server, delta+`{job="delta"}`, rec.From, rec.Until)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	checkWork(t, rec, p, 300+300)
	if len(p.P.SampleType) != 2 {
		t.Errorf("%d sample types", len(p.P.SampleType))
	}

	p, err = profsource.Parca(soon(t), server, `{job="delta"}`, rec.From, rec.Until)
	wantError(t, p, err, "several types", cumulative, delta)
	p, err = profsource.Parca(soon(t), server, `heap:alloc_space:bytes:space:bytes{job="delta"}`, rec.From, rec.Until)
	wantError(t, p, err, "no heap:alloc_space:bytes:space:bytes", cumulative)
	p, err = profsource.Parca(soon(t), server, cumulative+`{job="none"}`, rec.From, rec.Until)
	wantError(t, p, err, "no allocation profiles", "none")
	p, err = profsource.Parca(soon(t), server, delta+`{job="none"}`, rec.From, rec.Until)
	wantError(t, p, err, "no allocation profiles", "none")
	p, err = profsource.Parca(soon(t), server, delta+`{job=none}`, rec.From, rec.Until)
	wantError(t, p, err, "failed to parse query")
	if os.Getenv("SPARE_PARCA") != "" && !t.Failed() {
		save(t, path, rec)
	}
}

// parca runs the program with processes to scrape, until it has what the test
// asks for, and returns its address.
func parca(t *testing.T, program string) string {
	host := func(url string) string { return strings.TrimPrefix(url, "http://") }
	c1 := start(t, "service", "500", "300")
	c2, stop := startUntil(t, "service", "2000", "300")
	d1, d2 := start(t, "service", "500", "300"), start(t, "service", "500", "300")
	dir := t.TempDir()
	config := fmt.Sprintf(`object_storage:
  bucket: {type: FILESYSTEM, config: {directory: %q}}
scrape_configs:
  - job_name: cumulative
    scrape_interval: 2s
    static_configs: [{targets: [%q, %q]}]
    profiling_config: &only
      pprof_config: &pprof
        block: {enabled: false}
        goroutine: {enabled: false}
        mutex: {enabled: false}
        process_cpu: {enabled: false}
  - job_name: delta
    scrape_interval: 2s
    static_configs: [{targets: [%q, %q]}]
    profiling_config:
      pprof_config:
        <<: *pprof
        memory: {enabled: true, path: /debug/pprof/allocs, delta: true}
`, dir, host(c1), host(c2), host(d1), host(d2))
	file := filepath.Join(dir, "parca.yaml")
	if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	address := host(free(t))
	cmd := exec.CommandContext(t.Context(), program, "--config-path="+file, "--http-address="+address)
	log := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s", log)
		}
	})
	for _, c := range []string{c1, c2, d1, d2} {
		waitForScrapes(t, c)
	}
	stop()
	waitForScrapes(t, start(t, "service", "400", "300", host(c2)))
	time.Sleep(3 * time.Second) // until the server shows what it has
	return "http://" + address
}

// waitForScrapes waits until a service has been scraped some times.
func waitForScrapes(t *testing.T, service string) {
	for ctx := soon(t); ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		resp, err := http.Get(service + "/served")
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if served, _ := strconv.Atoi(string(n)); err == nil && served >= 4 {
			return
		}
	}
	t.Fatalf("%s is not scraped", service)
}
