// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// A Cut is where a stack meets its site.
type Cut struct {
	File string // absolute where the source is known
	Line int
	Func string // as in pprof: the function that the site is in

	// What is made: "gzip.NewWriter", "bytes.Buffer", "make([]byte, n)". For what
	// the frame's own line makes it is "" if the source does not tell.
	What string

	// Maker is the function below the frame that makes the value, as in pprof;
	// "" if the frame's line does it itself.
	Maker string

	// Owner is the type of the value whose storage grows: "bytes.Buffer"; "" if
	// nothing grows but the value that is made.
	Owner string

	// At is the frame of the program under which memory was taken. It differs
	// from the site where the site is the value's origin.
	At Frame

	// Pool is the type of the pool that the value came from: its Get made it (Miss),
	// or it grows after it was taken. OwnPool says that the program itself calls Get,
	// not a library for a pool of its own.
	Pool          string
	Miss, OwnPool bool

	// Global says that the value belongs to a package-level variable, and Field
	// that it is held by a field of something that lives longer than the call.
	Global, Field bool

	// Outgrown says that append took a larger array for a slice whose own it did not
	// fit into.
	Outgrown bool

	// Foreign says that no frame of the stack is the program's.
	Foreign bool
}

var (
	// constructor matches functions that make the value they are named after.
	constructor = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(New|new|Make|make)([A-Z0-9_]\w*)?$`)
	})

	// storage matches what the lazy storage of a value is made and grown by.
	storage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(New|new|[Gg]row|[Ii]nit|[Rr]efill|[Rr]eset|[Ee]nsure|[Aa]lloc|[Ee]xpand|[Rr]ealloc|[Rr]eserve|make|[Rr]esize|extend|[Ff]ill$)`)
	})
)

// Cut attributes a stack, leaf first.
func (p *Program) Cut(stack []Frame) Cut {
	if len(stack) == 0 {
		return Cut{What: "no stack", Foreign: true}
	}
	i := 0
	for i < len(stack) && !p.Owns(stack[i]) {
		i++
	}
	if i == len(stack) {
		return p.foreign(stack)
	}
	// What a pool's Get makes because the pool is empty.
	for j := range stack[:len(stack)-1] {
		typ, method, ok := Receiver(stack[j].Func)
		if !ok || !pools[typ] || method != "Get" {
			continue
		}
		for k := j + 1; k < len(stack); k++ {
			if p.Owns(stack[k]) {
				c := p.at(stack, k)
				c.What, c.Pool, c.Maker = "miss of a "+poolName(typ), typ, stack[j].Func
				c.Miss, c.OwnPool = true, k == j+1
				return c
			}
		}
	}
	if c, ok := p.lazy(stack, i); ok {
		return c
	}
	// Constructors of the program, as long as the program calls them.
	at := i
	for at+1 < len(stack) && constructor().MatchString(shortName(stack[at].Func)) && p.Owns(stack[at+1]) && !isBenchmark(stack[at+1].Func) {
		at++
	}
	c := p.at(stack, at)
	c.At = stack[i]
	switch {
	case at > i:
		c.Maker = stack[at-1].Func
		c.What = QualifiedName(c.Maker)
		if PackagePath(c.Maker) == PackagePath(stack[at].Func) {
			c.What = LocalName(c.Maker)
		}
	case i > 0:
		c.Maker = stack[i-1].Func
		c.What = QualifiedName(c.Maker)
		p.grown(&c, stack, i)
	default:
		p.grown(&c, stack, i)
	}
	return c
}

