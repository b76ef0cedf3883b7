// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// scratch puts a slice that make or append makes on a spare.Slices.
func (p *proposer) scratch(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	d := p.draft()
	slice := c.obj.Type()
	elem := slice.Underlying().(*types.Slice).Elem()
	elemText, err := d.typeText(elem)
	if err != nil {
		return nil, err
	}

	var get string    // the argument of Get
	var length string // "" for a slice of length 0
	var starts []ssa.Value
	if c.ctor == nil {
		// var s []T, which append makes.
		get = "0"
		if starts, err = p.appends(c, s); err != nil {
			return nil, err
		}
	} else {
		call := c.ctor.(*ast.CallExpr)
		n := call.Args[1]
		get = p.asInt(call.Args[len(call.Args)-1])
		if !isZero(p, n) {
			length = p.asInt(n)
			for _, a := range call.Args[1:] {
				if !p.pure(a) {
					return nil, refuse("its length %s would have to be worked out twice", p.text(a))
				}
			}
		}
		v, err := p.value(c, s)
		if err != nil {
			return nil, err
		}
		starts = []ssa.Value{v}
	}
	grows, others, err := p.growth(c)
	if err != nil {
		return nil, err
	}
	var all traits
	own := p.ownAppends(c)
	for _, v := range starts {
		t, err := p.stays(c, s, v, nil, nil)
		if err != nil {
			return nil, err
		}
		all.capacity = all.capacity || t.capacity
		all.reslices = all.reslices || t.reslices
		all.deferred = all.deferred || t.deferred
		all.elsewhere = all.elsewhere || t.elsewhere
		for _, at := range t.appends {
			if !own[at] {
				all.elsewhere = true
			}
		}
		switch {
		case t.compared:
			return nil, refuse("it is compared with nil")
		case t.boxed && c.ctor == nil:
			return nil, refuse("it becomes an interface value, in which a nil slice is not an empty one")
		}
	}
	// Where the capacity shows, also in what two appends to one slice share, it
	// has to be the one that make gives.
	exact := all.capacity || all.elsewhere
	if exact && c.ctor == nil {
		return nil, refuse("its capacity shows, which a pool makes larger")
	}
	if exact {
		for _, a := range c.ctor.(*ast.CallExpr).Args[1:] {
			if !p.pure(a) {
				return nil, refuse("its capacity shows, and %s would have to be worked out twice", p.text(a))
			}
		}
	}
	if c.ctor == nil && (others || !grows) {
		return nil, refuse("it gets its array from something other than append")
	}

	growing := grows && !others && !exact
	var extend string // the first elements, where append is to make them
	if p.site.Outgrown && growing && c.ctor != nil {
		if get = "0"; length != "" {
			extend, length = "make([]"+elemText+", "+p.text(c.ctor.(*ast.CallExpr).Args[1])+")...", ""
		}
	}
	value := d.use(SpareModule) + ".Slices[" + elemText + "]"
	if (length != "" || all.reslices) && !pointerful(elem) && !hasString(elem) {
		value = "= " + value + "{Zero: true}" // as make has it
	}
	pool := d.pool(c.stmt, p.poolName(c, "Slices"), "lends "+c.obj.Name()+" its array.", value)
	change, err := p.scratched(d, c, s, pool, get, length, extend, growing, all.deferred, exact)
	if err == nil && c.ctor != nil {
		change.FirstOnly = !growing
		for at := range own {
			change.Appends = append(change.Appends, p.line(at))
		}
	}
	return change, err
}

// scratched writes the change. growing says that append alone gives the
// variable new arrays, so that the last one can go to the pool. extend is what
// append adds at the beginning: the slice is then as long as that.
func (p *proposer) scratched(d *draft, c *candidate, s *scope, pool, get, length, extend string, growing, deferred, exact bool) (*Change, error) {
	name := c.obj.Name()
	expr, lent, before := pool+".Get("+get+")", name, ""
	if exact {
		lent = d.name(name + "Array")
		before = lent + " := " + expr + "\n"
		if expr = lent + "[:0:" + get + "]"; length != "" {
			expr = lent + "[:" + length + ":" + get + "]"
		}
	} else if length != "" {
		expr += "[:" + length + "]"
	}
	if extend != "" {
		expr = "append(" + expr + ", " + extend + ")"
	}
	if _, ok := types.Unalias(c.obj.Type()).(*types.Named); ok {
		typ, err := d.typeText(c.obj.Type())
		if err != nil {
			return nil, err
		}
		expr = typ + "(" + expr + ")"
	}
	d.replace(c.stmt, "%s%s := %s", before, name, expr)
	put := pool + ".Put(" + lent + ")"
	switch {
	case s.loop != nil:
		if err := d.atExits(c, s, put); err != nil {
			return nil, err
		}
	case !growing:
		// The array that was lent, whatever the variable holds by then.
		d.after(c.stmt, "defer "+put)
	default:
		// The array that the slice grew into. A plain call is best, since a
		// deferred one has to capture the variable.
		if deferred || d.atEnds(c, s, put) != nil {
			d.after(c.stmt, "defer func() { "+put+" }()")
		}
	}
	what := "make"
	if c.ctor == nil {
		what = "append"
	}
	return d.change(c, "scratch-slice", "the array of %s comes from a spare.Slices instead of %s, and goes back at the end of the %s", name, what, span(s))
}

