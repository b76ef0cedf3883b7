// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/gotest"
)

// Allocations are the profiles of one run in which every allocation of the
// measured operations was recorded: MemProfileRate is 1 while the timer runs,
// and 0 while it does not. Each counts from the start of the process.
type Allocations struct {
	Ops  int  // measured operations
	Loop bool // the benchmark uses b.Loop

	// Base is from before the measured operations, and End from after them, with
	// what a benchmark with b.Loop still holds counted as in use.
	Base, End *profile.Profile

	// OneBase and OneEnd enclose one more call of the benchmark function with
	// N=1: what it allocates before its loop, and one operation. nil with b.Loop.
	OneBase, OneEnd *profile.Profile

	// Mid is from the course of the run, as of the last collection until then;
	// nil if the run was too short for one.
	Mid *profile.Profile
}

// ErrNotExact is the error of profiling a side whose testing package is not
// ours.
var ErrNotExact = errors.New("the testing package of this toolchain cannot be made to profile the measured operations alone")

// Allocations runs a case for ops operations and records every allocation.
func (r *Runner) Allocations(ctx context.Context, c *Case, ops int) (*Allocations, error) {
	if !c.Side.Exact {
		return nil, ErrNotExact
	}
	dir, err := os.MkdirTemp(r.TempDir, "mem")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := r.profiled(ctx, c, ops, "-test.sparemem="+dir)
	if err != nil {
		return nil, err
	}
	a := &Allocations{Ops: s.Iters, Loop: s.Loop}
	for _, f := range []struct {
		name     string
		to       **profile.Profile
		optional bool
	}{
		{"base", &a.Base, false}, {"end", &a.End, false},
		{"one-base", &a.OneBase, s.Loop}, {"one-end", &a.OneEnd, s.Loop}, {"mid", &a.Mid, true},
	} {
		*f.to, err = readProfile(filepath.Join(dir, f.name))
		if err != nil && !(f.optional && errors.Is(err, fs.ErrNotExist)) {
			return nil, fmt.Errorf("profiling %s in package %s: %w", c.Name, c.Package.ImportPath, err)
		}
	}
	return a, nil
}

// CPU runs a case for ops operations under the CPU profiler, at its usual 100
// samples a second: at higher rates systems deliver fewer than they should. The
// sample has the CPU time that the run really took.
func (r *Runner) CPUProfile(ctx context.Context, c *Case, ops int) (*profile.Profile, Sample, error) {
	if !c.Side.Exact {
		return nil, Sample{}, ErrNotExact
	}
	dir, err := os.MkdirTemp(r.TempDir, "cpu")
	if err != nil {
		return nil, Sample{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "cpu")
	s, err := r.profiled(ctx, c, ops, "-test.sparecpu="+file)
	if err != nil {
		return nil, s, err
	}
	p, err := readProfile(file)
	if err != nil {
		return nil, s, fmt.Errorf("profiling %s in package %s: %w", c.Name, c.Package.ImportPath, err)
	}
	return p, s, nil
}

func (r *Runner) profiled(ctx context.Context, c *Case, ops int, flag string) (Sample, error) {
	recs, err := r.start(ctx, c.Side, c.Package, process{
		pattern: gotest.Exactly(c.Name), benchtime: fmt.Sprintf("%dx", max(ops, 2)), procs: c.Procs,
		args: []string{flag},
	})
	if err != nil {
		return Sample{}, err
	}
	return sample(recs, c)
}

func readProfile(path string) (*profile.Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return profile.Parse(f)
}
