// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Tree is go vet's JSON: package ID → analyzer → result.
type Tree map[string]map[string]Result

// A Result is what one analyzer found in one package: diagnostics, or the
// error that kept it from its work.
type Result struct {
	Diagnostics []Diagnostic
	Err         string
}

// A Diagnostic is go vet's JSON form of an analysis.Diagnostic. Positions are
// "file:line:column", lines and columns (in bytes) from 1, files absolute.
type Diagnostic struct {
	Category       string         `json:"category,omitempty"`
	Posn           string         `json:"posn"`
	End            string         `json:"end"`
	Message        string         `json:"message"`
	SuggestedFixes []SuggestedFix `json:"suggested_fixes,omitempty"`
	Related        []Related      `json:"related,omitempty"`
}

// A SuggestedFix is a set of edits to be made together or not at all.
type SuggestedFix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// A Related is a second position that explains a diagnostic.
type Related struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

func (r *Result) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, &r.Diagnostics)
	}
	var e struct {
		Err string `json:"error"`
	}
	err := json.Unmarshal(data, &e)
	r.Err = e.Err
	return err
}

func (r Result) MarshalJSON() ([]byte, error) {
	if r.Err != "" {
		return json.Marshal(map[string]string{"error": r.Err})
	}
	return json.Marshal(r.Diagnostics)
}

// Merge adds what another unit reported.
func (t Tree) Merge(other Tree) {
	for id, results := range other {
		if t[id] == nil {
			t[id] = make(map[string]Result)
		}
		maps.Copy(t[id], results)
	}
}

// Select drops the diagnostics that s does not show, and what is then empty,
// and puts the rest in order. Errors stay.
func (t Tree) Select(s *Selection) {
	for id, results := range t {
		for name, r := range results {
			r.Diagnostics = slices.DeleteFunc(r.Diagnostics, func(d Diagnostic) bool {
				var related []string
				for _, r := range d.Related {
					related = append(related, parsePosition(r.Posn).File)
				}
				return !s.Shows(d.Category, parsePosition(d.Posn).File, related...)
			})
			slices.SortFunc(r.Diagnostics, compareDiagnostics)
			if len(r.Diagnostics) == 0 && r.Err == "" {
				delete(results, name)
			} else {
				results[name] = r
			}
		}
		if len(results) == 0 {
			delete(t, id)
		}
	}
}

// Findings returns every diagnostic once, by file and position.
func (t Tree) Findings() []Diagnostic {
	var all []Diagnostic
	for _, results := range t {
		for _, r := range results {
			all = append(all, r.Diagnostics...)
		}
	}
	slices.SortFunc(all, compareDiagnostics)
	return slices.CompactFunc(all, func(a, b Diagnostic) bool { return compareDiagnostics(a, b) == 0 })
}

// Errors returns the analyzers' own errors as "package: analyzer: error".
func (t Tree) Errors() []string {
	var all []string
	for id, results := range t {
		for name, r := range results {
			if r.Err != "" {
				all = append(all, fmt.Sprintf("%s: %s: %s", id, name, r.Err))
			}
		}
	}
	slices.Sort(all)
	return all
}

// Write prints t as go vet -json prints one package's tree.
func (t Tree) Write(w io.Writer) error {
	data, err := json.MarshalIndent(t, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

func compareDiagnostics(a, b Diagnostic) int {
	return cmp.Or(
		parsePosition(a.Posn).compare(parsePosition(b.Posn)),
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Message, b.Message),
		parsePosition(a.End).compare(parsePosition(b.End)),
	)
}

// A Position is a parsed "file:line:column" or, below a //line directive
// without column, "file:line". Column is 0 where there is none. A position
// that cannot be parsed is kept whole as File, with Line 0.
type Position struct {
	File         string
	Line, Column int
}

func parsePosition(s string) Position {
	rest, last, ok := cutLast(s)
	if !ok {
		return Position{File: s}
	}
	if file, line, ok := cutLast(rest); ok {
		return Position{file, line, last}
	}
	return Position{File: rest, Line: last}
}

// cutLast splits "text:number" at the last colon: a file's name may hold one.
func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}
