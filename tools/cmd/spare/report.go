// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/atomicfile"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/htmlreport"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/session"
)

var reportCommand = command{
	name:  "report",
	short: "vet, bench and advise on one page: what reuse buys, and where",
	run:   report,
}

const reportManual = `
usage: spare report [flags] [packages]

Report measures the benchmarks of the packages (default: ./...) as spare bench
does, groups those whose names differ in /impl=value only, and writes one
self-contained HTML page: the comparison, the findings of spare vet, the ranking
of spare advise for the first of each group, and for each benchmark the
distribution over the rounds and its collections on a time line. It prints a
summary.

With -try, the mechanical changes that spare advise finds are tried as spare
advise -try does, and what they save stands beside what was predicted.

-o may be repeated. The ending of the file's name says what it is: .txt is the
page as text, .json the page as one JSON document (docs/bench.md describes it),
and anything else the page itself. -json prints the document on standard output
in place of the summary.

Without -benchtime, the length of each block follows from -budget: the time that
measuring and profiling together should take, building not included. Where the
machine is too slow or too busy for -count rounds within it, there are fewer, but
not fewer than 6, and a warning says so. Six rounds of benchmarks whose single
operation is long may exceed it.
`

// reportKey is the key that the groups of a report differ in.
const reportKey = "impl"

// outputs are the files of a report.
type outputs []string

func (o *outputs) String() string { return strings.Join(*o, " ") }

func (o *outputs) Set(name string) error {
	switch {
	case name == "":
		return errors.New("want the name of a file")
	case slices.Contains(*o, name):
		return fmt.Errorf("%s is named twice", name)
	}
	*o = append(*o, name)
	return nil
}

