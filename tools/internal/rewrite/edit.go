// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ast/astutil"
)

// An edit replaces a part of the file.
type edit struct {
	from, to int
	text     string
}

// A draft collects the edits of a change.
type draft struct {
	p       *proposer
	edits   []edit
	imports map[string]string // path -> name, of those to add
	taken   map[string]bool   // names given out
	modules []string
}

func (p *proposer) draft() *draft {
	return &draft{p: p, imports: map[string]string{}, taken: map[string]bool{}}
}

func (d *draft) replace(n ast.Node, format string, args ...any) {
	d.edits = append(d.edits, edit{d.p.offset(n.Pos()), d.p.offset(n.End()), fmt.Sprintf(format, args...)})
}

func (d *draft) insert(pos token.Pos, text string) {
	at := d.p.offset(pos)
	d.edits = append(d.edits, edit{at, at, text})
}

// after inserts statements behind a statement.
func (d *draft) after(s ast.Node, text string) {
	at := d.p.offset(s.End())
	line, _, _ := strings.Cut(string(d.p.src[at:]), "\n")
	if rest := strings.TrimSpace(line); rest == "" || strings.HasPrefix(rest, "//") {
		at += len(line) // a comment stays with its statement
	}
	d.edits = append(d.edits, edit{at, at, "\n" + text})
}

// remove takes a statement out, with the end of its line.
func (d *draft) remove(s ast.Stmt) {
	from, to := d.p.offset(s.Pos()), d.p.offset(s.End())
	for to < len(d.p.src) && (d.p.src[to] == ' ' || d.p.src[to] == '\t' || d.p.src[to] == ';') {
		to++
	}
	if to < len(d.p.src) && d.p.src[to] == '\n' {
		to++
	}
	d.edits = append(d.edits, edit{from, to, ""})
}

// pool declares a package-level variable before the function around n, and
// returns its name.
func (d *draft) pool(n ast.Node, base, doc, value string) string {
	name := d.name(base)
	var decl ast.Node
	for _, m := range d.p.path(n) {
		if _, ok := m.(*ast.File); !ok {
			decl = m
		}
	}
	pos := decl.Pos()
	if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc != nil {
		pos = fn.Doc.Pos()
	}
	d.insert(pos, fmt.Sprintf("// %s %s\nvar %s %s\n\n", name, doc, name, value))
	return name
}

// name returns a name like base that nothing in the package has.
func (d *draft) name(base string) string {
	name := base
	for i := 2; d.used(name); i++ {
		name = base + strconv.Itoa(i)
	}
	d.taken[name] = true
	return name
}

// used reports whether a name means something somewhere in the file.
func (d *draft) used(name string) bool {
	if d.taken[name] || d.p.pkg.Types.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil || token.IsKeyword(name) {
		return true
	}
	found := false
	ast.Inspect(d.p.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok && id.Name == name {
					found = true
				}
				return !found
			})
			return false
		case *ast.Ident:
			found = found || n.Name == name
		}
		return !found
	})
	if found {
		return true
	}
	for _, spec := range d.p.file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && spec.Name == nil && d.p.importedName(spec, p) == name {
			return true
		}
	}
	return false
}

func (p *proposer) importedName(spec *ast.ImportSpec, importPath string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	if q := p.pkg.Imports[importPath]; q != nil && q.Name != "" {
		return q.Name
	}
	return path.Base(importPath)
}

// use returns the name under which the file knows a package of spare's, or of
// the standard library, and imports it if need be.
func (d *draft) use(importPath string) string {
	module := ""
	switch {
	case importPath == CodecModule || strings.HasPrefix(importPath, CodecModule+"/"):
		module = CodecModule
	case importPath == SpareModule || strings.HasPrefix(importPath, SpareModule+"/"):
		module = SpareModule
	}
	if module != "" && !slices.Contains(d.modules, module) {
		d.modules = append(d.modules, module)
	}
	if name, ok := d.imports[importPath]; ok {
		return name
	}
	for _, spec := range d.p.file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == importPath {
			if name := d.p.importedName(spec, p); name != "_" && name != "." {
				return name
			}
		}
	}
	name := path.Base(importPath)
	if d.used(name) {
		name = d.name("spare" + name)
	}
	d.taken[name] = true
	d.imports[importPath] = name
	return name
}

// typeText writes a type as the file would. A type that has no name at package
// level cannot be written there.
func (d *draft) typeText(t types.Type) (string, error) {
	var bad error
	var walk func(t types.Type, depth int)
	walk = func(t types.Type, depth int) {
		if depth > 10 || bad != nil {
			return
		}
		switch t := t.(type) {
		case *types.TypeParam:
			bad = refuse("its type depends on the type parameter %s", t)
		case *types.Named:
			if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
				bad = refuse("its type %s is local to the function", o.Name())
			} else if o.Pkg() != nil && o.Pkg() != d.p.pkg.Types && !o.Exported() {
				bad = refuse("its type %s is not exported", t)
			}
			for i := range t.TypeArgs().Len() {
				walk(t.TypeArgs().At(i), depth+1)
			}
		case *types.Alias:
			walk(types.Unalias(t), depth+1)
		case interface{ Elem() types.Type }:
			walk(t.Elem(), depth+1)
			if m, ok := t.(*types.Map); ok {
				walk(m.Key(), depth+1)
			}
		}
	}
	walk(t, 0)
	if bad != nil {
		return "", bad
	}
	text := types.TypeString(t, func(q *types.Package) string {
		if q == d.p.pkg.Types {
			return ""
		}
		for _, spec := range d.p.file.Imports {
			if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == q.Path() {
				return d.p.importedName(spec, p)
			}
		}
		bad = refuse("its type %s is of a package that the file does not import", t)
		return q.Name()
	})
	return text, bad
}

