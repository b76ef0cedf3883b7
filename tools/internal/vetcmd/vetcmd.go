// SPDX-License-Identifier: BSD-3-Clause

// Package vetcmd is spare vet: it runs go vet with this very executable as
// the vet tool, and prints what comes back.
//
// The go command is the engine. It walks the graph of packages, hands each one
// to the tool together with the facts of its imports, and keeps facts and
// findings in its build cache, which GOCACHEPROG may share between machines. A
// package whose inputs are unchanged is not analysed again. What is added here:
// one order for the output whatever the order of the work, selection, SARIF,
// fixes, and exit codes.
package vetcmd

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/atomicfile"
	"github.com/spare-go/spare/tools/internal/plain"
)

// Exit codes.
const (
	clean       = 0
	findings    = 1
	failure     = 2
	interrupted = 130 // the context ended
)

const usage = `usage: spare vet [flags] [packages]

Vet reports misuse of pools in Go packages, the one in the current directory
by default. It exits with 0 when there is nothing to report, 1 when there is,
and 2 when it could not do its work. The standard library is left out; where
nothing else is named, nothing is analysed, and the exit code is 2.

  -json           print go vet's JSON tree on standard output
  -sarif FILE     also write the findings to FILE as SARIF 2.1.0 ("-": standard output)
  -fix            apply the first suggested fix of each finding, report the rest
  -diff           print what -fix would change, as a patch; change nothing
  -only PATTERNS  report these patterns only (comma-separated)
  -skip PATTERNS  do not report these patterns
  -tests=false    do not report in _test.go files, nor what only they show
                  (never reported in _test.go files: missing-put, retained-refs,
                  oversize-retention, stale-header, put-by-value,
                  put-local-addr, bootstrap-self-ref)
  -tags LIST      build tags, as for go build
  -related STYLE  related positions: indent, plain (go vet's form), none, or
                  auto: indent on a terminal, else plain

Other build flags are taken from GOFLAGS. 'spare help vet' lists the patterns,
'spare help vet PATTERN' explains one. The comment
"//spare:ignore PATTERN reason" silences one: at the end of a line of code on
that line, alone on its line on the next.
`

// options are the command line.
type options struct {
	json, fix, diff bool
	sarif, related  string
	build           []string
	packages        []string
	selection       Selection
}

// Run runs spare vet with the arguments that follow "vet", in the current
// directory, and returns the exit code. With -h it prints the manual, or the
// pages of the patterns that follow.
func Run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	opts, err := parseArgs(args)
	if errors.Is(err, flag.ErrHelp) {
		return help(stdout, stderr, opts.packages)
	}
	if err != nil {
		fmt.Fprintf(stderr, "spare vet: %s\nSee 'spare help vet'.\n", plain.Message(err))
		return failure
	}
	exit, err := run(ctx, stdout, stderr, opts)
	if ctx.Err() != nil {
		fmt.Fprintf(stderr, "spare vet: %v\n", context.Cause(ctx))
		return interrupted
	}
	if err != nil {
		fmt.Fprintf(stderr, "spare vet: %s\n", plain.Message(err))
		return failure
	}
	return exit
}

func parseArgs(args []string) (*options, error) {
	o := &options{}
	var only, skip, tags string
	var tests bool
	f := flag.NewFlagSet("vet", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.fix, "fix", false, "")
	f.BoolVar(&o.diff, "diff", false, "")
	f.BoolVar(&tests, "tests", true, "")
	f.StringVar(&o.sarif, "sarif", "", "")
	f.StringVar(&only, "only", "", "")
	f.StringVar(&skip, "skip", "", "")
	f.StringVar(&tags, "tags", "", "")
	f.StringVar(&o.related, "related", "auto", "")
	err := f.Parse(args)
	o.packages = f.Args()
	if err != nil {
		return o, err
	}
	var unsaid error
	f.Visit(func(f *flag.Flag) {
		if f.Value.String() != "" || unsaid != nil {
			return
		}
		switch f.Name {
		case "only", "skip":
			_, unsaid = parsePatterns("-"+f.Name, "")
		case "sarif":
			unsaid = errors.New(`-sarif: no file is named; name one ("-": standard output), or leave -sarif out`)
		}
	})
	if unsaid != nil {
		return nil, unsaid
	}
	for _, p := range o.packages {
		if strings.HasPrefix(p, "-") && p != "-" {
			return nil, fmt.Errorf("flag %s must come before the packages", p)
		}
	}
	if tags != "" {
		o.build = append(o.build, "-tags="+tags)
	}
	if !slices.Contains([]string{"auto", "indent", "plain", "none"}, o.related) {
		return nil, fmt.Errorf("-related: unknown style %q; use auto, indent, plain or none", o.related)
	}
	if o.diff && o.json {
		return nil, errors.New("-diff and -json both write to standard output; use one of them")
	}
	if o.sarif == "-" && (o.json || o.diff) {
		return nil, errors.New("-sarif - writes to standard output, and so does -json or -diff; name a file")
	}
	o.selection, err = NewSelection(only, skip, tests)
	return o, err
}

