// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spare-go/spare/tools/internal/profsource"
)

// A parcaServer answers for profiles that it is given, by the protocol of the
// gateway of the real one. testdata/parca.json.gz has answers of that.
type parcaServer struct {
	*httptest.Server
	types   []string
	series  map[string][]heap // by instance; cumulative counts, or differences
	delta   bool
	queries int
}

func newParca(t testing.TB, delta bool, series map[string][]heap) *parcaServer {
	s := &parcaServer{series: series, delta: delta}
	suffix := ""
	if delta {
		suffix = ":delta"
	}
	for _, c := range []string{"alloc_objects:count", "alloc_space:bytes", "inuse_objects:count", "inuse_space:bytes"} {
		s.types = append(s.types, "memory:"+c+":space:bytes"+suffix)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/profiles/types", s.profileTypes)
	mux.HandleFunc("GET /api/profiles/query_range", s.queryRange)
	mux.HandleFunc("GET /api/profiles/query", s.query)
	mux.HandleFunc("/ui/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!DOCTYPE html>") })
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *parcaServer) profileTypes(w http.ResponseWriter, r *http.Request) {
	var types []map[string]any
	for _, t := range s.types {
		p := strings.Split(t, ":")
		types = append(types, map[string]any{"name": p[0], "sampleType": p[1], "sampleUnit": p[2], "periodType": p[3], "periodUnit": p[4], "delta": len(p) == 6})
	}
	json.NewEncoder(w).Encode(map[string]any{"types": types})
}

// selected calls f for the profiles that the query selects, and returns the
// column that it names; -1 if it is none of the types.
func (s *parcaServer) selected(query, start, end string, f func(instance string, h heap)) int {
	typ, selector, _ := strings.Cut(query, "{")
	c := -1
	for i, t := range s.types {
		if t == typ {
			c = i % 4
		}
	}
	from, err1 := time.Parse(time.RFC3339Nano, start)
	until, err2 := time.Parse(time.RFC3339Nano, end)
	if err1 != nil || err2 != nil || c < 0 {
		return -1
	}
	for instance, all := range s.series {
		if strings.Contains(selector, "instance=") && !strings.Contains(selector, fmt.Sprintf("instance=%q", instance)) {
			continue
		}
		for _, h := range all {
			if !h.at.Before(from) && !h.at.After(until) {
				f(instance, h)
			}
		}
	}
	return c
}

func (s *parcaServer) queryRange(w http.ResponseWriter, r *http.Request) {
	s.queries++
	samples := map[string][]map[string]any{}
	add := func(instance string, h heap) {
		var total int64
		for _, v := range h.samples {
			total += v.values[1]
		}
		// The real server does not sort the samples of one series before it says so.
		samples[instance] = append(samples[instance], map[string]any{"timestamp": h.at.UTC().Format(time.RFC3339Nano), "value": fmt.Sprint(total)})
	}
	if s.selected(r.FormValue("query"), r.FormValue("start"), r.FormValue("end"), add) != 1 || len(samples) == 0 {
		http.NotFound(w, r) // the real server loses the message
		return
	}
	var series []map[string]any
	for instance, v := range samples {
		series = append(series, map[string]any{"labelset": map[string]any{"labels": []map[string]string{{"name": "instance", "value": instance}, {"name": "job", "value": "checkout"}}}, "samples": v})
	}
	json.NewEncoder(w).Encode(map[string]any{"series": series})
}

func (s *parcaServer) query(w http.ResponseWriter, r *http.Request) {
	s.queries++
	if r.FormValue("mode") != "MODE_MERGE" || r.FormValue("report_type") != "REPORT_TYPE_PPROF" {
		gatewayError(w, http.StatusBadRequest, 3, "unexpected mode or report")
		return
	}
	var all []*profile.Profile
	c := s.selected(r.FormValue("merge.query"), r.FormValue("merge.start"), r.FormValue("merge.end"), func(_ string, h heap) { all = append(all, h.profile()) })
	if c < 0 || len(all) == 0 {
		gatewayError(w, http.StatusNotFound, 5, "could not find profile")
		return
	}
	for i := range all {
		all[i] = column(all[i], c)
	}
	p, err := profile.Merge(all)
	if err != nil {
		gatewayError(w, http.StatusInternalServerError, 13, err.Error())
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"pprof": written(p), "total": "1", "filtered": "0"})
}

// queryAnswers serves a Parca that has one answer to every query.
func queryAnswers(t testing.TB, answer any) string {
	s := newParca(t, true, nil)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/types") {
			s.profileTypes(w, r)
			return
		}
		json.NewEncoder(w).Encode(answer)
	})
}

func gatewayError(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"code": code, "message": message, "details": []string{}})
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// scraped returns a profile with the counts so far, taken s seconds after noon.
func scraped(s int, allocated, inuse int64) heap {
	return heap{at: noon.Add(time.Duration(s) * time.Second), samples: []heapSample{
		objects(allocated, inuse, 96, "alloc", "handle", "main"),
		objects(50, 50, 4096, "cache", "start", "main"),
	}}
}

