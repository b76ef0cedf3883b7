// SPDX-License-Identifier: BSD-3-Clause

// Package benchjson is the JSON form of what spare bench measured. The fields
// and their meaning are documented in docs/bench.md; a change that takes one
// away, or gives it another meaning, needs another [Schema].
package benchjson

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/session"
)

// Schema names the form of a [Document].
const Schema = "spare.bench/v1"

// A Document is all that a session found. Lists are never null.
type Document struct {
	Schema  string    `json:"schema"`
	Spare   string    `json:"spare"` // the version that measured
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"` // in all, building included

	CPU     string `json:"cpu"` // "" if it is not known
	CPUs    int    `json:"cpus"`
	Load    *Load  `json:"load,omitempty"`
	Exact   bool   `json:"exact"` // counts are fractions; else whole numbers
	Rounds  int    `json:"rounds"`
	Planned int    `json:"planned_rounds"`
	Block   string `json:"benchtime"` // of the first round

	By    string `json:"by,omitempty"` // the key that is compared by
	Sides []Side `json:"sides"`        // one, or the two that are compared, the base first

	Units       map[string]string `json:"units"` // better: "lower" or "higher"; without the benchmarks' own
	Benchmarks  []Benchmark       `json:"benchmarks"`
	Comparisons []Comparison      `json:"comparisons"`
	Warnings    []string          `json:"warnings"`
}

// A Load holds averages over a minute.
type Load struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// A Side is one build. Its name is "" if there is only one.
type Side struct {
	Name    string   `json:"name"`
	Go      string   `json:"go"`
	GOOS    string   `json:"goos"`
	GOARCH  string   `json:"goarch"`
	Tags    string   `json:"tags,omitempty"`
	Env     []string `json:"env,omitempty"`
	Modules []Module `json:"modules"`
}

// A Module is one that benchmarks were measured of.
type Module struct {
	Path   string `json:"path"`
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"` // tracked files differ from the commit
}

// An ID names a benchmark.
type ID struct {
	Package string `json:"package"`
	Name    string `json:"name"` // with Benchmark, without the suffix for GOMAXPROCS
	Procs   int    `json:"procs"`
}

// A Benchmark is one benchmark of one side.
type Benchmark struct {
	ID
	Side       string               `json:"side,omitempty"`
	Loop       bool                 `json:"loop,omitempty"`        // it uses b.Loop
	Race       bool                 `json:"race,omitempty"`        // built with the race detector
	SetupBytes uint64               `json:"setup_bytes,omitempty"` // of the cold and after-GC figures, the least over the rounds
	Iterations []int                `json:"iterations"`            // round by round
	Samples    map[string][]float64 `json:"samples"`               // by unit, round by round
	Medians    map[string]float64   `json:"medians"`
	Replica    map[string][]float64 `json:"replica,omitempty"` // the A/A samples of the same rounds

	Collections *Collections `json:"collections,omitempty"` // of the last round, if there were any
}

// Collections are those of the measured operations of one round.
type Collections struct {
	Count  int     `json:"count"`     // all of them; below are those that the runtime remembers, the last 256
	Window int64   `json:"window_ns"` // how long the operations took
	End    []int64 `json:"end_ns"`    // when each ended, since the window began
	Pause  []int64 `json:"pause_ns"`  // for how long each stopped the world
}

// A Comparison is the ratio of a benchmark to the first of its group.
type Comparison struct {
	ID                 // of the group: without the key; the side is not part of it
	Unit       string  `json:"unit"`
	Base       string  `json:"base"` // value of the key, or name of the side
	Value      string  `json:"value"`
	Ratio      float64 `json:"ratio"` // Hodges-Lehmann estimate
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"` // of the interval; at least 0.95 from 6 rounds on
	P          float64 `json:"p"`          // signed-rank test
	PHolm      float64 `json:"p_holm"`     // corrected for all comparisons of the unit
	// NoiseFloor is how far from 1 the base's ratio to itself may lie: 0.03 is 3%.
	NoiseFloor *float64 `json:"noise_floor,omitempty"`
	Differs    bool     `json:"differs"` // p_holm < 0.05, and beyond the noise floor
	Rounds     int      `json:"rounds"`
}

