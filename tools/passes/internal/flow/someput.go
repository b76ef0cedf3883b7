// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Whoever drops large values at one Put of a pool means the others as well: what grew with
// its input and goes to the same pool without a look at its size undoes the limit.

// bulky are the values that grew with what came, by where they were taken.
type bulky struct {
	seen []token.Pos // by the current root
	at   map[token.Pos]bool
}

func (b *bulky) commit() {
	if b.at == nil {
		b.at = map[token.Pos]bool{}
	}
	for _, pos := range b.seen {
		b.at[pos] = true
	}
}

// grown sees a pooled value grow with what came; late says that it is emptied again there.
func (a *analysis) grown(t *sym, at ssa.Instruction, late bool) {
	a.growEvent = append(a.growEvent, growth{t.pool, instrPos(at), late})
	if t.kind == kToken && len(t.stack) > 0 {
		a.bulky.seen = append(a.bulky.seen, t.stack[0])
	}
}

// writtenThrough sees a writer of the package's own given to code out of view: what that
// writes is gathered in it.
func (a *analysis) writtenThrough(st *state, i ssa.Instruction, y *sym) {
	t := plain(y)
	if t.kind != kToken || t.typ == nil || a.quiet > 0 || !a.unboundedHere(st, i, t) {
		return
	}
	n := pointee(t.typ)
	if n == nil || n.Obj().Pkg() != a.pkg.Pkg || !a.gathersWrites(n) {
		return
	}
	a.grown(t, i, false)
}

// gathersWrites reports whether the Write method of a type appends what it is given to a field.
func (a *analysis) gathersWrites(n *types.Named) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Write")
	m, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	fn := a.prog.FuncValue(m)
	if fn == nil || len(fn.Params) != 2 {
		return false
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || len(c.Call.Args) != 2 || c.Call.Args[1] != fn.Params[1] {
			continue
		}
		if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "append" {
			return true
		}
	}
	return false
}

// judgeUnbounded reports the Put of what grew where another Put of the same pool drops what is
// large.
func (a *analysis) judgeUnbounded(p *pool) {
	var limit *putSite
	for _, s := range p.puts {
		if s.limited && limit == nil {
			limit = s
		}
	}
	if limit == nil {
		return
	}
	sites := slices.Clone(p.puts)
	slices.SortStableFunc(sites, func(x, y *putSite) int { return cmp.Compare(x.ev.pos(), y.ev.pos()) })
	for _, s := range sites {
		if s.tested || s.small || s.tok == nil || !growable(s.held) || !a.bulky.at[s.tok.stack[0]] || s.ev.pos() == limit.ev.pos() {
			continue
		}
		a.reportFound(finding{
			pattern: oversizeRetention, pos: s.ev.pos(),
			message: fmt.Sprintf("%s goes to %s at any size, although another Put drops what is large (%s)", apposed(a.putName(&s.ev, s.ev.fn), "which grew with its input", "a value that grew with its input"), p.label(), a.line(limit.ev.pos())),
			related: []goanalysis.RelatedInformation{{Pos: s.tok.stack[len(s.tok.stack)-1], Message: "taken here"}, {Pos: limit.ev.pos(), Message: "bounded here"}},
			more:    a.related(rel("the Put", &s.ev)),
		})
		return
	}
}
