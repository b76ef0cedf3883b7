// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Put that goes up through size classes and stops at the first that a capacity reaches
// stops at the smallest: everything is filed there, and who looks in a larger class finds
// none. The sizes go up where they are written out so, or where a search for a size takes
// the first that holds it.

// judgeFirstClass reports such Puts.
func (a *analysis) judgeFirstClass() {
	for c := range a.poolCalls("Put") {
		i, ok := elementIndex(c.Common().Args[0])
		if !ok || inLoop(c.Block()) || !ascends(i.Index) {
			continue
		}
		test, sizes := a.reachesClass(c, i)
		if test == nil {
			continue
		}
		evidence := a.writtenUp(sizes)
		if !evidence.IsValid() {
			evidence = a.searchedUp(sizes)
		}
		if !evidence.IsValid() {
			continue
		}
		a.reportFound(finding{
			pattern: wrongPool, pos: instrPos(c), fn: c.Parent(),
			message: fmt.Sprintf("the first class that the capacity reaches (%s) is the smallest, as the sizes go up (%s): every slice goes there, and a Get for a larger size never finds it", a.line(instrPos(test)), a.line(evidence)),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(test), Message: "asked here"}, {Pos: evidence, Message: "the sizes go up"}},
		})
	}
}

// elementIndex is the element of a list that a value lies in.
func elementIndex(v ssa.Value) (*ssa.IndexAddr, bool) {
	for range 6 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.IndexAddr:
			return x, true
		default:
			return nil, false
		}
	}
	return nil, false
}

// ascends reports whether an index is counted up by one in a loop.
func ascends(v ssa.Value) bool {
	if b, ok := v.(*ssa.BinOp); ok { // range: the counter starts at -1
		v = b.X
	}
	p, ok := v.(*ssa.Phi)
	if !ok || len(p.Edges) < 2 {
		return false
	}
	up := false
	for _, e := range p.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if e.Value == nil || e.Value.Kind() != constant.Int || e.Int64() > 0 {
				return false
			}
		case *ssa.BinOp:
			one, ok := e.Y.(*ssa.Const)
			if e.Op != token.ADD || e.X != ssa.Value(p) || !ok || one.Value == nil || one.Int64() != 1 {
				return false
			}
			up = true
		default:
			return false
		}
	}
	return up
}

// reachesClass finds the test that the capacity is at least that of class i, under which
// alone a value is put, and the list of sizes.
func (a *analysis) reachesClass(put ssa.CallInstruction, i *ssa.IndexAddr) (*ssa.BinOp, types.Object) {
	b := put.Block()
	for len(b.Preds) == 1 {
		p := b.Preds[0]
		iff, ok := lastInstr(p).(*ssa.If)
		if !ok {
			b = p
			continue
		}
		o, ok := iff.Cond.(*ssa.BinOp)
		if !ok || p.Succs[0] != b {
			return nil, nil
		}
		size, limit, op := o.X, o.Y, o.Op
		if _, isElem := elementIndex(unconverted(size)); isElem {
			size, limit = limit, size
			op = mirrored(op)
		}
		if op != token.GEQ && op != token.GTR {
			return nil, nil
		}
		if !sized(size) {
			return nil, nil
		}
		e, ok := elementIndex(unconverted(limit))
		if !ok || e.Index != i.Index {
			return nil, nil
		}
		return o, a.staticPool(e.X)
	}
	return nil, nil
}

// sized reports whether a value is the length or capacity of a slice.
func sized(v ssa.Value) bool {
	switch x := unconverted(v).(type) {
	case *ssa.Parameter:
		return isInteger(x.Type())
	default:
		return sizeCall(x) != ""
	}
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LEQ:
		return token.GEQ
	case token.LSS:
		return token.GTR
	case token.GEQ:
		return token.LEQ
	case token.GTR:
		return token.LSS
	}
	return op
}

// searchedUp finds a search, up through a list of sizes, for the first that holds what is
// asked for.
func (a *analysis) searchedUp(sizes types.Object) (at token.Pos) {
	if sizes == nil {
		return token.NoPos
	}
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			o, ok := condition(b)
			if !ok || !inLoop(b) {
				continue
			}
			size, limit, op := o.X, o.Y, o.Op
			e, isElem := elementIndex(unconverted(limit))
			if !isElem {
				e, isElem = elementIndex(unconverted(size))
				size, op = limit, mirrored(op)
			}
			if !isElem || a.staticPool(e.X) != sizes || !ascends(e.Index) {
				continue
			}
			if c, ok := unconverted(size).(*ssa.Const); ok && c != nil {
				continue
			}
			// The arm that found it leaves the loop.
			if (op == token.LEQ || op == token.LSS) && !inLoop(b.Succs[0]) || (op == token.GTR || op == token.GEQ) && sizeCall(size) != "cap" && !inLoop(b.Succs[1]) {
				return instrPos(o)
			}
		}
	}
	return token.NoPos
}

func condition(b *ssa.BasicBlock) (*ssa.BinOp, bool) {
	iff, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return nil, false
	}
	o, ok := iff.Cond.(*ssa.BinOp)
	return o, ok
}

// writtenUp finds a list of sizes written out, each larger than the one before it.
func (a *analysis) writtenUp(sizes types.Object) (at token.Pos) {
	for _, f := range a.pass.Files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				vs, ok := s.(*ast.ValueSpec)
				if !ok || len(vs.Names) != len(vs.Values) {
					continue
				}
				for k, name := range vs.Names {
					if lit, ok := vs.Values[k].(*ast.CompositeLit); ok && sizes != nil && a.pass.TypesInfo.Defs[name] == sizes && a.up(lit) {
						return name.Pos()
					}
				}
			}
		}
	}
	return token.NoPos
}

func (a *analysis) up(lit *ast.CompositeLit) bool {
	var last constant.Value
	for _, e := range lit.Elts {
		v := a.pass.TypesInfo.Types[e].Value
		if v == nil || last != nil && !constant.Compare(last, token.LSS, v) {
			return false
		}
		last = v
	}
	return len(lit.Elts) > 1
}
