// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A candidate is something that the site's line makes, or makes grow.
type candidate struct {
	kind string

	// ctor is the expression that makes the value; nil for a declared variable.
	ctor ast.Expr

	// stmt declares obj, or holds ctor. obj is nil for an expression whose value
	// has no name.
	stmt  ast.Stmt
	ident *ast.Ident
	obj   *types.Var
}

func (c *candidate) what() string {
	if c.obj != nil {
		return fmt.Sprintf("%s (%s)", c.obj.Name(), c.kind)
	}
	return c.kind
}

// constructors gives the kind of what a function makes.
var constructors = map[string]string{
	"bytes.NewBuffer": "buffer", "bytes.NewBufferString": "buffer",
	"io.ReadAll":          "read-all",
	"bufio.NewReader":     "bufio",
	"bufio.NewReaderSize": "bufio",
	"bufio.NewWriter":     "bufio",
	"bufio.NewWriterSize": "bufio",

	"compress/gzip.NewWriter": "gzip-writer", "compress/gzip.NewWriterLevel": "gzip-writer", "compress/gzip.NewReader": "gzip-reader",
	"github.com/klauspost/compress/gzip.NewWriter": "gzip-writer", "github.com/klauspost/compress/gzip.NewWriterLevel": "gzip-writer",
	"github.com/klauspost/compress/gzip.NewReader": "gzip-reader",
	"github.com/klauspost/compress/zstd.NewWriter": "zstd-writer", "github.com/klauspost/compress/zstd.NewReader": "zstd-reader",

	"compress/flate.NewWriter": "flate", "compress/flate.NewWriterDict": "flate", "compress/flate.NewReader": "flate",
	"compress/zlib.NewWriter": "flate", "compress/zlib.NewWriterLevel": "flate", "compress/zlib.NewReader": "flate",

	"encoding/json.NewEncoder": "json-encoder", "encoding/json.NewDecoder": "json-decoder", "encoding/json.Marshal": "json-marshal",
}

// whats are the words with which What begins for each kind.
var whats = map[string][]string{
	"buffer":   {"bytes."},
	"read-all": {"io.ReadAll"},
	"bufio":    {"bufio."}, "gzip-writer": {"gzip.", "flate."}, "gzip-reader": {"gzip.", "flate."},
	"zstd-writer": {"zstd.", "huff0.", "fse."}, "zstd-reader": {"zstd.", "huff0.", "fse."}, "flate": {"flate.", "zlib."},
	"json-encoder": {"json.NewEncoder", "json.Encoder", "json.(*Encoder)"}, "json-decoder": {"json.NewDecoder", "json.Decoder", "json.(*Decoder)"},
	"json-marshal": {"json.Marshal"}, "scratch-slice": {"make(", "append", "[]"}, "object": {"&", "new("},
}

// matches reports whether the candidate is what the site says is made.
func (c *candidate) matches(what string) bool {
	for _, w := range whats[c.kind] {
		if strings.HasPrefix(what, w) {
			return true
		}
	}
	return c.obj != nil && (what == c.obj.Name() || strings.HasPrefix(what, c.obj.Name()+" ")) || c.kind == "scratch-slice" && strings.Contains(what, "append")
}

// candidates are in the order in which they are tried: those that are what the
// site says, or what the line makes, or the local values that it uses.
func (p *proposer) candidates() []*candidate {
	made, used := p.found()
	var fit []*candidate
	for _, c := range append(made[:len(made):len(made)], used...) {
		if p.site.What != "" && c.matches(p.site.What) {
			fit = append(fit, c)
		}
	}
	switch {
	case len(fit) > 0:
		return fit
	case len(made) > 0:
		return made
	}
	return used
}

func (p *proposer) found() (made, used []*candidate) {
	var found []*candidate
	add := func(c *candidate) {
		if c == nil {
			return
		}
		for _, have := range found {
			if have.ctor != nil && have.ctor == c.ctor || have.obj != nil && have.obj == c.obj {
				return
			}
		}
		found = append(found, c)
	}
	on := func(n ast.Node) bool {
		first, last := p.line(n.Pos()), p.line(n.End())
		if call, ok := n.(*ast.CallExpr); ok {
			// The line of a call is that of its parenthesis or of what it selects.
			first = p.line(call.Lparen)
			if p.line(call.Pos()) == p.site.Line || p.line(call.Rparen) == p.site.Line {
				return true
			}
			last = first
		}
		return first <= p.site.Line && p.site.Line <= last
	}
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > p.site.Line || p.line(n.End()) < p.site.Line {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr, *ast.UnaryExpr, *ast.CompositeLit:
			if on(n) {
				add(p.constructed(n.(ast.Expr)))
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if p.line(id.Pos()) == p.site.Line {
					if v, ok := p.info.Defs[id].(*types.Var); ok {
						add(p.declared(v))
					}
				}
			}
		}
		return true
	})
	n := len(found)
	// The values that calls of the line use.
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > p.site.Line || p.line(n.End()) < p.site.Line {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || !on(call) {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			add(p.of(sel.X))
		}
		for _, arg := range call.Args {
			add(p.of(arg))
		}
		return true
	})
	return found[:n:n], found[n:]
}