func run(ctx context.Context, stdout, stderr io.Writer, o *options) (int, error) {
	v, err := newVetting(ctx, o.build, o.packages, &o.selection, stderr)
	if err != nil {
		return 0, err
	}
	tree, short, err := v.analyse(ctx)
	if err != nil {
		return 0, err
	}
	found := tree.Findings()
	if short == nil && (o.fix || o.diff) && len(found) > 0 {
		if o.diff {
			found, err = v.preview(stdout, found)
		} else {
			tree, err = v.fix(ctx, tree)
			found = tree.Findings()
		}
		if err != nil {
			return 0, err
		}
	}
	if o.json {
		if err := tree.Write(stdout); err != nil {
			return 0, err
		}
	} else {
		writeText(stderr, found, o.related)
	}
	if short != nil {
		if short.messages != "" {
			fmt.Fprintln(stderr, plain.Block(short.messages))
		}
		err := errors.New(short.summary)
		if o.sarif != "" {
			err = fmt.Errorf("%w (%s was not written)", err, o.sarif)
		}
		return 0, err
	}
	if o.sarif != "" {
		if err := writeSARIFFile(stdout, o.sarif, tree.Findings()); err != nil {
			return 0, err
		}
	}
	if len(tree.Findings()) > 0 {
		return findings, nil
	}
	return clean, nil
}

// A vetting runs the analysis once or, to fix, several times.
type vetting struct {
	goVet
	named     named // what packages stands for
	listed    error // what kept the go command from telling; go vet says it, too
	selection *Selection
	stderr    io.Writer
}

// newVetting returns a vetting of packages by this very executable.
func newVetting(ctx context.Context, build, packages []string, s *Selection, stderr io.Writer) (*vetting, error) {
	tool, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this executable: %w", err)
	}
	env, err := readEnv(ctx)
	if err != nil {
		return nil, err
	}
	named, listed := resolve(ctx, build, packages)
	return &vetting{goVet{tool, env, build, packages, named.own}, named, listed, s, stderr}, nil
}

// analyse returns the selected part of what go vet found, and what is missing.
func (v *vetting) analyse(ctx context.Context) (Tree, *shortfall, error) {
	if v.named.standard {
		return Tree{}, v.named.standardLibrary(), nil
	}
	p := startProgress(v.stderr)
	analysed := 0
	tree, broken, err := v.run(ctx, func() { analysed++; p.step() })
	p.end()
	if err != nil {
		return nil, nil, err
	}
	if len(tree) > 0 && v.listed != nil {
		return nil, nil, v.listed
	}
	v.named.keep(tree)
	if v.env.trimpath(v.build) {
		if err := rebase(ctx, tree, v.build); err != nil {
			return nil, nil, err
		}
	}
	tree.Select(v.selection)
	messages := slices.DeleteFunc(append(tree.Errors(), broken), func(s string) bool { return s == "" })
	return tree, v.shortfall(strings.Join(messages, "\n"), analysed), nil
}

// preview prints the patch that fix would make first, and returns the findings
// that it does not mend.
func (v *vetting) preview(stdout io.Writer, found []Diagnostic) ([]Diagnostic, error) {
	plan, rest, err := planFixes(found, v.env.fixable)
	if err != nil {
		return nil, err
	}
	return rest, writeDiff(stdout, plan)
}

// maxRounds bounds how often fixes are applied and the packages analysed again.
const maxRounds = 10

// fix applies fixes until none is left, and returns what is still found. When
// a round breaks the build, its files are put back.
func (v *vetting) fix(ctx context.Context, tree Tree) (Tree, error) {
	applied, files := 0, make(map[string]bool)
	for range maxRounds {
		found := tree.Findings()
		plan, rest, err := planFixes(found, v.env.fixable)
		if err != nil {
			return nil, err
		}
		if len(plan) == 0 {
			break
		}
		if err := writeFiles(plan); err != nil {
			return nil, err
		}
		again, short, err := v.analyse(ctx)
		if err != nil {
			return nil, err
		}
		if short != nil {
			if err := restoreFiles(plan); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("a suggested fix breaks the build; the files are as they were:\n%w", plain.Lines(errors.New(short.String())))
		}
		tree = again
		applied += len(found) - len(rest)
		for _, r := range plan {
			files[r.name] = true
		}
		// A fix that leaves its own report behind must not be applied twice.
		if len(again.Findings()) > len(rest) {
			break
		}
	}
	if applied > 0 {
		fmt.Fprintf(v.stderr, "spare vet: fixes applied: %d, files changed: %d\n", applied, len(files))
	}
	return tree, nil
}

// writeSARIFFile writes the findings to a file, whole or not at all, or to
// standard output.
func writeSARIFFile(stdout io.Writer, name string, found []Diagnostic) error {
	var buf bytes.Buffer
	if err := writeSARIF(&buf, found); err != nil {
		return err
	}
	if name == "-" {
		_, err := stdout.Write(buf.Bytes())
		return err
	}
	if err := writeFile(name, buf.Bytes()); err != nil {
		return fmt.Errorf("-sarif: %w", err)
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(name string, data []byte) error {
	f, err := atomicfile.Create(name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}
