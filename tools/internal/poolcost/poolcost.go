// SPDX-License-Identifier: BSD-3-Clause

// Package poolcost measures what a pool costs on this machine, with the
// toolchain that builds the program under study.
package poolcost

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/proc"
)

//go:embed _main/main.go
var source []byte

// Measure returns what one Get and Put of a sync.Pool take in a loop, in
// nanoseconds: at best, and at most in three of four short runs. It builds and
// runs a program of its own, in the directory tmp, with the go command of dir and
// the environment env.
func Measure(ctx context.Context, dir, tmp string, env []string) (cost [2]float64, err error) {
	if tmp, err = os.MkdirTemp(tmp, "cost"); err != nil {
		return cost, err
	}
	defer os.RemoveAll(tmp)
	file, bin := filepath.Join(tmp, "main.go"), filepath.Join(tmp, "cost")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return cost, err
	}
	if env == nil {
		env = os.Environ()
	}
	// Neither flags nor modules of the program have a say in what this one is.
	env = append(env[:len(env):len(env)], "GOWORK=off", "GO111MODULE=off", "GOFLAGS=", "GOTMPDIR="+tmp)
	var out proc.Output
	build := proc.Command(ctx, dir, env, "go", "build", "-o", bin, file)
	build.Stdout, build.Stderr = &out, &out
	if err := proc.Run(ctx, build); err != nil {
		return cost, fmt.Errorf("building the program that measures a pool: %w\n%w", err, plain.Lines(errors.New(out.String())))
	}
	out = proc.Output{}
	run := proc.Command(ctx, tmp, env, bin)
	run.Stdout, run.Stderr = &out, &out
	if err := proc.Run(ctx, run); err != nil {
		return cost, fmt.Errorf("measuring a pool: %w\n%w", err, plain.Lines(errors.New(out.String())))
	}
	if _, err := fmt.Sscan(out.String(), &cost[0], &cost[1]); err != nil || cost[0] <= 0 || cost[1] < cost[0] {
		return cost, fmt.Errorf("measuring a pool: it printed %q", out.String())
	}
	return cost, nil
}
