// SPDX-License-Identifier: BSD-3-Clause

// Package session takes a user's packages from source to samples: it finds
// their benchmarks, builds each test binary once, and measures.
package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/overlay"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/progress"
)

// Options are what the user asked for.
type Options struct {
	Packages  []string // package patterns
	Dir       string   // where the go command runs; "" is the current directory
	Bench     *gotest.Pattern
	Count     int    // rounds
	Benchtime string // "" leaves it to Budget
	Budget    time.Duration
	Procs     []int // values of GOMAXPROCS; empty for that of this process
	Tags      string
	Timeout   time.Duration // of one process; 0 is none
	By        string        // the key whose first value gets an A/A replica; "" for none
	// ByOptional lets a session go on in which nothing differs in By.
	ByOptional bool
	Integers   bool // do without the overlay

	// Sides are the two builds to compare, the base first; empty for one build.
	// With sides, Packages, Dir, Tags and By are not looked at.
	Sides []Side

	Progress *progress.Line

	// Round is told of the series after each round, in the order in which the
	// benchmarks were found; nil is allowed.
	Round func(*Result, []*measure.Series)

	// After runs when the rounds are over and the test binaries are still there;
	// nil is allowed. It is not part of Result.Measuring.
	After func(context.Context, *Result, *measure.Runner) error
}

// A Side is one of the builds that a session compares.
type Side struct {
	Name     string // in the measurements
	Packages []string
	Dir      string
	Tags     string
	Env      []string // on top of this process's, for the go command and the benchmarks
}

// A Result is what a session measured, and where.
type Result struct {
	Builds    []*Build // one for each side
	CPU       string   // as the testing package names it; "" if it does not
	NumCPU    int
	Exact     bool
	Rounds    int    // that were run
	Planned   int    // rounds that were asked for: more than Rounds if the budget did not allow for them
	Benchtime string // of the first round
	Started   time.Time
	Elapsed   time.Duration
	Load      Load
	Measuring time.Duration // of Elapsed, without building and listing
	Series    []*measure.Series

	// Unmatched says which benchmarks only one side has; they are not measured.
	Unmatched []string
}

// Last returns the build of the last side: the only one, or the one that is
// compared with the base.
func (r *Result) Last() *Build { return r.Builds[len(r.Builds)-1] }

// A Build is one side, built.
type Build struct {
	Side
	Toolchain gotest.Toolchain
	Modules   []Module

	side *measure.Side
	pkgs []gotest.Package
}

