// SPDX-License-Identifier: BSD-3-Clause

// Spare measures where memory reuse pays in Go programs, and finds its misuse.
//
// Run spare help for its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/suite"
)

// Exit codes.
const (
	exitOK          = 0
	exitFindings    = 1   // the command did its work and found something
	exitFailure     = 2   // the command could not do its work
	exitInterrupted = 130 // SIGINT or SIGTERM ended it
)

// A command is one sub-command of spare. run returns the exit code of the
// process; with -h it prints the command's manual.
type command struct {
	name  string
	short string // one line, for spare help
	run   func(ctx context.Context, stdout, stderr io.Writer, args []string) int
}

// commands are in the order of spare help.
var commands = []command{vetCommand, benchCommand, adviseCommand, reportCommand}

func main() {
	if vetcmd.IsTool(os.Args[1:]) {
		vetcmd.Tool(suite.Suite)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the program. Tests call it. All that it writes goes through a
// [plain.Writer].
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	out, diag := plain.NewWriter(stdout), plain.NewWriter(stderr)
	code := start(ctx, out, diag, args)
	if err := errors.Join(out.Flush(), diag.Flush()); err != nil && code == exitOK {
		return exitFailure
	}
	return code
}

func start(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	if len(args) == 0 {
		usage(stderr)
		return exitFailure
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(ctx, stdout, stderr, args)
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, version())
		return exitOK
	}
	if c := find(name); c != nil {
		return c.run(ctx, stdout, stderr, args)
	}
	fmt.Fprintf(stderr, "spare: unknown command %q; the commands are %s (see spare help)\n", name, names())
	return exitFailure
}

func find(name string) *command {
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &commands[i]
}

func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.name)
	}
	return strings.Join(append(all, "help", "version"), ", ")
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "Spare measures where memory reuse pays in Go programs, and finds its misuse.\n\nUsage:\n\n\tspare <command> [flags] [packages]\n\nCommands:\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t%-8s %s\n", c.name, c.short)
	}
	fmt.Fprintf(w, "\t%-8s %s\n\t%-8s %s\n", "help", "show the manual of a command", "version", "show the version")
	fmt.Fprintf(w, "\nExit codes: 0 done, 1 findings, 2 failure, 130 interrupted.\n")
}

func help(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	if len(args) == 0 {
		usage(stdout)
		return exitOK
	}
	c := find(args[0])
	if c == nil {
		fmt.Fprintf(stderr, "spare: no help for %q; the commands are %s\n", args[0], names())
		return exitFailure
	}
	return c.run(ctx, stdout, stderr, append([]string{"-h"}, args[1:]...))
}

// version names the build: module version, revision and Go version.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "spare (no build information)"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value
		}
	}
	return fmt.Sprintf("spare %s %s", v, info.GoVersion)
}
