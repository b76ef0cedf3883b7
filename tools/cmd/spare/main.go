// SPDX-License-Identifier: BSD-3-Clause

// Spare measures where memory reuse pays in Go programs, and finds its misuse.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// A command is one sub-command of spare. run returns the exit code of the
// process: 0 for success, 1 for findings, 2 for failure.
type command struct {
	name  string
	short string // one line, for spare help
	run   func(ctx context.Context, stdout, stderr io.Writer, args []string) int
}

var commands = []command{}

func main() { os.Exit(run(context.Background(), os.Stdout, os.Stderr, os.Args[1:])) }

func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(ctx, stdout, stderr, args[1:])
			}
		}
	}
	fmt.Fprintln(stderr, "usage: spare vet | bench | advise | report")
	return 2
}