// grown moves the cut of a slice that an append grows to where the slice was
// made, if the line does nothing but that.
func (p *Program) grown(c *Cut, stack []Frame, at int) {
	f := p.file(stack[at])
	if f == nil || c.Maker != "" && !strings.HasPrefix(shortName(c.Maker), "Append") {
		return
	}
	makes := p.Makes(c.File, c.Line)
	if c.Maker == "" && (len(makes) != 1 || makes[0].Kind != Append) {
		return
	}
	name := "append"
	if c.Maker != "" {
		name = shortName(c.Maker)
	}
	for _, call := range p.calls(f, c.Line, name) {
		if len(call.Args) == 0 {
			continue
		}
		x := ast.Unparen(call.Args[0])
		if s, ok := x.(*ast.SliceExpr); ok {
			x = ast.Unparen(s.X)
		}
		t := f.pkg.TypesInfo.TypeOf(x)
		if t == nil {
			continue
		}
		moved := *c
		moved.Owner, moved.What = types.TypeString(t, types.RelativeTo(f.pkg.Types)), ""
		p.origin(&moved, stack, at, x, 0)
		if moved.Pool != "" {
			*c = moved
			return
		}
		if _, ok := x.(*ast.Ident); !ok {
			continue // a field or an element: its owner is not known by its name
		}
		if moved.Global {
			c.Global = true
			return
		}
		if moved.What == "" || !strings.HasPrefix(moved.What, "make") {
			moved.What = moved.Owner + " grown by append"
		}
		moved.Outgrown = true
		*c = moved
		return
	}
}

// isBenchmark reports whether a function is a benchmark or one of its function
// literals: what it calls is what is measured, even a constructor.
func isBenchmark(fn string) bool {
	return strings.HasPrefix(LocalName(fn), "Benchmark")
}

// Constructs returns the part of a stack of a CPU profile from the outermost of
// the deepest run of constructors on, and whether there is one: the work of
// making a value, whether or not it allocates.
func (p *Program) Constructs(stack []Frame) ([]Frame, bool) {
	for i := range stack {
		if p.Owns(stack[i]) {
			if constructor().MatchString(shortName(stack[i].Func)) {
				return stack[i:], true
			}
			return nil, false
		}
		if constructor().MatchString(shortName(stack[i].Func)) {
			return stack[i:], true
		}
	}
	return nil, false
}

func (p *Program) foreign(stack []Frame) Cut {
	// The deepest frame that is not of the standard library, or else the leaf.
	f := stack[0]
	for _, g := range stack {
		if !IsStandard(PackagePath(g.Func)) {
			f = g
			break
		}
	}
	return Cut{File: f.File, Line: f.Line, Func: f.Func, At: f, Maker: stack[0].Func, What: QualifiedName(stack[0].Func), Foreign: true}
}

func (p *Program) at(stack []Frame, i int) Cut {
	f := stack[i]
	return Cut{File: p.Path(f), Line: f.Line, Func: f.Func, At: f}
}

// shortName returns the last element of a function's name: of a method its
// name, of a function literal "func1".
func shortName(fn string) string {
	local := WithoutTypeArgs(LocalName(fn))
	return local[strings.LastIndexByte(local, '.')+1:]
}

// lazy handles storage that a value makes or grows when it is used.
func (p *Program) lazy(stack []Frame, at int) (Cut, bool) {
	f := p.file(stack[at])
	if f == nil {
		return Cut{}, false
	}
	// Codecs keep whatever they make, in whatever function; but what they write to
	// may grow below them.
	for j := range at {
		typ, _, method := Receiver(stack[j].Func)
		if method && growsIn[typ] {
			break
		}
		if method && codecs[typ] {
			if c, ok := p.owner(stack, at, typ, stack[j].Func); ok {
				return c, true
			}
		}
	}
	// From the leaf up, through functions that make or grow, to the first method
	// that does not: what its receiver does with the memory is its own business.
	grows := false
	for j := range at {
		typ, _, method := Receiver(stack[j].Func)
		short := shortName(stack[j].Func)
		stores := constructor().MatchString(short) || storage().MatchString(short)
		grows = grows || stores
		if !grows && typ != "strings.Builder" {
			return Cut{}, false
		}
		if method {
			if c, ok := p.owner(stack, at, typ, stack[j].Func); ok {
				return c, true
			}
		}
		if !stores {
			return Cut{}, false
		}
	}
	return Cut{}, false
}

