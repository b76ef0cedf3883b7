// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/format"
)

// A site has to have one of these shares to be worth a change: of the bytes, of
// the objects, or of the CPU time, in taking memory.
const (
	worth        = 0.01
	worthObjects = 0.1
	worthCPU     = 0.02
)

// once bounds how often a value is made, in all operations of a profile, that is
// made at its first use and kept: by two goroutines, perhaps, or again after a
// collection.
const once = 2.5

// least is how many bytes an operation has to allocate for advice to make sense:
// less is what the runtime does in the background.
const least = 4

// Judge makes the report.
func Judge(d *Data) *Report {
	r := &Report{Source: d.Source, Span: d.Span, Warnings: d.warnings}
	for _, g := range d.Groups {
		sites, total := d.group(g)
		if g.Benchmark != nil {
			g.Benchmark.Traffic = total
			g.Benchmark.Profiled = g.CPUTime / 1e9
			r.Warnings = append(r.Warnings, doubts(g.Benchmark)...)
		}
		r.Total.Per = total.Per
		r.Total.Bytes, r.Total.Objects = r.Total.Bytes+total.Bytes, r.Total.Objects+total.Objects
		floorLen, floorKept := floor(sites, &g.Live)
		for _, s := range sites {
			l := s.lifetime(&g.Live, floorLen, floorKept, len(sites) > 1)
			d.judge(s, g, total, &l)
			s.Noise = s.noiseOf(g)
		}
		join(sites)
		for _, s := range sites {
			if s.cut.Foreign && (s.Share < worth/10 || g.Per == "op" && total.Bytes < least) {
				continue // the runtime's own, by the hundred
			}
			r.Sites = append(r.Sites, s.Site)
		}
		r.Sites = append(r.Sites, d.onStack(g)...)
		if g.Benchmark != nil {
			g.Benchmark.Predicted = together(sites)
			r.Benchmarks = append(r.Benchmarks, *g.Benchmark)
		}
	}
	r.Notes = d.notes()
	slices.SortStableFunc(r.Sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.gain(), a.gain()), cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r
}

// together adds up what the sites save. Their errors of CPU time are taken to be
// independent.
func together(sites []*site) *Prediction {
	var sum *Prediction
	var mids, halves float64
	for _, s := range sites {
		p := s.Predicted
		if p == nil {
			continue
		}
		if sum == nil {
			sum = new(Prediction)
		}
		for i := range 2 {
			sum.Bytes[i] = clamp(sum.Bytes[i] + p.Bytes[i])
			sum.GCs[i] = clamp(sum.GCs[i] + p.GCs[i])
		}
		mid, half := middle(p.CPU)
		mids, halves = mids+mid, halves+half*half
		sum.NoCPU = sum.NoCPU || p.NoCPU
	}
	if sum != nil {
		half := math.Sqrt(halves)
		sum.CPU = [2]float64{clampSigned(mids - half), clampSigned(mids + half)}
	}
	return sum
}

// gain ranks sites: by the CPU time that is saved, of that of the operation, in the
// middle of the range; without a CPU profile by the bytes that can be saved.
func (s *Site) gain() float64 {
	p := s.Predicted
	switch {
	case p == nil:
		return -2 // below any loss
	case p.NoCPU:
		return p.Bytes[1]
	}
	mid, _ := middle(p.CPU)
	return mid
}

// doubts warns where the profile and the runtime's own counts differ.
func doubts(b *Benchmark) []string {
	if b.Measured.Bytes < 1 {
		return nil
	}
	off := b.Traffic.Bytes/b.Measured.Bytes - 1
	if math.Abs(off) < 0.1 || math.Abs(b.Traffic.Bytes-b.Measured.Bytes) < 64 {
		return nil
	}
	return []string{fmt.Sprintf("%s: the profile has %s per operation and the runtime counted %s; what it allocates depends on the number of operations, or on what its first calls leave behind",
		b.Name, format.Bytes(b.Traffic.Bytes), format.Bytes(b.Measured.Bytes))}
}

