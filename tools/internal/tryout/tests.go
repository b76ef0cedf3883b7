// SPDX-License-Identifier: BSD-3-Clause

package tryout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/plain"
)

// compile builds the changed package with the change. Those that depend on it
// are built for their tests.
func (t *try) compile(ctx context.Context) error {
	args := append([]string{"build", "-overlay", t.change, "-o", devNull}, t.tags()...)
	_, diag, err := t.command(ctx, t.tc.Dir, nil, append(args, t.changed)...)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// Only the change may be to blame.
	args = append([]string{"build", "-o", devNull}, t.tags()...)
	if _, before, err := t.command(ctx, t.tc.Dir, nil, append(args, t.changed)...); err != nil {
		return said("package "+t.changed+" does not build without the change either, with spare in the workspace", before, err)
	}
	t.res.TestOutput = diag
	return &failure{fmt.Errorf("the changed code does not build: %w", plain.Lines(errors.New(diag)))}
}

func paths(pkgs []gotest.Package) []string {
	var all []string
	for _, p := range pkgs {
		all = append(all, p.ImportPath)
	}
	return all
}

// A testID names a test, or with no name a whole package.
type testID struct{ pkg, name string }

func (id testID) String() string {
	if id.name == "" {
		return "package " + id.pkg
	}
	return id.name + " in " + id.pkg
}

// A testRun is what go test said.
type testRun struct {
	failed map[testID]string // with what they printed
	passed int
	diag   string
}

// test runs the tests of the packages with the change, as they are and in the
// checked build, and, where some fail, without the change.
func (t *try) test(ctx context.Context, affected []gotest.Package) error {
	builds := []struct {
		tags  string
		title string
	}{{t.Tags, ""}, {strings.TrimPrefix(t.Tags+",spare_checked", ","), " in the checked build (-tags spare_checked)"}}
	for _, b := range builds {
		t.phase("running the tests of %s with the change%s", format.Plural(len(affected), "package"), b.title)
		after, err := t.goTest(ctx, affected, b.tags, t.change)
		if err != nil {
			return err
		}
		if len(after.failed) == 0 {
			continue
		}
		t.phase("running the tests without the change%s", b.title)
		before, err := t.goTest(ctx, affected, b.tags, "")
		if err != nil {
			return err
		}
		var broken, already []testID
		for _, id := range slices.SortedFunc(maps.Keys(after.failed), func(a, b testID) int { return strings.Compare(a.pkg+a.name, b.pkg+b.name) }) {
			if _, ok := before.failed[id]; ok {
				already = append(already, id)
			} else {
				broken = append(broken, id)
			}
		}
		if len(already) > 0 {
			t.res.Notes = append(t.res.Notes, fmt.Sprintf("%s without the change too%s, and %s left out: %s",
				agree(len(already), "test fails", "tests fail"), b.title, agree2(len(already)), names(already)))
		}
		// The package fails because a test does; it counts by itself only where no
		// test is named.
		broken = slices.DeleteFunc(broken, func(id testID) bool {
			return id.name == "" && slices.ContainsFunc(slices.Collect(maps.Keys(after.failed)), func(o testID) bool { return o.pkg == id.pkg && o.name != "" })
		})
		if len(broken) == 0 {
			continue
		}
		var out strings.Builder
		for _, id := range broken {
			out.WriteString(after.failed[id])
		}
		t.res.TestOutput = strings.TrimRight(out.String(), "\n")
		return &failure{fmt.Errorf("%w%s: %s", ErrTestsFail, b.title, names(broken))}
	}
	return nil
}

func agree(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func agree2(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func names(ids []testID) string {
	var all []string
	for _, id := range ids {
		all = append(all, id.String())
	}
	if len(all) > 5 {
		all = append(all[:4], fmt.Sprintf("and %d more", len(all)-4))
	}
	return strings.Join(all, ", ")
}

// goTest runs the tests. An error means that go test itself did not work.
func (t *try) goTest(ctx context.Context, affected []gotest.Package, tags, overlay string) (*testRun, error) {
	args := []string{"test", "-json", "-vet=off"}
	if tags != "" {
		args = append(args, "-tags", tags)
	}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if t.Short {
		args = append(args, "-short")
	}
	if t.TestTimeout > 0 {
		args = append(args, "-timeout", t.TestTimeout.String())
	}
	out, diag, err := t.command(ctx, t.tc.Dir, nil, append(args, paths(affected)...)...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	run := &testRun{failed: map[testID]string{}, diag: diag}
	output := map[testID]*strings.Builder{}
	var build strings.Builder
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var e struct{ Action, Package, ImportPath, Test, Output string }
		if dec.Decode(&e) != nil {
			break
		}
		id := testID{e.Package, e.Test}
		switch e.Action {
		case "output":
			if output[id] == nil {
				output[id] = new(strings.Builder)
			}
			if output[id].Len() < maxOutput {
				output[id].WriteString(e.Output)
			}
		case "build-output":
			build.WriteString(e.Output)
		case "fail":
			text := ""
			if b := output[id]; b != nil {
				text = b.String()
			}
			run.failed[id] = text + build.String()
			build.Reset()
		case "pass":
			run.passed++
		}
	}
	if err != nil && len(run.failed) == 0 {
		return nil, said("go test", diag, err)
	}
	return run, nil
}

// maxOutput bounds what is kept of a test's output.
const maxOutput = 64 << 10
