// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// The modules that a change may need.
const (
	SpareModule = "github.com/spare-go/spare"
	CodecModule = "github.com/spare-go/spare/codec"
)

// A Site is a place where a program allocates.
type Site struct {
	File string // absolute
	Line int
	Func string // as in a profile; "" if unknown

	// What is made there, such as "gzip.NewWriter", "bytes.Buffer" or
	// "make([]byte, n)"; "" if unknown. It tells apart what a line makes from what
	// grows there: a gzip.Writer gets its tables at its first Write.
	What string

	// Outgrown says that append takes larger arrays for the slice than make gives it:
	// a pool is then to be asked for what is usual, not for what make is asked for.
	Outgrown bool
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// A Change puts the value of a site on a pool.
type Change struct {
	Site
	Kind    string            // see the package comment
	Summary string            // one line: what is changed into what, and what else changes
	Files   map[string][]byte // absolute path -> new content
	Imports []string          // the modules that the new content needs

	// Decl is the line on which the value is made, which differs from the site's where
	// that is a call that uses it.
	Decl int

	// Object is the size of a struct that is put on a pool, which is all that is
	// reused: what its fields refer to is made anew. 0 for other kinds, of which
	// everything is reused.
	Object int64

	// Appends are the lines on which append may take a larger array for a slice that make
	// makes. FirstOnly says that such an array is not reused, but the one alone that
	// stands in for make's.
	Appends   []int
	FirstOnly bool

	// Old holds the files as they were when the change was made.
	Old map[string][]byte
}

// ErrNotMechanical is wrapped by the errors of [Propose] for a site that it
// leaves alone. The error's text says why, in words.
var ErrNotMechanical = errors.New("not mechanical")

// A refusal is why a site is left alone.
type refusal struct{ why string }

func (r *refusal) Error() string { return r.why }
func (r *refusal) Unwrap() error { return ErrNotMechanical }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// Mode is what [Propose] needs of a package. With the syntax of the
// dependencies, values are followed into them.
const Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule

// Load loads packages for [Propose]. env is the environment of the go command;
// nil is that of this process.
func Load(ctx context.Context, dir string, env []string, flags []string, patterns ...string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Context: ctx, Mode: Mode, Dir: dir, Env: env, BuildFlags: flags}, patterns...)
}