// judge completes a site.
func (d *Data) judge(s *site, g *Group, total Traffic, l *life) {
	s.Lifetime = l.words(g.Per)
	s.reuse = d.reuseOf(s)
	s.oneOf()
	s.Verdict, s.Advice, s.byHand = s.reuse.verdict, s.reuse.advice, s.reuse.byHand
	objects := 0.0
	if total.Objects > 0 {
		objects = s.Traffic.Objects / total.Objects
	}
	if s.cpu.known {
		s.Cost = &Cost{Malloc: s.cpu.malloc, Construct: s.cpu.construct, GC: s.Share * s.cpu.gc, Runtime: s.Share * s.cpu.runtime, Samples: s.cpu.samples}
	}
	switch {
	case g.Per == "op" && total.Bytes < least:
		s.Verdict, s.Advice = NotWorth, "the benchmark allocates next to nothing"
	case g.Per == "op" && g.count() >= 10 && s.most()*g.count() < once:
		s.Verdict = NotWorth
		s.Advice = fmt.Sprintf("it was made %s times in %s operations: whoever made it keeps it already", format.Count(math.Round(s.most()*g.count())), format.Count(g.count()))
	case s.Share < worth && objects < worthObjects && s.cpu.malloc < worthCPU:
		s.Verdict = NotWorth
		s.Advice = fmt.Sprintf("%s of the bytes and %s of the objects", format.Percent(s.Share), format.Percent(objects))
	case l.retained && s.Verdict == PoolIt:
		s.Verdict = Retained
		s.Advice = "the values live on: a pool would have to get them back first"
	case s.Verdict == PoolIt && s.ClassSize <= 32 && s.Traffic.Objects > 0 && s.Traffic.Bytes/s.values() <= 32:
		s.Verdict = NotWorth
		s.Advice = fmt.Sprintf("%d bytes cost the allocator no more than a pool costs; keep it from escaping, or make it part of a larger value", s.ClassSize)
	}
	if s.Verdict == PoolIt || s.Verdict == FixEscape {
		s.Predicted = s.predict(g, d.PoolCost)
		if s.reuse.faster[1] > 0 {
			same := *s
			same.reuse.faster = [2]float64{}
			s.predictedTry = same.predict(g, d.PoolCost)
		}
		s.small(g)
	}
	if s.Verdict == PoolIt || s.Verdict == FixEscape {
		if s.reuse.change != "" && s.Verdict == PoolIt {
			s.Lines = []string{fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.change())}
			s.outlives(d.Program)
		}
	}
	if s.Verdict == PoolIt && s.cut.Maker == "" && s.record != nil {
		switch s.record.Cause() {
		case escape.Returned:
			s.Advice += "; it is returned, so that the caller has to put it back, or pass in what to use"
		case escape.Stored:
			s.Advice += "; it is stored, so that whoever drops the last reference has to put it back"
		}
	}
	if s.cut.InTest() && s.Verdict != NotWorth {
		s.Advice = "it is made in the test file, not in the code that is measured: " + s.Advice
	}
	if len(s.Escape) == 0 || s.merged {
		s.Escape = append(s.Escape, s.why()...)
	}
}

// A site has to cost its operation this share of the CPU time, or to allocate so
// much in a second of CPU time: whatever its share of the bytes, what costs less is
// below what a benchmark can show.
const (
	worthTime = 0.02
	worthRate = 16 << 20
)

// small says not worth it of a site that costs next to nothing, in absolute terms.
func (s *site) small(g *Group) {
	b := g.Benchmark
	if !s.cpu.known || b == nil || b.CPU <= 0 {
		return
	}
	c := s.cpu
	cost := c.construct + s.Share*c.gc
	most := cost + 2*c.standardError(cost)
	rate := s.Traffic.Bytes / b.CPU * 1e9
	if most >= worthTime && s.Predicted.CPU[1] >= worthTime || rate >= worthRate {
		return
	}
	if s.Predicted.CPU[1] >= worthTime && cost >= worthTime/2 {
		return
	}
	s.Verdict, s.Predicted, s.predictedTry = NotWorth, nil, nil
	s.Advice = fmt.Sprintf("%s of the bytes, but those are %s in %s of CPU time: making and collecting it takes at most %s of that",
		format.Percent(s.Share), s.Traffic.bytes(), format.Duration(b.CPU), format.Percent(most))
}

// change returns what becomes of the site's line, with the line's own variable.
func (s *site) change() string {
	name := s.variable()
	if name == "" {
		name = "x"
	}
	return strings.ReplaceAll(s.reuse.change, "$v", name)
}

// variable returns the name of the variable that the site's value has; "" if it has
// none.
func (s *site) variable() string {
	usable := func(m *allocsite.Making) bool { return m.Var != "" && m.Var != "_" && m.Var != "err" }
	if s.making != nil {
		if usable(s.making) {
			return s.making.Var
		}
		return ""
	}
	for i := range s.makes {
		if usable(&s.makes[i]) {
			return s.makes[i].Var
		}
	}
	return ""
}

// why says in words why a site is on the heap where the compiler has no record
// of it: it was not asked, or the site is code that it compiled elsewhere.
func (s *site) why() []string {
	where := fmt.Sprintf("%s:%d", filepath.Base(s.cut.At.File), s.cut.At.Line)
	switch {
	case s.cut.Miss:
		return []string{"the pool was empty"}
	case s.cut.Owner != "":
		var by []string
		if s.cut.At.Line != 0 && s.cut.At.Line != s.Line {
			by = append(by, where)
		}
		if s.cut.Maker != "" {
			by = append(by, "in "+s.cut.Maker)
		}
		if len(by) == 0 {
			return []string{"it grows: the size is known at run time only"}
		}
		return []string{fmt.Sprintf("it grows, or makes what it needs, when it is used (%s): the size is known at run time only", strings.Join(by, ", "))}
	case s.cut.Maker != "":
		return []string{fmt.Sprintf("it is made inside %s, and outlives the call", s.cut.Maker)}
	}
	return nil
}
