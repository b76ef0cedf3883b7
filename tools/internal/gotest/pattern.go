// SPDX-License-Identifier: BSD-3-Clause

package gotest

import (
	"fmt"
	"regexp"
	"strings"
)

// A Pattern is the value of -bench: regular expressions for the elements of a
// benchmark's name, separated by slashes, with alternatives separated by bars,
// as in go test.
type Pattern struct {
	text string
	top  []*regexp.Regexp // the first element of each alternative
}

// ParsePattern checks every element of the pattern.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	for _, alternative := range splitOutside(text, '|') {
		for i, element := range splitOutside(alternative, '/') {
			re, err := regexp.Compile(element)
			if err != nil {
				return nil, fmt.Errorf("%q is not a regular expression: %w", element, err)
			}
			if i == 0 {
				p.top = append(p.top, re)
			}
		}
	}
	return p, nil
}

// String returns the pattern as it was given.
func (p *Pattern) String() string { return p.text }

// MatchTop reports whether a benchmark function of this name may hold
// benchmarks that the pattern matches.
func (p *Pattern) MatchTop(name string) bool {
	for _, re := range p.top {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// Exactly returns the pattern that matches the benchmark of this full name
// and, if it has any, its sub-benchmarks.
func Exactly(name string) string {
	elements := strings.Split(name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// splitOutside splits s at sep, but not where sep is escaped or inside
// brackets or parentheses.
func splitOutside(s string, sep byte) []string {
	var parts []string
	start, brackets, parens := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(brackets-1, 0)
		case c == '(' && brackets == 0:
			parens++
		case c == ')' && brackets == 0:
			parens--
		case c == sep && brackets == 0 && parens == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}
