// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// URL profiles a live process through its pprof endpoint for a span of time: it
// takes two snapshots of the counts since the start, and their difference. The
// URL may be that of the profile (/debug/pprof/allocs or heap), of the index
// (/debug/pprof/), or of the host alone.
//
// An endpoint that gives differences itself is taken at its word: with ?seconds=N
// in the URL there is one request, and span is not used; the path delta_heap (of
// godeltaprof) is asked twice, and the second answer is the profile.
//
// The runtime publishes counts when a collection ends, so that both snapshots lie
// back by up to two collections: a span of many collections is exact.
//
// The URL must lead to one process. If a count falls between the snapshots (a
// restart, a load balancer), that is an error.
func URL(ctx context.Context, raw string, span time.Duration) (p *Profile, err error) {
	defer maskOf(ctx, raw).guard(&p, &err)
	e, err := parseEndpoint(raw)
	if err != nil {
		return nil, err
	}
	if e.seconds > 0 {
		return e.given(ctx)
	}
	if span <= 0 {
		return nil, fmt.Errorf("%s: the span between two snapshots is %v: give one above 0", e.name, span)
	}
	return e.measured(ctx, span)
}

// An endpoint is where a process serves its allocation profile.
type endpoint struct {
	url     *url.URL
	name    string
	seconds time.Duration // for which each request is to collect; 0: none
	deltas  bool          // each answer counts since the one before
}

// otherProfiles are the paths of net/http/pprof and its kin that lead elsewhere.
var otherProfiles = map[string]string{
	"profile": "the CPU profile", "goroutine": "the goroutine profile", "goroutineleak": "the goroutine leak profile",
	"threadcreate": "the thread creation profile", "block": "the block profile", "mutex": "the mutex profile",
	"delta_block": "the block profile", "delta_mutex": "the mutex profile", "fgprof": "the wall-clock profile",
	"trace": "the execution trace", "cmdline": "the command line", "symbol": "the symbol table",
}

func parseEndpoint(raw string) (*endpoint, error) {
	u, err := parseURL(raw)
	if err != nil {
		return nil, err
	}
	e := &endpoint{url: u}
	if p := strings.TrimSuffix(u.Path, "/"); p == "" {
		u.Path = "/debug/pprof/allocs"
	} else if strings.HasSuffix(p, "/debug/pprof") {
		u.Path = p + "/allocs"
	}
	base := path.Base(u.Path)
	if what := otherProfiles[base]; what != "" && strings.Contains(u.Path, "/pprof/") {
		return nil, fmt.Errorf("%s is %s, not one of allocations: give %s", shown(u), what, shown(u.JoinPath("../allocs")))
	}
	e.deltas = base == "delta_heap"
	query := u.Query()
	query.Set("debug", "0") // 1 asks for text without symbols
	if query.Has("seconds") {
		seconds, err := strconv.ParseInt(query.Get("seconds"), 10, 32)
		if err != nil || seconds <= 0 {
			return nil, fmt.Errorf("%s: seconds=%s is not a positive whole number of seconds", shown(u), query.Get("seconds"))
		}
		e.seconds = time.Duration(seconds) * time.Second
		query.Del("debug") // net/http/pprof refuses the two together, if not 0
	}
	u.RawQuery = query.Encode()
	e.name = shown(u)
	return e, nil
}

// given reads the difference that the server takes itself.
func (e *endpoint) given(ctx context.Context) (*Profile, error) {
	s, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	span := time.Duration(s.p.DurationNanos)
	if span <= 0 {
		span = e.seconds
	}
	// net/http/pprof has subtracted what was in use, too.
	return e.profile(reshape(s.p, allocColumns, 1), span)
}

// measured takes two snapshots.
func (e *endpoint) measured(ctx context.Context, span time.Duration) (*Profile, error) {
	first, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, span); err != nil {
		return nil, fmt.Errorf("%s: %w between two snapshots", e.name, err)
	}
	second, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	elapsed := second.at.Sub(first.at)
	if e.deltas {
		return e.profile(second.p, elapsed)
	}
	d, err := diff(first.p, second.p)
	switch {
	case errors.Is(err, errFell):
		return nil, fmt.Errorf("%s: the process restarted between the two snapshots, or the address leads to several processes (%w): profile one process, and try again", e.name, err)
	case err != nil:
		return nil, fmt.Errorf("%s, two snapshots: %w", e.name, err)
	}
	if own := time.Duration(d.DurationNanos); own > 0 {
		elapsed = own // by the clock of the process
	}
	return e.profile(d, elapsed)
}

func (e *endpoint) profile(p *profile.Profile, span time.Duration) (*Profile, error) {
	if allocated(p) == 0 {
		return nil, fmt.Errorf("%s: no allocation was recorded in %v: the runtime publishes counts when a collection ends, so give the process load, or take a longer span", e.name, span.Round(time.Millisecond))
	}
	p.DurationNanos = int64(span)
	return &Profile{P: p, Span: span, From: e.name}, nil
}

// A snapshot is an answer and the time at which it arrived.
type snapshot struct {
	p  *profile.Profile
	at time.Time
}

func (e *endpoint) snapshot(ctx context.Context) (snapshot, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url.String(), nil)
	if err != nil {
		return snapshot{}, err
	}
	body, err := fetch(ctx, req, e.name, e.seconds)
	if err != nil {
		return snapshot{}, err
	}
	at := time.Now()
	p, err := decode(body)
	if err != nil {
		return snapshot{}, fmt.Errorf("the answer of %s %w", e.name, err)
	}
	return snapshot{p, at}, nil
}

// sleep waits, or returns the error of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
