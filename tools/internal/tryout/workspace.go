// SPDX-License-Identifier: BSD-3-Clause

package tryout

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spare-go/spare/tools/internal/rewrite"
)

// goVersion is what spare's modules ask for.
const goVersion = "1.26.0"

// A module is one of the user's, as go list -m describes it.
type module struct {
	Path, Version, Dir, GoVersion string
	Main, Indirect                bool
	Error                         *struct{ Err string }
}

// workspace returns the environment in which the user's packages can import
// needed: that of this process, if they can already, or one with a workspace of
// its own.
func (t *try) workspace(ctx context.Context, needed []string) ([]string, error) {
	env := os.Environ()
	mains, err := t.modules(ctx)
	if err != nil {
		return nil, err
	}
	if len(mains) == 0 {
		return nil, fmt.Errorf("%s is in no module; the change can be tried in one only", cmp.Or(t.tc.Dir, "the current directory"))
	}
	if t.Spare == "" && t.has(ctx, needed) {
		return env, nil
	}
	dirs, versioned, err := t.source(needed)
	if err != nil {
		return nil, err
	}

	out, diag, err := t.command(ctx, t.tc.Dir, env, "env", "GOWORK")
	if err != nil {
		return nil, said("go env GOWORK", diag, err)
	}
	work, err := readWork(strings.TrimSpace(string(out)), t.tmp)
	if err != nil {
		return nil, err
	}
	if len(work.Use) == 0 {
		for _, m := range mains {
			if err := work.AddUse(m.Dir, m.Path); err != nil {
				return nil, err
			}
		}
	}
	have := func(path string) bool {
		return slices.ContainsFunc(mains, func(m module) bool { return m.Path == path })
	}
	for path, dir := range dirs {
		if have(path) {
			if err := dropUse(work, mains, path); err != nil {
				return nil, err
			}
		}
		if err := work.AddUse(dir, path); err != nil {
			return nil, err
		}
	}
	if versioned != "" {
		shim, err := t.shim(ctx, needed, versioned)
		if err != nil {
			return nil, err
		}
		if err := work.AddUse(shim, "spare.invalid/try"); err != nil {
			return nil, err
		}
	}
	lang := goVersion
	for _, m := range mains {
		if m.GoVersion != "" && version.Compare("go"+m.GoVersion, "go"+lang) > 0 {
			lang = m.GoVersion
		}
	}
	if work.Go != nil && version.Compare("go"+work.Go.Version, "go"+lang) > 0 {
		lang = work.Go.Version
	}
	if err := work.AddGoStmt(lang); err != nil {
		return nil, err
	}
	// The runtime's compatibility settings go by the workspace's version.
	if len(work.Godebug) == 0 && mains[0].GoVersion != "" && version.Compare("go"+mains[0].GoVersion, "go1.21") >= 0 && version.Compare("go"+mains[0].GoVersion, "go"+lang) < 0 {
		major := strings.TrimPrefix(version.Lang("go"+mains[0].GoVersion), "go")
		if err := work.AddGodebug("default", "go"+major); err != nil {
			return nil, err
		}
	}
	work.Cleanup()
	file := filepath.Join(t.tmp, "go.work")
	if err := os.WriteFile(file, modfile.Format(work.Syntax), 0o666); err != nil {
		return nil, err
	}
	before := t.buildList(ctx, env)
	changed := append(slices.Clip(env), "GOWORK="+file, "GOFLAGS="+workFlags(t.tc.GOFLAGS))
	after := t.buildList(ctx, changed)
	for _, path := range slices.Sorted(keysOf(before)) {
		if a, ok := after[path]; ok && a != before[path] {
			t.res.Notes = append(t.res.Notes, fmt.Sprintf("spare's modules ask for %s %s; the user's build has %s. Both sides were built with %s", path, a, before[path], a))
		}
	}
	return changed, nil
}

func keysOf(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// workFlags takes out of GOFLAGS what a workspace refuses.
func workFlags(flags string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
		f = strings.TrimLeft(f, "-")
		return strings.HasPrefix(f, "mod=") || strings.HasPrefix(f, "modfile=")
	}), " ")
}

// modules returns the main modules of the user's build.
func (t *try) modules(ctx context.Context) ([]module, error) {
	out, diag, err := t.command(ctx, t.tc.Dir, os.Environ(), "list", "-m", "-json=Path,Version,Dir,GoVersion,Main")
	if err != nil {
		return nil, said("go list -m", diag, err)
	}
	var found []module
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m module
		if err := dec.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		if m.Main && m.Dir != "" {
			found = append(found, m)
		}
	}
	return found, nil
}

