// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// quiet are the methods of bytes.Buffer that leave slices of it valid.
var quiet = map[string]bool{"Len": true, "Cap": true, "Available": true, "String": true, "Bytes": true, "Peek": true, "AvailableBuffer": true}

// shows are those that give a slice of it.
var shows = map[string]bool{"Bytes": true, "Next": true, "Peek": true, "AvailableBuffer": true}

// local are those with which the contents of a Buffer from buffer.New stay on
// the stack.
var local = map[string]bool{
	"Write": true, "WriteString": true, "WriteByte": true, "WriteRune": true, "String": true, "Len": true, "Cap": true, "Reset": true,
	"Truncate": true, "Grow": true, "Available": true, "Read": true, "ReadByte": true, "ReadRune": true, "ReadBytes": true, "ReadString": true,
	"UnreadByte": true, "UnreadRune": true,
}

// bufferMethod says what the methods of bytes.Buffer give.
func bufferMethod(f *types.Func) (class, bool) {
	if shows[f.Name()] {
		return region, true
	}
	return 0, true
}

func (p *proposer) buffer(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	if p.assigned(c.obj) {
		return nil, refuse("the variable gets another value later (line %d)", p.line(p.assignments(c.obj)[0].Pos()))
	}
	var grow ast.Expr
	if call, ok := c.ctor.(*ast.CallExpr); ok && p.builtin(call) == "" {
		arg := ast.Unparen(call.Args[0])
		inner, isCall := arg.(*ast.CallExpr)
		switch {
		case p.info.Types[arg].IsNil() || p.text(arg) == `""`:
		case isCall && p.builtin(inner) == "make" && len(inner.Args) == 3 && isZero(p, inner.Args[1]):
			if grow = inner.Args[2]; p.mentions(grow, c.obj.Name()) {
				return nil, refuse("its size mentions another %s, which it would hide", c.obj.Name())
			}
		default:
			return nil, refuse("it starts with contents of its own, whose memory it takes over")
		}
	}
	if lit, ok := c.ctor.(*ast.UnaryExpr); ok && len(lit.X.(*ast.CompositeLit).Elts) > 0 {
		return nil, refuse("it starts with contents of its own")
	}
	pointer := isPointer(c.obj.Type())
	d := p.draft()
	onStack := !pointer && s.loop == nil
	for _, u := range p.uses(c.obj) {
		switch par := u.path[0].(type) {
		case *ast.SelectorExpr:
			call, ok := u.path[1].(*ast.CallExpr)
			if !ok || call.Fun != par {
				if !p.methodOf(par) {
					return nil, refuse("line %d uses it in another way than by its methods", p.line(u.id.Pos()))
				}
				onStack = false
			}
			onStack = onStack && local[par.Sel.Name]
			continue
		case *ast.UnaryExpr:
			if par.Op == token.AND && !pointer && p.toInterface(par, u.path[1:]) {
				d.replace(par, "%s", u.id.Name)
				onStack = false
				continue
			}
		default:
			if pointer && (p.toInterface(u.id, u.path) || isComparison(par)) {
				continue
			}
		}
		return nil, refuse("line %d uses it as a bytes.Buffer, which it would be no more", p.line(u.id.Pos()))
	}
	v, err := p.value(c, s)
	if err != nil {
		if c.ctor != nil {
			return nil, err
		}
		return nil, refuse("nothing writes to it")
	}
	t, err := p.stays(c, s, v, bufferMethod, nil)
	if err != nil {
		return nil, err
	}
	if !onStack {
		if err := p.slicesFresh(t, v); err != nil {
			return nil, err
		}
	}
	name, pkg := c.obj.Name(), d.use(SpareModule+"/buffer")
	from := "Get"
	if onStack {
		from = "New"
	}
	d.replace(c.stmt, "%s := %s.%s()", name, pkg, from)
	if grow != nil {
		d.after(c.stmt, name+".Grow("+p.asInt(grow)+")")
	}
	if err := d.put(c, s, c.stmt, name+".Release()"); err != nil {
		return nil, err
	}
	return d.change(c, "buffer", "the bytes.Buffer %s becomes a buffer.Buffer from buffer.%s, released at the end of the %s", name, from, span(s))
}

