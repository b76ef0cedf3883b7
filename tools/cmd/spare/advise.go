// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/tryout"
)

var adviseCommand = command{
	name:  "advise",
	short: "rank allocation sites: why each is on the heap, and what reuse would save",
	run:   runAdvise,
}

const adviseManual = `
usage: spare advise [flags] [packages]
       spare advise [flags] -profile FILE|URL
       spare advise [flags] -pyroscope URL -query QUERY
       spare advise [flags] -parca URL -query QUERY

Advise ranks the places of a program that allocate, tells why each value is on the
heap and how long it lives, and says what can be done about it, with a prediction
of what that saves. It changes nothing.

The figures come from the benchmarks of the packages (default: the current
directory's), each run once as it is, once with every allocation of its measured
operations recorded, and once under the CPU profiler; what a benchmark does before
its loop is left out. Or they come from a profile: a file, the pprof endpoint of a
live process, which is asked twice for the difference, or a profile store that has
merged those of a fleet. Then give the source: run it in the module of the program.

A site is where a value is made, with all that making it allocates, at once or
later: the call of gzip.NewWriter, not the Write that makes its tables; the
declaration of a bytes.Buffer, not the lines that grow it. Each has one verdict:

	pool it                 it dies young: reuse it, with the type that is named
	fix the escape          a small change keeps it on the stack, or makes it needless
	retained, not poolable  it lives on, or nobody can know when it is done with
	not worth it            too little traffic, or nothing that reuse could remove
	already on the stack    nothing to save

The ranking has two lines for each site: its figures, with what reuse would save of
the whole (GCs are collections), then the verdict, what is made, and in which
benchmark. Sites that one change removes say so. The text leaves out, with their
number and share, what the runtime and the profiler make, small things of libraries
with no code of the program on the stack, sites of a sampled profile with so few
samples that their error is above 50%, and what is not worth it and below 0.1% of
the bytes; -json has all.

A lifetime is what is in use, divided by the rate at which it is made. For a live
process it has a floor: all that is made while a collection marks counts as in use.

Savings are fractions of the whole: of the benchmark's operation, or of the
process. CPU time is a range: the time of making the value and the site's share of
the collector's, and how much faster the rest becomes without them, less what a pool
costs, which is measured on this machine. Without a CPU profile it is not predicted.
Each benchmark is profiled until two standard errors of the time that goes to the
heap are below 5% of its CPU time, for at most -cputime. Sites are ranked by that
saving. One that costs its operation less than 2% of the CPU time, and allocates less than
16 MiB in a second of it, is not worth it, whatever its share of the bytes.

-try makes the changes that are mechanical (a local buffer, a scratch slice, a codec
or object made for each call), one at a time, in an overlay: nothing is written to
your tree. It runs the tests, also in spare's checked build, and the benchmarks with
and without the change, and prints what was predicted beside what was measured. A
change with which tests fail is a failed try. -diff prints the changes as a patch.

-explain FILE:LINE tells the story of one line, on the stack or not. If the compiler
keeps on the stack what the line makes, that is all, and nothing is profiled.
Otherwise those benchmarks are that may run the line, of the packages or by default
of the file's own.
`

func runAdvise(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	fs := flag.NewFlagSet("advise", flag.ContinueOnError)
	var f adviseFlags
	f.register(fs)
	packages, code, over := parse(fs, adviseManual, stdout, stderr, args)
	if over {
		return code
	}
	if err := f.check(fs, packages); err != nil {
		return fail(stderr, "advise", err, false)
	}
	line := progress.New(stderr)
	r, err := f.report(ctx, packages, line)
	var tries []*advise.Try
	if err == nil && (f.try || f.diff) {
		tries, err = f.tries(ctx, r, packages, line)
	}
	line.Clear()
	if err == nil {
		if f.json {
			err = r.WriteJSON(stdout)
		} else if err = r.WriteText(stdout, f.limit); err == nil {
			err = f.writeTries(stdout, r, tries)
		}
	}
	if err != nil {
		return fail(stderr, "advise", err, ctx.Err() != nil)
	}
	warn(stderr, "advise", r.Warnings)
	return exitOK
}

