// SPDX-License-Identifier: BSD-3-Clause

package pattern

import (
	"embed"
	"slices"
	"strings"
)

//go:generate go run generate.go

// Every name has a page, NAME.md, the only source of what is said about the
// pattern: spare help vet, the analyzers' documentation, the rules in SARIF,
// and docs/vet. The first line is "# NAME: title"; the next paragraph begins
// with the kind, "Correctness.", "Performance." or "Hygiene.".
//
//go:embed *.md
var pages embed.FS

var names = append(slices.Clone(All), UnusedIgnore)

// Names returns all patterns and unused-ignore: every Category that a
// diagnostic of spare vet can have.
func Names() []string { return slices.Clone(names) }

// Known reports whether name is among Names.
func Known(name string) bool { return slices.Contains(names, name) }

// Page returns the Markdown page of a pattern: WRONG, RIGHT, why, and how to
// silence it. It is empty for a name that is not Known.
func Page(name string) string {
	data, err := pages.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(data)
}

// Title returns one line that says what the pattern is.
func Title(name string) string {
	line, _, _ := strings.Cut(Page(name), "\n")
	return strings.TrimPrefix(line, "# "+name+": ")
}

// Kind returns what the pattern harms: "correctness", "performance" (time or
// memory), or "hygiene". It is empty for a name that is not Known.
func Kind(name string) string {
	_, text, _ := strings.Cut(Page(name), "\n\n")
	kind, _, _ := strings.Cut(text, ".")
	return strings.ToLower(kind)
}

// Doc returns the documentation of an analyzer that reports the patterns: the
// summary, which is one line, and their pages.
func Doc(summary string, names ...string) string {
	var b strings.Builder
	b.WriteString(summary + "\n")
	for _, name := range names {
		b.WriteString("\n" + Page(name))
	}
	return b.String()
}
