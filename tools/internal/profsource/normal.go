// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// columns are the sample types of a normal profile, in order. inuse_* may be
// missing, alloc_* not.
var columns = [...]*profile.ValueType{
	{Type: "alloc_objects", Unit: "count"},
	{Type: "alloc_space", Unit: "bytes"},
	{Type: "inuse_objects", Unit: "count"},
	{Type: "inuse_space", Unit: "bytes"},
}

// allocColumns is the number of columns that count allocations.
const allocColumns = 2

// normal brings a profile into the form of [Profile.P]. Its errors lack the name
// of the source.
func normal(p *profile.Profile) (*profile.Profile, error) {
	at, err := findColumns(p)
	if err != nil {
		return nil, err
	}
	// A difference that was computed elsewhere (pprof's endpoint with ?seconds=N,
	// -proto with -diff_base) has subtracted what was in use as well: that says
	// nothing. Go itself gives heap profiles no duration.
	if p.DurationNanos != 0 || hasNegative(p, at[allocColumns:]) {
		at = at[:allocColumns]
	}
	if hasNegative(p, at[:allocColumns]) {
		return nil, errors.New("holds negative allocation counts: it is a difference of profiles that do not follow each other; give the two profiles themselves")
	}

	q := withColumns(len(at))
	q.TimeNanos, q.DurationNanos, q.Period = p.TimeNanos, p.DurationNanos, p.Period
	symbols := newSymbols(q)
	var bytes, nameless float64
	for _, s := range p.Sample {
		values := make([]int64, len(at))
		for i, from := range at {
			values[i] = s.Value[from]
		}
		stack, named := symbols.stack(s.Location)
		bytes += float64(values[1])
		if !named {
			nameless += float64(values[1])
		}
		sample := &profile.Sample{Location: stack, Value: values}
		if size := s.NumLabel["bytes"]; len(size) == 1 {
			sample.NumLabel = map[string][]int64{"bytes": size}
		}
		q.Sample = append(q.Sample, sample)
	}
	if nameless > bytes/100 {
		return nil, fmt.Errorf("has %.0f%% of its bytes in stacks without function names (addresses only): give a profile with symbols; a live process writes them with ?debug=0", 100*nameless/bytes)
	}
	q = compact(q)
	if negative(q) {
		return nil, errors.New("is damaged: its counts add up to more than 64 bits hold")
	}
	return q, nil
}

// withColumns returns an empty profile with the first n columns.
func withColumns(n int) *profile.Profile {
	q := &profile.Profile{
		PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"},
		DefaultSampleType: "alloc_space",
	}
	for _, c := range columns[:n] {
		q.SampleType = append(q.SampleType, &profile.ValueType{Type: c.Type, Unit: c.Unit})
	}
	return q
}

// findColumns returns the indices of alloc_objects and alloc_space among p's
// sample types, and those of inuse_* if both are there.
func findColumns(p *profile.Profile) ([]int, error) {
	var at []int
	for _, c := range columns {
		for i, t := range p.SampleType {
			if t.Type == c.Type && t.Unit == c.Unit {
				at = append(at, i)
				break
			}
		}
	}
	complete := func(from, to int) bool {
		for i := from; i < to; i++ {
			if i >= len(at) || p.SampleType[at[i]].Type != columns[i].Type {
				return false
			}
		}
		return true
	}
	switch {
	case complete(0, len(columns)):
		return at, nil
	case complete(0, allocColumns):
		return at[:allocColumns], nil
	}
	return nil, wrongKind(p)
}

// wrongKind says what kind of profile p is instead of one of allocations.
func wrongKind(p *profile.Profile) error {
	var types []string
	for _, t := range p.SampleType {
		types = append(types, t.Type)
	}
	has := func(name string) bool {
		return slices.Contains(types, name) || p.PeriodType != nil && p.PeriodType.Type == name
	}
	kind := "profile"
	switch {
	case has("cpu"):
		kind = "CPU profile"
	case has("goroutine"):
		kind = "goroutine profile"
	case has("threadcreate"):
		kind = "thread creation profile"
	case has("contentions"):
		kind = "mutex or block profile"
	case has("alloc_space") || has("alloc_objects"):
		return fmt.Errorf("has of allocations only %s, but both alloc_objects and alloc_space are needed: give the whole profile", strings.Join(types, ", "))
	case has("inuse_space") || has("space"):
		kind = "profile of memory in use"
	}
	if len(types) == 0 {
		types = []string{"no sample types"}
	}
	return fmt.Errorf("is a %s (%s), not one of allocations: give a heap or allocs profile, as go test -memprofile and /debug/pprof/allocs write it", kind, strings.Join(types, ", "))
}

func hasNegative(p *profile.Profile, at []int) bool {
	for _, s := range p.Sample {
		for _, i := range at {
			if s.Value[i] < 0 {
				return true
			}
		}
	}
	return false
}

// negative is hasNegative of all columns.
func negative(p *profile.Profile) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return slices.Min(s.Value) < 0 })
}

// symbols builds the locations and functions of a profile from names, files and
// lines alone.
type symbols struct {
	p         *profile.Profile
	functions map[profile.Function]*profile.Function
	locations map[*profile.Location]*profile.Location // by that of the source
}

func newSymbols(p *profile.Profile) *symbols {
	return &symbols{p, map[profile.Function]*profile.Function{}, map[*profile.Location]*profile.Location{}}
}

// stack translates a stack. named is whether any frame of it has a name.
func (s *symbols) stack(stack []*profile.Location) (translated []*profile.Location, named bool) {
	translated = make([]*profile.Location, len(stack))
	for i, from := range stack {
		for _, line := range from.Line {
			named = named || line.Function != nil && line.Function.Name != ""
		}
		to := s.locations[from]
		if to == nil {
			to = s.location(from)
			s.locations[from] = to
		}
		translated[i] = to
	}
	return translated, named
}

func (s *symbols) location(from *profile.Location) *profile.Location {
	to := &profile.Location{ID: uint64(len(s.p.Location) + 1)}
	s.p.Location = append(s.p.Location, to)
	for _, line := range from.Line {
		if line.Function == nil {
			continue
		}
		// ID and the index fields of the decoder are no part of the identity.
		to.Line = append(to.Line, profile.Line{Line: line.Line, Function: s.function(profile.Function{
			Name:       line.Function.Name,
			SystemName: line.Function.SystemName,
			Filename:   line.Function.Filename,
			StartLine:  line.Function.StartLine,
		})})
	}
	if len(to.Line) == 0 {
		name := "unknown"
		if from.Mapping != nil && from.Mapping.File != "" {
			name = path.Base(from.Mapping.File)
		}
		to.Line = []profile.Line{{Function: s.function(profile.Function{Name: "[" + name + "]"})}}
	}
	return to
}

func (s *symbols) function(key profile.Function) *profile.Function {
	f := s.functions[key]
	if f == nil {
		copied := key
		f = &copied
		f.ID = uint64(len(s.p.Function) + 1)
		s.functions[key] = f
		s.p.Function = append(s.p.Function, f)
	}
	return f
}

// compact merges equal samples and drops those without a value. The headers
// stay.
func compact(p *profile.Profile) *profile.Profile {
	duration, at := p.DurationNanos, p.TimeNanos
	merged, err := profile.Merge([]*profile.Profile{p})
	if err != nil {
		panic("profsource: " + err.Error()) // one profile is compatible with itself
	}
	merged.DurationNanos, merged.TimeNanos = duration, at
	return merged
}