// adviseFlags are the flags of advise.
type adviseFlags struct {
	bench   benchFlags
	cputime time.Duration

	profiles         []string
	base             string
	span             time.Duration
	pyroscope, parca string
	query            string
	since            time.Duration
	headers          []string
	header           http.Header // of them

	try, diff bool
	tryCount  int

	explain string
	limit   int
	json    bool

	benchtimeSet, benchSet bool // -benchtime, -bench were given

	file string // of explain, absolute
	line int
}

func (f *adviseFlags) register(fs *flag.FlagSet) {
	f.bench.register(fs, 1, "200ms")
	fs.DurationVar(&f.cputime, "cputime", 4*time.Second, "profile each benchmark for at most `d` of CPU time; it ends when the shares are known to 5 points")
	fs.Func("profile", "take the profile `FILE|URL` instead of benchmarks; several files are added up", func(s string) error {
		f.profiles = append(f.profiles, s)
		return nil
	})
	fs.StringVar(&f.base, "base", "", "count what the process allocated since it wrote the profile `FILE`, before that of -profile")
	fs.DurationVar(&f.span, "span", 30*time.Second, "watch the process of a -profile URL for `d`")
	fs.StringVar(&f.pyroscope, "pyroscope", "", "take what the Pyroscope server at `URL` has merged")
	fs.StringVar(&f.parca, "parca", "", "take what the Parca server at `URL` has merged")
	fs.StringVar(&f.query, "query", "", "which profiles of the store: a label selector, as its `query` language has it")
	fs.DurationVar(&f.since, "since", time.Hour, "take the store's profiles of the last `d`")
	fs.Func("header", "send `'Name: value'` with each request, such as a tenant or a token", func(s string) error {
		f.headers = append(f.headers, s)
		return nil
	})
	fs.StringVar(&f.explain, "explain", "", "tell the story of one line, `FILE:LINE`")
	fs.BoolVar(&f.try, "try", false, "try the mechanical changes: run the tests and benchmarks of the packages with them")
	fs.BoolVar(&f.diff, "diff", false, "print the mechanical changes as a patch")
	fs.IntVar(&f.tryCount, "trycount", tryout.DefaultCount, "measure each side of a try in `n` rounds")
	fs.IntVar(&f.limit, "n", 20, "list `n` sites, and try the changes of as many places; 0 is all (-json has all sites)")
	fs.BoolVar(&f.json, "json", false, "print the report as JSON")
}

// inputs names the flags that say where a profile is, as far as they are given.
func (f *adviseFlags) inputs() (given []string) {
	if len(f.profiles) > 0 {
		given = append(given, "-profile")
	}
	if f.pyroscope != "" {
		given = append(given, "-pyroscope")
	}
	if f.parca != "" {
		given = append(given, "-parca")
	}
	return given
}

