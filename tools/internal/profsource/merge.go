// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/pprof/profile"
)

// Files merges the profiles of many files, such as the shards of a fleet. The
// profiles need not fit into memory together: what is held grows with the number
// of distinct stacks, not with the number of files.
//
// The span is the time that at least one of them covers, or 0 if one of them
// does not tell. In use is known if it is known of all.
func Files(ctx context.Context, paths ...string) (*Profile, error) {
	if len(paths) == 0 {
		return nil, errors.New("no profile is given")
	}
	var m merger
	var spans []interval
	for _, path := range paths {
		p, err := File(ctx, path)
		if err != nil {
			return nil, err
		}
		spans = append(spans, interval{p.P.TimeNanos, p.P.TimeNanos + int64(p.Span)})
		m.add(p.P)
	}
	from := paths[0]
	if n := len(paths); n > 1 {
		from = fmt.Sprintf("%d profiles, %s to %s", n, paths[0], paths[n-1])
	}
	return &Profile{P: m.merged(), Span: covered(spans), From: from}, nil
}

// A merger adds normal profiles up. The zero merger is ready.
//
// Merging costs time and memory in proportion to what is merged, the sum so far
// included. So profiles wait until together they have as many samples as the
// sum: every sample then takes part in a number of merges that is constant on
// average, and what waits is bounded by the sum and one profile.
type merger struct {
	sum     *profile.Profile
	waiting []*profile.Profile
	samples int // of the waiting
}

// minWaiting is the number of samples below which merging does not pay yet.
const minWaiting = 4096

func (m *merger) add(p *profile.Profile) {
	m.waiting = append(m.waiting, p)
	m.samples += len(p.Sample)
	if m.sum == nil && m.samples >= minWaiting || m.sum != nil && m.samples >= max(minWaiting, len(m.sum.Sample)) {
		m.flush()
	}
}

func (m *merger) flush() {
	if len(m.waiting) == 0 {
		return
	}
	all := m.waiting
	if m.sum != nil {
		all = append(all, m.sum)
	}
	// What is in use is known of the sum if it is known of every part.
	n := len(columns)
	for _, p := range all {
		n = min(n, len(p.SampleType))
	}
	for i, p := range all {
		if len(p.SampleType) > n {
			all[i] = reshape(p, n, 1)
		}
	}
	sum, err := profile.Merge(all)
	if err != nil {
		panic("profsource: " + err.Error()) // normal profiles have the same types
	}
	m.sum, m.samples = sum, 0
	clear(m.waiting)
	m.waiting = m.waiting[:0]
}

// merged returns the sum of what was added, with at least the columns of
// allocation.
func (m *merger) merged() *profile.Profile {
	m.flush()
	if m.sum == nil {
		return withColumns(allocColumns)
	}
	return m.sum
}

// An interval of time, in nanoseconds since 1970.
type interval struct{ from, to int64 }

// covered returns the length of the union of the intervals, 0 if one is empty.
func covered(all []interval) time.Duration {
	slices.SortFunc(all, func(a, b interval) int {
		switch {
		case a.from < b.from:
			return -1
		case a.from > b.from:
			return 1
		}
		return 0
	})
	var sum, end int64
	for i, v := range all {
		if v.to <= v.from {
			return 0
		}
		if i == 0 || v.from > end {
			sum, end = sum+v.to-v.from, v.to
		} else if v.to > end {
			sum, end = sum+v.to-end, v.to
		}
	}
	return time.Duration(sum)
}