// of returns the candidate behind an expression that names a local variable.
func (p *proposer) of(e ast.Expr) *candidate {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	if call, ok := e.(*ast.CallExpr); ok && p.builtin(call) == "append" {
		e = call.Args[0]
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := p.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Parent() == p.pkg.Types.Scope() {
		return nil
	}
	return p.declared(v)
}

// declared returns the candidate that a local variable's declaration is, or nil.
func (p *proposer) declared(v *types.Var) *candidate {
	var found *candidate
	ast.Inspect(p.file, func(n ast.Node) bool {
		if found != nil || n == nil || v.Pos() < n.Pos() || v.Pos() >= n.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				id, ok := lhs.(*ast.Ident)
				if !ok || p.info.Defs[id] != v {
					continue
				}
				rhs := n.Rhs[0]
				if len(n.Rhs) == len(n.Lhs) {
					rhs = n.Rhs[i]
				} else if i > 0 {
					return false
				}
				if found = p.constructed(rhs); found == nil || found.obj != v {
					found = nil
				}
				return false
			}
		case *ast.DeclStmt:
			decl, ok := n.Decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				return false
			}
			for _, spec := range decl.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if p.info.Defs[id] != v {
						continue
					}
					if len(spec.Values) > 0 {
						if found = p.constructed(spec.Values[min(i, len(spec.Values)-1)]); found != nil && found.obj != v {
							found = nil
						}
						return false
					}
					c := &candidate{stmt: n, ident: id, obj: v}
					switch t := types.Unalias(v.Type()); {
					case named(t) == "bytes.Buffer" && !isPointer(t):
						c.kind = "buffer"
					case isSlice(t):
						c.kind = "scratch-slice"
					case isStruct(t):
						c.kind = "object"
					default:
						return false
					}
					found = c
					return false
				}
			}
		}
		return true
	})
	return found
}

// constructed returns the candidate that an expression is, or nil.
func (p *proposer) constructed(e ast.Expr) *candidate {
	e = ast.Unparen(e)
	c := &candidate{ctor: e}
	switch e := e.(type) {
	case *ast.CallExpr:
		switch p.builtin(e) {
		case "make":
			if t := p.info.TypeOf(e); !isSlice(t) {
				return nil
			}
			c.kind = "scratch-slice"
		case "new":
			if t, ok := p.info.TypeOf(e).(*types.Pointer); !ok {
				return nil
			} else if c.kind = "object"; named(t) == "bytes.Buffer" {
				c.kind = "buffer"
			} else if !isStruct(t.Elem()) {
				return nil
			}
		case "":
			fn := p.callee(e)
			if fn == nil {
				return nil
			}
			if c.kind = constructors[fn.FullName()]; c.kind == "" {
				return nil
			}
			if c.kind == "json-encoder" || c.kind == "json-decoder" {
				// The call on it is what is replaced.
				if path := p.path(e); len(path) > 2 {
					sel, ok1 := path[1].(*ast.SelectorExpr)
					call, ok2 := path[2].(*ast.CallExpr)
					if ok1 && ok2 && call.Fun == sel && (sel.Sel.Name == "Encode" || sel.Sel.Name == "Decode") {
						c.ctor = call
						return c
					}
				}
			}
		default:
			return nil
		}
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		if e.Op != token.AND || !ok {
			return nil
		}
		t := p.info.TypeOf(lit)
		if c.kind = "object"; named(t) == "bytes.Buffer" {
			c.kind = "buffer"
		} else if !isStruct(t) {
			return nil
		}
	case *ast.CompositeLit:
		// A value; with & the case above has it.
		if path := p.path(e); len(path) > 1 {
			if u, ok := path[1].(*ast.UnaryExpr); ok && u.Op == token.AND {
				return nil
			}
		}
		t := p.info.TypeOf(e)
		if c.kind = "object"; named(t) == "bytes.Buffer" {
			c.kind = "buffer"
		} else if !isStruct(t) {
			return nil
		}
	default:
		return nil
	}
	p.bind(c, e)
	if _, ok := e.(*ast.CompositeLit); ok && c.obj == nil {
		return nil // a value within another
	}
	return c
}

// bind finds the variable that e is the value of.
func (p *proposer) bind(c *candidate, e ast.Expr) {
	path := p.path(e)
	for i := 1; i < len(path); i++ {
		if _, ok := path[i].(*ast.ParenExpr); ok {
			continue
		}
		switch s := path[i].(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE || len(s.Rhs) != 1 {
				return
			}
			if id, ok := s.Lhs[0].(*ast.Ident); ok {
				if v, ok := p.info.Defs[id].(*types.Var); ok {
					c.stmt, c.ident, c.obj = s, id, v
				}
			}
		case *ast.ValueSpec:
			if len(s.Names) == 1 && len(s.Values) == 1 && s.Type == nil && i+2 < len(path) {
				if d, ok := path[i+2].(*ast.DeclStmt); ok && len(d.Decl.(*ast.GenDecl).Specs) == 1 {
					if v, ok := p.info.Defs[s.Names[0]].(*types.Var); ok {
						c.stmt, c.ident, c.obj = d, s.Names[0], v
					}
				}
			}
		}
		return
	}
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }
func isStruct(t types.Type) bool  { _, ok := t.Underlying().(*types.Struct); return ok }
func isSlice(t types.Type) bool   { _, ok := t.Underlying().(*types.Slice); return ok }