// Propose returns the mechanical change of a site of pkg, which was loaded with
// [Mode]. The site is the line of an expression that allocates, or of a call
// that makes a local value grow. An error that wraps [ErrNotMechanical] says why
// there is no such change.
func Propose(pkg *packages.Package, s Site) (*Change, error) {
	if len(pkg.Errors) > 0 {
		return nil, fmt.Errorf("package %s: %w", pkg.PkgPath, pkg.Errors[0])
	}
	if pkg.TypesInfo == nil || pkg.Types == nil || len(pkg.Syntax) == 0 {
		return nil, fmt.Errorf("package %s was loaded without its syntax", pkg.PkgPath)
	}
	p := &proposer{pkg: pkg, info: pkg.TypesInfo, fset: pkg.Fset, site: s}
	for _, f := range pkg.Syntax {
		if name := pkg.Fset.Position(f.FileStart).Filename; name == s.File || sameFile(name, s.File) {
			p.file = f
			p.site.File = name
		}
	}
	switch {
	case strings.HasSuffix(s.File, "_test.go"):
		return nil, refuse("%s is a test: what it allocates is not the program's", filepath.Base(s.File))
	case p.file == nil:
		return nil, fmt.Errorf("package %s has no file %s", pkg.PkgPath, s.File)
	case ast.IsGenerated(p.file):
		return nil, refuse("%s is generated: change its generator", filepath.Base(s.File))
	case !slices.Contains(pkg.GoFiles, p.site.File):
		return nil, refuse("%s is compiled in another form (cgo)", filepath.Base(s.File))
	case pkg.Module == nil:
		return nil, refuse("package %s is in no module, so it cannot require spare", pkg.PkgPath)
	case !pkg.Module.Main:
		return nil, refuse("package %s is of %s, a dependency: the change belongs there", pkg.PkgPath, pkg.Module.Path)
	}
	src, err := os.ReadFile(p.site.File)
	if err != nil {
		return nil, err
	}
	if size := p.fset.File(p.file.FileStart).Size(); size != len(src) {
		return nil, fmt.Errorf("%s changed after it was loaded", p.site.File)
	}
	p.src = src
	found := p.candidates()
	if len(found) == 0 {
		return nil, refuse("line %d makes nothing that a pool could stand in for: no local buffer, slice, codec or object", s.Line)
	}
	var reasons []string
	for _, c := range found {
		change, err := p.propose(c)
		if err == nil {
			return change, nil
		}
		if !errors.Is(err, ErrNotMechanical) {
			return nil, err
		}
		if text := fmt.Sprintf("%s: %v", c.what(), err); !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	return nil, &refusal{strings.Join(reasons, "; ")}
}

func sameFile(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// A proposer works on one site.
type proposer struct {
	pkg  *packages.Package
	info *types.Info
	fset *token.FileSet
	file *ast.File
	src  []byte
	site Site

	prog *ssa.Program
	spkg *ssa.Package
	an   *analysis
}

// analysis returns what is needed to follow values through the package.
func (p *proposer) analysis() *analysis {
	if p.an == nil {
		c := compiledFor(p.pkg)
		p.prog, p.spkg = c.prog, c.spkg
		p.an = &analysis{prog: c.prog, facts: map[param]*fact{}, std: func(path string) bool {
			first, _, _ := strings.Cut(path, "/")
			return !strings.Contains(first, ".") && !c.modular[path]
		}}
	}
	return p.an
}

// compiled is the SSA form of a package and of what it imports.
type compiled struct {
	of      *packages.Package
	prog    *ssa.Program
	spkg    *ssa.Package
	modular map[string]bool // the packages that are in modules
}

// latest is the package that was asked about last: most sites come package
// by package, and the form takes longer to build than to use.
var latest struct {
	sync.Mutex
	compiled
}

func compiledFor(pkg *packages.Package) compiled {
	latest.Lock()
	defer latest.Unlock()
	if latest.of != pkg {
		c := compiled{of: pkg, modular: map[string]bool{}}
		packages.Visit([]*packages.Package{pkg}, nil, func(q *packages.Package) {
			if q.Module != nil {
				c.modular[q.PkgPath] = true
			}
		})
		prog, pkgs := ssautil.AllPackages([]*packages.Package{pkg}, ssa.GlobalDebug)
		c.prog, c.spkg = prog, pkgs[0]
		c.spkg.Build()
		latest.compiled = c
	}
	return latest.compiled
}

// line returns the line of a position of the file.
func (p *proposer) line(pos token.Pos) int { return p.fset.Position(pos).Line }

// text returns the source of a node.
func (p *proposer) text(n ast.Node) string { return string(p.src[p.offset(n.Pos()):p.offset(n.End())]) }

func (p *proposer) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

// path returns the nodes around n, from n outwards.
func (p *proposer) path(n ast.Node) []ast.Node {
	path, _ := astutil.PathEnclosingInterval(p.file, n.Pos(), n.End())
	return path
}

// enclosing returns the innermost function around n, and its body.
func (p *proposer) enclosing(n ast.Node) (fn ast.Node, body *ast.BlockStmt) {
	for _, m := range p.path(n) {
		switch m := m.(type) {
		case *ast.FuncDecl:
			return m, m.Body
		case *ast.FuncLit:
			if m != n {
				return m, m.Body
			}
		}
	}
	return nil, nil
}

// function returns the SSA form of a function of the file.
func (p *proposer) function(fn ast.Node) *ssa.Function {
	p.analysis()
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		obj, _ := p.info.Defs[fn.Name].(*types.Func)
		if obj == nil {
			return nil
		}
		return p.prog.FuncValue(obj)
	case *ast.FuncLit:
		_, path := fn, p.path(fn)
		return ssa.EnclosingFunction(p.spkg, path)
	}
	return nil
}

// callee returns the function that a call names, or nil.
func (p *proposer) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		if sel, ok := f.X.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
	}
	if id == nil {
		return nil
	}
	fn, _ := p.info.Uses[id].(*types.Func)
	return fn
}

// builtin returns the name of the builtin that a call calls, or "".
func (p *proposer) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := p.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// named returns the import path and name of a defined type, of a pointer to it
// as well.
func named(t types.Type) string {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}
