// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// The part of SARIF 2.1.0 that spare writes. The names are the standard's.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifMessage       `json:"shortDescription"`
		Help                 sarifMessage       `json:"help"`
		HelpURI              string             `json:"helpUri"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
		Properties           sarifProperties    `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags []string `json:"tags"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        *int            `json:"ruleIndex,omitempty"`
		Level            string          `json:"level"`
		Message          sarifMessage    `json:"message"`
		Locations        []sarifLocation `json:"locations"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix      `json:"fixes,omitempty"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifLocation struct {
		ID               int           `json:"id,omitempty"`
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description     sarifMessage  `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion   `json:"deletedRegion"`
		InsertedContent *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifContent struct {
		Text string `json:"text"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/spare-go/spare"
)

// writeSARIF prints the findings as one SARIF run. Files below the working
// directory are named relative to it, so that a run at the root of a
// repository gives the names that code hosts expect.
func writeSARIF(w io.Writer, found []Diagnostic) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s := &sarifWriter{dir: dir, files: make(map[string][]byte)}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "spare vet", InformationURI: homepage, Rules: sarifRules()}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		ColumnKind:  "utf16CodeUnits",
		Results:     []sarifResult{},
	}
	for _, d := range found {
		run.Results = append(run.Results, s.result(d))
	}
	data, err := json.MarshalIndent(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// sarifRules describes every pattern, so that a rule has the same index in
// every run.
func sarifRules() []sarifRule {
	var rules []sarifRule
	for _, name := range pattern.Names() {
		page := pattern.Page(name)
		rules = append(rules, sarifRule{
			ID:                   name,
			ShortDescription:     sarifMessage{Text: pattern.Title(name)},
			Help:                 sarifMessage{Text: page, Markdown: page},
			HelpURI:              homepage + "/blob/main/docs/vet/" + name + ".md",
			DefaultConfiguration: sarifConfiguration{sarifLevel(name)},
			Properties:           sarifProperties{[]string{pattern.Kind(name)}},
		})
	}
	return rules
}

// sarifLevel grades findings: what breaks programs is an error.
func sarifLevel(name string) string {
	if pattern.Kind(name) == "correctness" {
		return "error"
	}
	return "warning"
}

// A sarifWriter turns byte columns and offsets into SARIF's regions, for which
// it reads the sources. A file that cannot be read gets regions of lines only.
type sarifWriter struct {
	dir   string
	files map[string][]byte
}

func (s *sarifWriter) result(d Diagnostic) sarifResult {
	r := sarifResult{
		RuleID:    d.Category,
		Level:     sarifLevel(d.Category),
		Message:   sarifMessage{Text: strings.TrimSuffix(d.Message, patternSuffix(d.Category))},
		Locations: []sarifLocation{{PhysicalLocation: s.physical(d.Posn, d.End)}},
	}
	if i := slices.Index(pattern.Names(), d.Category); i >= 0 {
		r.RuleIndex = &i
	}
	for i, rel := range d.Related {
		r.RelatedLocations = append(r.RelatedLocations, sarifLocation{
			ID:               i + 1,
			PhysicalLocation: s.physical(rel.Posn, rel.End),
			Message:          &sarifMessage{Text: rel.Message},
		})
	}
	for _, fix := range d.SuggestedFixes {
		if f, ok := s.fix(fix); ok {
			r.Fixes = append(r.Fixes, f)
		}
	}
	return r
}

func (s *sarifWriter) physical(start, end string) sarifPhysical {
	p, q := parsePosition(start), parsePosition(end)
	loc := sarifPhysical{ArtifactLocation: s.artifact(p.File)}
	if p.Line == 0 {
		return loc
	}
	loc.Region = &sarifRegion{StartLine: p.Line, StartColumn: s.column(p)}
	if q.File == p.File && q.compare(p) > 0 && loc.Region.StartColumn > 0 {
		loc.Region.EndLine, loc.Region.EndColumn = q.Line, s.column(q)
	}
	return loc
}

// fix is false for a fix without edits, or of a file that cannot be read.
func (s *sarifWriter) fix(fix SuggestedFix) (sarifFix, bool) {
	f := sarifFix{Description: sarifMessage{Text: fix.Message}}
	at := make(map[string]int) // index in ArtifactChanges
	for _, e := range fix.Edits {
		if s.content(e.Filename) == nil {
			return sarifFix{}, false
		}
		i, ok := at[e.Filename]
		if !ok {
			i = len(f.ArtifactChanges)
			at[e.Filename] = i
			f.ArtifactChanges = append(f.ArtifactChanges, sarifChange{ArtifactLocation: s.artifact(e.Filename)})
		}
		start, end := s.position(e.Filename, e.Start), s.position(e.Filename, e.End)
		r := sarifReplacement{DeletedRegion: sarifRegion{start.Line, s.column(start), end.Line, s.column(end)}}
		if e.New != "" {
			r.InsertedContent = &sarifContent{e.New}
		}
		f.ArtifactChanges[i].Replacements = append(f.ArtifactChanges[i].Replacements, r)
	}
	return f, len(f.ArtifactChanges) > 0
}

func (s *sarifWriter) artifact(file string) sarifArtifact {
	rel, err := filepath.Rel(s.dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		u := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
		return sarifArtifact{URI: u.String()}
	}
	u := url.URL{Path: filepath.ToSlash(rel)}
	return sarifArtifact{URI: u.String(), URIBaseID: "%SRCROOT%"}
}

func (s *sarifWriter) content(file string) []byte {
	data, ok := s.files[file]
	if !ok {
		data, _ = os.ReadFile(file) // see sarifWriter
		s.files[file] = data
	}
	return data
}

// position turns an offset into a position, column in bytes.
func (s *sarifWriter) position(file string, offset int) Position {
	data := s.content(file)
	data = data[:min(offset, len(data))]
	return Position{file, 1 + bytes.Count(data, []byte("\n")), len(data) - bytes.LastIndexByte(data, '\n')}
}

// column turns p's column in bytes into one in UTF-16 code units; 0 if the
// line cannot be read.
func (s *sarifWriter) column(p Position) int {
	data := s.content(p.File)
	for range p.Line - 1 {
		_, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			return 0
		}
		data = rest
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	if p.Column < 1 || p.Column > len(line)+1 {
		return 0
	}
	units := 1
	for line = line[:p.Column-1]; len(line) > 0; {
		r, size := utf8.DecodeRune(line)
		units += max(1, utf16.RuneLen(r))
		line = line[size:]
	}
	return units
}
