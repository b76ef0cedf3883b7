// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/poolcost"
	"github.com/spare-go/spare/tools/internal/session"
)

// spareModules are the modules of the library: they are not the program under
// study, unless a package of theirs is named.
var spareModules = []string{"github.com/spare-go/spare", "github.com/spare-go/spare/codec"}

// allocTime is about what recording one allocation takes, and countTime how long
// a run that records them may take.
const (
	allocTime = 2 * time.Microsecond
	countTime = 250 * time.Millisecond
)

// Benchmarks profiles the benchmarks of the packages. Each runs in three
// processes: as it is, with every allocation of the measured operations recorded,
// and for benchtime under the CPU profiler. Each of the first two would distort the
// others. o.Count and o.Benchtime are for the first; o.Round and o.After are not
// used. If none is allowed and the packages have no benchmark, the data has the
// source and what the compiler says of it.
func Benchmarks(ctx context.Context, o session.Options, benchtime time.Duration, none bool) (*Data, error) {
	d := &Data{Source: strings.Join(o.Packages, " ")}
	o.After = func(ctx context.Context, res *session.Result, runner *measure.Runner) (err error) {
		d, err = Profile(ctx, o, res, runner, res.Series, benchtime)
		return err
	}
	_, err := session.Run(ctx, o)
	var missing *session.NoBenchmark
	if none && errors.As(err, &missing) {
		o.Progress.Note("%v", err)
		return d, d.compile(ctx, o, missing.Packages)
	}
	return d, err
}

// Profile profiles some of the series of a session whose rounds are over and
// whose test binaries are still there (see [session.Options.After]): each in two
// processes, one with every allocation of the measured operations recorded, and
// one for benchtime under the CPU profiler.
func Profile(ctx context.Context, o session.Options, res *session.Result, runner *measure.Runner, series []*measure.Series, benchtime time.Duration) (*Data, error) {
	d := &Data{Source: strings.Join(o.Packages, " ")}
	o.Progress.Phase("measuring what a pool costs here")
	tc := res.Last().Toolchain
	cost, err := poolcost.Measure(ctx, tc.Dir, tc.TempDir, tc.Env)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		d.warnings = append(d.warnings, fmt.Sprintf("%v; the prediction of CPU time takes %g to %g ns for a pool", err, usualPool[0], usualPool[1]))
	default:
		d.PoolCost = cost
	}
	o.Progress.Phase("profiling %s", format.Plural(len(series), "benchmark"))
	for i, s := range series {
		g, err := profileSeries(ctx, o, runner, s, benchtime, i, len(series))
		if err != nil {
			return nil, err
		}
		d.Groups = append(d.Groups, g)
	}
	return d, d.source(ctx, o, res, d.Groups)
}

