// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/gotest"
)

// A Module is one that benchmarks were measured of.
type Module struct {
	Path string

	// Commit is the short name of the commit that was checked out, or "" if git
	// does not tell. Dirty says that tracked files differed from it.
	Commit string
	Dirty  bool

	// Subdir is the directory in which the session ran, relative to the module's
	// root; "." is the root. It is "" if the session ran outside the module.
	Subdir string
}

// modules describes the modules of the packages, in their order. Packages of
// the standard library have none.
func modules(ctx context.Context, dir string, pkgs []gotest.Package) []Module {
	var all []Module
	cwd, _ := filepath.Abs(dir)
	cwd = resolved(cwd)
	for _, p := range pkgs {
		if p.Module == "" || slices.ContainsFunc(all, func(m Module) bool { return m.Path == p.Module }) {
			continue
		}
		m := Module{Path: p.Module}
		if rel, err := filepath.Rel(resolved(p.ModuleDir), cwd); err == nil && filepath.IsLocal(rel) {
			m.Subdir = filepath.ToSlash(rel)
		}
		if out, err := git(ctx, p.ModuleDir, "rev-parse", "--short", "HEAD"); err == nil {
			m.Commit = out
			// The report's own file, and other untracked ones, are no changes.
			changes, err := git(ctx, p.ModuleDir, "status", "--porcelain", "--untracked-files=no")
			m.Dirty = err == nil && changes != ""
		}
		all = append(all, m)
	}
	return all
}

func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0") // only look
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// loadAverage returns the load average of the last minute, and whether the
// system tells (Linux).
func loadAverage() (float64, bool) {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(data), " ")
	v, err := strconv.ParseFloat(first, 64)
	return v, err == nil
}

// A Load is what the system had to do, as averages over a minute.
type Load struct {
	Before, After float64 // before building, and after the last round
	Known         bool
}

// Busy reports whether others than the session kept the machine busy: half of
// its CPUs before, or more threads after than the benchmarks and one more.
func (r *Result) Busy() bool {
	own := 0
	for _, s := range r.Series {
		own = max(own, min(s.Procs, r.NumCPU))
	}
	return r.Load.Known && (r.Load.Before > float64(r.NumCPU)/2 || r.Load.After > float64(own)+1)
}
