// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/session"
)

// benchFlags are the flags that bench and report share; they mean what they
// mean to go test.
type benchFlags struct {
	bench     string
	count     int
	benchtime string
	cpu       string
	tags      string
	timeout   time.Duration
}

func (f *benchFlags) register(fs *flag.FlagSet, count int, benchtime string) {
	fs.StringVar(&f.bench, "bench", ".", "measure the benchmarks that match `regexp`")
	fs.IntVar(&f.count, "count", count, "measure each benchmark in `n` rounds")
	fs.StringVar(&f.benchtime, "benchtime", benchtime, "run each block for `d`, a duration, or a number of operations such as 100x")
	fs.StringVar(&f.cpu, "cpu", "", "a comma-separated `list` of GOMAXPROCS values")
	fs.StringVar(&f.tags, "tags", "", "a comma-separated `list` of build tags")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Minute, "end a test process that runs longer than `d`; 0 is no limit")
}

// options checks the flags.
func (f *benchFlags) options() (session.Options, error) {
	o := session.Options{Count: f.count, Benchtime: f.benchtime, Tags: f.tags, Timeout: f.timeout}
	var err error
	if o.Bench, err = gotest.ParsePattern(f.bench); err != nil {
		return o, fmt.Errorf("-bench %s: %w", f.bench, err)
	}
	if f.count < 1 {
		return o, fmt.Errorf("-count %d: want at least 1", f.count)
	}
	if f.benchtime != "" && !validBenchtime(f.benchtime) {
		return o, fmt.Errorf("-benchtime %s: want a duration such as 250ms, or a number of operations such as 100x", f.benchtime)
	}
	if f.timeout < 0 {
		return o, fmt.Errorf("-timeout %v: want a duration that is not negative", f.timeout)
	}
	if f.cpu != "" {
		for field := range strings.SplitSeq(f.cpu, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(field))
			if err != nil || n < 1 {
				return o, fmt.Errorf("-cpu %s: %q is not a positive number", f.cpu, field)
			}
			o.Procs = append(o.Procs, n)
		}
	}
	return o, nil
}

func validBenchtime(s string) bool {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		v, err := strconv.Atoi(n)
		return err == nil && v > 0
	}
	d, err := time.ParseDuration(s)
	return err == nil && d > 0
}

// parse parses flags and packages in any order, as the go command's users are
// used to writing them. It returns the packages, and an exit code if the
// command is over.
func parse(fs *flag.FlagSet, manual string, stdout, stderr io.Writer, args []string) (packages []string, code int, over bool) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for len(args) > 0 {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stdout, "%s\n\nFlags:\n", strings.TrimSpace(manual))
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, exitOK, true
		}
		if err != nil {
			fmt.Fprintf(stderr, "spare %s: %s; see spare help %s\n", fs.Name(), plain.Message(err), fs.Name())
			return nil, exitFailure, true
		}
		// Parse stops at the first argument that is no flag, or after --.
		rest := fs.Args()
		dashes := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"
		args = rest
		for len(args) > 0 && (dashes || !strings.HasPrefix(args[0], "-")) {
			packages = append(packages, args[0])
			args = args[1:]
		}
	}
	return packages, 0, false
}

// fail reports why a command could not do its work.
func fail(stderr io.Writer, name string, err error, interrupted bool) int {
	if interrupted {
		fmt.Fprintf(stderr, "spare %s: interrupted\n", name)
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "spare %s: %s\n", name, plain.Message(err))
	return exitFailure
}

// warn prints the warnings of a command that did its work.
func warn(stderr io.Writer, name string, warnings []string) {
	for _, text := range warnings {
		fmt.Fprintf(stderr, "spare %s: warning: %s\n", name, plain.Text(text))
	}
}
