// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/rewrite"
	"github.com/spare-go/spare/tools/internal/tryout"
)

// TryOptions say which sites to try, and how.
type TryOptions struct {
	tryout.Options

	Dir      string   // where the go command runs
	Packages []string // whose tests and benchmarks count
	Limit    int      // the most changes to try; 0 is no bound

	// Patch leaves the trying out: the changes are only made.
	Patch bool
}

// A Try is what came of one place that was to be changed.
type Try struct {
	File   string
	Line   int
	What   string          // is made there
	Sites  []*Site         // those of the report that the place has
	Change *rewrite.Change // nil if there is no mechanical one
	Result *tryout.Result  // nil if it was not tried

	// Err is why there is no change, or no result.
	Err error
}

// Predicted returns the predictions for the benchmarks of a try, by the names
// that its result has.
func (t *Try) Predicted() map[string]tryout.Saving {
	out := make(map[string]tryout.Saving)
	for _, s := range t.Sites {
		p := s.Predicted
		if s.predictedTry != nil {
			p = s.predictedTry
		}
		if p != nil && s.Benchmark != "" {
			saving := tryout.Saving{Bytes: p.Bytes, GCs: p.GCs, CPU: p.CPU}
			if p.NoCPU {
				saving.CPU = [2]float64{math.NaN(), math.NaN()}
			}
			out[s.key()] = saving
		}
	}
	return out
}

// key names the site's benchmark as tryout does.
func (s *Site) key() string { return s.Package + "." + benchmarkName(s.Benchmark) }

// benchmarkName takes the suffix for GOMAXPROCS off.
func benchmarkName(full string) string {
	i := strings.LastIndexByte(full, '-')
	if i < 0 || strings.Trim(full[i+1:], "0123456789") != "" {
		return full
	}
	return full[:i]
}

// tryShare is the share of the bytes below which saving them is not worth a try.
const tryShare = 0.05

// Tries makes the mechanical change of each place of the report that is advised to
// pool, and tries it. What was measured becomes part of the report's sites. An
// error means that no place could be tried at all.
func Tries(ctx context.Context, r *Report, o TryOptions) ([]*Try, error) {
	var tries []*Try
	for i := range r.Sites {
		s := &r.Sites[i]
		if s.Verdict != PoolIt || strings.HasSuffix(s.File, "_test.go") {
			continue
		}
		if s.Share < tryShare || s.Predicted != nil && s.Predicted.Bytes[1] < tryShare {
			s.Try = fmt.Sprintf("not tried: it saves less than %s of the bytes", format.Percent(tryShare))
			continue
		}
		if s.byHand != "" {
			s.Try = "no mechanical change: " + s.byHand
			continue
		}
		at := slices.IndexFunc(tries, func(t *Try) bool { return t.File == s.File && t.Line == s.Line && t.What == s.What })
		if at < 0 {
			if o.Limit > 0 && len(tries) == o.Limit {
				continue
			}
			at = len(tries)
			tries = append(tries, &Try{File: s.File, Line: s.Line, What: s.What})
		}
		tries[at].Sites = append(tries[at].Sites, s)
	}
	if len(tries) == 0 {
		return nil, nil
	}
	pkgs, err := loadFor(ctx, tries, o)
	if err != nil {
		return nil, err
	}
	for _, t := range tries {
		if err := t.run(ctx, pkgs[filepath.Dir(t.File)], o); err != nil {
			return tries, err
		}
	}
	return tries, nil
}

// loadFor loads the packages of the places, by directory.
func loadFor(ctx context.Context, tries []*Try, o TryOptions) (map[string]*packages.Package, error) {
	o.Progress.Phase("looking for mechanical changes")
	var dirs, flags []string
	for _, t := range tries {
		if dir := filepath.Dir(t.File); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if o.Tags != "" {
		flags = append(flags, "-tags="+o.Tags)
	}
	loaded, err := rewrite.Load(ctx, o.Dir, nil, flags, dirs...)
	if err != nil {
		return nil, err
	}
	byDir := make(map[string]*packages.Package)
	for _, p := range loaded {
		if len(p.GoFiles) > 0 {
			byDir[filepath.Dir(p.GoFiles[0])] = p
		}
	}
	return byDir, nil
}

// run proposes and tries. An error is one of the context.
func (t *Try) run(ctx context.Context, pkg *packages.Package, o TryOptions) error {
	if pkg == nil {
		t.Err = fmt.Errorf("the package of %s cannot be loaded", filepath.Base(t.File))
		return nil
	}
	t.Change, t.Err = rewrite.Propose(pkg, rewrite.Site{File: t.File, Line: t.Line, Func: t.Sites[0].Func, What: t.What})
	if t.Err != nil {
		for _, s := range t.Sites {
			s.Try = "no mechanical change: " + t.Err.Error()
			if !errors.Is(t.Err, rewrite.ErrNotMechanical) {
				s.Try = t.Err.Error()
			}
		}
		return nil
	}
	var patch bytes.Buffer
	if err := tryout.WriteDiff(&patch, o.Dir, t.Change); err != nil {
		return err
	}
	var names []string
	for _, s := range t.Sites {
		s.Try, s.Patch = t.Change.Summary, patch.String()
		if s.Benchmark != "" {
			names = append(names, gotest.Exactly(benchmarkName(s.Benchmark)))
		}
	}
	if o.Patch {
		return nil
	}
	var err error
	if o.Bench, err = gotest.ParsePattern(strings.Join(names, "|")); err != nil {
		return err
	}
	if t.Result, t.Err = tryout.Run(ctx, o.Dir, o.Packages, t.Change, o.Options); t.Err != nil {
		if ctx.Err() != nil {
			return t.Err
		}
		for _, s := range t.Sites {
			s.Try = "could not be tried: " + t.Err.Error()
		}
		return nil
	}
	for _, s := range t.Sites {
		switch saved, ok := t.Result.Saved(s.key()); {
		case t.Result.Err != nil:
			s.Try = "the try failed: " + t.Result.Err.Error()
		case !t.Result.TestsPass:
			s.Try = "the try failed: tests fail with the change"
		case ok:
			if s.predictedTry != nil {
				s.Predicted = s.predictedTry
			}
			s.Measured = &Prediction{Bytes: known(saved.Bytes), GCs: known(saved.GCs), CPU: known(saved.CPU), NoCPU: math.IsNaN(saved.CPU[0])}
		}
	}
	return nil
}

// known replaces what is not known by 0: there was nothing to save.
func known(v [2]float64) [2]float64 {
	if math.IsNaN(v[0]) || math.IsNaN(v[1]) {
		return [2]float64{}
	}
	return v
}
