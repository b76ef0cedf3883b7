// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
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
	// A process analyses one package and ends: collecting less often costs
	// little memory and saves a quarter of the time. GOGC has the last word.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	var s Selection
	flag.Func("only", "comma-separated `patterns` to report; default all", func(list string) (err error) {
		s.Only, err = parsePatterns("-only", list)
		return err
	})
	flag.Func("skip", "comma-separated `patterns` not to report", func(list string) (err error) {
		s.Skip, err = parsePatterns("-skip", list)
		return err
	})
	flag.BoolFunc("tests", "report in _test.go files (default true)", func(v string) error {
		tests, err := strconv.ParseBool(v)
		s.NoTest = !tests
		return err
	})
	flag.Bool(depsFlag, false, "report in dependencies, too: spare vet asks for it, and leaves them out itself")
	if n := len(os.Args) - 1; slices.Contains(os.Args[:n], "-"+depsFlag) || slices.Contains(os.Args[:n], "-"+depsFlag+"=true") {
		if err := reportAlways(os.Args[n]); err != nil {
			log.Fatal(err)
		}
	}
	unitchecker.Main(s.Limit(analyzers, NamePattern)...)
}

// depsFlag makes the tool report in every package that it is called for. The go
// command calls it for dependencies for the sake of their facts alone, but keeps what
// it prints under a key that does not say so (go1.26): a package that was a
// dependency first is silent when it is asked for, and one that was asked for
// first is reported again as a dependency.
const depsFlag = "deps"

// reportAlways changes the description of a package that is analysed for its facts only.
func reportAlways(config string) error {
	data, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("%s: %w", config, err)
	}
	// The standard library is not asked for, and a large part of what there is.
	if string(fields["VetxOnly"]) != "true" || string(fields["ModulePath"]) == `""` {
		return nil
	}
	fields["VetxOnly"] = json.RawMessage("false")
	if data, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("%s: %w", config, err)
	}
	return os.WriteFile(config, data, 0o666)
}
