// SPDX-License-Identifier: BSD-3-Clause

// Package session takes a user's packages from source to samples: it finds
// their benchmarks, builds each test binary once, and measures.
package session

import (
	"context"
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

	Progress *progress.Line

	// Round is told of the series after each round, in the order in which the
	// benchmarks were found; nil is allowed.
	Round func(*Result, []*measure.Series)
}

// A Result is what a session measured, and where.
type Result struct {
	Toolchain gotest.Toolchain
	CPU       string // as the testing package names it; "" if it does not
	NumCPU    int
	Exact     bool
	Rounds    int    // that were run
	Planned   int    // rounds that were asked for: more than Rounds if the budget did not allow for them
	Benchtime string // of the first round
	Started   time.Time
	Elapsed   time.Duration
	Load      Load
	Modules   []Module
	Measuring time.Duration // of Elapsed, without building and listing
	Series    []*measure.Series
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

	tc := &res.Toolchain
	tc.Dir, tc.Tags, tc.TempDir = o.Dir, o.Tags, tmp
	o.Progress.Phase("looking for benchmarks")
	if err := tc.Load(ctx); err != nil {
		return nil, err
	}
	if tc.GOOS != runtime.GOOS {
		return nil, fmt.Errorf("GOOS is %s, but benchmarks have to run on this machine; unset GOOS", tc.GOOS)
	}
	pkgs, err := tc.List(ctx, o.Packages)
	if err != nil {
		return nil, err
	}
	listed := slices.Clone(pkgs)
	pkgs = slices.DeleteFunc(pkgs, func(p gotest.Package) bool { return !slices.ContainsFunc(p.Benchmarks, o.Bench.MatchTop) })
	if len(pkgs) == 0 {
		return nil, noMatch(o, listed)
	}
	res.Modules = modules(ctx, o.Dir, pkgs)

	overlayFile := ""
	if !o.Integers {
		overlayFile, err = exact(ctx, tc, tmp)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			o.Progress.Note("the testing package of %s (%s) cannot be made to count exactly: %v", tc.GOVERSION, tc.GOROOT, err)
			o.Progress.Note("falling back to what go test prints: whole numbers for B/op and allocs/op, no CPU time, nothing after a collection; the output says counts: integer")
		}
	}
	res.Exact = overlayFile != ""
	side := &measure.Side{Binaries: make(map[string]string), Exact: res.Exact, Env: os.Environ()}
	if err := build(ctx, o, tc, pkgs, side, tmp, overlayFile); err != nil {
		return nil, err
	}

	procs := o.Procs
	if len(procs) == 0 {
		procs = []int{runtime.GOMAXPROCS(0)}
	}
	runner := &measure.Runner{TempDir: tmp, Timeout: o.Timeout}
	plan := &measure.Plan{Rounds: o.Count, Benchtime: o.Benchtime, Budget: o.Budget}
	for _, pkg := range pkgs {
		o.Progress.Phase("listing the benchmarks of %s", pkg.ImportPath)
		cases, skipped, err := runner.Discover(ctx, side, pkg, o.Bench.String(), procs)
		if err != nil {
			return nil, err
		}
		for _, name := range skipped {
			o.Progress.Note("%s in package %s skips itself", name, pkg.ImportPath)
		}
		plan.Cases = append(plan.Cases, cases...)
	}
	if len(plan.Cases) == 0 {
		return nil, noMatch(o, listed)
	}
	if o.By != "" {
		plan.Replica = compare.Replicas(plan.Cases, o.By)
		if len(plan.Replica) == 0 && !o.ByOptional {
			return nil, fmt.Errorf("no two benchmarks differ in %s=... only, so there is nothing to compare by it; keys that occur: %s", o.By, keys(plan.Cases))
		}
	}
	res.CPU = runner.CPU
	res.Benchtime = plan.FirstBenchtime()
	o.Progress.Phase("%s, %s of %s each", format.Plural(len(plan.Cases), "benchmark"), format.Plural(plan.Rounds, "round"), res.Benchtime)
	plan.Progress = func(s measure.Step) {
		left := ""
		if s.Remaining > 0 {
			left = fmt.Sprintf(", about %v", s.Remaining.Round(time.Second))
		}
		o.Progress.Step("round %d/%d, %d left%s: %s", s.Round, s.Rounds, s.Left, left, s.Case.FullName())
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
	res.Elapsed = time.Since(res.Started)
	return res, err
}

func noMatch(o Options, listed []gotest.Package) error {
	var paths []string
	for _, p := range listed {
		paths = append(paths, p.ImportPath)
	}
	where := strings.Join(o.Packages, " ")
	if len(paths) > 3 {
		paths = append(paths[:2], fmt.Sprintf("%d more", len(paths)-2))
	}
	if names := strings.Join(paths, ", "); names != where {
		where += " (" + names + ")"
	}
	return fmt.Errorf("no benchmark in %s matches -bench %s; see what there is with go test -list Benchmark %s",
		where, o.Bench, strings.Join(o.Packages, " "))
}

func exact(ctx context.Context, tc *gotest.Toolchain, tmp string) (string, error) {
	dir := filepath.Join(tmp, "overlay")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	return overlay.Write(ctx, dir, overlay.Target{
		GOROOT: tc.GOROOT, GOOS: tc.GOOS, Base: tc.Flag("overlay"), Compile: tc.CompileTesting,
	})
}

// build builds the test binaries, two at a time: linking one leaves room for
// compiling another.
func build(ctx context.Context, o Options, tc *gotest.Toolchain, pkgs []gotest.Package, side *measure.Side, tmp, overlayFile string) error {
	errs := make([]error, len(pkgs))
	slots := make(chan bool, 2)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i, pkg := range pkgs {
		out := filepath.Join(tmp, fmt.Sprintf("%d.test.exe", i))
		side.Binaries[pkg.ImportPath] = out
		slots <- true
		o.Progress.Phase("building %d/%d: %s", i+1, len(pkgs), pkg.ImportPath)
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			if errs[i] = tc.Build(ctx, pkg.ImportPath, out, overlayFile); errs[i] != nil {
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

// Config returns the benchfmt configuration of a case of this session.
func (r *Result) Config(c *measure.Case) []benchfmt.Config {
	counts := "exact"
	if !r.Exact {
		counts = "integer"
	}
	var cfg []benchfmt.Config
	for _, kv := range [][2]string{
		{"goos", r.Toolchain.GOOS}, {"goarch", r.Toolchain.GOARCH}, {"cpu", r.CPU},
		{"toolchain", r.Toolchain.GOVERSION}, {"counts", counts}, {"pkg", c.Package.ImportPath},
	} {
		if kv[1] != "" {
			cfg = append(cfg, benchfmt.Config{Key: kv[0], Value: []byte(kv[1]), File: true})
		}
	}
	return cfg
}
