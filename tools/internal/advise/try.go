// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
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

	predicted map[string]*Prediction // by benchmark, of all sites together

	// Err is why there is no change, or no result.
	Err error
}

// Predicted returns the predictions for the benchmarks of a try, by the names
// that its result has.
func (t *Try) Predicted() map[string]tryout.Saving {
	out := make(map[string]tryout.Saving)
	for name, p := range t.predicted {
		saving := tryout.Saving{Bytes: p.Bytes, GCs: p.GCs, CPU: p.CPU}
		if p.NoCPU {
			saving.CPU = [2]float64{math.NaN(), math.NaN()}
		}
		out[name] = saving
	}
	return out
}

// predict sets predicted: sites of one change add up.
func (t *Try) predict() {
	t.predicted = make(map[string]*Prediction)
	for _, s := range t.Sites {
		p := s.Predicted
		if s.predictedTry != nil {
			p = s.predictedTry
		}
		if p == nil || s.Benchmark == "" {
			continue
		}
		sum := *p
		if have := t.predicted[s.key()]; have != nil {
			for i := range 2 {
				sum.Bytes[i] = clamp(sum.Bytes[i] + have.Bytes[i])
				sum.GCs[i] = clamp(sum.GCs[i] + have.GCs[i])
				sum.CPU[i] = clampSigned(sum.CPU[i] + have.CPU[i])
			}
			sum.NoCPU = sum.NoCPU || have.NoCPU
		}
		t.predicted[s.key()] = &sum
	}
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
// pool, and tries it. What was measured becomes part of the report's sites, and so
// does why nothing was tried. An error means that no place could be tried at all.
func Tries(ctx context.Context, r *Report, o TryOptions) ([]*Try, error) {
	var tries []*Try
	for i := range r.Sites {
		s := &r.Sites[i]
		if s.Try = untried(s); s.Try != "" {
			continue
		}
		at := slices.IndexFunc(tries, func(t *Try) bool { return t.File == s.File && t.Line == s.Line && t.What == s.What })
		if at < 0 {
			if o.Limit > 0 && len(tries) == o.Limit {
				s.Try = fmt.Sprintf("not tried: it is not among the first %d places (-n)", o.Limit)
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
	for i, t := range tries {
		if err := t.propose(r, pkgs[filepath.Dir(t.File)], o); err != nil {
			return tries, err
		}
		t.shareWith(tries[:i])
	}
	for _, t := range tries {
		if t.Change == nil || o.Patch {
			continue
		}
		t.predict()
		if err := t.run(ctx, o); err != nil {
			return tries, err
		}
	}
	return tries, nil
}

// untried returns why no change of a site is looked for, or "".
func untried(s *Site) string {
	switch {
	case s.Verdict == FixEscape:
		return "not tried: to fix an escape is no mechanical change"
	case s.Verdict != PoolIt:
		return "not tried: " + s.Verdict
	case strings.HasSuffix(s.File, "_test.go"):
		return "not tried: it is in a test file"
	case s.Share < tryShare || s.Predicted != nil && s.Predicted.Bytes[1] < tryShare:
		return fmt.Sprintf("not tried: it saves less than %s of the bytes", format.Percent(tryShare))
	case s.byHand != "":
		return "no mechanical change: " + s.byHand
	}
	return ""
}

// WriteUntried says of the sites of a report of which nothing was tried why that is:
// those of a kind together.
func WriteUntried(w io.Writer, r *Report) {
	dir, _ := os.Getwd()
	type group struct {
		why    string
		places []string
	}
	var groups []*group
	for i := range r.Sites {
		s := &r.Sites[i]
		if s.Try == "" || s.Patch != "" || s.Noise != "" {
			continue
		}
		why := strings.TrimPrefix(s.Try, "not tried: ")
		place := fmt.Sprintf("%s:%d", relative(dir, s.File), s.Line)
		at := slices.IndexFunc(groups, func(g *group) bool { return g.why == why })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{why: why})
		}
		if g := groups[at]; !slices.Contains(g.places, place) {
			g.places = append(g.places, place)
		}
	}
	if len(groups) == 0 {
		return
	}
	fmt.Fprintln(w, "not tried:")
	for _, g := range groups {
		text := strings.Join(g.places, ", ")
		if n := len(g.places); n > 3 {
			text = fmt.Sprintf("%s and %d more", strings.Join(g.places[:2], ", "), n-2)
		}
		wrap(w, "  ", "    ", text+": "+g.why)
	}
}

// shareWith gives the sites of a try to an earlier one that makes the same change.
func (t *Try) shareWith(earlier []*Try) {
	if t.Change == nil {
		return
	}
	for _, e := range earlier {
		if e.Change == nil || !maps.EqualFunc(e.Change.Files, t.Change.Files, bytes.Equal) {
			continue
		}
		for _, s := range t.Sites {
			if !slices.Contains(e.Sites, s) {
				e.Sites = append(e.Sites, s)
			}
		}
		t.Change, t.Err = nil, fmt.Errorf("it is the change of line %d", e.Line)
		return
	}
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

// propose looks for the change. An error means that none can be shown.
func (t *Try) propose(r *Report, pkg *packages.Package, o TryOptions) error {
	refuse := func(why string) {
		for _, s := range t.Sites {
			s.Try = why
		}
	}
	if pkg == nil {
		t.Err = fmt.Errorf("the package of %s cannot be loaded", filepath.Base(t.File))
		refuse(t.Err.Error())
		return nil
	}
	at := rewrite.Site{File: t.File, Line: t.Line, Func: t.Sites[0].Func, What: t.What}
	if t.Change, t.Err = rewrite.Propose(pkg, at); t.Err == nil && r.outgrown(t.Change) {
		at.Outgrown = true
		t.Change, t.Err = rewrite.Propose(pkg, at)
	}
	if t.Err == nil && t.Change.Kind == "json-decoder" && strings.HasSuffix(t.What, "(*Decoder).Decode") {
		t.Change, t.Err = nil, errors.New("the mechanical change is that of the json.Decoder alone; what is decoded stays new each time")
	}
	if t.Err != nil {
		if errors.Is(t.Err, rewrite.ErrNotMechanical) {
			refuse("no mechanical change: " + t.Err.Error())
		} else {
			refuse(t.Err.Error())
		}
		return nil
	}
	if t.Change.Object > 0 {
		if t.ofObject(r); t.Change == nil {
			return nil
		}
	}
	if t.Err == nil && t.Change.FirstOnly {
		if t.ofFirst(); t.Change == nil {
			return nil
		}
	}
	var patch bytes.Buffer
	if err := tryout.WriteDiff(&patch, o.Dir, t.Change); err != nil {
		return err
	}
	for _, s := range t.Sites {
		s.Try = strings.TrimSuffix(t.Change.Summary+"; "+s.Try, "; ")
		s.Patch = patch.String()
	}
	return nil
}

// outgrown reports whether append took larger arrays for the slice of a change than
// make gives it.
func (r *Report) outgrown(c *rewrite.Change) bool {
	return slices.ContainsFunc(r.Sites, func(s Site) bool {
		return s.outgrown && s.File == c.File && (s.Line == c.Decl || slices.Contains(c.Appends, s.Line))
	})
}

// ofFirst leaves out of the sites of a try what append makes: the change reuses the
// array alone that make made.
func (t *Try) ofFirst() {
	asked := t.Sites
	t.Sites = slices.DeleteFunc(slices.Clone(asked), func(s *Site) bool { return s.outgrown })
	why := fmt.Sprintf("only the array that is made on line %d could come from a pool, and what append makes when it is full stays new each time", t.Change.Decl)
	for _, s := range asked {
		if s.outgrown {
			s.Try = "no mechanical change: " + why
		}
	}
	if len(t.Sites) == 0 {
		t.Change, t.Err, t.Sites = nil, errors.New(why), asked
	}
}

// ofObject counts of the sites of a try only what the change reuses: the struct. What
// its fields refer to, and what fills it, is made anew.
func (t *Try) ofObject(r *Report) {
	object := fmt.Sprintf("the change reuses a struct of %d bytes alone", t.Change.Object)
	asked, most := t.Sites, 0.0
	t.Sites = nil
	for i := range r.Sites {
		s := &r.Sites[i]
		if s.File != t.File || s.Line != t.Change.Decl || !slices.ContainsFunc(asked, func(a *Site) bool { return a.key() == s.key() }) {
			continue
		}
		share := 0.0
		for size, part := range s.bySize {
			if size >= t.Change.Object && size <= t.Change.Object+t.Change.Object/4+8 {
				share += part
			}
		}
		if share == 0 {
			continue
		}
		s.Try = ""
		if share < 0.95 && s.Predicted != nil {
			whole := s.Predicted
			if s.predictedTry != nil {
				whole = s.predictedTry
			}
			s.predictedTry = whole.part(share)
			s.Try = fmt.Sprintf("%s, %s of the bytes of the site: the others are made anew", object, format.Percent(share))
		}
		most = max(most, share*s.Share)
		t.Sites = append(t.Sites, s)
	}
	if most < tryShare {
		t.Sites = nil
		object += fmt.Sprintf(", %s of the bytes", format.Percent(most))
	}
	for _, s := range asked {
		if !slices.Contains(t.Sites, s) {
			s.Try = fmt.Sprintf("no mechanical change: %s (line %d), and what %s makes stays new each time", object, t.Change.Decl, s.What)
		}
	}
	if len(t.Sites) == 0 {
		t.Change, t.Err, t.Sites = nil, errors.New(object), asked
	}
}

// part is a prediction of a share of what is predicted to be saved.
func (p *Prediction) part(share float64) *Prediction {
	q := *p
	for i := range 2 {
		q.Bytes[i], q.GCs[i] = share*p.Bytes[i], share*p.GCs[i]
		if q.CPU[i] > 0 {
			q.CPU[i] *= share // what is lost is the cost of the pool, for a part too
		}
	}
	return &q
}

// run tries the change. An error is one of the context.
func (t *Try) run(ctx context.Context, o TryOptions) error {
	var names []string
	for _, s := range t.Sites {
		if name := gotest.Exactly(benchmarkName(s.Benchmark)); s.Benchmark != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
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
			// What was measured is of all sites of the change, so this is, too.
			if p := t.predicted[s.key()]; p != nil {
				s.Predicted = p
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
