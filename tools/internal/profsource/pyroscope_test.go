// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spare-go/spare/tools/internal/profsource"
)

// A pyroscopeServer keeps what clients push and answers queries for it, by the
// protocols of the real one: /ingest takes multipart forms with a profile, and
// SelectMergeProfile merges one sample type of a service over a range of time.
type pyroscopeServer struct {
	*httptest.Server
	mu      sync.Mutex
	pushes  []push
	queries []pyroscopeQuery
}

type push struct {
	service     string
	from, until time.Time
	p           *profile.Profile
}

func newPyroscope(t testing.TB) *pyroscopeServer {
	s := &pyroscopeServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /ingest", s.ingest)
	mux.HandleFunc("POST /querier.v1.QuerierService/SelectMergeProfile", s.selectMergeProfile)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *pyroscopeServer) ingest(w http.ResponseWriter, r *http.Request) {
	err := func() error {
		_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || params["boundary"] == "" {
			return fmt.Errorf("content type %q: %v", r.Header.Get("Content-Type"), err)
		}
		f, _, err := r.FormFile("profile")
		if err != nil {
			return err
		}
		p, err := profile.Parse(f)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(r.FormValue("name"), "{")
		var ns [2]int64
		for i, key := range []string{"from", "until"} {
			if ns[i], err = strconv.ParseInt(r.FormValue(key), 10, 64); err != nil {
				return err
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pushes = append(s.pushes, push{name, time.Unix(0, ns[0]), time.Unix(0, ns[1]), p})
		return nil
	}()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

type pyroscopeQuery struct {
	typ, selector string
	start, end    int64 // milliseconds
}

func (s *pyroscopeServer) selectMergeProfile(w http.ResponseWriter, r *http.Request) {
	q, err := func() (q pyroscopeQuery, err error) {
		if got := r.Header.Get("Content-Type"); got != "application/proto" {
			return q, fmt.Errorf("content type %q", got)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return q, err
		}
		return parsePyroscopeQuery(body)
	}()
	if err != nil {
		connectError(w, http.StatusBadRequest, "invalid_argument", err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries = append(s.queries, q)
	var matching []*profile.Profile
	for _, push := range s.pushes {
		if q.selector != "{}" && q.selector != fmt.Sprintf("{service_name=%q}", push.service) || push.until.UnixMilli() < q.start || push.from.UnixMilli() > q.end {
			continue
		}
		for i, t := range push.p.SampleType {
			if q.typ == fmt.Sprintf("memory:%s:%s:space:bytes", t.Type, t.Unit) {
				matching = append(matching, column(push.p, i))
			}
		}
	}
	w.Header().Set("Content-Type", "application/proto")
	if len(matching) == 0 {
		return // an empty message
	}
	p, err := profile.Merge(matching)
	if err != nil {
		connectError(w, http.StatusInternalServerError, "internal", err.Error())
		return
	}
	for _, s := range p.Sample {
		s.NumLabel, s.NumUnit = nil, nil // the server does not keep the sizes of objects
	}
	p.WriteUncompressed(w)
}

// parsePyroscopeQuery decodes a SelectMergeProfileRequest, strictly.
func parsePyroscopeQuery(b []byte) (q pyroscopeQuery, err error) {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return q, errors.New("bad tag")
		}
		b = b[n:]
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return q, errors.New("bad value")
		}
		b = b[n:]
		switch tag {
		case 1<<3 | 2, 2<<3 | 2:
			if v > uint64(len(b)) {
				return q, io.ErrUnexpectedEOF
			}
			if tag == 1<<3|2 {
				q.typ = string(b[:v])
			} else {
				q.selector = string(b[:v])
			}
			b = b[v:]
		case 3 << 3:
			q.start = int64(v)
		case 4 << 3:
			q.end = int64(v)
		default:
			return q, fmt.Errorf("tag %d", tag)
		}
	}
	return q, nil
}

func connectError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q,"message":%q}`, code, message)
}

// A fleet of processes that push with the real client, merged by the store, gives
// what one process gives that does all of their work.
func TestPyroscopeShardsEqualWhole(t *testing.T) {
	server := newPyroscope(t)
	begin := time.Now()
	for _, units := range [][]string{{"100", "50"}, {"200"}, {"300", "40", "10"}} {
		run(t, "pusher", append([]string{server.URL, "checkout"}, units...)...)
	}
	run(t, "pusher", server.URL, "other", "7000") // not asked for
	until := time.Now().Add(time.Second)

	path := filepath.Join(t.TempDir(), "whole.prof")
	run(t, "whole", path, "700")
	whole, err := profsource.File(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{`{service_name="checkout"}`, `service_name="checkout"`, `memory:alloc_space:bytes:space:bytes{service_name="checkout"}`} {
		from := begin.Truncate(time.Hour) // the client cuts times to its upload rate
		fleet, err := profsource.Pyroscope(soon(t), server.URL, query, from, until)
		if err != nil {
			t.Fatal(err)
		}
		checkNormal(t, fleet)
		if got, want := workStacks(fleet.P), workStacks(whole.P); !maps.Equal(got, want) || len(got) != 2 {
			t.Errorf("%s:\nmerged %v\nwhole  %v", query, got, want)
		}
		if want := until.Sub(from); fleet.Span != want {
			t.Errorf("span %v, want %v", fleet.Span, want)
		}
		for _, want := range []string{server.URL, "checkout"} {
			if !strings.Contains(fleet.From, want) {
				t.Errorf("From %q lacks %q", fleet.From, want)
			}
		}
	}
	got := map[string]int{}
	for _, q := range server.queries {
		got[q.typ+q.selector]++
	}
	want := map[string]int{
		`memory:alloc_objects:count:space:bytes{service_name="checkout"}`: 3,
		`memory:alloc_space:bytes:space:bytes{service_name="checkout"}`:   3,
	}
	if !maps.Equal(got, want) {
		t.Errorf("the server was asked for %v, want %v", got, want)
	}
}

// workStacks lists the stacks from work down, with their values.
func workStacks(p *profile.Profile) map[string]sum {
	all := map[string]sum{}
	for _, s := range p.Sample {
		var frames []string
		below := false
		for _, l := range s.Location {
			for _, line := range l.Line {
				if !below {
					frames = append(frames, fmt.Sprintf("%s:%d", line.Function.Name, line.Line))
				}
				below = below || strings.HasSuffix(line.Function.Name, ".work")
			}
		}
		if average := s.Value[1] / max(s.Value[0], 1); below && (average == smallSize || average == largeSize) {
			v := all[strings.Join(frames, " ")]
			v.objects += s.Value[0]
			v.bytes += s.Value[1]
			all[strings.Join(frames, " ")] = v
		}
	}
	return all
}

func TestPyroscopeErrors(t *testing.T) {
	until := time.Unix(1_700_000_000, 0)
	from := until.Add(-time.Hour)
	empty := newPyroscope(t)
	proto := func(p *profile.Profile) string { return answers(t, uncompressed(p)) }
	cpu := otherKind("cpu", "cpu")
	for name, c := range map[string]struct {
		url, query string
		want       []string
	}{
		"dead":          {dead(t), "{}", []string{"connection refused"}},
		"no scheme":     {"pyroscope:4040", "{}", []string{"http://"}},
		"not pyroscope": {serve(t, http.NotFound), "{}", []string{"404", "address of a Pyroscope server"}},
		"html":          {answers(t, []byte("<!doctype html>")), "{}", []string{"HTML"}},
		"matches none":  {empty.URL, `{service_name="chekout"}`, []string{`{service_name="chekout"}`, "no allocation profiles", "check labels", "2023-11-14T22:13:20Z"}},
		"tenant":        {serve(t, func(w http.ResponseWriter, r *http.Request) { connectError(w, 401, "unauthenticated", "no org id") }), "{}", []string{"401", "no org id", "credentials"}},
		"too long": {serve(t, func(w http.ResponseWriter, r *http.Request) {
			connectError(w, 400, "invalid_argument", "the query time range exceeds the limit")
		}), "{}", []string{"400", "exceeds the limit"}},
		"truncated":      {answers(t, uncompressed(column(sample.profile(), 0))[:100]), "{}", []string{"truncated"}},
		"other kind":     {proto(cpu), "{}", []string{"CPU profile"}},
		"other column":   {proto(column(sample.profile(), 3)), "{}", []string{"alloc_objects", "in use"}},
		"no brace":       {empty.URL, `{service_name="a"`, []string{"closing brace"}},
		"type of cpu":    {empty.URL, `process_cpu:cpu:nanoseconds:cpu:nanoseconds{}`, []string{"process_cpu:cpu:nanoseconds:cpu:nanoseconds is not one of allocations"}},
		"type unknown":   {empty.URL, `memory{service_name="a"}`, []string{"memory is not a profile type"}},
		"type of parca":  {empty.URL, `memory:alloc_space:bytes:space:bytes:delta{}`, []string{":delta"}},
		"half an answer": {serve(t, breakOff), "{}", []string{"truncated", "try again"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := profsource.Pyroscope(soon(t), c.url, c.query, from, until)
			wantError(t, p, err, c.want...)
			if strings.HasPrefix(c.url, "http") && !strings.Contains(err.Error(), c.url) && !strings.HasPrefix(err.Error(), "query ") {
				t.Errorf("the error does not name %s", c.url)
			}
		})
	}
	t.Run("empty range", func(t *testing.T) {
		p, err := profsource.Pyroscope(t.Context(), empty.URL, "{}", until, from)
		wantError(t, p, err, "range of time is empty")
	})
}