// atEnds inserts call before each return, if all of these are plain, and leaves
// the draft as it is otherwise.
func (d *draft) atEnds(c *candidate, s *scope, call string) error {
	before := len(d.edits)
	if &s.list[0] != &s.body.List[0] {
		return refuse("it is in an inner block")
	}
	if err := d.atExits(c, s, call); err != nil {
		d.edits = d.edits[:before]
		return err
	}
	return nil
}

func isConstZero(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.String() == "0"
}

// hasString reports whether a type holds strings, which are pointers to the
// collector: a pool wipes such elements in any case.
func hasString(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Array:
		return hasString(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if hasString(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// growth looks at the assignments to the slice: whether append makes it grow,
// and whether something else gives it another array.
func (p *proposer) growth(c *candidate) (grows, others bool, err error) {
	for _, as := range p.assignments(c.obj) {
		if len(as.Rhs) != 1 || len(as.Lhs) != 1 {
			others = true
			continue
		}
		switch r := ast.Unparen(as.Rhs[0]).(type) {
		case *ast.CallExpr:
			if len(r.Args) > 0 && p.isAppend(r) && p.from(r, c.obj) {
				grows = true
				continue
			}
		case *ast.SliceExpr:
			if p.from(r, c.obj) {
				continue
			}
		}
		others = true
	}
	return grows, others, nil
}

// ownAppends returns the places of the appends whose result the slice gets back.
func (p *proposer) ownAppends(c *candidate) map[token.Pos]bool {
	own := map[token.Pos]bool{}
	for _, as := range p.assignments(c.obj) {
		if len(as.Rhs) != 1 || len(as.Lhs) != 1 || !p.from(as.Rhs[0], c.obj) {
			continue
		}
		e := ast.Unparen(as.Rhs[0])
		for {
			call, ok := e.(*ast.CallExpr)
			if !ok || !p.isAppend(call) {
				break
			}
			own[call.Lparen] = true
			for _, a := range call.Args {
				if isSlice(p.info.TypeOf(a)) {
					e = ast.Unparen(a)
					break
				}
			}
		}
	}
	return own
}

// isAppend reports whether a call appends to its first argument of slice type
// and returns the result.
func (p *proposer) isAppend(call *ast.CallExpr) bool {
	if p.builtin(call) == "append" {
		return true
	}
	fn := p.callee(call)
	return fn != nil && fn.Pkg() != nil && trusted[fn.Pkg().Path()] && strings.HasPrefix(fn.Name(), "Append")
}

// from reports whether an expression is the slice v from its first element on:
// v, v[:n], or an append to one of these.
func (p *proposer) from(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.info.Uses[e] == v
	case *ast.SliceExpr:
		return (e.Low == nil || isZero(p, e.Low)) && e.Max == nil && p.from(e.X, v)
	case *ast.CallExpr:
		if !p.isAppend(e) {
			return false
		}
		for _, a := range e.Args {
			if isSlice(p.info.TypeOf(a)) {
				return p.from(a, v)
			}
		}
	}
	return false
}

// appends returns the results of the appends that make a slice declared without
// a value.
func (p *proposer) appends(c *candidate, s *scope) ([]ssa.Value, error) {
	fn := p.function(s.fn)
	if fn == nil {
		return nil, refuse("its function is not compiled here")
	}
	var starts []ssa.Value
	for _, as := range p.assignments(c.obj) {
		if len(as.Rhs) != 1 {
			return nil, refuse("it gets its array from something other than append")
		}
		call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
		if !ok || !p.isAppend(call) {
			continue
		}
		if inner, _ := p.enclosing(as); inner != s.fn {
			return nil, refuse("a function literal appends to it")
		}
		v, _ := fn.ValueForExpr(call)
		if v == nil {
			return nil, refuse("its value cannot be found in the compiled form")
		}
		if _, ok := v.(ssa.Instruction); !ok {
			return nil, refuse("its value cannot be found in the compiled form")
		}
		starts = append(starts, v)
	}
	if len(starts) == 0 {
		return nil, refuse("nothing appends to it")
	}
	return starts, nil
}