func report(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	var f benchFlags
	f.register(fs, 12, "")
	budget := fs.Duration("budget", 75*time.Second, "measure and profile for about `d` in all, unless -benchtime is set")
	var names outputs
	fs.Var(&names, "o", "write the page to `file`; .txt and .json are its twins; may be repeated (default spare-report.html)")
	asJSON := fs.Bool("json", false, "print the page as one JSON document on standard output")
	vetting := fs.Bool("vet", true, "report what spare vet finds")
	advising := fs.Bool("advise", true, "report what spare advise finds")
	trying := fs.Bool("try", false, "try the mechanical changes that spare advise finds, and report what they save; this takes longer")
	packages, code, over := parse(fs, reportManual, stdout, stderr, args)
	if over {
		return code
	}
	o, err := f.options()
	if err == nil && *trying && !*advising {
		err = errors.New("-try tries what spare advise finds, and -advise=false leaves that out; give one of them")
	}
	if err == nil && *budget <= 0 {
		err = fmt.Errorf("-budget %v: want a positive duration", *budget)
	}
	if err != nil {
		return fail(stderr, "report", err, false)
	}
	if o.Packages = packages; len(packages) == 0 {
		o.Packages = []string{"./..."}
	}
	if len(names) == 0 {
		names = outputs{"spare-report.html"}
	}
	o.By, o.ByOptional, o.Budget = reportKey, true, *budget
	if *advising {
		o.Budget = *budget * 4 / 5 // the rest is for profiling
	}

	started := time.Now()
	// Before the work, not after it: the files can be written.
	var files []*atomicfile.File
	for _, name := range names {
		file, err := atomicfile.Create(name)
		if err != nil {
			return fail(stderr, "report", fmt.Errorf("-o: cannot write: %w", err), false)
		}
		defer file.Abort()
		files = append(files, file)
	}

	var raw, replica bytes.Buffer
	w, again := newFormatWriter(&raw), newFormatWriter(&replica)
	o.Progress = progress.New(stderr)
	o.Round = func(r *session.Result, series []*measure.Series) {
		w.round(r, series)
		for _, s := range series {
			if n := len(s.Replica); n > 0 {
				again.sample(r, s.Case, s.Replica[n-1])
			}
		}
	}
	r := &wholeReport{budget: *budget, measuring: o.Budget}
	if *vetting {
		o.Progress.Phase("looking for misuse of pools")
		if err := r.runVet(ctx, o); err != nil {
			o.Progress.Clear()
			return fail(stderr, "report", err, ctx.Err() != nil)
		}
	}
	if *advising {
		o.After = r.runAdvise(o)
	}
	r.res, err = session.Run(ctx, o)
	if err == nil {
		err = w.err
	}
	if err == nil && r.advice != nil {
		if *trying {
			err = r.runTries(ctx, o)
		}
		if dir, e := os.Getwd(); e == nil {
			shorten(r.advice, dir)
		}
	}
	o.Progress.Clear()
	if err != nil {
		return fail(stderr, "report", err, ctx.Err() != nil)
	}
	r.res.Elapsed = time.Since(started) // with vet and the tries
	r.groups = compare.By(r.res.Series, reportKey)
	r.page = &htmlreport.Page{
		Title:    title(r.groups),
		Facts:    facts(r.res, blocks(r.res, f.benchtime)),
		Commands: reproduce(args, r.res, r.groups),
		Exact:    r.res.Exact,
		Rounds:   r.res.Rounds,
		Key:      reportKey,
		Groups:   r.groups,
		Warnings: r.warnings(),
		Raw:      raw.String(),
		Replica:  replica.String(),
		Started:  r.res.Started,
		Vet:      r.vet,
		Advice:   r.advice,
	}
	for i, file := range files {
		write := r.page.Write
		switch strings.ToLower(filepath.Ext(names[i])) {
		case ".txt":
			write = r.writeText
		case ".json":
			write = r.writeJSON
		}
		w := plain.NewWriter(file)
		if err := errors.Join(write(w), w.Flush()); err != nil {
			return fail(stderr, "report", fmt.Errorf("-o: cannot write %s: %w", names[i], err), false)
		}
	}
	for i, file := range files {
		if err := file.Commit(); err != nil {
			return fail(stderr, "report", fmt.Errorf("-o: cannot write %s: %w", names[i], err), false)
		}
	}
	if *asJSON {
		err = r.writeJSON(stdout)
	} else {
		err = r.writeSummary(stdout)
		fmt.Fprintf(stdout, "\n%s, %s of %s, %v in all; the page is %s\n",
			machine(r.res), format.Plural(r.res.Rounds, "round"), blocks(r.res, f.benchtime), r.res.Elapsed.Round(time.Second), plain.Text(strings.Join(names, ", ")))
	}
	if err != nil {
		return fail(stderr, "report", err, false)
	}
	warn(stderr, "report", r.page.Warnings)
	return exitOK
}

// sessionWarnings says that the machine was busy, and what the budget did to the
// rounds, or they to it. measuring is the part of the budget for the rounds.
func sessionWarnings(res *session.Result, budget, measuring time.Duration) (out []string) {
	if res.Busy() {
		out = append(out, fmt.Sprintf("the machine was busy with other work (%s): times vary more, and more ratios are not told from 1", loads(res)))
	}
	if res.Rounds >= res.Planned {
		return out
	}
	text := fmt.Sprintf("%d rounds instead of %d, to keep within -budget %v", res.Rounds, res.Planned, budget)
	if res.Measuring > measuring+measuring*3/20 {
		text = fmt.Sprintf("%d rounds instead of %d, the least that tell anything, and yet they took %v where -budget %v leaves them %v",
			res.Rounds, res.Planned, res.Measuring.Round(time.Second), budget, measuring.Round(time.Second))
	}
	return append(out, text+"; a larger -budget, a narrower -bench or an idle machine gives more")
}

// blocks says how long the blocks were; a budget may change that after each
// round.
func blocks(res *session.Result, benchtime string) string {
	if benchtime == "" && res.Rounds > 1 {
		return res.Benchtime + " at first"
	}
	return res.Benchtime
}

// loads says how busy the machine was.
func loads(res *session.Result) string {
	return fmt.Sprintf("load average %.2f before building, %.2f after the last round, %s", res.Load.Before, res.Load.After, format.Plural(res.NumCPU, "CPU"))
}