// has reports whether the user's build has the modules already.
func (t *try) has(ctx context.Context, needed []string) bool {
	out, _, err := t.command(ctx, t.tc.Dir, os.Environ(), append([]string{"list", "-m", "-e", "-json=Path,Version,Dir,Main,Indirect,Error"}, needed...)...)
	if err != nil {
		return false
	}
	n := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m module
		if dec.Decode(&m) != nil {
			break
		}
		if m.Error == nil && (m.Main || m.Dir != "" && !m.Indirect) {
			n++
		}
	}
	return n == len(needed)
}

// buildList returns the versions of the modules that the build selects, as far
// as the go command tells.
func (t *try) buildList(ctx context.Context, env []string) map[string]string {
	list := map[string]string{}
	out, _, err := t.command(ctx, t.tc.Dir, env, "list", "-m", "-f", "{{if .Version}}{{.Path}} {{.Version}}{{end}}", "all")
	if err != nil {
		return list
	}
	for line := range strings.Lines(string(out)) {
		if path, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			list[path] = v
		}
	}
	return list
}

// source says where spare's modules are: in directories, by path, or at a
// version.
func (t *try) source(needed []string) (dirs map[string]string, version string, err error) {
	root := t.Spare
	if root == "" {
		if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Path, rewrite.SpareModule) {
			if v := info.Main.Version; v != "" && v != "(devel)" && !strings.Contains(v, "+dirty") && !strings.HasPrefix(v, "v0.0.0-") {
				return nil, v, nil
			}
		}
		if root = checkout(); root == "" {
			return nil, "", fmt.Errorf("this build of spare has no version, and its source is not here: say with -spare DIR where a checkout of %s is", rewrite.SpareModule)
		}
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, "", err
	}
	dirs = map[string]string{}
	// The codecs need the root.
	for _, path := range append([]string{rewrite.SpareModule}, needed...) {
		dir := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(path, rewrite.SpareModule)))
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil || modfile.ModulePath(data) != path {
			return nil, "", fmt.Errorf("-spare %s: %s does not hold the module %s", root, dir, path)
		}
		dirs[path] = dir
	}
	return dirs, "", nil
}

// checkout returns the root of the checkout that the program was built of, or "".
func checkout() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	root := filepath.Join(filepath.Dir(file), "..", "..", "..")
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || modfile.ModulePath(data) != rewrite.SpareModule {
		return ""
	}
	return root
}

// readWork reads the workspace of the user, if there is one, for a file in dir:
// its paths become absolute, and its sums are copied.
func readWork(name, dir string) (*modfile.WorkFile, error) {
	if name == "" || name == "off" {
		return &modfile.WorkFile{Syntax: new(modfile.FileSyntax)}, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil, err
	}
	at := filepath.Dir(name)
	var dirs []*modfile.Use
	for _, u := range work.Use {
		dirs = append(dirs, &modfile.Use{Path: absolute(at, u.Path), ModulePath: u.ModulePath})
	}
	work.SetUse(dirs)
	for _, r := range slices.Clone(work.Replace) {
		if r.New.Version == "" {
			if err := work.AddReplace(r.Old.Path, r.Old.Version, absolute(at, r.New.Path), ""); err != nil {
				return nil, err
			}
		}
	}
	if sums, err := os.ReadFile(filepath.Join(at, "go.work.sum")); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "go.work.sum"), sums, 0o666); err != nil {
			return nil, err
		}
	}
	return work, nil
}

func absolute(at, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(at, path)
	}
	return filepath.Clean(path)
}

// dropUse takes a main module out of the workspace, for another copy of it.
func dropUse(work *modfile.WorkFile, mains []module, path string) error {
	for _, m := range mains {
		if m.Path == path {
			return work.DropUse(m.Dir)
		}
	}
	return nil
}

// shim writes a module that requires spare's at a version.
func (t *try) shim(ctx context.Context, needed []string, v string) (string, error) {
	dir := filepath.Join(t.tmp, "shim")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	mod := "module spare.invalid/try\n\ngo " + goVersion + "\n"
	src := "package try\n"
	for _, path := range needed {
		mod += "\nrequire " + path + " " + v + "\n"
		if path == rewrite.CodecModule {
			for _, p := range []string{"gzippool", "zstdpool", "jsonpool"} {
				src += "\nimport _ \"" + path + "/" + p + "\"\n"
			}
			continue
		}
		src += "\nimport _ \"" + path + "\"\nimport _ \"" + path + "/buffer\"\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "try.go"), []byte(src), 0o666); err != nil {
		return "", err
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if _, diag, err := t.command(ctx, dir, env, "mod", "tidy"); err != nil {
		return "", said(fmt.Sprintf("getting spare %s (or say with -spare DIR where a checkout is)", v), diag, err)
	}
	return dir, nil
}
