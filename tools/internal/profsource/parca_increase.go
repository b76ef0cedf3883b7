// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// A series is one process, or several in turn under the same labels, whose
// profiles count since the start of the process.
type series struct {
	selector string // which selects it alone
	points   []point
}

// A point is one profile of a series: when it was taken, and its total.
type point struct {
	at    time.Time
	total int64
}

// increase sums up by how much the counts of all series grew, and what was in use
// at their ends. The span reaches from the first profile to the last.
func (c *parca) increase(ctx context.Context, q query) (*profile.Profile, time.Duration, error) {
	all, err := c.series(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	var m merger
	var first, last time.Time
	for i, s := range all {
		p, err := c.increaseOf(ctx, q, s)
		if err != nil {
			return nil, 0, err
		}
		m.add(p)
		if at := s.points[0].at; i == 0 || at.Before(first) {
			first = at
		}
		if at := s.points[len(s.points)-1].at; at.After(last) {
			last = at
		}
	}
	if len(all) > 0 && !first.Before(last) {
		return nil, 0, fmt.Errorf("%s has one profile only of each process for %s, and it counts since the start of the process: take a longer range", shown(c.server), q)
	}
	return m.merged(), last.Sub(first), nil
}

// increaseOf returns by how much the counts of a series grew: the sum, over each
// run of a process in it, of the last profile without the first one. A run that
// began at a restart in the range counts whole.
func (c *parca) increaseOf(ctx context.Context, q query, s series) (*profile.Profile, error) {
	q.selector = s.selector
	var m merger
	for _, run := range s.runs() {
		end, err := c.merge(ctx, q, len(columns), &run.last)
		if err != nil {
			return nil, err
		}
		if !run.current {
			end = reshape(reshape(end, allocColumns, 1), len(columns), 1) // nothing of it is in use now
		}
		if run.base == nil {
			m.add(end)
			continue
		}
		base, err := c.merge(ctx, q, allocColumns, run.base)
		if err != nil {
			return nil, err
		}
		grown, err := diff(base, end)
		if err != nil {
			return nil, fmt.Errorf("%s, the profiles of %s between %s and %s: %w: choose a range without the restart of this process, or leave the process out", shown(c.server), s.selector, stamp(*run.base), stamp(run.last), err)
		}
		m.add(grown)
	}
	return m.merged(), nil
}

// A run is the life of one process, as far as it is in the range.
type run struct {
	base    *time.Time // its first profile in the range; nil: it began at a restart
	last    time.Time
	current bool // it is the last run of its series
}

// runs splits a series where the total falls: there a process ended and another
// one began.
func (s series) runs() []run {
	var all []run
	base := &s.points[0].at
	for i := 1; i < len(s.points); i++ {
		if s.points[i].total < s.points[i-1].total {
			all = append(all, run{base: base, last: s.points[i-1].at})
			base = nil
		}
	}
	return append(all, run{base: base, last: s.points[len(s.points)-1].at, current: true})
}

// series lists the series that the query selects, each with all its points.
func (c *parca) series(ctx context.Context, q query) ([]series, error) {
	var answer struct {
		Series []struct {
			Labelset struct {
				Labels []struct{ Name, Value string }
			}
			Samples []struct {
				Timestamp time.Time
				Value     string // an int64: JSON of protobuf quotes it
			}
		}
	}
	_, err := c.get(ctx, "query_range", url.Values{
		"query": {profileType(q.name, 1, false) + q.selector},
		"start": {stamp(q.from)},
		"end":   {stamp(q.until)},
	}, &answer)
	if err != nil {
		return nil, err
	}
	if n := len(answer.Series); n > maxSeries {
		return nil, fmt.Errorf("%s has %d processes for %s, more than the limit of %d: select fewer by their labels", shown(c.server), n, q, maxSeries)
	}
	var all []series
	for _, a := range answer.Series {
		var s series
		var labels []string
		for _, l := range a.Labelset.Labels {
			labels = append(labels, l.Name+"="+strconv.Quote(l.Value))
		}
		s.selector = "{" + strings.Join(labels, ",") + "}"
		for _, v := range a.Samples {
			total, err := strconv.ParseInt(v.Value, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("the answer of %s has the total %q for %s: %w", shown(c.server), v.Value, s.selector, errors.Unwrap(err))
			}
			s.points = append(s.points, point{v.Timestamp, total})
		}
		if len(s.points) > 0 {
			slices.SortFunc(s.points, func(a, b point) int { return a.at.Compare(b.at) })
			all = append(all, s)
		}
	}
	return all, nil
}