func title(groups []*compare.Group) string {
	for _, g := range groups {
		if len(g.Members) > 1 {
			return "What reuse buys"
		}
	}
	return "What the benchmarks cost"
}

func machine(res *session.Result) string {
	cpu := res.CPU
	if cpu == "" {
		cpu = "unknown processor"
	}
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", cpu, res.NumCPU, res.Last().Toolchain.GOOS, res.Last().Toolchain.GOARCH, res.Last().Toolchain.GOVERSION)
}

func facts(res *session.Result, blocks string) []htmlreport.Fact {
	counts := "exact, as fractions"
	if !res.Exact {
		counts = "whole numbers, as go test prints them"
	}
	procs := ""
	for _, s := range res.Series {
		if p := fmt.Sprint(s.Procs); !strings.Contains(" "+procs+",", " "+p+",") {
			procs += ", " + p
		}
	}
	facts := []htmlreport.Fact{
		{Name: "Machine", Value: strings.TrimSpace(fmt.Sprintf("%s, %d CPUs, %s/%s", res.CPU, res.NumCPU, res.Last().Toolchain.GOOS, res.Last().Toolchain.GOARCH))},
		{Name: "Go", Value: res.Last().Toolchain.GOVERSION},
		{Name: "GOMAXPROCS", Value: strings.TrimPrefix(procs, ", ")},
		{Name: "Counts", Value: counts},
		{Name: "Rounds", Value: fmt.Sprintf("%d, blocks of %s", res.Rounds, blocks)},
		{Name: "Took", Value: res.Elapsed.Round(time.Second).String()},
		{Name: "Measured by", Value: version() + " on " + runtime.GOOS},
	}
	if res.Load.Known {
		facts = append(facts, htmlreport.Fact{Name: "Load", Value: loads(res)})
	}
	for _, m := range res.Last().Modules {
		facts = append(facts, htmlreport.Fact{Name: "Module", Value: m.Path + commit(m)})
	}
	return facts
}

// commit names the commit of a module, if it is known.
func commit(m session.Module) string {
	switch {
	case m.Commit == "":
		return ""
	case m.Dirty:
		return " at commit " + m.Commit + ", with uncommitted changes"
	}
	return " at commit " + m.Commit
}

// path is the package that go run takes.
const path = "github.com/spare-go/spare/tools/cmd/spare"

// reproduce returns the commands that give the page again.
func reproduce(args []string, res *session.Result, groups []*compare.Group) []string {
	var quoted []string
	for _, a := range args {
		quoted = append(quoted, shellQuote(a))
	}
	where := ""
	for _, m := range res.Last().Modules {
		switch m.Subdir {
		case "":
			continue
		case ".":
			where = "# in the root of module " + m.Path
		default:
			where = "# in the directory " + m.Subdir + " of module " + m.Path
		}
		where += commit(m) + "\n"
		break
	}
	tail := strings.Join(append([]string{"report"}, quoted...), " ")
	col := "-col /" + reportKey + " "
	if !slices.ContainsFunc(groups, func(g *compare.Group) bool { return len(g.Members) > 1 }) {
		col = ""
	}
	return []string{
		where + "go run " + path + released() + " " + tail + "\n# the same, with spare installed\nspare " + tail,
		"benchstat " + col + "raw.txt    # with the raw data below in raw.txt",
	}
}

// shellQuote writes an argument for a shell. Control characters are written as bash
// and other shells of today read them.
func shellQuote(a string) string {
	switch {
	case plain.Text(a) != a:
		var b strings.Builder
		for _, c := range []byte(a) {
			switch {
			case c == '\'' || c == '\\':
				b.WriteString(`\` + string(rune(c)))
			case c >= ' ' && c < 0x7f:
				b.WriteByte(c)
			default:
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		return "$'" + b.String() + "'"
	case strings.ContainsAny(a, " \t\n'\"\\$*?[](){}|&;<>`~#!"):
		return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return a
}

// released returns @version if this is a build of a released version, with
// which go run needs nothing else.
func released() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+") {
		return ""
	}
	return "@" + info.Main.Version
}
