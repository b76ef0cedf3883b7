// SPDX-License-Identifier: BSD-3-Clause

// Package tryout applies a mechanical change (see package rewrite) where nobody
// can see it, and says what it is worth: it runs the user's tests with the
// change, and the user's benchmarks with and without it.
//
// # Where the change lives
//
// Nothing is written to the user's tree, nor to a go.mod or go.sum in it. The
// changed files are given to the go command by -overlay. The modules that the
// change imports come by a go.work of their own, in a temporary directory: it
// uses the user's modules where they lie, and spare beside them, so that the
// user's modules keep their language version. Both sides are built in that
// workspace, also the one without the change: what differs between them is the
// change alone, even where spare's codecs ask for a newer version of a module.
//
// # The judgement
//
// A try fails if the changed code does not build, if a test fails that passes
// without the change, or if a benchmark no longer runs. The tests run twice:
// as they are, and in spare's checked build (-tags spare_checked), in which a
// use after the value was given back panics. Tests that fail without the change
// too are named and left out.
//
// The benchmarks of both sides are measured as spare bench measures: exact
// counts, a fresh process for each block, blocks in random order, and the side
// without the change twice in each round, which gives the noise floor.
package tryout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/overlay"
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/rewrite"
)

// Options say how to try.
type Options struct {
	// Spare is the directory of a checkout of spare, from which the change's
	// imports come. If it is "", they come from the user's own build list, from the
	// version of the running program, or from the checkout that it was built of,
	// whichever is there first.
	Spare string

	Tags      string
	Bench     *gotest.Pattern // the benchmarks to measure; nil measures all
	Count     int             // rounds; 0 is DefaultCount
	Benchtime string          // of a block; "" leaves it to Budget
	Budget    time.Duration   // for measuring; 0 is DefaultBudget
	Procs     int             // GOMAXPROCS of the benchmarks; 0 is that of this process
	Timeout   time.Duration   // of one benchmark process; 0 is none

	// TestTimeout bounds the tests of one package, as go test -timeout does; 0
	// leaves it to go test.
	TestTimeout time.Duration

	// Short runs the tests with -short.
	Short bool

	// NoTests and NoBench leave a part out.
	NoTests, NoBench bool

	Progress *progress.Line // nil shows nothing
}

// The defaults of [Options].
const (
	DefaultCount  = 10
	DefaultBudget = 30 * time.Second
)

// A Result is what a try gave.
type Result struct {
	Change *rewrite.Change

	// TestsPass reports that the change breaks no test. TestOutput is what the
	// tests that it breaks printed, or the compiler.
	TestsPass  bool
	TestOutput string

	// Before and After hold medians by benchmark: its package's import path, a
	// dot, and its name.
	Before, After map[string]Measured

	// Ratios compares After with Before.
	Ratios map[string]Ratios

	// Packages were tested: those that depend on the changed one.
	Packages []string

	// Exact reports whether counts are exact; otherwise they are go test's.
	Exact bool

	// Notes are what a reader of the figures must know.
	Notes []string

	// Err is why the try failed, if it did.
	Err error
}

// Failed reports whether the try failed.
func (r *Result) Failed() bool { return r.Err != nil || !r.TestsPass }

// Measured holds what one benchmark takes per operation, warm.
type Measured struct {
	Bytes, Allocs, GCs float64
	CPU, Time          float64 // nanoseconds; CPU is NaN where it is not known
	Cold               float64 // bytes of the first operation
}

// Ratios compares a benchmark with the change to the same without it.
type Ratios struct {
	CPU, Time compare.Ratio
	// Clear reports whether the CPU time differs beyond chance and noise.
	Clear bool
}

// ErrTestsFail is wrapped by [Result.Err] when the change breaks a test.
var ErrTestsFail = errors.New("tests fail with the change")

// key names the sides within the names of the benchmarks that compare.By sees.
const key = "spare-side"

