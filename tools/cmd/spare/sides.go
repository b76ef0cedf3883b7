// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/revision"
	"github.com/spare-go/spare/tools/internal/session"
)

// sideFlags are the flags that say which two builds to compare.
type sideFlags struct {
	base         string
	tagsA, tagsB string
	envA, envB   environment
	given        []string // those of them that were given, without -base
}

func (f *sideFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.base, "base", "", "compare with the commit `rev` of this git repository: side base, against side new, the working tree")
	fs.StringVar(&f.tagsA, "tags-a", "", "compare builds: side a has this `list` of build tags, besides -tags")
	fs.StringVar(&f.tagsB, "tags-b", "", "the `list` of build tags of side b")
	fs.Var(&f.envA, "env-a", "compare environments: side a has `NAME=VALUE`, for the go command and the benchmarks; may be repeated")
	fs.Var(&f.envB, "env-b", "`NAME=VALUE` of the environment of side b; may be repeated")
}

// environment is a list of NAME=VALUE; a value may hold commas.
type environment []string

func (e *environment) String() string { return strings.Join(*e, " ") }

// reserved are the variables that each process of a benchmark gets from spare.
var reserved = map[string]string{
	"GOMAXPROCS": "use -cpu", "PWD": "it is the directory of the package",
	"TMPDIR": "each process has its own", "TMP": "each process has its own", "TEMP": "each process has its own",
	"GOTMPDIR": "it is a temporary directory of this run",
}

func (e *environment) Set(s string) error {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return errors.New("want NAME=VALUE")
	}
	if why, ok := reserved[name]; ok {
		return fmt.Errorf("%s cannot be set: %s", name, why)
	}
	*e = append(*e, s)
	return nil
}

// check says which flags do not go together. It must be called after parsing.
func (f *sideFlags) check(fs *flag.FlagSet, by string) error {
	based := false
	fs.Visit(func(g *flag.Flag) {
		switch g.Name {
		case "base":
			based = true
		case "tags-a", "tags-b", "env-a", "env-b":
			f.given = append(f.given, "-"+g.Name)
		}
	})
	switch {
	case based && f.base == "":
		return errors.New("-base: want a commit, a branch or a tag, such as HEAD~1 or main")
	case based && len(f.given) > 0:
		return fmt.Errorf("-base and %s both say what the sides are; give one of them, and use -tags or the environment for what both sides share", f.given[0])
	case based && by != "":
		return errors.New("-base and -by both say what to compare; give one of them, and use -bench to choose benchmarks")
	case len(f.given) > 0 && by != "":
		return fmt.Errorf("%s and -by both say what to compare; give one of them, and use -bench to choose benchmarks", f.given[0])
	}
	return nil
}

// compared reports whether there are two sides.
func (f *sideFlags) compared() bool { return f.base != "" || len(f.given) > 0 }

// prepare sets the sides of o. The caller must call done, also after an error:
// it removes what the sides need.
func (f *sideFlags) prepare(ctx context.Context, o *session.Options) (notes []string, done func() error, err error) {
	done = func() error { return nil }
	switch {
	case f.base != "":
		return f.prepareBase(ctx, o)
	case len(f.given) > 0:
		side := func(name, tags string, env environment) session.Side {
			return session.Side{Name: name, Packages: o.Packages, Tags: join(o.Tags, tags), Env: env}
		}
		o.Sides = []session.Side{side("a", f.tagsA, f.envA), side("b", f.tagsB, f.envB)}
		if o.Sides[0].Tags == o.Sides[1].Tags && slices.Equal(o.Sides[0].Env, o.Sides[1].Env) {
			notes = append(notes, "both sides are the same build in the same environment: this is an A/A run")
		}
	}
	return notes, done, nil
}

func join(lists ...string) string {
	return strings.Join(slices.DeleteFunc(lists, func(s string) bool { return s == "" }), ",")
}

