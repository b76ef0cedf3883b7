// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/progress"
)

// Service prepares the profile of a service. The source of what it runs is
// looked for in the modules of tc's directory; without it, the sites are the
// lines that the profile names. An error that wraps [allocsite.ErrKind] says that
// the profile is of another kind.
func Service(ctx context.Context, tc *gotest.Toolchain, p *profsource.Profile, line *progress.Line) (*Data, error) {
	samples, err := allocsite.Samples(p.P)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.From, err)
	}
	g := &Group{Samples: samples, Rate: float64(p.P.Period), Exact: p.P.Period == 1}
	d := &Data{Source: p.From, Groups: []*Group{g}}
	if s := p.Span.Seconds(); s > 0 {
		d.Span, g.Per, g.Count = s, "s", s
	}
	if slices.ContainsFunc(p.P.SampleType, func(t *profileType) bool { return t.Type == "inuse_objects" }) {
		g.Live = Live{Samples: samples, Count: g.Count}
	}
	modules, err := tc.MainModules(ctx)
	if err != nil {
		return nil, err
	}
	line.Phase("reading the source")
	return d, d.localSource(ctx, tc, modules)
}

// localSource reads the packages of the modules that occur in the samples, and
// asks the compiler about them. Without any, the program is what belongs neither
// to the standard library nor to a dependency.
func (d *Data) localSource(ctx context.Context, tc *gotest.Toolchain, modules []string) error {
	local := func(path string) bool {
		return slices.ContainsFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
	}
	var patterns []string
	add := func(pattern string) {
		if !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	for _, g := range d.Groups {
		for _, s := range g.Samples {
			for _, f := range s.Stack {
				switch path := allocsite.PackagePath(f.Func); {
				case local(path):
					add(strings.TrimSuffix(path, "_test"))
				case path == "main":
					// The symbols of a command do not have its import path.
					if dir := filepath.Dir(f.File); filepath.IsAbs(f.File) && isDir(dir) && len(modules) > 0 {
						add(dir)
					}
				}
			}
		}
	}
	if len(patterns) == 0 {
		d.Program = nil
		d.warnings = append(d.warnings, "no package of the profile is in a module of this directory: sites are the lines that the profile names, without reasons; run it in the module of the service")
		return nil
	}
	pkgs, err := tc.List(ctx, patterns)
	if err != nil {
		// The source here is another version than what ran, or does not build.
		d.warnings = append(d.warnings, fmt.Sprintf("the source cannot be used: %v", err))
		return nil
	}
	prog, err := allocsite.Load(ctx, tc.Dir, tc.Tags, func(path string) bool { return path == "main" || local(path) }, patterns...)
	if err != nil {
		return err
	}
	d.Program = prog
	dir, err := os.MkdirTemp(tc.TempDir, "escape")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if d.Escape, err = escape.Of(ctx, tc, pkgs, dir); err != nil && ctx.Err() == nil {
		d.warnings = append(d.warnings, fmt.Sprintf("no reasons why values escape: %v", err))
		err = nil
	}
	return err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
