// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/atomicfile"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/session"
)

var benchCommand = command{
	name:  "bench",
	short: "measure benchmarks: exact counts, cold, warm and after a collection, CPU time",
	run:   bench,
}

const benchManual = `usage: spare bench [flags] [packages]

Bench runs the Go benchmarks of the packages (default: the current directory's),
as they are, and prints the Go benchmark format, which benchstat reads. Beyond
what go test prints, and with fractions to a millionth instead of whole numbers:

	cpu-ns/op                     CPU time of the process, user and system
	B/op, allocs/op               per operation when warm
	cold-B/op, cold-allocs/op     the first operation of a fresh process
	gc-B/op, gc-allocs/op         the first operation after two collections
	gc-cycles/op                  collections
	peak-B                        most resident memory of the process (Linux)

A benchmark that loops to b.N is called anew with N=1 for the cold figure and for
the one after collections. A pool that it makes itself is therefore new in both,
and what it does before its loop is part of both, unless it calls b.ResetTimer
there; a warning names the benchmarks concerned. With b.Loop neither holds.

Each benchmark runs in -count rounds. A round runs every benchmark once, in
random order, each in a process of its own.

With -by KEY, benchmarks whose names differ in /KEY=value only are compared: each
with the first, as a ratio with its 95% interval over the rounds. The first runs
twice in each round; how far it differs from itself is the noise floor, printed
beside it. A ratio with a ~ is not told from 1: the signed-rank test over all
comparisons (Holm) does not reject, or it is within the noise floor.
`

func bench(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	var f benchFlags
	f.register(fs, 12, "200ms")
	by := fs.String("by", "", "compare benchmarks that differ in this `key` of their names")
	out := fs.String("o", "", "write the measurements to `file` instead of standard output")
	packages, code, over := parse(fs, benchManual, stdout, stderr, args)
	if over {
		return code
	}
	o, err := f.options()
	if err != nil {
		return fail(stderr, "bench", err, false)
	}
	if o.Packages = packages; len(packages) == 0 {
		o.Packages = []string{"."}
	}
	o.By = *by

	// Measurements go to the file, to standard output round by round, or, with
	// -by alone, nowhere: the comparison is the output then.
	var file *atomicfile.File
	sink := stdout
	switch {
	case *out != "":
		if file, err = atomicfile.Create(*out); err != nil {
			return fail(stderr, "bench", fmt.Errorf("-o: cannot write: %w", err), false)
		}
		defer file.Abort()
		sink = file
	case *by != "":
		sink = io.Discard
	}
	w := newFormatWriter(sink)
	o.Progress = progress.New(stderr)
	o.Round = w.round
	res, err := session.Run(ctx, o)
	o.Progress.Clear()
	if err == nil {
		err = w.err
	}
	if err == nil && file != nil {
		if err = file.Commit(); err != nil {
			err = fmt.Errorf("-o: cannot write: %w", err)
		}
	}
	if err != nil {
		return fail(stderr, "bench", err, ctx.Err() != nil)
	}
	groups := compare.By(res.Series, *by)
	if *by != "" {
		if err := writeGroups(stdout, groups); err != nil {
			return fail(stderr, "bench", err, false)
		}
	}
	for _, text := range append(sessionWarnings(res, 0), compare.Warnings(groups)...) {
		fmt.Fprintf(stderr, "spare bench: warning: %s\n", text)
	}
	return exitOK
}

// A formatWriter writes samples in the Go benchmark format, and keeps the first
// error.
type formatWriter struct {
	w     *benchfmt.Writer
	begun bool
	err   error
}

func newFormatWriter(w io.Writer) *formatWriter { return &formatWriter{w: benchfmt.NewWriter(w)} }

func (w *formatWriter) write(rec benchfmt.Record) {
	if w.err == nil {
		w.err = w.w.Write(rec)
	}
}

// round writes the last sample of each series.
func (w *formatWriter) round(r *session.Result, series []*measure.Series) {
	for _, s := range series {
		w.sample(r, s.Case, s.Samples[len(s.Samples)-1])
	}
}

func (w *formatWriter) sample(r *session.Result, c *measure.Case, s measure.Sample) {
	if !w.begun {
		w.begun = true
		for _, unit := range measure.Units {
			w.write(&benchfmt.UnitMetadata{
				UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"},
				OrigUnit:        unit, Value: "lower",
			})
		}
	}
	name := bytes.TrimPrefix([]byte(c.FullName()), []byte("Benchmark"))
	values := make([]benchfmt.Value, len(s.Values))
	for i, v := range s.Values {
		values[i] = benchfmt.Value{Value: round(v.Value, v.Unit), Unit: v.Unit}
	}
	w.write(&benchfmt.Result{Config: r.Config(c), Name: name, Iters: s.Iters, Values: values})
}

// round drops digits that no measurement supports: clocks are worth six
// significant ones, and counts per operation six decimals, since a millionth of
// an allocation is the runtime's own work in the background.
func round(v float64, unit string) float64 {
	text := strconv.FormatFloat(v, 'f', 6, 64)
	if strings.HasSuffix(unit, "ns/op") || unit == "MB/s" {
		text = strconv.FormatFloat(v, 'g', 6, 64)
	} else if !measured(unit) {
		return v // the benchmark's own
	}
	if r, err := strconv.ParseFloat(text, 64); err == nil {
		return r
	}
	return v
}

// measured reports whether the values of a unit are counts that spare made.
func measured(unit string) bool {
	return unit == measure.BytesPerOp || unit == measure.AllocsPerOp || slices.Contains(measure.Units, unit)
}
