// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A stream gives its pieces with a function each, which is to be called when the piece was read. Where it is called only
// when the next piece is fetched, and the reader says that there is no more right after it read the last one, the function
// of that is never called: nobody reads on after the end.

// judgeLastDone reports such ends.
func (a *analysis) judgeLastDone() {
	calls := map[*types.Var][]*ssa.Call{}
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		if f, _ := fieldLoad(call.Call.Value); f != nil && !f.Exported() && f.Pkg() == a.pkg.Pkg && len(call.Call.Args) == 0 {
			calls[f] = append(calls[f], call)
		}
	}
	for f, list := range calls {
		if len(list) != 1 || !a.putsWhenCalled(f) {
			continue
		}
		fetch := list[0].Parent()
		if fetch.Signature.Recv() == nil || fetch.Parent() != nil || len(fetch.Params) != 1 {
			continue
		}
		piece := fetchedWith(list[0], f)
		users := a.callsOf(fetch)
		if piece == nil || len(users) == 0 || a.usedElsewhere(f, fetch) {
			continue
		}
		reader := users[0].Parent()
		if reader.Signature.Recv() == nil || slices.ContainsFunc(users, func(c ssa.CallInstruction) bool { return c.Parent() != reader }) {
			continue
		}
		if end := a.endsWithin(reader, piece, users); end != nil {
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(end), fn: reader, cause: instrPos(list[0]),
				message: fmt.Sprintf("this says that there is no more when the last of %s was read, and what %s is to give back is given back only when the next is fetched (%s): nobody asks for that", piece.Name(), f.Name(), a.line(instrPos(list[0]))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(list[0]), Message: "given back here"}},
			})
		}
	}
}

// putsWhenCalled reports whether the package makes functions of the type of a field that put something.
func (a *analysis) putsWhenCalled(f *types.Var) bool {
	for _, i := range a.instrsBeyondTests() {
		m, ok := i.(*ssa.MakeClosure)
		if !ok || !types.Identical(m.Type().Underlying(), f.Type().Underlying()) {
			continue
		}
		fn := m.Fn.(*ssa.Function)
		if isBound(fn) {
			if obj, ok := fn.Object().(*types.Func); ok {
				fn = a.prog.FuncValue(obj)
			}
		}
		if fn != nil && a.handles[fn] {
			return true
		}
	}
	return false
}

// fetchedWith is the field with a slice that a function sets, beside a field with a function that it has called, to what
// the same call gave.
func fetchedWith(done *ssa.Call, f *types.Var) *types.Var {
	var from ssa.Value
	eachStore(done.Parent(), func(s *ssa.Store) {
		if x, ok := s.Val.(*ssa.Extract); ok && fieldAt(s.Addr) == f && mayFollow(done, s) {
			from = x.Tuple
		}
	})
	if from == nil {
		return nil
	}
	var piece *types.Var
	eachStore(done.Parent(), func(s *ssa.Store) {
		if x, ok := s.Val.(*ssa.Extract); ok && x.Tuple == from && isSlice(x.Type()) && fieldAt(s.Addr) != nil {
			piece = fieldAt(s.Addr)
		}
	})
	return piece
}

// usedElsewhere reports whether a function other than one, and than those that set it to nil or test it, does anything with a field.
func (a *analysis) usedElsewhere(f *types.Var, but *ssa.Function) bool {
	for fn, i := range a.instrsBeyondTests() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fn == but || fieldAt(fa) != f {
			continue
		}
		return true
	}
	return false
}

// endsWithin is where a reader returns the end of what is read after it has read from a piece, and before it fetches another.
func (a *analysis) endsWithin(reader *ssa.Function, piece *types.Var, fetches []ssa.CallInstruction) ssa.Instruction {
	fetch := func(i ssa.Instruction) bool {
		return slices.ContainsFunc(fetches, func(c ssa.CallInstruction) bool { return c == i })
	}
	for i := range instrsOf(reader) {
		c, ok := i.(*ssa.Call)
		if !ok || !isBuiltin(c, "copy") {
			continue
		}
		src := c.Call.Args[1]
		if cut, ok := src.(*ssa.Slice); ok {
			src = cut.X
		}
		if fieldOfValue(src) != piece {
			continue
		}
		seen := map[*ssa.BasicBlock]bool{}
		var walk func(b *ssa.BasicBlock, at int) ssa.Instruction
		walk = func(b *ssa.BasicBlock, at int) ssa.Instruction {
			for _, j := range b.Instrs[at:] {
				if fetch(j) || j == i {
					return nil
				}
				if r, ok := j.(*ssa.Return); ok && len(r.Results) > 0 && isEOF(r.Results[len(r.Results)-1]) {
					return r
				}
			}
			for _, s := range b.Succs {
				if !seen[s] {
					seen[s] = true
					if end := walk(s, 0); end != nil {
						return end
					}
				}
			}
			return nil
		}
		if end := walk(c.Block(), slices.Index(c.Block().Instrs, i)+1); end != nil {
			return end
		}
	}
	return nil
}

// isEOF reports whether a value is io.EOF.
func isEOF(v ssa.Value) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	g, ok := l.X.(*ssa.Global)
	return ok && g.Name() == "EOF" && g.Pkg.Pkg.Path() == "io"
}