func (f *sideFlags) prepareBase(ctx context.Context, o *session.Options) (notes []string, done func() error, err error) {
	done = func() error { return nil }
	fail := func(err error) ([]string, func() error, error) {
		return nil, done, fmt.Errorf("-base %s: %w", f.base, err)
	}
	tmp, err := os.MkdirTemp("", "spare-base-")
	if err != nil {
		return fail(err)
	}
	o.Progress.Phase("checking out %s", f.base)
	t, err := revision.Checkout(ctx, "", f.base, filepath.Join(tmp, "tree"))
	if err != nil {
		os.RemoveAll(tmp)
		if ctx.Err() != nil {
			return nil, done, err
		}
		return fail(err)
	}
	done = func() error { return errors.Join(t.Remove(), os.RemoveAll(tmp)) }

	side := session.Side{Name: "base", Dir: t.Dir, Tags: o.Tags}
	for _, p := range o.Packages {
		// Relative patterns mean the same below the other directory; absolute ones
		// have to be moved there.
		if filepath.IsAbs(p) {
			root, rest := p, ""
			if i := strings.Index(p, "..."); i >= 0 {
				root, rest = filepath.Split(p[:i])
				rest += p[i:]
			}
			if moved, ok := t.Map(root); ok {
				p = filepath.Join(moved, rest)
			}
		}
		side.Packages = append(side.Packages, p)
	}
	// A workspace outside the repository does not know the checkout, and one
	// inside that the environment names is the working tree's.
	work, err := goWork(ctx)
	if err != nil {
		return fail(err)
	}
	if work != "" && work != "off" {
		moved, inside := t.Map(work)
		switch {
		case inside && os.Getenv("GOWORK") != "":
			side.Env = append(side.Env, "GOWORK="+moved)
		case !inside:
			notes = append(notes, fmt.Sprintf("the workspace %s lies outside the repository: side base is built without it", work))
			side.Env = append(side.Env, "GOWORK=off")
		}
	}
	o.Sides = []session.Side{side, {Name: "new", Packages: o.Packages, Tags: o.Tags}}
	switch {
	case t.Checked && !t.Dirty:
		notes = append(notes, fmt.Sprintf("%s is what the working tree has checked out, and no tracked file differs from it: this is an A/A run", f.base))
	case t.Dirty:
		notes = append(notes, "side new is the working tree with its uncommitted changes; side base is commit "+revision.Short(t.Commit)+" alone")
	}
	if t.Submodules {
		notes = append(notes, "submodules are not checked out on side base")
	}
	return notes, done, nil
}

// goWork returns the workspace file of the current directory, "off" or "".
func goWork(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOWORK: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// describeSides says what each side is, for people.
func describeSides(res *session.Result) []string {
	if len(res.Builds) < 2 {
		return nil
	}
	var all []string
	for _, b := range res.Builds {
		var parts []string
		for _, m := range b.Modules {
			if m.Commit != "" {
				parts = append(parts, m.Path+commit(m))
			}
		}
		if b.Tags != "" {
			parts = append(parts, "tags "+b.Tags)
		}
		if len(b.Env) > 0 {
			parts = append(parts, strings.Join(b.Env, " "))
		}
		if res.Builds[0].Toolchain.GOVERSION != res.Last().Toolchain.GOVERSION {
			parts = append(parts, b.Toolchain.GOVERSION)
		}
		if len(parts) == 0 {
			parts = append(parts, "as it is")
		}
		all = append(all, fmt.Sprintf("%s: %s", b.Name, strings.Join(parts, ", ")))
	}
	return all
}

// unmatched is a warning about the benchmarks that only one side has.
func unmatched(res *session.Result) []string {
	const few = 5
	if n := len(res.Unmatched); n > few {
		return append(slices.Clone(res.Unmatched[:few]), fmt.Sprintf("%s more on one side only", format.Plural(n-few, "benchmark or package")))
	}
	return res.Unmatched
}
