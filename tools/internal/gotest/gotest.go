// SPDX-License-Identifier: BSD-3-Clause

// Package gotest drives the go command: it learns the toolchain of a directory,
// finds the packages that have benchmarks, and builds their test binaries.
package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/proc"
)

// A Toolchain runs the go command in one directory. Dir, Tags, Env and TempDir
// are the caller's; [Toolchain.Load] fills the rest from go env.
type Toolchain struct {
	Dir     string // "" is the current directory
	Tags    string // for -tags
	TempDir string // the go command's own temporary files go here

	// Env is the go command's environment; nil is that of this process.
	Env []string

	GOROOT    string
	GOVERSION string
	GOOS      string
	GOARCH    string
	GOFLAGS   string
}

// Load asks the go command about itself.
func (t *Toolchain) Load(ctx context.Context) error {
	out, err := t.run(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("the go command is not on PATH; install Go from https://go.dev/dl/ or add its bin directory to PATH")
		}
		return err
	}
	if err := json.Unmarshal(out, t); err != nil {
		return fmt.Errorf("go env -json: %w", err)
	}
	return nil
}

// Flag returns the value of the flag name in GOFLAGS, or "".
func (t *Toolchain) Flag(name string) string {
	for _, f := range strings.Fields(t.GOFLAGS) {
		k, v, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if k == name {
			if v == "" {
				v = "true"
			}
			return v
		}
	}
	return ""
}

// A Package is a package that the user named.
type Package struct {
	ImportPath string
	Dir        string

	// Benchmarks are the names of its benchmark functions, in the order of the
	// files that the go command lists.
	Benchmarks []string

	// Tests says that it has test files.
	Tests bool

	// Module is the path of its module, and ModuleDir the module's root; "" for
	// the standard library.
	Module, ModuleDir string
}

// List returns the packages that the patterns match, in the go command's order.
// A package that cannot be loaded is an error that names it.
func (t *Toolchain) List(ctx context.Context, patterns []string) ([]Package, error) {
	args := []string{"list", "-e", "-json=ImportPath,Dir,Module,Error,TestGoFiles,XTestGoFiles"}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	args = append(append(args, "--"), patterns...)
	out, err := t.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
			Error                     *struct{ Err string }
			Module                    *struct{ Path, Dir string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil && !testOnly(p.Error.Err) {
			return nil, fmt.Errorf("package %s cannot be loaded: %s", p.ImportPath, strings.TrimSpace(p.Error.Err))
		}
		pkg := Package{ImportPath: p.ImportPath, Dir: p.Dir, Tests: len(p.TestGoFiles)+len(p.XTestGoFiles) > 0}
		if p.Module != nil {
			pkg.Module, pkg.ModuleDir = p.Module.Path, p.Module.Dir
		}
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			names, err := benchmarks(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, fmt.Errorf("package %s does not build: %w", p.ImportPath, err)
			}
			pkg.Benchmarks = append(pkg.Benchmarks, names...)
		}
		pkgs = append(pkgs, pkg)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	return pkgs, nil
}

// testOnly reports whether a load error only says that a package has nothing
// but tests, which is no error here.
func testOnly(msg string) bool { return strings.Contains(msg, "no non-test Go files") }

// benchmarks returns the names of the benchmark functions of a file.
func benchmarks(path string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && fn.Recv == nil && fn.Type.Params.NumFields() == 1 && isBenchmark(fn.Name.Name) {
			names = append(names, fn.Name.Name)
		}
	}
	return names, nil
}

// isBenchmark has go test's rule: what follows the prefix must not begin with
// a lower-case letter.
func isBenchmark(name string) bool {
	rest, ok := strings.CutPrefix(name, "Benchmark")
	if !ok || rest == "" {
		return ok
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r)
}

// Build builds the test binary of pkg at the path out. overlay is the file for
// -overlay, or "".
func (t *Toolchain) Build(ctx context.Context, pkg, out, overlay string) error {
	args := []string{"test", "-c", "-o", out}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if _, err := t.run(ctx, append(args, pkg)...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("package %s does not build; fix what go test -c %s reports:\n%w", pkg, pkg, err)
	}
	if _, err := os.Stat(out); err != nil {
		return fmt.Errorf("package %s has no test binary: go test -c wrote none", pkg)
	}
	return nil
}

// CompileTesting compiles package testing with an overlay.
func (t *Toolchain) CompileTesting(ctx context.Context, overlay string) error {
	_, err := t.run(ctx, "build", "-overlay", overlay, "testing")
	return err
}

// run returns what go prints on standard output. The text of an error is what
// it printed on standard error.
func (t *Toolchain) run(ctx context.Context, args ...string) ([]byte, error) {
	env := t.Env
	if env == nil {
		env = os.Environ()
	}
	env = env[:len(env):len(env)]
	if t.TempDir != "" {
		env = append(env, "GOTMPDIR="+t.TempDir)
	}
	cmd := proc.Command(ctx, t.Dir, env, "go", args...)
	var stdout bytes.Buffer
	var stderr proc.Output
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := proc.Run(ctx, cmd); err != nil {
		var exit *exec.ExitError
		if msg := strings.TrimSpace(stderr.String()); errors.As(err, &exit) && msg != "" {
			return nil, plain.Lines(errors.New(msg))
		}
		return nil, err
	}
	return stdout.Bytes(), nil
}
