// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/atomicfile"
	"github.com/spare-go/spare/tools/internal/benchjson"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/plain"
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

The same benchmarks can be compared in two builds, in the same way; the sides run
interleaved, and benchmarks that only one side has are left out:

	-base REV                 side base, a commit checked out in a temporary
	                          folder (git worktree) and removed afterwards,
	                          against side new, the working tree as it is
	-tags-a LIST -tags-b LIST side a against side b, by build tags
	-env-a N=V   -env-b N=V   side a against side b, by environment: of the go
	                          command (GOEXPERIMENT, GOAMD64, GOTOOLCHAIN, ...) and
	                          of the benchmarks (GOGC, GODEBUG, ...). For several
	                          variables, give the flag several times

-tags-a, -tags-b, -env-a and -env-b go together, and one side may be left as it
is; -base and -by go with none of them, nor with each other. Two equal sides are
an A/A run. In the measurements each side has its name under the key side:
benchstat -col side FILE.

With -by or two sides, standard output has the comparison, and -o FILE keeps the
measurements. With -json it has one JSON document instead, with everything:
measurements round by round, comparisons, warnings. docs/bench.md describes it.
`

func bench(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	var f benchFlags
	f.register(fs, 12, "200ms")
	by := fs.String("by", "", "compare benchmarks that differ in this `key` of their names")
	out := fs.String("o", "", "write the measurements to `file` instead of standard output")
	var sides sideFlags
	sides.register(fs)
	asJSON := fs.Bool("json", false, "print one JSON document on standard output")
	packages, code, over := parse(fs, benchManual, stdout, stderr, args)
	if over {
		return code
	}
	o, err := f.options()
	if err == nil {
		err = sides.check(fs, *by)
	}
	if err != nil {
		return fail(stderr, "bench", err, false)
	}
	if o.Packages = packages; len(packages) == 0 {
		o.Packages = []string{"."}
	}
	o.By = *by

	// Measurements go to the file, to standard output round by round, or, if the
	// comparison or the document is the output, nowhere.
	var file *atomicfile.File
	sink := stdout
	switch {
	case *out != "":
		if file, err = atomicfile.Create(*out); err != nil {
			return fail(stderr, "bench", fmt.Errorf("-o: cannot write: %w", err), false)
		}
		defer file.Abort()
		sink = plain.NewWriter(file)
	case *by != "" || sides.compared() || *asJSON:
		sink = io.Discard
	}
	w := newFormatWriter(sink)
	o.Progress = progress.New(stderr)
	o.Round = w.round
	notes, done, err := sides.prepare(ctx, &o)
	for _, n := range notes {
		o.Progress.Note("%s", n)
	}
	var res *session.Result
	if err == nil {
		res, err = session.Run(ctx, o)
	}
	o.Progress.Clear()
	if undone := done(); undone != nil {
		fmt.Fprintf(stderr, "spare bench: %s\n", plain.Message(undone))
	}
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
	var groups []*compare.Group
	if sides.compared() {
		groups = compare.BySide(res.Series)
	} else {
		groups = compare.By(res.Series, *by)
	}
	warnings := append(append(sessionWarnings(res, 0, 0), unmatched(res)...), compare.Warnings(groups)...)
	switch {
	case *asJSON:
		err = benchjson.New(res, groups, *by, version(), append(notes, warnings...)).Write(stdout)
	case sides.compared():
		for _, side := range describeSides(res) {
			fmt.Fprintln(stdout, plain.Text(side))
		}
		fallthrough
	case *by != "":
		err = writeGroups(stdout, groups)
	}
	if err != nil {
		return fail(stderr, "bench", err, false)
	}
	warn(stderr, "bench", warnings)
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

// round writes the last sample of each series, one side after the other.
func (w *formatWriter) round(r *session.Result, series []*measure.Series) {
	for _, b := range r.Builds {
		for _, s := range series {
			if s.Side.Name == b.Name {
				w.sample(r, s.Case, s.Samples[len(s.Samples)-1])
			}
		}
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
		values[i] = benchfmt.Value{Value: measure.Round(v.Value, v.Unit), Unit: v.Unit}
	}
	w.write(&benchfmt.Result{Config: r.Config(c), Name: name, Iters: s.Iters, Values: values})
}