// growsIn are types that grow to hold what is written to them.
var growsIn = map[string]bool{"strings.Builder": true, "bytes.Buffer": true}

// codecs are types that keep all memory that their methods take.
var codecs = map[string]bool{
	"compress/gzip.Writer": true, "compress/gzip.Reader": true, "compress/zlib.Writer": true,
	"compress/flate.Writer":                      true,
	"github.com/klauspost/compress/gzip.Writer":  true,
	"github.com/klauspost/compress/gzip.Reader":  true,
	"github.com/klauspost/compress/flate.Writer": true,
	"github.com/klauspost/compress/zstd.Encoder": true,
	"github.com/klauspost/compress/zstd.Decoder": true,
	"bufio.Scanner": true,
}

// owner looks for a value of the type typ on the line of a frame, and for where
// it was made.
func (p *Program) owner(stack []Frame, at int, typ, method string) (Cut, bool) {
	f := p.file(stack[at])
	for _, call := range p.calls(f, stack[at].Line, calleeName(stack, at)) {
		var candidates []ast.Expr
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			candidates = append(candidates, sel.X)
		}
		candidates = append(candidates, call.Args...)
		for _, x := range candidates {
			x, found := p.holds(f, x, stack, at, typ, 0)
			if !found {
				continue
			}
			c := p.at(stack, at)
			c.Owner = QualifiedName(typ)
			c.Maker = method
			p.origin(&c, stack, at, x, 0)
			if c.What == "" {
				c.What = c.Owner
			}
			return c, true
		}
	}
	return Cut{}, false
}

// holds reports whether x is, or holds, a value of the type, and returns the
// expression for it: x itself, or the argument of a call that wraps it.
func (p *Program) holds(f *file, x ast.Expr, stack []Frame, at int, typ string, depth int) (ast.Expr, bool) {
	if p.isType(f, x, typ) {
		return x, true
	}
	if depth > 3 {
		return nil, false
	}
	// An interface or a wrapper: look at what the variable was given.
	switch y := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		// json.NewEncoder(&buf).Encode(v): what is grown is buf.
		for _, arg := range y.Args {
			if z, ok := p.holds(f, arg, stack, at, typ, depth+1); ok {
				return z, true
			}
		}
	case *ast.Ident:
		for _, rhs := range f.given(f.pkg.TypesInfo.ObjectOf(y)) {
			if z, ok := p.holds(f, rhs, stack, at, typ, depth+1); ok {
				return z, true
			}
		}
		if z := p.passed(f, y, stack, at, typ); z != nil {
			return x, true
		}
	case *ast.UnaryExpr:
		return p.holds(f, y.X, stack, at, typ, depth+1)
	}
	return nil, false
}

// passed reports whether the parameter that an identifier names was given a
// value of the type by the caller on the stack.
func (p *Program) passed(f *file, id *ast.Ident, stack []Frame, at int, typ string) ast.Expr {
	up, arg := p.argument(f, id, stack, at)
	if arg == nil {
		return nil
	}
	g := p.file(stack[up])
	if z, ok := p.holds(g, arg, stack, up, typ, 2); ok {
		return z
	}
	return nil
}