// Run runs a session. Its temporary files are gone when it returns.
func Run(ctx context.Context, o Options) (*Result, error) {
	res := &Result{Rounds: o.Count, Planned: o.Count, Started: time.Now(), NumCPU: runtime.NumCPU()}
	res.Load.Before, res.Load.Known = loadAverage()
	tmp, err := os.MkdirTemp("", "spare-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	// The benchmarks run in other directories.
	if tmp, err = filepath.Abs(tmp); err != nil {
		return nil, err
	}

	sides := o.Sides
	if len(sides) == 0 {
		sides = []Side{{Packages: o.Packages, Dir: o.Dir, Tags: o.Tags}}
	}
	o.Progress.Phase("looking for benchmarks")
	for _, s := range sides {
		b := &Build{Side: s, side: &measure.Side{Name: s.Name, Binaries: make(map[string]string), Env: append(os.Environ(), s.Env...)}}
		if err := b.load(ctx, &o, tmp); err != nil {
			return nil, b.side.Blame(err)
		}
		res.Builds = append(res.Builds, b)
	}
	if err := res.samePackages(&o); err != nil {
		return nil, err
	}
	overlays, err := res.overlays(ctx, &o, tmp)
	if err != nil {
		return nil, err
	}
	for i, b := range res.Builds {
		b.side.Exact = res.Exact
		dir := filepath.Join(tmp, fmt.Sprint("side", i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return nil, err
		}
		if err := b.build(ctx, &o, dir, overlays[i]); err != nil {
			return nil, b.side.Blame(err)
		}
	}

	runner := &measure.Runner{TempDir: tmp, Timeout: o.Timeout}
	plan := &measure.Plan{Rounds: o.Count, Benchtime: o.Benchtime, Budget: o.Budget}
	if plan.Cases, err = res.discover(ctx, &o, runner); err != nil {
		return nil, err
	}
	if o.By != "" || len(o.Sides) > 0 {
		plan.Replica = compare.Replicas(plan.Cases, o.By)
		plan.Enough = compare.Enough(plan.Cases, o.By)
		if len(plan.Replica) == 0 && !o.ByOptional {
			return nil, fmt.Errorf("no two benchmarks differ in %s=... only, so there is nothing to compare by it; keys that occur: %s", o.By, keys(plan.Cases))
		}
	}
	res.CPU = runner.CPU
	res.Benchtime = plan.FirstBenchtime()
	o.Progress.Phase("%s, %s of %s each", format.Plural(len(plan.Cases), "benchmark"), format.Plural(plan.Rounds, "round"), res.Benchtime)
	plan.Progress = func(s measure.Step) {
		left, side := "", ""
		if s.Remaining > 0 {
			left = fmt.Sprintf(", about %v", s.Remaining.Round(time.Second))
		}
		if s.Case.Side.Name != "" {
			side = ", side " + s.Case.Side.Name
		}
		o.Progress.Step("round %d/%d, %d left%s: %s%s", s.Round, s.Rounds, s.Left, left, s.Case.FullName(), side)
	}
	if o.Round != nil {
		plan.RoundDone = func(series []*measure.Series) {
			o.Progress.Clear()
			o.Round(res, series)
		}
	}
	measuring := time.Now()
	res.Series, err = plan.Run(ctx, runner)
	if err == nil && len(res.Series) > 0 {
		res.Rounds = len(res.Series[0].Samples)
	}
	res.Load.After, _ = loadAverage()
	res.Measuring = time.Since(measuring)
	if err == nil && o.After != nil {
		err = o.After(ctx, res, runner)
	}
	res.Elapsed = time.Since(res.Started)
	return res, err
}

// load finds the packages of a side that have benchmarks.
func (b *Build) load(ctx context.Context, o *Options, tmp string) error {
	tc := &b.Toolchain
	tc.Dir, tc.Tags, tc.TempDir = b.Dir, b.Tags, tmp
	if len(b.Env) > 0 {
		tc.Env = append(os.Environ(), b.Env...)
	}
	if err := tc.Load(ctx); err != nil {
		return err
	}
	if tc.GOOS != runtime.GOOS {
		return fmt.Errorf("GOOS is %s, but benchmarks have to run on this machine; unset GOOS", tc.GOOS)
	}
	listed, err := tc.List(ctx, b.Packages)
	if err != nil {
		return err
	}
	b.pkgs = slices.DeleteFunc(slices.Clone(listed), func(p gotest.Package) bool { return !slices.ContainsFunc(p.Benchmarks, o.Bench.MatchTop) })
	if len(b.pkgs) == 0 {
		return noMatch(b, o, listed)
	}
	b.Modules = modules(ctx, b.Dir, b.pkgs)
	return nil
}

// samePackages leaves each side the packages that all sides have.
func (r *Result) samePackages(o *Options) error {
	has := func(b *Build, path string) bool {
		return slices.ContainsFunc(b.pkgs, func(p gotest.Package) bool { return p.ImportPath == path })
	}
	for _, b := range r.Builds {
		for _, other := range r.Builds {
			for _, p := range b.pkgs {
				if !has(other, p.ImportPath) {
					r.Unmatched = append(r.Unmatched, fmt.Sprintf("package %s has benchmarks that match on side %s only; they are not measured", p.ImportPath, b.Name))
				}
			}
		}
	}
	for _, b := range r.Builds {
		all := b.pkgs
		b.pkgs = slices.DeleteFunc(slices.Clone(all), func(p gotest.Package) bool {
			return slices.ContainsFunc(r.Builds, func(other *Build) bool { return !has(other, p.ImportPath) })
		})
	}
	if len(r.Last().pkgs) == 0 {
		return fmt.Errorf("no package has benchmarks that match -bench %s on both sides:\n%w", o.Bench, plain.Lines(errors.New(strings.Join(r.Unmatched, "\n"))))
	}
	return nil
}

// overlays writes the overlay for each side. If one does not apply, all do
// without, so that the sides count alike, and Exact is false.
func (r *Result) overlays(ctx context.Context, o *Options, tmp string) ([]string, error) {
	files := make([]string, len(r.Builds))
	if o.Integers {
		return files, nil
	}
	type target struct{ goroot, goos, goarch, base string }
	written := make(map[target]string)
	for i, b := range r.Builds {
		tc := &b.Toolchain
		at := target{tc.GOROOT, tc.GOOS, tc.GOARCH, tc.Flag("overlay")}
		if written[at] == "" {
			dir := filepath.Join(tmp, fmt.Sprint("overlay", i))
			if err := os.Mkdir(dir, 0o777); err != nil {
				return nil, err
			}
			file, err := overlay.Write(ctx, dir, overlay.Target{GOROOT: tc.GOROOT, GOOS: tc.GOOS, Base: at.base, Compile: tc.CompileTesting})
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil {
				o.Progress.Note("the testing package of %s (%s) cannot be made to count exactly: %v", tc.GOVERSION, tc.GOROOT, err)
				o.Progress.Note("falling back to what go test prints: whole numbers for B/op and allocs/op, no CPU time, nothing after a collection; the output says counts: integer")
				clear(files)
				return files, nil
			}
			written[at] = file
		}
		files[i] = written[at]
	}
	r.Exact = true
	return files, nil
}

// discover lists the benchmarks that all sides have: those of each name
// together, the base first.
func (r *Result) discover(ctx context.Context, o *Options, runner *measure.Runner) ([]*measure.Case, error) {
	procs := o.Procs
	if len(procs) == 0 {
		procs = []int{runtime.GOMAXPROCS(0)}
	}
	type id struct {
		pkg, name string
		procs     int
	}
	found := make(map[id][]*measure.Case)
	var order []id
	for _, b := range r.Builds {
		for _, pkg := range b.pkgs {
			o.Progress.Phase("listing the benchmarks of %s", pkg.ImportPath)
			cases, skipped, err := runner.Discover(ctx, b.side, pkg, o.Bench.String(), procs)
			if err != nil {
				return nil, b.side.Blame(err)
			}
			for _, name := range skipped {
				o.Progress.Note("%s in package %s skips itself", name, pkg.ImportPath)
			}
			for _, c := range cases {
				at := id{pkg.ImportPath, c.Name, c.Procs}
				if found[at] == nil {
					order = append(order, at)
				}
				found[at] = append(found[at], c)
			}
		}
	}
	var all []*measure.Case
	for _, at := range order {
		cases := found[at]
		if len(cases) == len(r.Builds) {
			all = append(all, cases...)
			continue
		}
		r.Unmatched = append(r.Unmatched, fmt.Sprintf("%s in package %s is on side %s only; it is not measured", cases[0].FullName(), at.pkg, cases[0].Side.Name))
	}
	switch {
	case len(all) > 0:
		return all, nil
	case len(order) > 0:
		return nil, fmt.Errorf("no benchmark that matches -bench %s is on both sides:\n%w", o.Bench, plain.Lines(errors.New(strings.Join(r.Unmatched, "\n"))))
	}
	return nil, noMatch(r.Last(), o, r.Last().pkgs)
}

// NoBenchmark is the error of a session that has nothing to run.
type NoBenchmark struct {
	Packages []gotest.Package // those that were named

	text string
}

func (e *NoBenchmark) Error() string { return e.text }

func noMatch(b *Build, o *Options, listed []gotest.Package) error {
	var paths []string
	for _, p := range listed {
		paths = append(paths, p.ImportPath)
	}
	where := strings.Join(b.Packages, " ")
	if len(paths) > 3 {
		paths = append(paths[:2], fmt.Sprintf("%d more", len(paths)-2))
	}
	if names := strings.Join(paths, ", "); names != where {
		where += " (" + names + ")"
	}
	return &NoBenchmark{listed, fmt.Sprintf("no benchmark in %s matches -bench %s; see what there is with go test -list Benchmark %s",
		where, o.Bench, strings.Join(b.Packages, " "))}
}

// build builds the test binaries, two at a time: linking one leaves room for
// compiling another. They are in dir.
func (b *Build) build(ctx context.Context, o *Options, dir, overlayFile string) error {
	errs := make([]error, len(b.pkgs))
	side := ""
	if b.Name != "" {
		side = "side " + b.Name + ", "
	}
	slots := make(chan bool, 2)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i, pkg := range b.pkgs {
		out := filepath.Join(dir, fmt.Sprintf("%d.test.exe", i))
		b.side.Binaries[pkg.ImportPath] = out
		slots <- true
		o.Progress.Phase("building %s%d/%d: %s", side, i+1, len(b.pkgs), pkg.ImportPath)
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			if errs[i] = b.Toolchain.Build(ctx, pkg.ImportPath, out, overlayFile); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	// What the failure of one package cancelled is not to blame.
	var cancelled error
	for _, err := range errs {
		switch {
		case err == nil:
		case err == context.Canceled:
			cancelled = err
		default:
			return err
		}
	}
	return cancelled
}

// keys lists the keys that the names of the cases have.
func keys(cases []*measure.Case) string {
	var found []string
	for _, c := range cases {
		for _, part := range strings.Split(c.Name, "/")[1:] {
			if k, _, ok := strings.Cut(part, "="); ok && !slices.Contains(found, k) {
				found = append(found, k)
			}
		}
	}
	if len(found) == 0 {
		return "none"
	}
	return strings.Join(found, ", ")
}

// Config returns the benchfmt configuration of a case of this session. What
// the sides do not share but their names is left out of it: benchstat would
// take them apart by it, and compare nothing.
func (r *Result) Config(c *measure.Case) []benchfmt.Config {
	counts := "exact"
	if !r.Exact {
		counts = "integer"
	}
	shared := func(of func(*gotest.Toolchain) string) string {
		v := of(&r.Builds[0].Toolchain)
		for _, b := range r.Builds {
			if of(&b.Toolchain) != v {
				return ""
			}
		}
		return v
	}
	var cfg []benchfmt.Config
	for _, kv := range [][2]string{
		{"goos", shared(func(t *gotest.Toolchain) string { return t.GOOS })},
		{"goarch", shared(func(t *gotest.Toolchain) string { return t.GOARCH })}, {"cpu", r.CPU},
		{"toolchain", shared(func(t *gotest.Toolchain) string { return t.GOVERSION })}, {"counts", counts},
		{"pkg", c.Package.ImportPath}, {"side", c.Side.Name},
	} {
		if kv[1] != "" {
			cfg = append(cfg, benchfmt.Config{Key: kv[0], Value: []byte(plain.Text(kv[1])), File: true})
		}
	}
	return cfg
}