// Run tries a change of a package. dir is a directory of the user's module, or
// workspace, and pkgs are patterns of the packages whose tests and benchmarks
// count; those that do not depend on the changed file are left out. An error
// means that the change could not be tried, and a Result that it was, with
// what came of it. When Run returns, its temporary files are gone.
func Run(ctx context.Context, dir string, pkgs []string, c *rewrite.Change, opts Options) (*Result, error) {
	res := &Result{Change: c, Before: map[string]Measured{}, After: map[string]Measured{}, Ratios: map[string]Ratios{}}
	for name, old := range c.Old {
		if now, err := os.ReadFile(name); err != nil {
			return nil, err
		} else if string(now) != string(old) {
			return nil, fmt.Errorf("%s changed since the change was made; run again", name)
		}
	}
	if len(pkgs) == 0 {
		pkgs = []string{"./..."}
	}
	tmp, err := os.MkdirTemp("", "spare-try-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return nil, err
	}
	t := &try{Options: opts, tmp: tmp, res: res}
	t.tc = gotest.Toolchain{Dir: dir, Tags: opts.Tags, TempDir: tmp}
	if err := t.tc.Load(ctx); err != nil {
		return nil, err
	}
	if t.tc.GOOS != runtime.GOOS {
		return nil, fmt.Errorf("GOOS is %s, but tests have to run on this machine; unset GOOS", t.tc.GOOS)
	}
	t.phase("finding spare for %s", shortPath(c.File))
	if t.tc.Env, err = t.workspace(ctx, c.Imports); err != nil {
		return nil, err
	}
	if err := t.outsideCache(ctx); err != nil {
		return nil, err
	}
	if err := t.overlays(ctx); err != nil {
		return nil, err
	}
	affected, err := t.affected(ctx, pkgs)
	if err != nil {
		return nil, err
	}
	for _, p := range affected {
		res.Packages = append(res.Packages, p.ImportPath)
	}
	if err := t.run(ctx, affected); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var failed *failure
		if !errors.As(err, &failed) {
			return nil, err
		}
		res.Err = failed.err
	}
	return res, nil
}

// A failure is an error that belongs to the change.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }

// A try is one in progress.
type try struct {
	Options
	tmp string
	tc  gotest.Toolchain
	res *Result

	changed string // import path

	// The overlay files: the change alone, and what the benchmarks of both sides
	// are built with.
	change, before, after string
}

func (t *try) phase(format string, args ...any) {
	if t.Progress != nil {
		t.Progress.Phase(format, args...)
	}
}

// outsideCache refuses files of the module cache, for which the go command takes
// no overlay.
func (t *try) outsideCache(ctx context.Context) error {
	out, diag, err := t.command(ctx, t.tc.Dir, nil, "env", "GOMODCACHE")
	if err != nil {
		return said("go env GOMODCACHE", diag, err)
	}
	cache := strings.TrimSpace(string(out))
	for name := range t.res.Change.Files {
		if rel, err := filepath.Rel(cache, name); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s lies in the module cache, whose files the go command does not replace; try it in a copy of the module", name)
		}
	}
	return nil
}

// overlays writes the overlay files.
func (t *try) overlays(ctx context.Context) error {
	base := overlayFile{Replace: map[string]string{}}
	user := t.tc.Flag("overlay")
	if user != "" {
		if err := base.read(user); err != nil {
			return fmt.Errorf("reading the overlay that GOFLAGS names: %w", err)
		}
	}
	changed := overlayFile{Replace: maps.Clone(base.Replace)}
	i := 0
	for _, name := range slices.Sorted(maps.Keys(t.res.Change.Files)) {
		if _, taken := base.Replace[name]; taken {
			return fmt.Errorf("the overlay that GOFLAGS names replaces %s too", name)
		}
		i++
		path := filepath.Join(t.tmp, fmt.Sprintf("change%d.go", i))
		if err := os.WriteFile(path, t.res.Change.Files[name], 0o666); err != nil {
			return err
		}
		changed.Replace[name] = path
	}
	t.change = filepath.Join(t.tmp, "change.json")
	if err := changed.write(t.change); err != nil {
		return err
	}
	if t.NoBench {
		return nil
	}
	dir := filepath.Join(t.tmp, "testing")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	exact, err := overlay.Write(ctx, dir, overlay.Target{GOROOT: t.tc.GOROOT, GOOS: t.tc.GOOS, Base: user, Compile: t.tc.CompileTesting})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		t.res.Notes = append(t.res.Notes, fmt.Sprintf("the testing package of %s cannot be made to count exactly (%v): counts are whole numbers, and CPU time is missing", t.tc.GOVERSION, err))
		t.before, t.after = user, t.change
		return nil
	}
	t.res.Exact = true
	t.before, t.after = exact, filepath.Join(t.tmp, "after.json")
	both := overlayFile{Replace: map[string]string{}}
	if err := both.read(exact); err != nil {
		return err
	}
	maps.Copy(both.Replace, changed.Replace)
	return both.write(t.after)
}

func (t *try) run(ctx context.Context, affected []gotest.Package) error {
	t.phase("building %s with the change", shortPath(t.res.Change.File))
	if err := t.compile(ctx); err != nil {
		return err
	}
	if !t.NoTests {
		if err := t.test(ctx, affected); err != nil {
			return err
		}
	}
	t.res.TestsPass = true
	if t.NoBench {
		return nil
	}
	return t.bench(ctx, affected)
}