// argument returns what the caller on the stack passed for the parameter that
// an identifier names, and the index of the caller's frame.
func (p *Program) argument(f *file, id *ast.Ident, stack []Frame, at int) (int, ast.Expr) {
	obj := f.pkg.TypesInfo.ObjectOf(id)
	fn := p.enclosing(f, stack[at].Line)
	if obj == nil || fn == nil {
		return 0, nil
	}
	// Frames of function literals: the parameter may be the enclosing function's,
	// which is on the stack only if the literal runs below it.
	name := fn.Name.Name
	n := -2
	if fn.Recv != nil {
		for _, field := range fn.Recv.List {
			for _, x := range field.Names {
				if f.pkg.TypesInfo.ObjectOf(x) == obj {
					n = -1
				}
			}
		}
	}
	i := 0
	for _, field := range fn.Type.Params.List {
		for _, x := range field.Names {
			if f.pkg.TypesInfo.ObjectOf(x) == obj {
				n = i
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	if n == -2 {
		return 0, nil
	}
	// The frame of fn itself, then its caller.
	frame := at
	for frame < len(stack) && shortName(stack[frame].Func) != name {
		frame++
	}
	up := frame + 1
	if up >= len(stack) || !p.Owns(stack[up]) {
		return 0, nil
	}
	g := p.file(stack[up])
	if g == nil {
		return 0, nil
	}
	for _, call := range p.calls(g, stack[up].Line, name) {
		if n == -1 {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				return up, sel.X
			}
			continue
		}
		if n < len(call.Args) {
			return up, call.Args[n]
		}
	}
	return 0, nil
}

// origin sets the cut to where the value of x was made.
func (p *Program) origin(c *Cut, stack []Frame, at int, x ast.Expr, depth int) {
	f := p.file(stack[at])
	if f == nil || depth > 8 {
		return
	}
	here := func(pos token.Pos) {
		at := p.Fset.Position(pos)
		c.File, c.Line = f.path, at.Line
		c.Func = stack[min(len(stack)-1, p.frameOf(stack, at.Line, c.At, f))].Func
	}
	switch y := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		p.origin(c, stack, at, y.X, depth+1)
	case *ast.StarExpr:
		p.origin(c, stack, at, y.X, depth+1)
	case *ast.IndexExpr:
		p.origin(c, stack, at, y.X, depth+1)
	case *ast.SelectorExpr:
		if obj, ok := f.pkg.TypesInfo.ObjectOf(y.Sel).(*types.Var); ok && !obj.IsField() {
			c.Global = true // a package-level variable of another package
			return
		}
		c.Field = true
		if c.What == "" {
			c.What = c.Owner + " in " + types.ExprString(y)
		}
		p.origin(c, stack, at, y.X, depth+1)
	case *ast.TypeAssertExpr:
		p.origin(c, stack, at, y.X, depth+1)
	case *ast.SliceExpr:
		// What grows is not what was sliced, unless that is from a pool, and goes back.
		if p.pooledValue(f, y.X, 0) != "" {
			p.origin(c, stack, at, y.X, depth+1)
		}
	case *ast.CallExpr:
		if tv, ok := f.pkg.TypesInfo.Types[y.Fun]; ok && tv.IsType() && len(y.Args) == 1 {
			p.origin(c, stack, at, y.Args[0], depth+1)
			return
		}
		here(y.Lparen)
		if c.Pool = p.pooled(f, y, 0); c.Pool != "" {
			if c.What == "" {
				c.What = c.Owner
			}
			c.What += " from a " + poolName(c.Pool)
			return
		}
		if !c.Field {
			if c.What = types.ExprString(y.Fun); c.What == "new" {
				c.What = c.Owner
			}
		}
	case *ast.CompositeLit:
		here(y.Pos())
		if !c.Field {
			c.What = c.Owner
		}
	case *ast.Ident:
		obj := f.pkg.TypesInfo.ObjectOf(y)
		v, ok := obj.(*types.Var)
		if !ok {
			return
		}
		if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			c.Global = true
			if at := p.Fset.Position(v.Pos()); at.IsValid() {
				c.File, c.Line, c.Func = at.Filename, at.Line, PackagePath(stack[at2(stack, c.At)].Func)+".init"
			}
			return
		}
		if up, arg := p.argument(f, y, stack, at); arg != nil {
			p.origin(c, stack, up, arg, depth+1)
			return
		}
		for _, rhs := range f.given(obj) {
			if f.appendsTo(rhs, obj) {
				continue // s = append(s, ...) is not where s comes from
			}
			p.origin(c, stack, at, rhs, depth+1)
			if c.Line != c.At.Line || isMaker(rhs) {
				return
			}
			break
		}
		if v.Pos().IsValid() && p.Fset.Position(v.Pos()).Filename == f.path {
			here(v.Pos())
		}
	}
}

