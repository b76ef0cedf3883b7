// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// sarifSchema is the JSON schema of SARIF 2.1.0, which the go-sarif module
// holds as the constant schema; its own Validate checks what the module would
// write and not what it read.
var sarifSchema = sync.OnceValues(func() (*gojsonschema.Schema, error) {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif")
	list.Dir = packageDir
	list.Env = append(os.Environ(), "GOFLAGS=", "PWD="+packageDir)
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(out)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	spec := file.Scope.Lookup("schema").Decl.(*ast.ValueSpec)
	text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
	if err != nil {
		return nil, err
	}
	return gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
})

// validate returns what the schema has against a SARIF file.
func validate(t *testing.T, data string) []gojsonschema.ResultError {
	t.Helper()
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	result, err := schema.Validate(gojsonschema.NewStringLoader(data))
	if err != nil {
		t.Fatal(err)
	}
	return result.Errors()
}

// checkSARIF holds a SARIF file against the schema, and returns it decoded.
func checkSARIF(t *testing.T, data string) *sarif.Report {
	t.Helper()
	for _, err := range validate(t, data) {
		t.Errorf("against the schema: %v", err)
	}
	report, err := sarif.FromString(data)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestValidate shows that validate can fail.
func TestValidate(t *testing.T) {
	const good = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "level": "error"}]}]}`
	if errs := validate(t, good); len(errs) > 0 {
		t.Errorf("%s: %v", good, errs)
	}
	for _, change := range [][2]string{{"2.1.0", "2.2.0"}, {`"error"`, `"fatal"`}, {`"message"`, `"massage"`}, {`"name"`, `"title"`}, {`{"text": "x"}`, `null`}} {
		if bad := strings.Replace(good, change[0], change[1], 1); len(validate(t, bad)) == 0 {
			t.Errorf("valid: %s", bad)
		}
	}
}

func TestSARIF(t *testing.T) {
	dir := module(t, fixture)
	exit, stdout, stderr := vet(t, "-related=none", "-sarif=out.sarif", "./...")
	if exit != 1 || stdout != "" || stderr != appFinding+testFinding+otherFinding {
		t.Errorf("exit %d, %q\n%s", exit, stdout, stderr)
	}
	data := read(t, "out.sarif")
	if strings.Contains(data, ": null") || strings.Contains(data, filepath.ToSlash(dir)) {
		t.Errorf("null or an absolute name in\n%s", data)
	}
	report := checkSARIF(t, data)
	if len(report.Runs) != 1 || len(report.Runs[0].Results) != 3 {
		t.Fatalf("want one run with 3 results:\n%s", data)
	}
	run := report.Runs[0]
	for i, rule := range run.Tool.Driver.Rules {
		name := pattern.Names()[i]
		if *rule.ID != name || *rule.Help.Text != pattern.Page(name) || *rule.ShortDescription.Text != pattern.Title(name) {
			t.Errorf("rule %d is %s, want %s with its page", i, *rule.ID, name)
		}
	}
	r := run.Results[0]
	if *r.RuleID != "double-put" || *run.Tool.Driver.Rules[r.RuleIndex].ID != "double-put" || r.Level != "error" || *r.Message.Text != "x is put twice" {
		t.Errorf("first result: %s", marshal(t, r))
	}
	at := r.Locations[0].PhysicalLocation
	if *at.ArtifactLocation.URI != "app/app.go" || *at.Region.StartLine != 11 || *at.Region.StartColumn != 2 || *at.Region.EndLine != 11 || *at.Region.EndColumn != 17 {
		t.Errorf("location: %s", marshal(t, at))
	}
	rel := r.RelatedLocations[0]
	if *rel.Message.Text != "first put" || *rel.PhysicalLocation.Region.StartLine != 10 {
		t.Errorf("related: %s", marshal(t, rel))
	}
	del := r.Fixes[0].ArtifactChanges[0].Replacements[0].DeletedRegion
	if *del.StartLine != 10 || *del.StartColumn != 13 || *del.EndLine != 11 || *del.EndColumn != 17 {
		t.Errorf("fix: %s", marshal(t, del))
	}
	if len(run.Results[1].Fixes) != 0 || len(run.Results[1].RelatedLocations) != 0 {
		t.Errorf("second result: %s", marshal(t, run.Results[1]))
	}
}

// TestSARIFClean writes a report without results, which code hosts need to
// close alerts.
func TestSARIFClean(t *testing.T) {
	module(t, fixture)
	if exit, _, stderr := vet(t, "-sarif=out.sarif", "./pool"); exit != 0 {
		t.Errorf("exit %d, %s", exit, stderr)
	}
	data := read(t, "out.sarif")
	checkSARIF(t, data)
	if !strings.Contains(data, `"results": []`) {
		t.Errorf("no empty list of results in\n%s", data)
	}
}

// TestSARIFColumns has a line on which bytes, UTF-16 units and characters
// differ, and a file name that a URI must escape.
func TestSARIFColumns(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/grün & blau.go --
package pool

func Put(*int) {}

func f() {
	/* ü€😀 */ Put(nil)
}
`)
	_, stdout, _ := vet(t, "-sarif=-", "./pool")
	at := checkSARIF(t, stdout).Runs[0].Results[0].Locations[0].PhysicalLocation
	if *at.ArtifactLocation.URI != "pool/gr%C3%BCn%20&%20blau.go" {
		t.Errorf("URI %s", *at.ArtifactLocation.URI)
	}
	// A tab, "/* ", ü and € of one unit, 😀 of two, " */ ": 1+1+3+1+1+2+4.
	if *at.Region.StartColumn != 13 || *at.Region.EndColumn != 21 {
		t.Errorf("columns %d to %d, want 13 to 21", *at.Region.StartColumn, *at.Region.EndColumn)
	}
}

// TestSARIFKeepsOld leaves the file of an earlier run when this one fails.
func TestSARIFKeepsOld(t *testing.T) {
	module(t, fixture)
	if err := os.WriteFile("out.sarif", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if exit, _, _ := vet(t, "-sarif=out.sarif", "./nonsense"); exit != 2 || read(t, "out.sarif") != "old" {
		t.Errorf("exit %d, file %q", exit, read(t, "out.sarif"))
	}
}
