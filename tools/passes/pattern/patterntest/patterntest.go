// SPDX-License-Identifier: BSD-3-Clause

// Package patterntest makes Go files of the code on the patterns' pages, for
// the tests that hold the pages to their word.
package patterntest

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// Headings of the two blocks of code on each page.
const (
	Wrong = "WRONG"
	Right = "RIGHT"
)

// paths are the packages that the pages' code uses, by name.
var paths = map[string]string{
	"binary": "encoding/binary", "bufio": "bufio", "bytes": "bytes", "errors": "errors", "http": "net/http", "io": "io",
	"json": "encoding/json", "slog": "log/slog", "strconv": "strconv", "strings": "strings", "sync": "sync",
}

// Block returns the code below a heading on a pattern's page.
func Block(name, heading string) (string, error) {
	_, rest, ok := strings.Cut(pattern.Page(name), "\n## "+heading+"\n\n```go\n")
	code, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		return "", fmt.Errorf("the page of %q has no code below %s", name, heading)
	}
	return code, nil
}

// File returns the code below a heading as a file of a package p, with the
// imports that it needs.
func File(name, heading string) (string, error) {
	code, err := Block(name, heading)
	if err != nil {
		return "", err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, "package p\n"+code, 0)
	if err != nil {
		return "", err
	}
	var imports []string
	for _, id := range file.Unresolved {
		if path := paths[id.Name]; path != "" {
			imports = append(imports, fmt.Sprintf("import %q\n", path))
		}
	}
	slices.Sort(imports)
	return "package p\n\n" + strings.Join(slices.Compact(imports), "") + "\n" + code, nil
}
