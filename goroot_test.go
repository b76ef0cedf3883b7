// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// skippedGoroot lists the tests of src/sync/pool_test.go that say something that
// is not promised here.
var skippedGoroot = map[string]string{
	"TestPool": "wants sync.Pool's order of values (the first put first, then the last) " +
		"and an empty pool after two collections; here the last put comes first and the working set stays",
	"TestPoolRelease": "wants a pool to be empty after two collections; here an idle one is after fourteen at most, see TestPoolIdleLeaves",
	"TestPoolDequeue": "looks inside sync.Pool: its ring of values",
	"TestPoolChain":   "looks inside sync.Pool: its list of rings",
}

// anyPool is spare.Pool with the methods of sync.Pool.
const anyPool = `package anypool

import (
	"runtime"

	"github.com/spare-go/spare"
)

type Pool struct {
	New  func() any
	pool spare.Pool[any]
}

func (p *Pool) Get() any {
	if v := *p.pool.Get(); v != nil {
		return v
	}
	if p.New != nil {
		return p.New()
	}
	return nil
}

func (p *Pool) Put(v any) {
	pool := &p.pool // panics if p is nil
	if v != nil {
		pool.Put(&v)
	}
}

var procs int

// Runtime_procPin keeps to one P. The caller uses the pool meanwhile, which may
// block for a moment; with a real pin that is fatal.
func Runtime_procPin() int {
	procs = runtime.GOMAXPROCS(1)
	return 0
}

func Runtime_procUnpin() { runtime.GOMAXPROCS(procs) }

// Runtime_blockUntilEmptyCleanupQueue waits for three cleanups in turn: more
// than one at a time may run.
func Runtime_blockUntilEmptyCleanupQueue(int64) bool {
	for range 3 {
		done := make(chan bool)
		runtime.AddCleanup(new([4]*int), func(c chan bool) { close(c) }, done)
		runtime.GC()
		<-done
	}
	return true
}
`

// TestGoroot runs sync.Pool's own tests against Pool. They are read from the
// toolchain's source.
func TestGoroot(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	if race.Enabled {
		t.Skip("runs the same program as without the race detector")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	file := filepath.Join(strings.TrimSpace(string(goroot)), "src", "sync", "pool_test.go")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("the toolchain comes without its source: %v", err)
	}
	code, tests := adaptGoroot(t, src)

	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": fmt.Sprintf("module anypool\n\ngo %s\n\nrequire github.com/spare-go/spare v0.0.0\n\nreplace github.com/spare-go/spare => %s\n",
			goVersion(t, root), strconv.Quote(filepath.ToSlash(root))),
		"anypool.go":   anyPool,
		"pool_test.go": code,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"test", "-v", "-count=1", "-short", "-bench=BenchmarkPool$", "-benchtime=100x"}
	if magazine.Portable {
		args = append(args, "-tags=spare_portable")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v\n%s", cmd, err, out)
	}
	for _, name := range tests {
		if !bytes.Contains(out, []byte("--- PASS: "+name+" ")) {
			t.Errorf("%s did not pass", name)
		} else {
			t.Logf("%s passes", name)
		}
	}
	if len(tests) < 4 {
		t.Errorf("only %d tests of %s apply to Pool", len(tests), file)
	}
	for _, name := range slices.Sorted(maps.Keys(skippedGoroot)) {
		t.Logf("%s does not apply: it %s", name, skippedGoroot[name])
	}
}

// goVersion returns the go line of the root module.
func goVersion(t *testing.T, root string) string {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "go "); ok {
			return v
		}
	}
	t.Fatal("go.mod has no go line")
	return ""
}

// adaptGoroot has a test file of package sync test package anypool instead, and
// returns the names of the tests that are left.
func adaptGoroot(t *testing.T, src []byte) (code string, tests []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "pool_test.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f.Name.Name = "anypool_test"
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			return false
		}
		if _, skipped := skippedGoroot[fn.Name.Name]; skipped || fn.Name.Name == "testPoolDequeue" {
			return true
		}
		if strings.HasPrefix(fn.Name.Name, "Test") {
			tests = append(tests, fn.Name.Name)
		}
		return false
	})

	// What the tests take from package sync, by a dot import and by the hooks
	// of its own test files.
	used := map[string]bool{"sync": true}
	rename := map[string]string{
		"WaitGroup":                           "sync.WaitGroup",
		"Mutex":                               "sync.Mutex",
		"runtime_blockUntilEmptyCleanupQueue": "Runtime_blockUntilEmptyCleanupQueue",
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			case *ast.Ident:
				if to, ok := rename[n.Name]; ok {
					n.Name = to
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			is := s.(*ast.ImportSpec)
			p, err := strconv.Unquote(is.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if p == "sync" && is.Name != nil && is.Name.Name == "." {
				is.Path.Value = `"anypool"`
				return false
			}
			return !used[path.Base(p)]
		})
		g.Specs = append(g.Specs, &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: `"sync"`}})
	}
	f.Comments = nil // they would land elsewhere
	var out bytes.Buffer
	if err := format.Node(&out, fset, f); err != nil {
		t.Fatal(err)
	}
	out.WriteString("\nvar _ sync.Mutex\n")
	return out.String(), tests
}
