// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Program is the source of the program under study: that of the modules whose
// authors can change it.
type Program struct {
	Fset     *token.FileSet
	Packages []*packages.Package
	Sizes    types.Sizes

	own    func(pkgPath string) bool
	byPath map[string]*file // by absolute path
	byName map[string]*file // by package path and base name, for profiles of other machines
}

type file struct {
	path string
	ast  *ast.File
	pkg  *packages.Package

	assigned map[types.Object][]ast.Expr // what each variable was given; made on demand
	parents  map[ast.Node]ast.Node
}

// Load loads the packages with their tests. own says which packages belong to
// the program; a nil own takes those of the modules of the packages. A package
// with errors is loaded as far as it goes.
func Load(ctx context.Context, dir, tags string, own func(pkgPath string) bool, patterns ...string) (*Program, error) {
	p := &Program{Fset: token.NewFileSet(), own: own, byPath: make(map[string]*file), byName: make(map[string]*file)}
	cfg := &packages.Config{
		Context: ctx, Dir: dir, Fset: p.Fset, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule | packages.NeedExportFile,
	}
	// Dependencies are read from export data: only the packages themselves need
	// syntax.
	cfg.Mode &^= packages.NeedDeps
	if tags != "" {
		cfg.BuildFlags = []string{"-tags=" + tags}
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("reading the source of %s: %w", strings.Join(patterns, " "), err)
	}
	modules := make(map[string]bool)
	for _, pkg := range pkgs {
		if pkg.Module != nil {
			modules[pkg.Module.Path] = true
		}
		if p.Sizes == nil {
			p.Sizes = pkg.TypesSizes
		}
		if strings.HasSuffix(pkg.ID, ".test") {
			continue // the generated main package
		}
		p.Packages = append(p.Packages, pkg)
		for _, syntax := range pkg.Syntax {
			path := p.Fset.Position(syntax.Package).Filename
			f := &file{path: path, ast: syntax, pkg: pkg}
			// The variant with tests has all that the one without has.
			if old := p.byPath[path]; old != nil && len(old.pkg.Syntax) >= len(pkg.Syntax) {
				continue
			}
			p.byPath[path] = f
			p.byName[basePath(pkg.PkgPath)+"\x00"+filepath.Base(path)] = f
			if pkg.Name == "main" {
				p.byName["main\x00"+filepath.Base(path)] = f // as symbols name it
			}
		}
	}
	if p.own == nil {
		p.own = func(path string) bool {
			for m := range modules {
				if path == m || strings.HasPrefix(path, m+"/") {
					return true
				}
			}
			return false
		}
	}
	if p.Sizes == nil {
		p.Sizes = types.SizesFor("gc", "amd64")
	}
	return p, nil
}

// basePath is the import path of the package that a test package belongs to.
func basePath(path string) string { return strings.TrimSuffix(path, "_test") }

// file returns the source of a frame, or nil.
func (p *Program) file(f Frame) *file {
	if p == nil {
		return nil
	}
	if x := p.byPath[filepath.Clean(f.File)]; x != nil {
		return x
	}
	if !p.Owns(f) {
		return nil
	}
	base := f.File[strings.LastIndexAny(f.File, `/\`)+1:]
	return p.byName[basePath(PackagePath(f.Func))+"\x00"+base]
}

// Path returns the absolute path of the source of a frame on this machine, or
// its path in the profile.
func (p *Program) Path(f Frame) string {
	if x := p.file(f); x != nil {
		return x.path
	}
	return f.File
}

// Owns reports whether a frame is the program's.
func (p *Program) Owns(f Frame) bool {
	path := basePath(PackagePath(f.Func))
	if p == nil || p.own == nil {
		return path == "main" || !strings.Contains(f.File, "@v") && !IsStandard(path)
	}
	return p.own(path)
}

// Function returns the function that encloses a line of an absolute path, as
// far as the source is known.
func (p *Program) Function(path string, line int) *ast.FuncDecl {
	if p == nil {
		return nil
	}
	if f := p.byPath[path]; f != nil {
		return p.enclosing(f, line)
	}
	return nil
}

// Contains reports whether the source of an absolute path was read.
func (p *Program) Contains(path string) bool { return p != nil && p.byPath[path] != nil }

func (p *Program) enclosing(f *file, line int) *ast.FuncDecl {
	for _, d := range f.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && p.line(fn.Pos()) <= line && line <= p.line(fn.End()) {
			return fn
		}
	}
	return nil
}

func (p *Program) line(pos token.Pos) int { return p.Fset.Position(pos).Line }

// PackagePath returns the import path in a symbol's name:
// "a.b/c.(*T).M" gives "a.b/c".
func PackagePath(fn string) string {
	// Type arguments may hold any path.
	head, _, _ := strings.Cut(fn, "[")
	slash := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[slash:], '.')
	if dot < 0 {
		return head
	}
	return strings.NewReplacer("%2e", ".", "%2E", ".").Replace(head[:slash+dot])
}

// LocalName returns the name without the package: "a.b/c.(*T).M" gives "(*T).M".
func LocalName(fn string) string {
	head, _, _ := strings.Cut(fn, "[")
	slash := strings.LastIndexByte(head, '/') + 1
	if dot := strings.IndexByte(head[slash:], '.'); dot >= 0 {
		return fn[slash+dot+1:]
	}
	return fn
}

// QualifiedName returns the name as one writes it in source:
// "compress/gzip.NewWriter" gives "gzip.NewWriter". Type arguments that are
// shapes, which can be whole structs, become "[...]", as in the names of package
// runtime.
func QualifiedName(fn string) string {
	head, args, _ := strings.Cut(fn, "[")
	if end := strings.LastIndexByte(args, ']'); end >= 0 && strings.Contains(args[:end], "go.shape.") {
		fn = head + "[...]" + args[end+1:]
	}
	return fn[strings.LastIndexByte(head, '/')+1:]
}

// Receiver returns the qualified type of a method with a receiver, and the name
// of the method: "compress/gzip.(*Writer).Write" gives "compress/gzip.Writer"
// and "Write".
func Receiver(fn string) (typ, method string, ok bool) {
	local := WithoutTypeArgs(LocalName(fn))
	path := PackagePath(fn)
	if rest, is := strings.CutPrefix(local, "(*"); is {
		t, m, ok := strings.Cut(rest, ").")
		return path + "." + t, m, ok
	}
	t, m, ok := strings.Cut(local, ".")
	if !ok || strings.HasPrefix(m, "func") || strings.HasPrefix(t, "func") || t == "init" || t == "glob" {
		return "", "", false
	}
	return path + "." + t, m, true
}

// WithoutTypeArgs returns the name of a function or type without its type arguments:
// "slices.Clone[go.shape.[]int]" gives "slices.Clone".
func WithoutTypeArgs(s string) string {
	i, j := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']')
	if i < 0 || j < i {
		return s
	}
	return s[:i] + s[j+1:]
}

// IsStandard reports whether an import path is one of the standard library.
func IsStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "main" && path != "command-line-arguments"
}
