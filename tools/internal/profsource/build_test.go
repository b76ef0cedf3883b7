// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// A heap profile as Go writes it, to build variants from.
type heap struct {
	base    uint64 // where the program is mapped
	rate    int64
	at      time.Time
	samples []heapSample
}

type heapSample struct {
	stack  []string // innermost first
	size   int64
	values [4]int64 // alloc and inuse, objects each; bytes follow from size
}

// objects returns a sample of allocated objects, of which some are in use.
func objects(allocated, inuse, size int64, stack ...string) heapSample {
	return heapSample{stack, size, [4]int64{allocated, allocated * size, inuse, inuse * size}}
}

func (h heap) profile() *profile.Profile {
	if h.base == 0 {
		h.base = 0x400000
	}
	if h.rate == 0 {
		h.rate = 524288
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{
			{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"},
		},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"},
		Period:     h.rate,
		Mapping:    []*profile.Mapping{{ID: 1, Start: h.base, Limit: h.base + 1<<20, File: "/bin/service", BuildID: "b1", HasFunctions: true}},
	}
	if !h.at.IsZero() {
		p.TimeNanos = h.at.UnixNano()
	}
	locations := map[string]*profile.Location{}
	for _, s := range h.samples {
		sample := &profile.Sample{Value: s.values[:], NumLabel: map[string][]int64{"bytes": {s.size}}, NumUnit: map[string][]string{"bytes": {"bytes"}}}
		for _, name := range s.stack {
			l := locations[name]
			if l == nil {
				id := uint64(len(locations) + 1)
				f := &profile.Function{ID: id, Name: "example.com/service." + name, SystemName: "example.com/service." + name, Filename: "/src/" + name + ".go", StartLine: 10}
				l = &profile.Location{ID: id, Mapping: p.Mapping[0], Address: h.base + id*16, Line: []profile.Line{{Function: f, Line: 12}}}
				locations[name] = l
				p.Function = append(p.Function, f)
				p.Location = append(p.Location, l)
			}
			sample.Location = append(sample.Location, l)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

// gz returns the profile as Go writes it, raw returns it uncompressed.
func (h heap) gz() []byte  { return written(h.profile()) }
func (h heap) raw() []byte { return uncompressed(h.profile()) }

func written(p *profile.Profile) []byte {
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func uncompressed(p *profile.Profile) []byte {
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// column returns the profile with one of its four columns alone, as stores keep
// them.
func column(p *profile.Profile, i int) *profile.Profile {
	p = p.Copy()
	p.SampleType = p.SampleType[i : i+1]
	p.DefaultSampleType = ""
	for _, s := range p.Sample {
		s.Value = s.Value[i : i+1]
	}
	return p
}

// otherKind returns a profile of another kind.
func otherKind(period string, types ...string) *profile.Profile {
	p := heap{samples: []heapSample{objects(1, 0, 8, "main")}}.profile()
	p.PeriodType = &profile.ValueType{Type: period, Unit: "count"}
	p.SampleType = nil
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
	}
	p.Sample[0].Value = make([]int64, len(types))
	for i := range types {
		p.Sample[0].Value[i] = 7
	}
	return p
}

func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// names returns n names, for stacks.
func names(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return all
}
