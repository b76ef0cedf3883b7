// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
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
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/session"
)

var reportCommand = command{
	name:  "report",
	short: "measure benchmarks and write one page that shows what reuse buys",
	run:   report,
}

const reportManual = `
usage: spare report [flags] [packages]

Report measures the benchmarks of the packages (default: ./...) as spare bench
does, groups those whose names differ in /impl=value only, prints a table, and
writes one self-contained HTML page.

Without -benchtime, the length of each block follows from -budget: the time that
all measuring together should take, building not included. Where the machine is
too slow or too busy for -count rounds within it, there are fewer, but not fewer
than 6, and a warning says so. Six rounds of benchmarks whose single operation is
long may exceed it.
`

// reportKey is the key that the groups of a report differ in.
const reportKey = "impl"

func report(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	var f benchFlags
	f.register(fs, 12, "")
	budget := fs.Duration("budget", 75*time.Second, "measure for about `d` in all, unless -benchtime is set")
	out := fs.String("o", "spare-report.html", "write the page to `file`")
	packages, code, over := parse(fs, reportManual, stdout, stderr, args)
	if over {
		return code
	}
	o, err := f.options()
	if err == nil && *budget <= 0 {
		err = fmt.Errorf("-budget %v: want a positive duration", *budget)
	}
	if err == nil && *out == "" {
		err = fmt.Errorf("-o: want the name of a file")
	}
	if err != nil {
		return fail(stderr, "report", err, false)
	}
	if o.Packages = packages; len(packages) == 0 {
		o.Packages = []string{"./..."}
	}
	o.By, o.ByOptional, o.Budget = reportKey, true, *budget

	// Before the work, not after it: the file can be written.
	file, err := atomicfile.Create(*out)
	if err != nil {
		return fail(stderr, "report", fmt.Errorf("-o: cannot write: %w", err), false)
	}
	defer file.Abort()

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
	res, err := session.Run(ctx, o)
	o.Progress.Clear()
	if err == nil {
		err = w.err
	}
	if err != nil {
		return fail(stderr, "report", err, ctx.Err() != nil)
	}
	groups := compare.By(res.Series, reportKey)
	page := &htmlreport.Page{
		Title:    title(groups),
		Facts:    facts(res, blocks(res, f.benchtime)),
		Commands: reproduce(args, res, groups),
		Exact:    res.Exact,
		Rounds:   res.Rounds,
		Key:      reportKey,
		Groups:   groups,
		Warnings: append(sessionWarnings(res, *budget), compare.Warnings(groups)...),
		Raw:      raw.String(),
		Replica:  replica.String(),
		Started:  res.Started,
	}
	if err = page.Write(file); err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fail(stderr, "report", fmt.Errorf("-o: cannot write %s: %w", *out, err), false)
	}
	if err := writeGroups(stdout, groups); err != nil {
		return fail(stderr, "report", err, false)
	}
	for _, text := range page.Warnings {
		fmt.Fprintf(stderr, "spare report: warning: %s\n", text)
	}
	fmt.Fprintf(stdout, "\n%s, %s of %s, %v in all; the page is %s\n",
		machine(res), format.Plural(res.Rounds, "round"), blocks(res, f.benchtime), res.Elapsed.Round(time.Second), *out)
	return exitOK
}

// sessionWarnings says that the machine was busy, and what the budget did to the
// rounds, or they to it.
func sessionWarnings(res *session.Result, budget time.Duration) (out []string) {
	if res.Busy() {
		out = append(out, fmt.Sprintf("the machine was busy with other work (%s): times vary more, and more ratios are not told from 1", loads(res)))
	}
	if res.Rounds >= res.Planned {
		return out
	}
	text := fmt.Sprintf("%d rounds instead of %d, to keep within -budget %v", res.Rounds, res.Planned, budget)
	if res.Measuring > budget+budget*3/20 {
		text = fmt.Sprintf("%d rounds instead of %d, the least there are, and yet they took %v where -budget is %v",
			res.Rounds, res.Planned, res.Measuring.Round(time.Second), budget)
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
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", cpu, res.NumCPU, res.Toolchain.GOOS, res.Toolchain.GOARCH, res.Toolchain.GOVERSION)
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
		{Name: "Machine", Value: strings.TrimSpace(fmt.Sprintf("%s, %d CPUs, %s/%s", res.CPU, res.NumCPU, res.Toolchain.GOOS, res.Toolchain.GOARCH))},
		{Name: "Go", Value: res.Toolchain.GOVERSION},
		{Name: "GOMAXPROCS", Value: strings.TrimPrefix(procs, ", ")},
		{Name: "Counts", Value: counts},
		{Name: "Rounds", Value: fmt.Sprintf("%d, blocks of %s", res.Rounds, blocks)},
		{Name: "Took", Value: res.Elapsed.Round(time.Second).String()},
		{Name: "Measured by", Value: version() + " on " + runtime.GOOS},
	}
	if res.Load.Known {
		facts = append(facts, htmlreport.Fact{Name: "Load", Value: loads(res)})
	}
	for _, m := range res.Modules {
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
		if strings.ContainsAny(a, " \t\n'\"\\$*?[](){}|&;<>`~#!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		quoted = append(quoted, a)
	}
	where := ""
	for _, m := range res.Modules {
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

// released returns @version if this is a build of a released version, with
// which go run needs nothing else.
func released() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+") {
		return ""
	}
	return "@" + info.Main.Version
}
