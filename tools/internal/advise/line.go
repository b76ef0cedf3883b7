// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/session"
)

// ErrNotRead is the error of a line whose file is in no package that was read.
var ErrNotRead = errors.New("the file is in none of the packages that were looked at; name its package, or take a profile in which it occurs")

// Line tells the story of one line of an absolute path. Where the compiler's word is
// all there is to say of it, nothing is profiled; otherwise those benchmarks of
// o.Packages are that may run the line (see [Benchmarks]), by default of the line's
// own package. all says that o.Bench is the user's choice, so that only packages are
// left out.
func Line(ctx context.Context, o session.Options, benchtime time.Duration, file string, line int, all bool) (*Report, error) {
	o.Progress.Phase("asking the compiler about %s:%d", filepath.Base(file), line)
	d := new(Data)
	pkg, err := d.load(ctx, o, filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	if !d.Program.Contains(file) {
		return nil, ErrNotRead
	}
	if d.settled(file, line) {
		return Explain(d, &Report{Source: pkg.ImportPath, settled: true}, file, line), nil
	}
	if len(o.Packages) == 0 {
		o.Packages = []string{pkg.ImportPath}
	} else if o.Packages, err = dependents(ctx, o, pkg.ImportPath); err != nil {
		return nil, err
	}
	if names, err := d.benchmarksOf(ctx, o, pkg, file, line); err != nil {
		return nil, err
	} else if !all && len(names) > 0 {
		o.Progress.Note("%s may run the line: %s", format.Plural(len(names), "benchmark"), firstNames(names))
		for i := range names {
			names[i] = gotest.Exactly(names[i])
		}
		if o.Bench, err = gotest.ParsePattern(strings.Join(names, "|")); err != nil {
			return nil, err
		}
	} else if !all {
		o.Progress.Note("no benchmark of %s runs the line, as far as the source tells", strings.Join(o.Packages, " "))
		return Explain(d, &Report{Source: pkg.ImportPath, settled: true, unrun: true}, file, line), nil
	}
	profiled, err := Benchmarks(ctx, o, benchtime, true)
	if err != nil {
		return nil, err
	}
	r := Judge(profiled)
	if len(profiled.Groups) == 0 {
		r.Source, r.settled, r.unrun = pkg.ImportPath, true, true
	}
	return Explain(d, r, file, line), nil
}

// firstNames lists a few names.
func firstNames(names []string) string {
	const few = 4
	if n := len(names); n > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few-1], ", "), n-few+1)
	}
	return strings.Join(names, ", ")
}

// load reads the package in a directory, and asks the compiler about it.
func (d *Data) load(ctx context.Context, o session.Options, dir string) (gotest.Package, error) {
	tc := &gotest.Toolchain{Dir: o.Dir, Tags: o.Tags}
	if err := tc.Load(ctx); err != nil {
		return gotest.Package{}, err
	}
	pkgs, err := tc.List(ctx, []string{dir})
	if err != nil {
		return gotest.Package{}, err
	}
	if len(pkgs) != 1 {
		return gotest.Package{}, ErrNotRead
	}
	return pkgs[0], d.compile(ctx, o, pkgs)
}

// settled reports whether the compiler's word on a line is all there is to say: what
// it makes is on the stack, and nothing that may grow elsewhere belongs to it.
func (d *Data) settled(file string, line int) bool {
	makes, records := d.Program.Makes(file, line), d.Escape.At(file, line)
	if len(makes) == 0 && len(records) == 0 {
		return d.Escape.Asked(file)
	}
	if d.Program.Function(file, line) == nil {
		return false
	}
	for _, r := range records {
		if r.Heap || r.Varies() {
			return false
		}
	}
	for i := range makes {
		m := &makes[i]
		told := m.Kind == allocsite.Variable
		for _, r := range records {
			told = told || same(r, m)
		}
		switch m.Kind {
		case allocsite.Variable, allocsite.New, allocsite.Literal, allocsite.MakeSlice:
		default:
			return false
		}
		if !told || m.Var == "" || d.Program.Grows(file, line, m.Var) {
			return false
		}
	}
	return true
}

// dependents returns the packages, of those that the patterns match, whose tests may
// run code of a package.
func dependents(ctx context.Context, o session.Options, path string) ([]string, error) {
	cfg := &packages.Config{Context: ctx, Dir: o.Dir, Tests: true, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedForTest}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	loaded, err := packages.Load(cfg, o.Packages...)
	if err != nil {
		return nil, err
	}
	memo := make(map[*packages.Package]bool)
	var needs func(p *packages.Package) bool
	needs = func(p *packages.Package) bool {
		if has, ok := memo[p]; ok {
			return has
		}
		memo[p] = false
		has := basePath(p.PkgPath) == path
		for _, q := range p.Imports {
			has = needs(q) || has
		}
		memo[p] = has
		return has
	}
	var out []string
	for _, p := range loaded {
		of := p.ForTest
		if of == "" {
			of = strings.TrimSuffix(p.PkgPath, ".test")
		}
		if needs(p) && !slices.Contains(out, of) {
			out = append(out, of)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no package that matches %s uses %s, in which the line is", strings.Join(o.Packages, " "), path)
	}
	return out, nil
}

// benchmarksOf returns the benchmark functions of the packages that may run the line.
func (d *Data) benchmarksOf(ctx context.Context, o session.Options, pkg gotest.Package, file string, line int) ([]string, error) {
	prog := d.Program
	if !slices.Equal(o.Packages, []string{pkg.ImportPath}) {
		var err error
		if prog, err = allocsite.Load(ctx, o.Dir, o.Tags, nil, append(slices.Clone(o.Packages), pkg.ImportPath)...); err != nil {
			return nil, err
		}
	}
	own := func(path string) bool { return prog.Owns(allocsite.Frame{Func: path + ".F"}) }
	return reaching(prog, own, file, line), nil
}
