// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/pprof/profile"
)

// Diff returns what was allocated between two profiles of one process, base
// being the earlier one. What is in use is that of p: it is a state, not a count
// since the start. Span is the time between the two, by their own clocks, or 0.
//
// Neither profile is changed. It is an error if a count fell: then the profiles
// are of two processes, or in the wrong order.
func Diff(base, p *Profile) (_ *Profile, err error) {
	defer mask(nil).guard(new(*Profile), &err)
	d, err := diff(base.P, p.P)
	if err != nil {
		return nil, fmt.Errorf("%s and %s, as base: %w", p.From, base.From, err)
	}
	if allocated(d) == 0 {
		return nil, fmt.Errorf("%s holds no allocation that its base %s does not hold: take the two further apart (the runtime publishes counts when a collection ends)", p.From, base.From)
	}
	return &Profile{P: d, Span: time.Duration(d.DurationNanos), From: p.From + " since " + base.From}, nil
}

// errFell is wrapped by the error of diff when a count fell.
var errFell = errors.New("a count fell")

// diff is Diff of normal profiles. The result has the columns that both have,
// except that what is in use needs to be in p only.
func diff(base, p *profile.Profile) (*profile.Profile, error) {
	if base.Period != p.Period {
		return nil, fmt.Errorf("the sampling rates differ (runtime.MemProfileRate %d, then %d): estimates at different rates cannot be subtracted", base.Period, p.Period)
	}
	// Counts only, so that what was in use at the base does not matter.
	before := reshape(base, len(p.SampleType), -1)
	d, err := profile.Merge([]*profile.Profile{before, p})
	if err != nil {
		return nil, err
	}
	for _, s := range d.Sample {
		for i := range allocColumns {
			if s.Value[i] < 0 {
				return nil, fmt.Errorf("%w, by %d in %s at %s", errFell, -s.Value[i], d.SampleType[i].Type, where(s))
			}
		}
	}
	d.TimeNanos, d.DurationNanos = p.TimeNanos, 0
	if base.TimeNanos > 0 && p.TimeNanos > base.TimeNanos {
		d.DurationNanos = p.TimeNanos - base.TimeNanos
	}
	return d, nil
}

// reshape returns p with n columns and its values multiplied by sign. Of the
// columns in use it keeps none if sign is negative; those that p lacks are 0.
func reshape(p *profile.Profile, n int, sign int64) *profile.Profile {
	q := withColumns(n)
	q.TimeNanos, q.DurationNanos, q.Period = p.TimeNanos, p.DurationNanos, p.Period
	q.Location, q.Function = p.Location, p.Function
	keep := min(n, len(p.SampleType))
	if sign < 0 {
		keep = allocColumns
	}
	q.Sample = make([]*profile.Sample, len(p.Sample))
	for i, s := range p.Sample {
		values := make([]int64, n)
		for j := range keep {
			values[j] = sign * s.Value[j]
		}
		q.Sample[i] = &profile.Sample{Location: s.Location, NumLabel: s.NumLabel, Value: values}
	}
	return q
}

// allocated returns the bytes that a normal profile counts.
func allocated(p *profile.Profile) int64 {
	var sum int64
	for _, s := range p.Sample {
		sum += s.Value[1]
	}
	return sum
}

// where names the innermost frame of a sample.
func where(s *profile.Sample) string {
	for _, l := range s.Location {
		for _, line := range l.Line {
			return line.Function.Name
		}
	}
	return "an empty stack"
}