// compile is source for packages that run nothing.
func (d *Data) compile(ctx context.Context, o session.Options, pkgs []gotest.Package) error {
	tmp, err := os.MkdirTemp("", "spare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	tc := &gotest.Toolchain{Dir: o.Dir, Tags: o.Tags, TempDir: tmp}
	if err := tc.Load(ctx); err != nil {
		return err
	}
	var paths []string
	for _, p := range pkgs {
		paths = append(paths, p.ImportPath)
	}
	if d.Program, err = allocsite.Load(ctx, tc.Dir, tc.Tags, nil, paths...); err != nil {
		return err
	}
	d.Escape, err = escape.Of(ctx, tc, pkgs, tmp)
	return err
}

// source reads the program's source and asks its compiler.
func (d *Data) source(ctx context.Context, o session.Options, res *session.Result, groups []*Group) error {
	o.Progress.Phase("reading the source")
	tc := res.Last().Toolchain
	// The packages that were named, and those of their modules that allocate.
	var named []string
	for _, s := range res.Series {
		if !slices.Contains(named, s.Package.ImportPath) {
			named = append(named, s.Package.ImportPath)
		}
	}
	own := Owner(res.Last().Modules, named)
	paths := slices.Clone(named)
	for _, g := range groups {
		for _, s := range g.Samples {
			for _, f := range s.Stack {
				p := strings.TrimSuffix(allocsite.PackagePath(f.Func), "_test")
				if own(p) && !slices.Contains(paths, p) && p != "main" {
					paths = append(paths, p)
				}
			}
		}
	}
	prog, err := allocsite.Load(ctx, tc.Dir, tc.Tags, own, paths...)
	if err != nil {
		return err
	}
	d.Program = prog
	pkgs, err := tc.List(ctx, paths)
	if err != nil {
		return err
	}
	o.Progress.Phase("asking the compiler why values escape")
	dir, err := os.MkdirTemp(tc.TempDir, "escape")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d.Escape, err = escape.Of(ctx, &tc, pkgs, dir)
	return err
}

// Owner returns the rule for what belongs to the program under study: packages
// of the modules of the named ones, but not the library of spare, unless it is
// named itself.
func Owner(modules []session.Module, named []string) func(string) bool {
	var roots []string
	for _, m := range modules {
		roots = append(roots, m.Path)
	}
	if len(roots) == 0 {
		roots = named // the standard library's own benchmarks
	}
	return func(path string) bool {
		// The longest module that holds the package is its own.
		best := ""
		for _, m := range append(spareModules[:len(spareModules):len(spareModules)], roots...) {
			if (path == m || strings.HasPrefix(path, m+"/")) && len(m) > len(best) {
				best = m
			}
		}
		return best != "" && slices.Contains(roots, best)
	}
}

func profileSeries(ctx context.Context, o session.Options, runner *measure.Runner, s *measure.Series, benchtime time.Duration, i, n int) (*Group, error) {
	b := &Benchmark{Package: s.Package.ImportPath, Name: s.FullName()}
	b.Measured.Per, b.Traffic.Per = "op", "op"
	b.Measured.Bytes, _ = s.Median(measure.BytesPerOp)
	b.Measured.Objects, _ = s.Median(measure.AllocsPerOp)
	b.CPU, _ = s.Median(measure.CPUPerOp)
	b.GCs, _ = s.Median(measure.Cycles)
	perOp, _ := s.Median(measure.NsPerOp)
	ops := s.Samples[0].Iters

	o.Progress.Step("profiling %d/%d: %s", i+1, n, b.Name)
	counted := perOp + b.Measured.Objects*float64(allocTime)
	count := min(max(2, int(float64(countTime)/max(counted, 1))), max(ops, 2))
	a, err := runner.Allocations(ctx, s.Case, count)
	if err != nil {
		return nil, err
	}
	g := &Group{Benchmark: b, Per: "op", Exact: true, Rate: 1}
	if err := g.allocations(a); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	b.Ops = a.Ops

	// By CPU time, not by the clock: samples come by CPU time.
	if b.CPU > 0 {
		perOp = min(max(b.CPU, perOp/4), perOp)
	}
	if err := g.sampleCPU(ctx, runner, s.Case, perOp, benchtime); err != nil {
		return nil, err
	}
	return g, nil
}

// sampleCPU profiles the CPU time of a case, in a few processes, until a share of
// it is known well enough or the processes have taken most. perOp is what one
// operation is expected to take, in nanoseconds.
func (g *Group) sampleCPU(ctx context.Context, runner *measure.Runner, c *measure.Case, perOp float64, most time.Duration) error {
	budget := float64(most)
	next := min(budget, float64(firstProfile))
	for {
		p, sample, err := runner.CPUProfile(ctx, c, max(2, int(next/max(perOp, 1))))
		if err != nil {
			return err
		}
		took, _ := sample.Value(measure.CPUPerOp)
		g.CPUTime += took * float64(sample.Iters)
		g.CPUOps += float64(sample.Iters)
		if g.CPU != nil {
			if p, err = profile.Merge([]*profile.Profile{g.CPU, p}); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		g.CPU = p
		if took > 0 {
			perOp = took
		}
		have, share := heapShare(p)
		if next = profileMore(have, share, g.CPUTime, budget); next == 0 {
			return nil
		}
	}
}

// How long a benchmark is profiled: until two standard errors of the share of its
// CPU time that goes to the heap are below sure, of which no site has more.
const (
	sure         = 0.05
	firstProfile = time.Second
)

// profileMore returns for how many more nanoseconds of CPU time to profile, given
// how many samples took how many, and which share of them was of interest; 0 is
// enough, or as much as there may be.
func profileMore(samples int64, share, took, budget float64) float64 {
	// Nothing seen in a few samples is not nothing.
	n := float64(samples)
	share = (share*n + 1) / (n + 2)
	missing := 4*share*(1-share)/(sure*sure) - n
	left := budget - took
	if missing <= 0 || left < budget/10 || samples == 0 {
		return 0
	}
	return min(left, missing*max(took/n, samplePeriod)*1.1)
}

// samplePeriod is the time between two samples of a CPU profile, in nanoseconds.
const samplePeriod = 1e7

// heapShare returns the samples of a CPU profile, and the share of them that is in
// taking memory or in the collector.
func heapShare(p *profile.Profile) (samples int64, share float64) {
	var in int64
	for _, x := range p.Sample {
		stack := frames(x)
		if len(x.Value) == 0 || ours(stack) {
			continue
		}
		samples += x.Value[0]
		if has(stack, mallocFuncs) || collects(stack) {
			in += x.Value[0]
		}
	}
	return samples, float64(in) / float64(max(samples, 1))
}

// allocations takes the profiles apart: what the measured operations allocated,
// without what the benchmark does before its loop.
func (g *Group) allocations(a *measure.Allocations) error {
	read := func(p *profile.Profile) ([]allocsite.Sample, error) {
		if p == nil {
			return nil, nil
		}
		s, err := allocsite.Samples(p)
		return slices.DeleteFunc(s, func(x allocsite.Sample) bool { return ours(x.Stack) }), err
	}
	var all [5][]allocsite.Sample
	for i, p := range []*profile.Profile{a.Base, a.End, a.OneBase, a.OneEnd, a.Mid} {
		var err error
		if all[i], err = read(p); err != nil {
			return err
		}
	}
	base, end, oneBase, oneEnd, mid := all[0], all[1], all[2], all[3], all[4]
	whole := allocsite.Subtract(end, base)
	g.Count = float64(a.Ops)
	g.Samples = whole
	g.Live = Live{Samples: whole, Count: float64(a.Ops), Rest: true}
	if a.Loop {
		return nil
	}
	// The call with N=1 is the set-up and one operation.
	g.Samples = allocsite.Subtract(whole, allocsite.Subtract(oneEnd, oneBase))
	g.Count--
	if mid != nil {
		// The function has returned at the end, with all that its variables held.
		if live := allocsite.Subtract(mid, base); len(live) > 0 {
			held := g.Live
			g.Live = Live{Samples: live, Rest: false}
			if retains(held.Samples) {
				g.Live = held
			}
		}
	}
	return nil
}

// retains reports whether much of what was allocated is in use.
func retains(samples []allocsite.Sample) bool {
	var in, all float64
	for _, s := range samples {
		in, all = in+s.InUseBytes, all+s.Bytes
	}
	return all > 0 && in/all > 0.05
}

// relative shortens an absolute path for people.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		path = rel
	}
	return plain.Text(path)
}
