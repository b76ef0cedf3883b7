// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// object puts a struct whose address is passed on on a spare.Pool.
func (p *proposer) object(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	t := c.obj.Type()
	pointer := isPointer(t)
	if pointer {
		t = t.Underlying().(*types.Pointer).Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, refuse("its type has no name")
	}
	p.analysis()
	if n.Obj().Pkg() == nil || p.an.std(n.Obj().Pkg().Path()) {
		return nil, refuse("%s is the standard library's: what its methods keep is not in view", n)
	}
	if lock := holdsLock(t, 0); lock != "" {
		return nil, refuse("it holds a %s, which must not be overwritten", lock)
	}
	if types.Implements(types.NewPointer(t), types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		return nil, refuse("it is an error")
	}
	d := p.draft()
	typ, err := d.typeText(t)
	if err != nil {
		return nil, err
	}
	if c.ctor != nil && p.mentions(c.ctor, c.obj.Name()) {
		return nil, refuse("its value mentions another %s, which it would hide", c.obj.Name())
	}
	if pointer && p.assigned(c.obj) {
		return nil, refuse("the variable gets another value later (line %d)", p.line(p.assignments(c.obj)[0].Pos()))
	}
	v, err := p.value(c, s)
	if err != nil {
		return nil, err
	}
	if a, ok := v.(*ssa.Alloc); ok && !a.Heap {
		return nil, refuse("nothing takes its address: it is on the stack already")
	}
	for _, as := range p.assignments(c.obj) {
		if as.Tok == token.DEFINE {
			return nil, refuse("it is assigned together with new variables (line %d)", p.line(as.Pos()))
		}
	}
	if _, err := p.stays(c, s, v, nil, types.NewPointer(t)); err != nil {
		return nil, err
	}
	if !pointer {
		for _, u := range p.uses(c.obj) {
			switch par := u.path[0].(type) {
			case *ast.SelectorExpr:
				continue
			case *ast.UnaryExpr:
				if par.Op == token.AND {
					d.replace(par, "%s", u.id.Name)
					continue
				}
			}
			d.replace(u.id, "*%s", u.id.Name)
		}
	}
	pool := d.pool(c.stmt, p.poolName(c, "Pool"), "lends "+c.obj.Name()+" its memory, cleared.",
		"= "+d.use(SpareModule)+".Pool["+typ+"]{Reset: func(x *"+typ+") { *x = "+typ+"{} }}")
	name := c.obj.Name()
	text := name + " := " + pool + ".Get()"
	var lit *ast.CompositeLit
	switch e := c.ctor.(type) {
	case *ast.UnaryExpr:
		lit = ast.Unparen(e.X).(*ast.CompositeLit)
	case *ast.CompositeLit:
		lit = e
	}
	if lit != nil && len(lit.Elts) > 0 {
		text += "\n*" + name + " = " + p.text(lit)
	}
	d.replace(c.stmt, "%s", text)
	if err := d.put(c, s, c.stmt, pool+".Put("+name+")"); err != nil {
		return nil, err
	}
	change, err := d.change(c, "object", "the %s of %s comes from a spare.Pool and goes back, cleared, at the end of the %s", typ, name, span(s))
	if err == nil {
		change.Object = p.pkg.TypesSizes.Sizeof(t)
	}
	return change, err
}

// holdsLock names a type within t that must not be overwritten, or returns "".
func holdsLock(t types.Type, depth int) string {
	if depth > 8 {
		return ""
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic":
			return n.Obj().Pkg().Name() + "." + n.Obj().Name()
		}
		if n.Obj().Name() == "noCopy" {
			return "noCopy"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return holdsLock(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if l := holdsLock(u.Field(i).Type(), depth+1); l != "" {
				return l
			}
		}
	}
	return ""
}

// bufio puts a bufio.Reader or Writer on a spare.Pool.
func (p *proposer) bufio(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	if p.assigned(c.obj) {
		return nil, refuse("the variable gets another value later (line %d)", p.line(p.assignments(c.obj)[0].Pos()))
	}
	call := c.ctor.(*ast.CallExpr)
	ctor := p.callee(call).Name()
	size := ""
	if len(call.Args) == 2 {
		tv := p.info.Types[call.Args[1]]
		if tv.Value == nil {
			return nil, refuse("its size is not a constant")
		}
		size = ", " + tv.Value.String()
	}
	if p.mentions(call, c.obj.Name()) {
		return nil, refuse("its value mentions another %s, which it would hide", c.obj.Name())
	}
	// NewReader and NewWriter give a bufio value that they get back as it is.
	typ := c.obj.Type()
	arg := p.info.TypeOf(call.Args[0])
	if iface, ok := arg.Underlying().(*types.Interface); named(arg) == named(typ) || ok && types.Implements(typ, iface) {
		return nil, refuse("%s may be a bufio value already, which bufio.%s takes as it is", p.text(call.Args[0]), ctor)
	}
	v, err := p.value(c, s)
	if err != nil {
		return nil, err
	}
	if _, err := p.stays(c, s, v, nil, nil); err != nil {
		return nil, err
	}
	d := p.draft()
	text, err := d.typeText(typ.Underlying().(*types.Pointer).Elem())
	if err != nil {
		return nil, err
	}
	pkg := d.use("bufio")
	pool := d.pool(c.stmt, p.poolName(c, "Pool"), "lends "+c.obj.Name()+" its buffer.",
		"= "+d.use(SpareModule)+".Pool["+text+"]{\nNew: func() *"+text+" { return "+pkg+"."+ctor+"(nil"+size+") },\nReset: func(x *"+text+") { x.Reset(nil) },\n}")
	name := c.obj.Name()
	d.replace(c.stmt, "%s := %s.Get()\n%s.Reset(%s)", name, pool, name, p.text(call.Args[0]))
	if err := d.put(c, s, c.stmt, pool+".Put("+name+")"); err != nil {
		return nil, err
	}
	return d.change(c, "bufio", "the %s %s comes from a spare.Pool and goes back at the end of the %s", text, name, span(s))
}
