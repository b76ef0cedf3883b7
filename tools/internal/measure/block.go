// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/proc"
)

// A Runner starts the processes of the benchmarks, one at a time.
type Runner struct {
	// TempDir is where the benchmarks' processes put their temporary files, and
	// where they write their records.
	TempDir string

	// Timeout bounds each process; 0 is no bound.
	Timeout time.Duration

	// CPU is the processor, as the testing package names it. Discover sets it.
	CPU string
}

// A Failure is a benchmark, or a test binary, that did not do its work.
type Failure struct {
	Package   string
	Benchmark string // "" if none had started
	What      string // what happened: "failed", "panicked", ...
	Output    string // what the process printed
}

// ManyLines says that the line ends of Error are meant; see package plain.
func (f *Failure) ManyLines() {}

func (f *Failure) Error() string {
	who := "the tests of package " + f.Package
	how := fmt.Sprintf("run go test %s to see it", f.Package)
	if f.Benchmark != "" {
		who = fmt.Sprintf("%s in package %s", f.Benchmark, f.Package)
		how = fmt.Sprintf("mend it, or leave it out with -bench; to see it alone: go test -run '^$' -bench '%s' %s",
			gotest.Exactly(f.Benchmark), f.Package)
	}
	text := fmt.Sprintf("%s %s; %s", who, f.What, how)
	if out := strings.TrimSpace(f.Output); out != "" {
		text += "\n" + out
	}
	return text
}

// Discover runs every benchmark of pkg that the pattern matches once, and
// returns those that have no sub-benchmarks, in the order in which they run,
// and the names of those that skip themselves.
func (r *Runner) Discover(ctx context.Context, side *Side, pkg gotest.Package, pattern string, procs []int) (cases []*Case, skipped []string, err error) {
	recs, err := r.start(ctx, side, pkg, process{
		pattern: pattern, benchtime: "1x", procs: procs[0], list: true,
	})
	if err != nil {
		return nil, nil, err
	}
	if len(recs) == 0 && side.Exact {
		return nil, nil, fmt.Errorf("the test binary of package %s ran no benchmark, though it has some; does its TestMain call Run?", pkg.ImportPath)
	}
	for _, rec := range recs {
		if rec.kind == "skip" {
			skipped = append(skipped, rec.name)
		}
	}
	for _, p := range procs {
		for _, rec := range recs {
			if rec.kind == "leaf" {
				cases = append(cases, &Case{Package: pkg, Name: rec.name, Procs: p, Side: side})
			}
		}
	}
	return cases, skipped, nil
}

// Block runs one case in a fresh process.
func (r *Runner) Block(ctx context.Context, c *Case, benchtime string) (Sample, error) {
	return r.block(ctx, c, benchtime, c.Side.Binaries[c.Package.ImportPath])
}

// block is Block with a copy of the test binary.
func (r *Runner) block(ctx context.Context, c *Case, benchtime, binary string) (Sample, error) {
	p := process{binary: binary, pattern: gotest.Exactly(c.Name), benchtime: benchtime, procs: c.Procs}
	recs, err := r.start(ctx, c.Side, c.Package, p)
	if err != nil {
		return Sample{}, err
	}
	s, err := sample(recs, c)
	if err != nil || c.Side.Exact {
		return s, err
	}
	// Without the overlay the first operation needs a process of its own. Its
	// counts are whole numbers, so that nothing is lost.
	p.benchtime = "1x"
	if recs, err = r.start(ctx, c.Side, c.Package, p); err != nil {
		return Sample{}, err
	}
	cold, err := sample(recs, c)
	if err != nil {
		return Sample{}, err
	}
	for unit, as := range map[string]string{BytesPerOp: ColdBytes, AllocsPerOp: ColdAllocs} {
		if v, ok := cold.Value(unit); ok {
			s.Values = append(s.Values, benchfmt.Value{Value: v, Unit: as})
		}
	}
	return s, nil
}

func sample(recs []record, c *Case) (Sample, error) {
	for _, rec := range recs {
		if rec.kind == "result" && rec.name == c.Name {
			return rec.sample, nil
		}
	}
	return Sample{}, &Failure{
		Package: c.Package.ImportPath, Benchmark: c.Name,
		What: "ran when the benchmarks were listed, but did not run again; its name or its existence changes from run to run",
	}
}