// check refuses what cannot be meant.
func (f *adviseFlags) check(fs *flag.FlagSet, packages []string) error {
	set := make(map[string]bool)
	fs.Visit(func(x *flag.Flag) { set[x.Name] = true })
	f.benchtimeSet, f.benchSet = set["benchtime"], set["bench"]
	f.header = make(http.Header)
	for _, s := range f.headers {
		name, value, ok := strings.Cut(s, ":")
		if !ok || strings.TrimSpace(name) == "" {
			// Not by the flag itself: package flag repeats the value, which may be a token.
			return errors.New("-header: want 'Name: value'")
		}
		f.header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	inputs := f.inputs()
	if i := slices.IndexFunc(packages, func(p string) bool { return strings.Contains(p, "://") }); i >= 0 {
		return fmt.Errorf("%s is no package: the address of a process goes with -profile, that of a store with -pyroscope or -parca", profsource.Redact(packages[i]))
	}
	if len(inputs) > 1 {
		return fmt.Errorf("%s and %s: give one of them", inputs[0], inputs[1])
	}
	if len(inputs) > 0 {
		if len(packages) > 0 {
			return fmt.Errorf("%s and the packages %s: give one of them; the source is found through the profile", inputs[0], strings.Join(packages, " "))
		}
		for _, name := range []string{"bench", "count", "benchtime", "cpu", "timeout", "cputime"} {
			if set[name] {
				return fmt.Errorf("-%s is for benchmarks, and with %s there are none", name, inputs[0])
			}
		}
	}
	switch {
	case f.try && len(inputs) > 0:
		return fmt.Errorf("-try runs benchmarks, and with %s there are none; -diff prints the changes", inputs[0])
	case set["trycount"] && !f.try:
		return errors.New("-trycount goes with -try")
	case f.tryCount < 1:
		return fmt.Errorf("-trycount %d: want at least 1", f.tryCount)
	}
	store := f.pyroscope != "" || f.parca != ""
	for _, name := range []string{"query", "since"} {
		if set[name] && !store {
			return fmt.Errorf("-%s goes with -pyroscope or -parca", name)
		}
	}
	live := slices.ContainsFunc(f.profiles, isURL)
	switch {
	case store && f.query == "":
		return fmt.Errorf(`%s needs -query, such as -query '{service_name="checkout"}'`, inputs[0])
	case live && len(f.profiles) > 1:
		return fmt.Errorf("-profile %s: one live process at a time; several files can be added up", profsource.Redact(f.profiles[0]))
	case f.base != "" && (live || len(f.profiles) != 1):
		return fmt.Errorf("-base %s goes with one -profile FILE, of the same process", f.base)
	case set["span"] && !live:
		return errors.New("-span goes with -profile URL")
	case set["header"] && !live && !store:
		return errors.New("-header goes with a URL")
	case f.span <= 0:
		return fmt.Errorf("-span %v: want a positive duration", f.span)
	case f.since <= 0:
		return fmt.Errorf("-since %v: want a positive duration", f.since)
	case f.cputime <= 0:
		return fmt.Errorf("-cputime %v: want a positive duration", f.cputime)
	case f.limit < 0:
		return fmt.Errorf("-n %d: want 0 or more", f.limit)
	}
	if !set["explain"] {
		return nil
	}
	return f.parseExplain()
}

func isURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// parseExplain checks FILE:LINE.
func (f *adviseFlags) parseExplain() error {
	file, number, _ := strings.Cut(f.explain, ":")
	if i := strings.LastIndexByte(f.explain, ':'); i > 1 { // C:\x.go:3 has two
		file, number = f.explain[:i], f.explain[i+1:]
	}
	line, err := strconv.Atoi(number)
	if err != nil || line < 1 || file == "" {
		return fmt.Errorf("-explain %s: want FILE:LINE, such as handler.go:42", f.explain)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("-explain: %w", err)
	}
	if n := strings.Count(string(data), "\n") + 1; line > n {
		return fmt.Errorf("-explain %s: the file has %d lines", f.explain, n)
	}
	if f.file, err = filepath.Abs(file); err != nil {
		return fmt.Errorf("-explain: %w", err)
	}
	f.line = line
	return nil
}

// report makes the report that the flags ask for.
func (f *adviseFlags) report(ctx context.Context, packages []string, line *progress.Line) (*advise.Report, error) {
	if f.explain != "" && len(f.inputs()) == 0 {
		o, err := f.bench.options()
		if err != nil {
			return nil, err
		}
		o.Packages, o.Progress = packages, line
		r, err := advise.Line(ctx, o, f.cputime, f.file, f.line, f.benchSet)
		if errors.Is(err, advise.ErrNotRead) {
			err = fmt.Errorf("-explain %s: %w", f.explain, err)
		}
		return r, err
	}
	d, err := f.data(ctx, packages, line)
	if err != nil {
		return nil, err
	}
	r := advise.Judge(d)
	if f.explain == "" {
		return r, nil
	}
	if !d.Program.Contains(f.file) {
		return nil, fmt.Errorf("-explain %s: %w", f.explain, advise.ErrNotRead)
	}
	return advise.Explain(d, r, f.file, f.line), nil
}

func (f *adviseFlags) data(ctx context.Context, packages []string, line *progress.Line) (*advise.Data, error) {
	if len(f.inputs()) == 0 {
		o, err := f.bench.options()
		if err != nil {
			return nil, err
		}
		if o.Packages = packages; len(packages) == 0 {
			o.Packages = []string{"."}
		}
		o.Progress = line
		return advise.Benchmarks(ctx, o, f.cputime, false)
	}
	p, err := f.profile(ctx, line)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "spare-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	tc := &gotest.Toolchain{Tags: f.bench.tags, TempDir: tmp}
	if err := tc.Load(ctx); err != nil {
		return nil, err
	}
	return advise.Service(ctx, tc, p, line)
}

// profile fetches what is to be judged.
func (f *adviseFlags) profile(ctx context.Context, line *progress.Line) (*profsource.Profile, error) {
	ctx = profsource.WithHeader(ctx, f.header)
	until := time.Now()
	from := until.Add(-f.since)
	switch {
	case f.pyroscope != "":
		line.Phase("asking %s", profsource.Redact(f.pyroscope))
		return profsource.Pyroscope(ctx, f.pyroscope, f.query, from, until)
	case f.parca != "":
		line.Phase("asking %s", profsource.Redact(f.parca))
		return profsource.Parca(ctx, f.parca, f.query, from, until)
	case isURL(f.profiles[0]):
		line.Phase("watching %s for %v", profsource.Redact(f.profiles[0]), f.span)
		return profsource.URL(ctx, f.profiles[0], f.span)
	case f.base != "":
		base, err := profsource.File(ctx, f.base)
		if err != nil {
			return nil, err
		}
		p, err := profsource.File(ctx, f.profiles[0])
		if err != nil {
			return nil, err
		}
		return profsource.Diff(base, p)
	}
	return profsource.Files(ctx, f.profiles...)
}

// tries tries the changes that the report advises, or only makes them.
func (f *adviseFlags) tries(ctx context.Context, r *advise.Report, packages []string, line *progress.Line) ([]*advise.Try, error) {
	if len(packages) == 0 {
		packages = []string{"./..."}
		if f.explain != "" {
			packages = []string{filepath.Dir(f.file)}
		}
	}
	o, err := f.bench.options()
	if err != nil {
		return nil, err
	}
	if !f.benchtimeSet {
		o.Benchtime = "" // long enough for collections, by the budget of a try
	}
	t := advise.TryOptions{Dir: ".", Packages: packages, Limit: f.limit, Patch: !f.try, Options: tryout.Options{
		Tags: o.Tags, Count: f.tryCount, Benchtime: o.Benchtime, Timeout: o.Timeout, Progress: line,
	}}
	if len(o.Procs) > 0 {
		t.Procs = o.Procs[0]
	}
	return advise.Tries(ctx, r, t)
}

// writeTries prints what came of the tries, and the patches.
func (f *adviseFlags) writeTries(w io.Writer, r *advise.Report, tries []*advise.Try) error {
	tried, failed := 0, 0
	for _, t := range tries {
		if t.Result == nil {
			continue
		}
		fmt.Fprintln(w)
		if err := tryout.WriteText(w, t.Result, t.Predicted()); err != nil {
			return err
		}
		if tried++; t.Result.Failed() {
			failed++
		}
	}
	if f.try {
		text := fmt.Sprintf("%s of %s tried, %d failed", format.Plural(tried, "mechanical change"), format.Plural(len(tries), "place"), failed)
		switch {
		case len(tries) == 0:
			text = "nothing was tried: no site that is worth pooling is in code that could be changed"
		case tried == 0:
			text = fmt.Sprintf("nothing was tried: none of %s has a mechanical change", format.Plural(len(tries), "place"))
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", text); err != nil {
			return err
		}
	}
	if f.try || f.diff {
		advise.WriteUntried(w, r)
	}
	for _, t := range tries {
		if t.Change == nil || !f.diff {
			continue
		}
		fmt.Fprintln(w)
		if err := tryout.WriteDiff(w, ".", t.Change); err != nil {
			return err
		}
	}
	return nil
}
