// SPDX-License-Identifier: BSD-3-Clause

package gotest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/proc"
)

// Explain compiles pkg, with its tests if it has any, and has the compiler say
// what it decided: as JSON below dir, which must be new and empty, and in words
// (-m), which it returns. The go command replays the words from its build cache,
// but not the JSON; a new directory makes it compile again.
func (t *Toolchain) Explain(ctx context.Context, pkg Package, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	gcflags := "-gcflags=-m=1 -json=0,file://" + filepath.ToSlash(filepath.Join(dir, "json"))
	args := []string{"build", "-o", os.DevNull, gcflags}
	if pkg.Tests {
		args = []string{"test", "-c", "-o", filepath.Join(dir, "explain.test.exe"), gcflags}
	}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	env := os.Environ()
	if t.TempDir != "" {
		env = append(env, "GOTMPDIR="+t.TempDir)
	}
	cmd := proc.Command(ctx, t.Dir, env, "go", append(args, pkg.ImportPath)...)
	var words bytes.Buffer
	cmd.Stderr = &words
	if err := proc.Run(ctx, cmd); err != nil {
		var exit *exec.ExitError
		if msg := strings.TrimSpace(words.String()); errors.As(err, &exit) && msg != "" {
			err = plain.Lines(errors.New(lastLines(msg, 20)))
		}
		return "", fmt.Errorf("package %s does not build: %w", pkg.ImportPath, err)
	}
	return words.String(), nil
}

// lastLines returns the end of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