// By default Parca keeps counts since the start. What they grew by is counted,
// over restarts too; what is in use at the ends is added up.
func TestParcaCumulative(t *testing.T) {
	server := newParca(t, false, map[string][]heap{
		"a:1": {scraped(-10, 10, 1), scraped(0, 100, 1), scraped(10, 150, 2), scraped(20, 190, 3), scraped(400, 9999, 9)},
		"b:1": {scraped(5, 1000, 4), scraped(15, 1200, 4), scraped(25, 30, 5), scraped(35, 70, 6)}, // restarted
		"c:1": {scraped(12, 77, 7)},                                                                // seen once: no growth is known
	})
	for _, query := range []string{"", `{job="checkout"}`, `memory:alloc_space:bytes:space:bytes{job="checkout"}`} {
		p, err := profsource.Parca(soon(t), server.URL, query, noon, noon.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		checkNormal(t, p)
		const grown = (190 - 100) + (1200 - 1000) + 70
		want := stacks(heap{samples: []heapSample{
			{[]string{"alloc", "handle", "main"}, 96, [4]int64{grown, grown * 96, 3 + 6 + 7, (3 + 6 + 7) * 96}},
			// The restarted process filled its cache anew.
			{[]string{"cache", "start", "main"}, 4096, [4]int64{50, 50 * 4096, 150, 150 * 4096}},
		}}.profile())
		if got := stacks(p.P); !maps.Equal(got, want) {
			t.Errorf("query %q:\ngot  %v\nwant %v", query, got, want)
		}
		if p.Span != 35*time.Second {
			t.Errorf("span %v, want that of the profiles, 35s", p.Span)
		}
	}
	p, err := profsource.Parca(soon(t), server.URL, `{instance="a:1"}`, noon, noon.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sumOf(p), (sum{90, 90 * 96}); got != want {
		t.Errorf("one instance: got %v, want %v", got, want)
	}
}

// Profiles that are differences are added up, by the server.
func TestParcaDelta(t *testing.T) {
	server := newParca(t, true, map[string][]heap{
		"a:1": {scraped(0, 100, 1), scraped(10, 150, 2)},
		"b:1": {scraped(5, 1000, 4), scraped(100, 9, 1)},
	})
	for _, query := range []string{`{job="checkout"}`, `memory:alloc_space:bytes:space:bytes:delta{job="checkout"}`} {
		p, err := profsource.Parca(soon(t), server.URL, query, noon, noon.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		checkNormal(t, p)
		if got, want := sumOf(p), (sum{1250 + 150, 1250*96 + 150*4096}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if p.Span != time.Minute || len(p.P.SampleType) != 2 {
			t.Errorf("span %v, %d sample types", p.Span, len(p.P.SampleType))
		}
	}
}

func TestParcaErrors(t *testing.T) {
	until := noon.Add(time.Minute)
	good := newParca(t, false, map[string][]heap{"a:1": {scraped(0, 100, 1), scraped(10, 150, 2)}})
	once := newParca(t, false, map[string][]heap{"a:1": {scraped(0, 100, 1)}})
	both := newParca(t, false, nil)
	both.types = append(both.types, "memory:alloc_objects:count:space:bytes:delta", "memory:alloc_space:bytes:space:bytes:delta")
	cpu := newParca(t, true, nil)
	cpu.types = []string{"process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta"}
	bare := newParca(t, true, nil)
	bare.types = nil
	hidden := newParca(t, false, map[string][]heap{"a:1": {
		{at: noon, samples: []heapSample{objects(100, 0, 96, "alloc")}},
		{at: noon.Add(time.Second), samples: []heapSample{objects(200, 0, 96, "encode")}}, // restarted and grown
	}})
	pprofOf := func(p *profile.Profile) string {
		return queryAnswers(t, map[string]any{"pprof": written(p)})
	}
	const delta = "memory:alloc_space:bytes:space:bytes:delta{}"
	for name, c := range map[string]struct {
		url, query string
		want       []string
	}{
		"dead":      {dead(t), "{}", []string{"connection refused"}},
		"not parca": {serve(t, http.NotFound), "{}", []string{"404", "not a Parca server"}},
		"html":      {good.URL + "/ui", "{}", []string{"not that of a Parca server"}},
		"failing": {serve(t, func(w http.ResponseWriter, r *http.Request) {
			gatewayError(w, 429, 8, "received message larger than max (5000000 vs. 4194304)")
		}), "{}", []string{"429", "larger than max"}},
		"matches none": {good.URL, `{instance="z:9"}`, []string{`{instance="z:9"}`, "no allocation profiles"}},
		"no profiles":  {bare.URL, "{}", []string{"no profiles at all"}},
		"cpu only":     {cpu.URL, "{}", []string{"only process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta", "/debug/pprof/allocs"}},
		"two types":    {both.URL, `{a="b"}`, []string{"several types", `memory:alloc_space:bytes:space:bytes{a="b"}`, "memory:alloc_space:bytes:space:bytes:delta"}},
		"once":         {once.URL, "{}", []string{"one profile only", "longer range"}},
		"hidden":       {hidden.URL, "{}", []string{"fell", `instance="a:1"`, "restart"}},
		"other kind":   {pprofOf(otherKind("cpu", "cpu")), delta, []string{"CPU profile"}},
		"truncated":    {queryAnswers(t, map[string]any{"pprof": atFirst.gz()[:50]}), delta, []string{"truncated"}},
		"half JSON":    {answers(t, []byte(`{"pprof":"H4sI`)), delta, []string{"not that of a Parca server"}},
		"cpu query":    {good.URL, "process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{}", []string{"not one of allocations"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := profsource.Parca(soon(t), c.url, c.query, noon, until)
			wantError(t, p, err, c.want...)
			if !strings.Contains(err.Error(), c.url) && !strings.HasPrefix(err.Error(), "query ") {
				t.Errorf("the error does not name %s", c.url)
			}
		})
	}
}