// New returns the document of a session. version says what measured.
func New(res *session.Result, groups []*compare.Group, by, version string, warnings []string) *Document {
	d := &Document{
		Schema: Schema, Spare: version, Started: res.Started.UTC().Truncate(time.Second), Seconds: math.Round(res.Elapsed.Seconds()*1000) / 1000,
		CPU: res.CPU, CPUs: res.NumCPU, Exact: res.Exact, Rounds: res.Rounds, Planned: res.Planned, Block: res.Benchtime, By: by,
		Sides: []Side{}, Benchmarks: []Benchmark{}, Comparisons: []Comparison{}, Warnings: append([]string{}, warnings...),
		Units: map[string]string{measure.NsPerOp: "lower", measure.BytesPerOp: "lower", measure.AllocsPerOp: "lower", "MB/s": "higher"},
	}
	for _, unit := range measure.Units {
		d.Units[unit] = "lower"
	}
	if res.Load.Known {
		d.Load = &Load{res.Load.Before, res.Load.After}
	}
	for _, b := range res.Builds {
		s := Side{
			Name: b.Name, Go: b.Toolchain.GOVERSION, GOOS: b.Toolchain.GOOS, GOARCH: b.Toolchain.GOARCH,
			Tags: b.Tags, Env: b.Env, Modules: []Module{},
		}
		for _, m := range b.Modules {
			s.Modules = append(s.Modules, Module{m.Path, m.Commit, m.Dirty})
		}
		d.Sides = append(d.Sides, s)
	}
	for _, s := range res.Series {
		d.Benchmarks = append(d.Benchmarks, benchmark(s))
	}
	for _, g := range groups {
		for _, m := range g.Members[1:] {
			for _, unit := range compare.Units {
				r, ok := m.Ratios[unit]
				if !ok {
					continue
				}
				c := Comparison{
					ID: ID{g.Package, "Benchmark" + g.Name, g.Procs}, Unit: unit, Base: g.Members[0].Value, Value: m.Value,
					Ratio: r.Center, Low: r.Lo, High: r.Hi, Confidence: r.Confidence, P: r.P, PHolm: r.Adjusted, Differs: r.Clear(), Rounds: r.N,
				}
				if !math.IsNaN(r.Floor) {
					c.NoiseFloor = &r.Floor
				}
				d.Comparisons = append(d.Comparisons, c)
			}
		}
	}
	return d
}

func benchmark(s *measure.Series) Benchmark {
	b := Benchmark{
		ID: ID{s.Package.ImportPath, s.Name, s.Procs}, Side: s.Side.Name,
		Iterations: []int{}, Samples: samples(s.Samples), Medians: make(map[string]float64),
	}
	for i, smp := range s.Samples {
		b.Iterations = append(b.Iterations, smp.Iters)
		b.Loop, b.Race = smp.Loop, smp.Race
		if i == 0 || smp.Setup < b.SetupBytes {
			b.SetupBytes = smp.Setup
		}
	}
	for unit := range b.Samples {
		if v, ok := s.Median(unit); ok {
			b.Medians[unit] = measure.Round(v, unit)
		}
	}
	if known, window, n := s.Collected(); n > 0 {
		b.Collections = &Collections{Count: n, Window: int64(window), End: []int64{}, Pause: []int64{}}
		for _, c := range known {
			b.Collections.End = append(b.Collections.End, int64(c.End))
			b.Collections.Pause = append(b.Collections.Pause, int64(c.Pause))
		}
	}
	if len(s.Replica) > 0 {
		b.Replica = samples(s.Replica)
	}
	return b
}

// samples returns the values that every sample has, by unit.
func samples(all []measure.Sample) map[string][]float64 {
	out := make(map[string][]float64)
	if len(all) == 0 {
		return out
	}
	for _, v := range all[0].Values {
		var vs []float64
		for i := range all {
			x, ok := all[i].Value(v.Unit)
			if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
				vs = nil
				break
			}
			vs = append(vs, measure.Round(x, v.Unit))
		}
		if vs != nil {
			out[v.Unit] = vs
		}
	}
	return out
}

// Write writes the document.
func (d *Document) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