// change applies the edits, formats the file, and mends its imports.
func (d *draft) change(c *candidate, kind, summary string, args ...any) (*Change, error) {
	p := d.p
	slices.SortStableFunc(d.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range d.edits {
		if e.from < at {
			return nil, refuse("the parts that would change overlap")
		}
		out = append(append(out, p.src[at:e.from]...), e.text...)
		at = e.to
	}
	out = append(out, p.src[at:]...)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, p.site.File, out, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the change of %s does not parse: %w", p.site, err)
	}
	for importPath, name := range d.imports {
		if name == path.Base(importPath) {
			name = ""
		}
		astutil.AddNamedImport(fset, file, name, importPath)
	}
	for _, spec := range p.file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
			continue
		}
		name := p.importedName(spec, importPath)
		if mentions(p.file, name) && !mentions(file, name) {
			explicit := ""
			if spec.Name != nil {
				explicit = spec.Name.Name
			}
			astutil.DeleteNamedImport(fset, file, explicit, importPath)
		}
	}
	var buf bytes.Buffer
	if err := format.Node(&buf, fset, file); err != nil {
		return nil, fmt.Errorf("the change of %s cannot be formatted: %w", p.site, err)
	}
	decl := p.site.Line
	if c.ident != nil {
		decl = p.line(c.ident.Pos())
	}
	return &Change{
		Site: p.site, Kind: kind, Decl: decl, Summary: fmt.Sprintf(summary, args...),
		Files:   map[string][]byte{p.site.File: groupImports(buf.Bytes(), d.imports)},
		Old:     map[string][]byte{p.site.File: p.src},
		Imports: d.modules,
	}, nil
}

// groupImports takes the imports that were added out of a group of imports of the
// standard library, where the syntax tree's insertion may have put them: to the
// others with a dot in their first element, or into a group of their own. (Package
// imports of x/tools would do it, and make a folder in the user's cache whenever a
// program that has it starts.)
func groupImports(text []byte, added map[string]string) []byte {
	before, rest, ok := strings.Cut(string(text), "\nimport (\n")
	block, after, closed := strings.Cut(rest, "\n)")
	if !ok || !closed {
		return text
	}
	dotted := func(line string) bool {
		_, quoted, _ := strings.Cut(line, `"`)
		first, _, _ := strings.Cut(quoted, "/")
		return strings.Contains(first, ".")
	}
	isAdded := func(line string) bool {
		for importPath := range added {
			if strings.HasSuffix(line, strconv.Quote(importPath)) && dotted(line) {
				return true
			}
		}
		return false
	}
	var moved []string
	groups := strings.Split(block, "\n\n")
	for i, g := range groups {
		lines := strings.Split(g, "\n")
		if !slices.ContainsFunc(lines, isAdded) || slices.ContainsFunc(lines, func(l string) bool { return dotted(l) && !isAdded(l) }) || !slices.ContainsFunc(lines, func(l string) bool { return !dotted(l) }) {
			continue
		}
		moved = append(moved, slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !isAdded(l) })...)
		groups[i] = strings.Join(slices.DeleteFunc(lines, isAdded), "\n")
	}
	if len(moved) == 0 {
		return text
	}
	byPath := func(a, b string) int {
		_, a, _ = strings.Cut(a, `"`)
		_, b, _ = strings.Cut(b, `"`)
		return strings.Compare(a, b)
	}
	slices.SortFunc(moved, byPath)
	if i := slices.IndexFunc(groups, dotted); i >= 0 {
		lines := append(strings.Split(groups[i], "\n"), moved...)
		slices.SortFunc(lines, byPath)
		groups[i] = strings.Join(lines, "\n")
	} else {
		groups = append(groups, strings.Join(moved, "\n"))
	}
	return []byte(before + "\nimport (\n" + strings.Join(groups, "\n\n") + "\n)" + after)
}

// mentions reports whether a file selects from a package of this name.
func mentions(file *ast.File, name string) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name {
				found = true
			}
		}
		return !found
	})
	return found
}

// poolName makes a name for the pool of a variable: of the function and the
// variable where that is short.
func (p *proposer) poolName(c *candidate, suffix string) string {
	fn := ""
	for _, n := range p.path(c.stmt) {
		if d, ok := n.(*ast.FuncDecl); ok {
			fn = d.Name.Name
		}
	}
	if fn == "_" || fn == "init" || fn == "main" {
		fn = ""
	}
	name := ""
	if c.obj != nil {
		name = c.obj.Name()
	}
	switch {
	case fn == "":
		fn = name
		name = ""
	case len(name) < 3:
		name = ""
	}
	return lower(fn) + upper(name) + suffix
}

func lower(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

func upper(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