// bench measures the benchmarks on both sides.
func (t *try) bench(ctx context.Context, affected []gotest.Package) error {
	if t.Bench == nil {
		t.Bench, _ = gotest.ParsePattern(".")
	}
	pkgs := slices.DeleteFunc(slices.Clone(affected), func(p gotest.Package) bool { return !slices.ContainsFunc(p.Benchmarks, t.Bench.MatchTop) })
	if len(pkgs) == 0 {
		t.res.Notes = append(t.res.Notes, fmt.Sprintf("no benchmark of the packages that depend on the change matches -bench %s: nothing was measured", t.Bench))
		return nil
	}
	runner := &measure.Runner{TempDir: t.tmp, Timeout: t.Timeout}
	procs := t.Procs
	if procs == 0 {
		procs = runtime.GOMAXPROCS(0)
	}
	plan := &measure.Plan{Rounds: t.Count, Benchtime: t.Benchtime, Budget: t.Budget, Replica: map[*measure.Case]bool{}}
	if plan.Rounds == 0 {
		plan.Rounds = DefaultCount
	}
	if plan.Budget == 0 {
		plan.Budget = DefaultBudget
	}
	var sides [2]*measure.Side
	for i, o := range []string{t.before, t.after} {
		side := &measure.Side{Binaries: map[string]string{}, Exact: t.res.Exact, Env: os.Environ()}
		for k, p := range pkgs {
			t.phase("building the benchmarks of %s, %s the change", p.ImportPath, []string{"without", "with"}[i])
			out := filepath.Join(t.tmp, fmt.Sprintf("%d-%d.test.exe", i, k))
			if err := t.tc.Build(ctx, p.ImportPath, out, o); err != nil {
				return t.blame(i, err)
			}
			side.Binaries[p.ImportPath] = out
		}
		sides[i] = side
	}
	for _, p := range pkgs {
		t.phase("listing the benchmarks of %s", p.ImportPath)
		found, _, err := runner.Discover(ctx, sides[0], p, t.Bench.String(), []int{procs})
		if err != nil {
			return err
		}
		if _, _, err := runner.Discover(ctx, sides[1], p, t.Bench.String(), []int{procs}); err != nil {
			return t.blame(1, err)
		}
		for _, before := range found {
			after := *before
			after.Side = sides[1]
			plan.Cases = append(plan.Cases, before, &after)
			plan.Replica[before] = true
		}
	}
	if len(plan.Cases) == 0 {
		t.res.Notes = append(t.res.Notes, fmt.Sprintf("no benchmark matches -bench %s: nothing was measured", t.Bench))
		return nil
	}
	plan.Progress = func(s measure.Step) {
		if t.Progress != nil {
			t.Progress.Step("trying %s: round %d/%d, %d left: %s", shortPath(t.res.Change.File), s.Round, s.Rounds, s.Left, s.Case.FullName())
		}
	}
	series, err := plan.Run(ctx, runner)
	if err != nil {
		return &failure{fmt.Errorf("measuring: %w", err)}
	}
	t.results(series, sides)
	return nil
}

// blame makes an error one of the change if it came up on the side with it.
func (t *try) blame(side int, err error) error {
	if side == 0 {
		return err
	}
	return &failure{fmt.Errorf("with the change: %w", err)}
}

// results fills the figures in.
func (t *try) results(series []*measure.Series, sides [2]*measure.Side) {
	named := make([]*measure.Series, len(series))
	for i, s := range series {
		c := *s.Case
		side := "before"
		if c.Side == sides[1] {
			side = "after"
		}
		c.Name += "/" + key + "=" + side
		named[i] = &measure.Series{Case: &c, Samples: s.Samples, Replica: s.Replica}
	}
	for _, g := range compare.By(named, key) {
		if len(g.Members) != 2 {
			continue
		}
		name := g.Package + ".Benchmark" + g.Name
		before, after := g.Members[0], g.Members[1]
		if before.Value == "after" {
			before, after = after, before
		}
		t.res.Before[name], t.res.After[name] = measured(before.Series), measured(after.Series)
		cpu := after.Ratios[measure.CPUPerOp]
		t.res.Ratios[name] = Ratios{CPU: cpu, Time: after.Ratios[measure.NsPerOp], Clear: cpu.N > 0 && cpu.Clear()}
	}
	for _, w := range compare.Warnings(compare.By(named, key)) {
		w = strings.ReplaceAll(w, "/"+key+"=before", " (without the change)")
		t.res.Notes = append(t.res.Notes, strings.ReplaceAll(w, "/"+key+"=after", " (with the change)"))
	}
}

func measured(s *measure.Series) Measured {
	value := func(unit string) float64 {
		if v, ok := s.Median(unit); ok {
			return v
		}
		return nan
	}
	return Measured{
		Bytes: value(measure.BytesPerOp), Allocs: value(measure.AllocsPerOp), GCs: value(measure.Cycles),
		CPU: value(measure.CPUPerOp), Time: value(measure.NsPerOp), Cold: value(measure.ColdBytes),
	}
}