// A process is one start of a test binary.
type process struct {
	binary             string // "": the side's
	pattern, benchtime string
	procs              int
	list               bool
	args               []string // more arguments
}

// A record is one thing that a test binary said about a benchmark.
type record struct {
	kind   string // start, leaf, skip, fail, result
	name   string
	sample Sample
}

func (r *Runner) start(ctx context.Context, side *Side, pkg gotest.Package, p process) ([]record, error) {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, proc.ErrTimeout)
		defer cancel()
	}
	// The directory is new for each process: a benchmark that dies leaves
	// nothing behind, and finds nothing of another's.
	dir, err := os.MkdirTemp(r.TempDir, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	records := filepath.Join(dir, "records")

	args := []string{
		"-test.run=^$", "-test.bench=" + p.pattern, "-test.benchtime=" + p.benchtime,
		"-test.count=1", "-test.timeout=0", "-test.paniconexit0",
		"-test.cpu=" + strconv.Itoa(p.procs),
	}
	if side.Exact {
		args = append(args, "-test.spare="+records)
		if p.list {
			args = append(args, "-test.sparelist")
		}
	} else {
		args = append(args, "-test.benchmem")
	}
	args = append(args, p.args...)
	env := append(side.Env[:len(side.Env):len(side.Env)],
		"PWD="+pkg.Dir, "TMPDIR="+dir, "TMP="+dir, "TEMP="+dir,
		// The first operation runs before the testing package looks at -cpu.
		"GOMAXPROCS="+strconv.Itoa(p.procs))
	if p.binary == "" {
		p.binary = side.Binaries[pkg.ImportPath]
	}
	cmd := proc.Command(ctx, pkg.Dir, env, p.binary, args...)
	var out proc.Output
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if !side.Exact {
		cmd.Stdout = &stdout
	}
	runErr := proc.Run(ctx, cmd)
	if runErr != nil && ctx.Err() != nil && !errors.Is(runErr, proc.ErrTimeout) {
		return nil, runErr
	}

	var recs []record
	said := out.String()
	if side.Exact {
		recs, err = readRecords(records)
	} else {
		said = stdout.String() + said
		recs, err = readBenchfmt(&stdout)
	}
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", pkg.ImportPath, err)
	}
	if p.list && r.CPU == "" {
		for line := range strings.Lines(said) {
			if name, ok := strings.CutPrefix(line, "cpu: "); ok {
				r.CPU = strings.TrimSpace(name)
				break
			}
		}
	}

	fail := &Failure{Package: pkg.ImportPath, Output: said}
	for _, rec := range recs {
		if rec.kind == "fail" {
			fail.Benchmark, fail.What = rec.name, "failed"
			return nil, fail
		}
	}
	if runErr == nil {
		return recs, nil
	}
	// The one that had begun and not ended is the one to blame.
	for _, rec := range recs {
		switch rec.kind {
		case "start", "leaf":
			fail.Benchmark = rec.name
		case "done", "skip":
			fail.Benchmark = ""
		}
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(runErr, proc.ErrTimeout):
		fail.What = fmt.Sprintf("ran longer than -timeout %v", r.Timeout)
	case strings.Contains(fail.Output, "\npanic: ") || strings.HasPrefix(fail.Output, "panic: "):
		fail.What = "panicked"
		if fail.Benchmark == "" {
			fail.Benchmark = panicking(recs, fail.Output)
		}
	case strings.Contains(fail.Output, "fatal error: "):
		fail.What = "crashed"
	case errors.As(runErr, &exit):
		fail.What = "ended with " + exit.String()
	default:
		fail.What = "could not be started: " + runErr.Error()
	}
	return nil, fail
}

// panicking is the benchmark that ended last, if it is in the trace of a panic: its
// goroutine may let the testing package go on before the panic ends the process.
func panicking(recs []record, output string) string {
	for _, rec := range slices.Backward(recs) {
		if rec.kind != "done" {
			continue
		}
		top, _, _ := strings.Cut(rec.name, "/")
		_, trace, _ := strings.Cut("\n"+output, "\npanic: ")
		if strings.Contains(trace, "."+top+"(") || strings.Contains(trace, "."+top+".func") {
			return rec.name
		}
		return ""
	}
	return ""
}
