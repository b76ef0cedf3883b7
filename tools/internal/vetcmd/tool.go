// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/spare-go/spare/tools/internal/plain"
)

// IsTool reports whether args, without the program's name, are a call by the
// go command: spare is then go vet's tool, which describes itself (-V=full,
// -flags) or analyses the one package that a .cfg file describes.
func IsTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	if len(args) == 1 && (last == "-V=full" || last == "-flags") {
		return true
	}
	if !strings.HasSuffix(last, ".cfg") {
		return false
	}
	for _, arg := range args[:len(args)-1] {
		if !strings.HasPrefix(arg, "-") {
			return false
		}
	}
	return true
}

// Tool serves a call that IsTool recognises, with os.Args, and exits.
//
// Beside the flags of every vet tool it takes -only, -skip and -tests, for
// those who run go vet -vettool themselves. spare vet does not pass them: it
// selects from the whole output, so that the go command's cache holds one
// result for a package and not one for each choice of flags.
func Tool(analyzers []*analysis.Analyzer) {
	tuneCollector()
	var s Selection
	factsOnly := false
	// An error that a flag returns has the whole usage behind it, and the go command
	// calls the tool for each package and each dependency: the packages tell.
	refuse := func(err error) {
		switch {
		case err == nil:
		case factsOnly:
			os.Exit(0)
		default:
			fatal(err)
		}
	}
	flag.Func("only", "comma-separated `patterns` to report; default all", func(list string) (err error) {
		s.Only, err = parsePatterns("-only", list)
		refuse(err)
		return nil
	})
	flag.Func("skip", "comma-separated `patterns` not to report", func(list string) (err error) {
		s.Skip, err = parsePatterns("-skip", list)
		refuse(err)
		return nil
	})
	flag.BoolFunc("tests", "report in _test.go files, and what only they show (default true)", func(v string) error {
		tests, err := strconv.ParseBool(v)
		s.NoTest = !tests
		return err
	})
	flag.Bool(depsFlag, false, "report in dependencies, too: spare vet asks for it, and leaves them out itself")
	flag.Bool(ownFlag, false, "with -deps, report in dependencies of the main modules' own only: no other package was asked for")
	args := os.Args[1:]
	if file := args[len(args)-1]; strings.HasSuffix(file, ".cfg") {
		var err error
		if factsOnly, err = prepare(file, analyzers, isSet(args, depsFlag), isSet(args, ownFlag)); err != nil {
			fatal(err)
		}
	}
	unitchecker.Main(s.Limit(analyzers, NamePattern)...)
}

// Most packages are done with before the heap has startHeap bytes, and are never collected for.
// Over that, collecting less often than the runtime would costs little memory and saves time.
const (
	startHeap = 64 << 20
	gcPercent = 400
)

// tuneCollector sets the collector for a process that analyses one package and ends. GOGC has the
// last word.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const minHeap = 4 << 20 // of the runtime, at 100 percent
	debug.SetGCPercent(startHeap / minHeap * 100)
	// The first collection, which startHeap puts off, is over when the finalizer runs.
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { debug.SetGCPercent(gcPercent) })
}

// fatal ends the process with an error on one line.
func fatal(err error) {
	fmt.Fprintf(os.Stderr, "spare: %s\n", plain.Message(err))
	os.Exit(1)
}

// prepare decides whether a unit that the go command wants facts of is to be reported, and
// tells whether it is not, so that nobody hears of it.
func prepare(file string, analyzers []*analysis.Analyzer, deps, own bool) (factsOnly bool, err error) {
	u, err := readUnit(file)
	if err != nil || !u.VetxOnly {
		return false, err
	}
	// The standard library is not asked for, and a large part of what there is. A main module has no version.
	if deps && u.ModulePath != "" && !(own && u.ModuleVersion != "") && !u.hasTests() {
		return false, u.report()
	}
	setFlag(analyzers, "facts") // nobody hears the reports
	if own && (u.ModulePath == "" || u.ModuleVersion != "") {
		setFlag(analyzers, "brief")
	}
	return true, nil
}

// depsFlag makes the tool report in every package that it is called for. The go
// command calls it for dependencies for the sake of their facts alone, but keeps what
// it prints under a key that does not say so (go1.26): a package that was a
// dependency first is silent when it is asked for, and one that was asked for
// first is reported again as a dependency.
const depsFlag = "deps"

// ownFlag is for calls that ask for packages of the main modules alone, as most do. The go command's
// key has it, so that a call which asks for others later finds nothing that is silent. Nobody hears of
// other modules' packages and of the standard library then, and they take less of the time.
const ownFlag = "own"

// isSet reports whether a boolean flag is among arguments of the go command's.
func isSet(args []string, name string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		switch strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-") {
		case name, name + "=true", name + "=1":
			return arg[0] == '-'
		}
		return false
	})
}
