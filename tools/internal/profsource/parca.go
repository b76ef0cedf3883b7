// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Parca returns what the processes that a query selects allocated in a range of
// time, from a Parca server. The URL is that of the server; the query is a label
// selector, such as {job="checkout"}, with or without the profile type before it.
//
// What Parca keeps depends on how it scrapes. With "delta: true" every profile is
// a difference, and their sum is the traffic. By default every profile counts
// since the start of its process, and a merge of them is not the traffic but a
// multiple of the totals: then the first and last profile of each process, and
// those around each restart, are fetched and subtracted here. In use is known only
// in this case; it is what was in use at the last profile of each process. The
// sizes of objects below one stack and the sampling rate are not kept.
func Parca(ctx context.Context, url, query string, from, until time.Time) (found *Profile, err error) {
	defer maskOf(ctx, url).guard(&found, &err)
	q, err := parseQuery(query, from, until)
	if err != nil {
		return nil, err
	}
	server, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	c := &parca{server}
	if err := c.resolve(ctx, &q); err != nil {
		return nil, err
	}
	var p *profile.Profile
	span := until.Sub(from)
	if q.delta {
		p, err = c.merge(ctx, q, allocColumns, nil)
	} else {
		p, span, err = c.increase(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	if allocated(p) == 0 {
		return nil, errNoMatch(shown(server), q, "check labels and range")
	}
	p.TimeNanos, p.DurationNanos = from.UnixNano(), int64(span)
	return &Profile{P: p, Span: span, From: shown(server) + " " + q.String()}, nil
}

// A parca is a server. Its API is parca.query.v1alpha1.QueryService through the
// gateway that turns GET requests under /api into calls; Parca v0.12 to v0.28 have
// what is used here.
type parca struct{ server *url.URL }

// get calls a method with parameters and decodes the answer. A call that finds
// nothing gives found == false: its status is 404, as for a path that is not
// there, since the server puts a page of its own in place of the message.
func (c *parca) get(ctx context.Context, method string, params url.Values, answer any) (found bool, err error) {
	u := c.server.JoinPath("api/profiles", method)
	name := shown(u)
	u.RawQuery = params.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return false, err
	}
	body, err := fetch(ctx, req, name, 0)
	if wrapped := new(statusError); errors.As(err, &wrapped) && wrapped.code == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return false, fmt.Errorf("the answer of %s is not that of a Parca server (%w): give its address, as http://parca:7070", name, err)
	}
	return true, nil
}

// resolve finds the name under which allocations are kept and whether they are
// differences, where the query does not say. Where it does, it is held to what
// the server has.
func (c *parca) resolve(ctx context.Context, q *query) error {
	var answer struct {
		Types []struct {
			Name, SampleType, SampleUnit string
			PeriodType, PeriodUnit       string
			Delta                        bool
		}
	}
	params := url.Values{"start": {stamp(q.from)}, "end": {stamp(q.until)}}
	switch found, err := c.get(ctx, "types", params, &answer); {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s answered 404 Not Found for /api/profiles/types: it is not a Parca server; give its address, as http://parca:7070", shown(c.server))
	}
	var matches, others []string
	for _, t := range answer.Types {
		typ := strings.Join([]string{t.Name, t.SampleType, t.SampleUnit, t.PeriodType, t.PeriodUnit}, ":")
		if t.Delta {
			typ += ":delta"
		}
		if typ != profileType(t.Name, 1, t.Delta) {
			others = append(others, typ)
			continue
		}
		matches = append(matches, typ)
		if q.name == t.Name && q.delta == t.Delta {
			return nil
		}
	}
	slices.Sort(others)
	switch {
	case q.name != "" && len(matches) > 0:
		return errNoMatch(shown(c.server), *q, fmt.Sprintf("it has no %s, but %s", profileType(q.name, 1, q.delta), strings.Join(matches, ", ")))
	case len(matches) == 1:
		parts := strings.Split(matches[0], ":")
		q.name, q.delta = parts[0], len(parts) == 6
		return nil
	case len(matches) > 1:
		slices.Sort(matches)
		return fmt.Errorf("%s has allocations of several types: write the one that is meant before the labels, as %s%s (there are %s)", shown(c.server), matches[0], q.selector, strings.Join(matches, ", "))
	case len(others) == 0:
		return errNoMatch(shown(c.server), *q, "it has no profiles at all in this range")
	}
	return errNoMatch(shown(c.server), *q, "it has only "+strings.Join(others, ", ")+"; let it scrape /debug/pprof/allocs")
}

// merge fetches n columns of what the query selects, summed by the server. at, if
// not nil, is the one time to look at instead of the range.
func (c *parca) merge(ctx context.Context, q query, n int, at *time.Time) (*profile.Profile, error) {
	from, until := q.from, q.until
	if at != nil {
		from, until = *at, *at
	}
	var single []*profile.Profile
	for i := range n {
		typ := profileType(q.name, i, q.delta)
		var answer struct{ Pprof []byte }
		found, err := c.get(ctx, "query", url.Values{
			"mode":        {"MODE_MERGE"},
			"merge.query": {typ + q.selector},
			"merge.start": {stamp(from)},
			"merge.end":   {stamp(until)},
			"report_type": {"REPORT_TYPE_PPROF"},
		}, &answer)
		if err != nil {
			return nil, err
		}
		p := &profile.Profile{}
		if found {
			if p, err = parse(answer.Pprof); err != nil {
				return nil, fmt.Errorf("the answer of %s for %s %w", shown(c.server), typ, err)
			}
		}
		single = append(single, p)
	}
	p, err := join(single)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s %w", shown(c.server), err)
	}
	return p, nil
}

// stamp writes a time as the gateway reads it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
