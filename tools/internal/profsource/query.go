// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// A query selects profiles of a store in a range of time. Both stores write it
// as type{label="value",...}, where type is
// <name>:<sample type>:<sample unit>:<period type>:<period unit>, in Parca with
// ":delta" at the end if the profiles are differences.
type query struct {
	name        string // of the profile type, such as "memory"; "" if not given
	delta       bool
	selector    string // with its braces
	from, until time.Time
}

// parseQuery reads what the user wrote: the type may be left out, and so may the
// braces. A type must be one of allocations; which of them does not matter.
func parseQuery(text string, from, until time.Time) (query, error) {
	if !from.Before(until) {
		return query{}, fmt.Errorf("the range of time is empty: from %s until %s", from.Format(time.RFC3339), until.Format(time.RFC3339))
	}
	q := query{from: from, until: until}
	text = strings.TrimSpace(text)
	typ, labels, braced := strings.Cut(text, "{")
	switch {
	case braced && !strings.HasSuffix(labels, "}"):
		return query{}, fmt.Errorf(`query %s: no closing brace; write it as {service_name="checkout"}`, text)
	case braced:
		q.selector = "{" + labels
	case strings.Contains(text, "="):
		typ, q.selector = "", "{"+text+"}"
	default:
		q.selector = "{}"
	}
	if typ = strings.TrimSpace(typ); typ == "" {
		return q, nil
	}
	parts := strings.Split(typ, ":")
	if q.delta = len(parts) == 6 && parts[5] == "delta"; q.delta {
		parts = parts[:5]
	}
	if len(parts) != 5 {
		return query{}, fmt.Errorf(`query %s: %s is not a profile type; write the labels only, as {service_name="checkout"}, or memory:alloc_space:bytes:space:bytes before them`, text, typ)
	}
	if parts[1] != columns[0].Type && parts[1] != columns[1].Type {
		return query{}, fmt.Errorf("query %s: the type %s is not one of allocations; leave it out, or write memory:alloc_space:bytes:space:bytes", text, typ)
	}
	q.name = parts[0]
	return q, nil
}

// profileType returns the type of column i among those of the profiles called
// name.
func profileType(name string, i int, delta bool) string {
	c := columns[i]
	typ := name + ":" + c.Type + ":" + c.Unit + ":space:bytes"
	if delta {
		typ += ":delta"
	}
	return typ
}

func (q query) String() string {
	return fmt.Sprintf("%s from %s until %s", q.selector, q.from.UTC().Format(time.RFC3339), q.until.UTC().Format(time.RFC3339))
}

// errNoMatch is what a query that matches nothing gives.
func errNoMatch(store string, q query, hint string) error {
	return fmt.Errorf("%s has no allocation profiles for %s: %s", store, q, hint)
}

// join makes one normal profile of one profile for each of the first columns, as
// a store gives them: every sample has one value.
func join(single []*profile.Profile) (*profile.Profile, error) {
	var m merger
	for i, p := range single {
		if len(p.Sample) == 0 {
			continue
		}
		if len(p.SampleType) != 1 || p.SampleType[0].Type != columns[i].Type || p.SampleType[0].Unit != columns[i].Unit {
			return nil, fmt.Errorf("was to hold %s alone, but %w", columns[i].Type, wrongKind(p))
		}
		wide := withColumns(len(single))
		wide.Period, wide.Location, wide.Function = p.Period, p.Location, p.Function
		for _, s := range p.Sample {
			values := make([]int64, len(single))
			values[i] = s.Value[0]
			wide.Sample = append(wide.Sample, &profile.Sample{Location: s.Location, NumLabel: s.NumLabel, Value: values})
		}
		wide, err := normal(wide)
		if err != nil {
			return nil, err
		}
		m.add(wide)
	}
	return m.merged(), nil
}
