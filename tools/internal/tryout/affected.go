// SPDX-License-Identifier: BSD-3-Clause

package tryout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/proc"
)

var nan = math.NaN()

// An overlayFile is what the go command reads for -overlay.
type overlayFile struct{ Replace map[string]string }

func (o *overlayFile) read(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if o.Replace == nil {
		o.Replace = map[string]string{}
	}
	return nil
}

func (o *overlayFile) write(name string) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}

// command runs the go command, and returns what it prints on standard output
// and on standard error. The error of one that fails is an *exec.ExitError.
func (t *try) command(ctx context.Context, dir string, env []string, args ...string) (stdout []byte, stderr string, err error) {
	if env == nil {
		env = t.tc.Env
	}
	if env == nil {
		env = os.Environ()
	}
	cmd := proc.Command(ctx, dir, append(env[:len(env):len(env)], "GOTMPDIR="+t.tmp), "go", args...)
	var out bytes.Buffer
	var diag proc.Output
	cmd.Stdout, cmd.Stderr = &out, &diag
	err = proc.Run(ctx, cmd)
	return out.Bytes(), strings.TrimSpace(diag.String()), err
}

// said makes an error of what a command printed.
func said(what string, stderr string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && stderr != "" {
		return fmt.Errorf("%s: %w", what, plain.Lines(errors.New(stderr)))
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (t *try) tags() []string {
	if t.Tags == "" {
		return nil
	}
	return []string{"-tags", t.Tags}
}

// affected returns those of the packages whose tests can see the change, in the
// order of the go command.
func (t *try) affected(ctx context.Context, patterns []string) ([]gotest.Package, error) {
	t.phase("finding the packages that depend on %s", shortPath(t.res.Change.File))
	all, err := t.tc.List(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if t.changed, err = t.changedPackage(ctx); err != nil {
		return nil, err
	}
	args := append([]string{"list", "-e", "-test", "-json=ImportPath,ForTest,Deps"}, t.tags()...)
	out, diag, err := t.command(ctx, t.tc.Dir, nil, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, said("go list -test", diag, err)
	}
	sees := map[string]bool{t.changed: true}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, ForTest string
			Deps                []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list -test: %w", err)
		}
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if p.ForTest != "" {
			path = p.ForTest
		}
		path = strings.TrimSuffix(path, ".test")
		for _, d := range p.Deps {
			if d, _, _ = strings.Cut(d, " "); d == t.changed {
				sees[path] = true
			}
		}
	}
	found := slices.DeleteFunc(all, func(p gotest.Package) bool { return !sees[p.ImportPath] })
	if len(found) == 0 {
		return nil, fmt.Errorf("no package of %s depends on %s, which the change is in", strings.Join(patterns, " "), t.changed)
	}
	return found, nil
}

func (t *try) changedPackage(ctx context.Context) (string, error) {
	dir := filepath.Dir(t.res.Change.File)
	out, diag, err := t.command(ctx, dir, nil, append(append([]string{"list", "-f", "{{.ImportPath}}"}, t.tags()...), ".")...)
	if err != nil {
		return "", said("the package in "+dir, diag, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func shortPath(name string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return name
}