func span(s *scope) string {
	if s.loop != nil {
		return "loop's turn"
	}
	return "function"
}

func isZero(p *proposer, e ast.Expr) bool {
	v := p.info.Types[e].Value
	return v != nil && v.String() == "0"
}

func isComparison(n ast.Node) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && (b.Op == token.EQL || b.Op == token.NEQ)
}

// methodOf reports whether a selector names a method.
func (p *proposer) methodOf(sel *ast.SelectorExpr) bool {
	s := p.info.Selections[sel]
	return s != nil && s.Kind() == types.MethodVal
}

// slicesFresh proves that no slice of the buffer is used after the buffer
// changed: a buffer from the pool gives the memory that it outgrew away at once.
func (p *proposer) slicesFresh(t *tracker, v ssa.Value) error {
	var shown, changes []ssa.Instruction
	for instr := range t.uses {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if callee := call.Common().StaticCallee(); callee != nil && len(call.Common().Args) > 0 {
			if obj := objectOf(callee); obj != nil && obj.Signature().Recv() != nil && named(obj.Signature().Recv().Type()) == "bytes.Buffer" {
				if shows[obj.Name()] {
					shown = append(shown, instr)
				}
				if quiet[obj.Name()] {
					continue
				}
			}
		}
		changes = append(changes, instr)
	}
	for _, at := range shown {
		val, ok := at.(ssa.Value)
		if !ok {
			return refuse("a slice of it is made by a deferred call (line %d)", p.line(at.Pos()))
		}
		in := p.analysis().tracker(t.root, 0)
		in.method = bufferMethod
		if e := in.follow(val, region); e != nil {
			return refuse("%s (line %d)", e.why, p.line(e.pos))
		}
		for m := range t.uses {
			if d, ok := m.(*ssa.Defer); ok && in.uses[m] {
				return refuse("a deferred call uses a slice of it (line %d)", p.line(d.Pos()))
			}
		}
		for _, m := range changes {
			// A call that gets nothing but the slice does not change the buffer.
			if in.uses[m] && !usesOther(m, t, in) || !reaches(at, m, nil) {
				continue
			}
			for u := range in.uses {
				if u != m && reaches(m, u, at) {
					return refuse("a slice of it is used (line %d) after the buffer may have changed (line %d)", p.line(u.Pos()), p.line(m.Pos()))
				}
			}
		}
	}
	return nil
}

// usesOther reports whether an instruction uses a value that t follows and in
// does not.
func usesOther(i ssa.Instruction, t, in *tracker) bool {
	for _, op := range i.Operands(nil) {
		if *op != nil && t.classes[*op] != 0 && in.classes[*op] == 0 {
			return true
		}
	}
	return false
}

func (p *proposer) readAll(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	as, ok := c.stmt.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 {
		return nil, refuse("its result is not assigned by a statement of its own")
	}
	v, err := p.value(c, s)
	if err != nil {
		return nil, err
	}
	t, err := p.stays(c, s, v, nil, nil)
	if err != nil {
		return nil, err
	}
	if t.compared || t.capacity {
		return nil, refuse("its capacity is asked for, or it is compared with nil")
	}
	d := p.draft()
	buf, pkg := d.name(c.obj.Name()+"Buffer"), d.use(SpareModule+"/buffer")
	errName := as.Lhs[1].(*ast.Ident)
	tok := "="
	if p.info.Defs[errName] != nil {
		tok = ":="
	}
	text := buf + " := " + pkg + ".Get()\n"
	if s.loop == nil {
		text += "defer " + buf + ".Release()\n"
	}
	call := c.ctor.(*ast.CallExpr)
	text += "_, " + errName.Name + " " + tok + " " + buf + ".ReadFrom(" + p.text(call.Args[0]) + ")\n" + c.obj.Name() + " := " + buf + ".Bytes()"
	d.replace(c.stmt, "%s", text)
	if s.loop != nil {
		if err := d.atExits(c, s, buf+".Release()"); err != nil {
			return nil, err
		}
	}
	return d.change(c, "read-all", "io.ReadAll into %s becomes a buffer.Buffer's ReadFrom, released at the end of the %s", c.obj.Name(), span(s))
}
