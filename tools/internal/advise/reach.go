// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spare-go/spare/tools/internal/allocsite"
)

// reaching returns the benchmark functions of a program's packages that may run a line,
// by their names. It errs on the side of more: what a function mentions it may run, all
// methods of a type that it mentions, and the line itself if it mentions code of the
// program that was not read.
func reaching(p *allocsite.Program, own func(pkgPath string) bool, file string, line int) []string {
	g := &mentions{of: make(map[string][]string), read: make(map[string]bool), own: own}
	for _, pkg := range p.Packages {
		g.read[basePath(pkg.PkgPath)] = true
	}
	var target string
	var benchmarks []string
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				from, to := p.Fset.Position(decl.Pos()), p.Fset.Position(decl.End())
				here := from.Filename == file && from.Line <= line && line <= to.Line
				for _, key := range g.add(pkg, decl) {
					if here {
						target = key
					}
				}
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Benchmark") && strings.HasSuffix(from.Filename, "_test.go") {
					benchmarks = append(benchmarks, pkg.PkgPath+"."+fn.Name.Name)
				}
			}
		}
	}
	var out []string
	for _, b := range benchmarks {
		if name := b[strings.LastIndexByte(b, '.')+1:]; !slices.Contains(out, name) && g.reaches(b, target) {
			out = append(out, name)
		}
	}
	return out
}

// mentions are the functions, types and variables of packages that each of them
// mentions.
type mentions struct {
	of   map[string][]string
	read map[string]bool // packages
	own  func(string) bool
}

// elsewhere stands for all code of the program that was not read.
const elsewhere = "elsewhere"

func basePath(pkgPath string) string { return strings.TrimSuffix(pkgPath, "_test") }

// add adds what a declaration declares, and returns its names.
func (g *mentions) add(pkg *packages.Package, decl ast.Decl) (keys []string) {
	put := func(obj types.Object, in ast.Node) {
		if obj == nil {
			return
		}
		key := g.key(obj)
		keys = append(keys, key)
		ast.Inspect(in, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used := pkg.TypesInfo.Uses[id]; used != nil {
					if k := g.key(used); k != "" {
						g.of[key] = append(g.of[key], k)
					}
				}
			}
			return true
		})
		// A method is reached through its type.
		if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
			t := fn.Signature().Recv().Type()
			if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
				t = ptr.Elem()
			}
			if named, ok := types.Unalias(t).(*types.Named); ok {
				k := g.key(named.Obj())
				g.of[k] = append(g.of[k], key)
			}
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		put(pkg.TypesInfo.Defs[d.Name], d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				put(pkg.TypesInfo.Defs[s.Name], s)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					put(pkg.TypesInfo.Defs[name], s)
				}
			}
		}
	}
	return keys
}

// key names an object of the program; "" is one that runs nothing of it.
func (g *mentions) key(obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	path := obj.Pkg().Path()
	switch {
	case !g.own(basePath(path)):
		return ""
	case !g.read[basePath(path)]:
		return elsewhere
	}
	switch x := obj.(type) {
	case *types.Func:
		return x.Origin().FullName()
	case *types.TypeName:
		return "type " + path + "." + x.Name()
	case *types.Var:
		if x.Parent() == x.Pkg().Scope() {
			return "var " + path + "." + x.Name()
		}
	}
	return ""
}

func (g *mentions) reaches(from, target string) bool {
	seen := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == target || at == elsewhere {
			return true
		}
		for _, next := range g.of[at] {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}