// appendsTo reports whether x is an append to the variable.
func (f *file) appendsTo(x ast.Expr, v types.Object) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	return ok && f.pkg.TypesInfo.ObjectOf(id) == v
}

func isMaker(x ast.Expr) bool {
	switch ast.Unparen(x).(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		return true
	}
	return false
}

func at2(stack []Frame, f Frame) int {
	for i := range stack {
		if stack[i] == f {
			return i
		}
	}
	return 0
}

// frameOf returns the index of the frame whose function encloses a line, or of
// the frame at.
func (p *Program) frameOf(stack []Frame, line int, at Frame, f *file) int {
	want := p.enclosing(f, line)
	for i := range stack {
		if g := p.file(stack[i]); g == f && p.enclosing(g, stack[i].Line) == want {
			return i
		}
	}
	return at2(stack, at)
}

// calleeName returns the short name of the function that a frame calls.
func calleeName(stack []Frame, at int) string {
	if at == 0 {
		return ""
	}
	return shortName(stack[at-1].Func)
}

// calls returns the calls on a line: those of a function of this name, or, if
// there are none (the function is reached through a variable), all.
func (p *Program) calls(f *file, line int, name string) []*ast.CallExpr {
	if f == nil {
		return nil
	}
	var named, all []*ast.CallExpr
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > line || p.line(n.End()) < line {
			return n == nil
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := ast.Unparen(call.Fun)
		switch x := fun.(type) {
		case *ast.IndexExpr:
			fun = x.X
		case *ast.IndexListExpr:
			fun = x.X
		}
		id, _ := fun.(*ast.Ident)
		if sel, ok := fun.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
		if p.line(call.Pos()) != line && p.line(call.Lparen) != line && (id == nil || p.line(id.Pos()) != line) {
			return true
		}
		all = append(all, call)
		if id != nil && id.Name == name {
			named = append(named, call)
		}
		return true
	})
	if len(named) > 0 {
		return named
	}
	return all
}

// isType reports whether the type of x is the qualified type, or a pointer to
// it.
func (p *Program) isType(f *file, x ast.Expr, typ string) bool {
	t := f.pkg.TypesInfo.TypeOf(x)
	if t == nil {
		return false
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	return named.Obj().Pkg().Path()+"."+named.Obj().Name() == typ
}

// given returns what a variable was given in this file.
func (f *file) given(obj types.Object) []ast.Expr {
	if f.assigned == nil {
		f.assigned = make(map[types.Object][]ast.Expr)
		info := f.pkg.TypesInfo
		pair := func(lhs, rhs []ast.Expr) {
			for i, l := range lhs {
				id, ok := l.(*ast.Ident)
				if !ok || id.Name == "_" {
					continue
				}
				o := info.ObjectOf(id)
				switch {
				case o == nil:
				case len(rhs) == len(lhs):
					f.assigned[o] = append(f.assigned[o], rhs[i])
				case len(rhs) == 1 && i == 0:
					f.assigned[o] = append(f.assigned[o], rhs[0])
				}
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE || n.Tok == token.ASSIGN {
					pair(n.Lhs, n.Rhs)
				}
			case *ast.ValueSpec:
				var lhs []ast.Expr
				for _, id := range n.Names {
					lhs = append(lhs, id)
				}
				pair(lhs, n.Values)
			}
			return true
		})
	}
	return f.assigned[obj]
}

// InTest reports whether a cut is in a test file.
func (c *Cut) InTest() bool { return strings.HasSuffix(filepath.Base(c.File), "_test.go") }
