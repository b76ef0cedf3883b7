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

// One goroutine makes a value for several, which wait for its sign and then read it in the object
// that they share. Once it gave the sign it cannot tell when they have done so: it must not put
// the value, unless references are counted.

// A waiter reads a field of an object after it waited for the sign that another field gives.
type signalReader struct {
	sign, field *types.Var
	wait, use   ssa.Instruction
}

// judgeSignalled reports puts after a sign for those that wait for it.
func (a *analysis) judgeSignalled() {
	var readers []signalReader
	collected := false
	for fn, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		sign := a.givesSign(c)
		if sign.field == nil {
			continue
		}
		put, p := a.putAfterSign(c, sign)
		if put == nil {
			continue
		}
		if !collected {
			readers, collected = a.signalReaders(), true
		}
		for _, r := range readers {
			if r.sign != sign.field || r.field != p.field {
				continue
			}
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(put), fn: fn, cause: instrPos(put),
				message: fmt.Sprintf("%s is put here while those that waited for %s (%s) may still read it", p.field.Name(), sign.field.Name(), a.line(instrPos(r.wait))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(c), Message: "the sign that it is there"},
					{Pos: instrPos(r.wait), Message: "waited for here"},
					{Pos: instrPos(r.use), Message: "and read here"},
				},
			})
			break
		}
	}
}

// givesSign is the field by which a call tells others that an object is ready: a channel that is
// closed, a group or condition of package sync.
func (a *analysis) givesSign(c *ssa.Call) keptIn {
	if bi, ok := c.Call.Value.(*ssa.Builtin); ok {
		if bi.Name() == "close" {
			return a.whereKept(c.Call.Args[0])
		}
		return keptIn{}
	}
	switch m := calledMethod(c); {
	case m == nil || c.Call.IsInvoke():
	case funcKey(m) == "sync.WaitGroup.Done", funcKey(m) == "sync.Cond.Broadcast":
		return a.placeOfSync(c.Call.Args[0])
	}
	return keptIn{}
}

// placeOfSync is the field that holds a value of package sync, or a pointer to one.
func (a *analysis) placeOfSync(v ssa.Value) keptIn {
	if fa, ok := v.(*ssa.FieldAddr); ok {
		return a.placeOfField(fa)
	}
	return a.whereKept(v)
}

// putAfterSign finds a put of another field of the object, after the sign and under no test of a
// number that was counted.
func (a *analysis) putAfterSign(sign *ssa.Call, of keptIn) (*ssa.Call, keptIn) {
	seen := map[*ssa.BasicBlock]bool{}
	var find func(b *ssa.BasicBlock, from int) (*ssa.Call, keptIn)
	find = func(b *ssa.BasicBlock, from int) (*ssa.Call, keptIn) {
		for _, i := range b.Instrs[from:] {
			switch i := i.(type) {
			case *ssa.Call:
				for _, v := range a.valuesPut(i) {
					if p := a.whereKept(v); p.field != nil && p.field != of.field && p.of == of.of {
						return i, p
					}
				}
				if m := calledMethod(i); m != nil && (m.Name() == "Wait" || m.Pkg() != nil && m.Pkg().Path() == "sync/atomic") {
					return nil, keptIn{}
				}
			case *ssa.UnOp:
				if i.Op == token.ARROW {
					return nil, keptIn{}
				}
			case *ssa.Select, *ssa.Go:
				return nil, keptIn{}
			}
		}
		for _, s := range b.Succs {
			if seen[s] {
				continue
			}
			seen[s] = true
			if put, p := find(s, 0); put != nil {
				return put, p
			}
		}
		return nil, keptIn{}
	}
	return find(sign.Block(), slices.Index(sign.Block().Instrs, ssa.Instruction(sign))+1)
}

// signalReaders finds the functions that wait for a sign of an object that they found, and then
// read a field of it.
func (a *analysis) signalReaders() []signalReader {
	var list []signalReader
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			for n, i := range b.Instrs {
				for _, w := range a.waitsFor(i) {
					if w.field == nil || w.field.Pkg() != a.pkg.Pkg {
						continue
					}
					if _, made := w.of.(*ssa.Alloc); made {
						continue // its own: nobody found it
					}
					s := fieldStruct(i, w.field, w.of)
					if s == nil {
						continue
					}
					for f := range s.Fields() {
						if f.Origin() == w.field || !hasPointers(f.Type()) {
							continue
						}
						if use := a.readLater(b, n+1, keptIn{w.of, f.Origin()}); use != nil {
							list = append(list, signalReader{w.field, f.Origin(), i, use})
						}
					}
				}
			}
		}
	}
	return list
}

// fieldStruct is the struct of the object that a field is of.
func fieldStruct(_ ssa.Instruction, f *types.Var, of ssa.Value) *types.Struct {
	s := structOf(of.Type())
	if s == nil {
		if p, ok := of.Type().Underlying().(*types.Pointer); ok {
			s = structOf(p.Elem())
		}
	}
	if s != nil && slices.ContainsFunc(slices.Collect(s.Fields()), func(g *types.Var) bool { return g.Origin() == f }) {
		return s
	}
	return nil
}

// waitsFor are the fields whose signs an instruction waits for.
func (a *analysis) waitsFor(i ssa.Instruction) []keptIn {
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			return []keptIn{a.whereKept(i.X)}
		}
	case *ssa.Select:
		var list []keptIn
		for _, c := range i.States {
			if c.Dir == types.RecvOnly {
				list = append(list, a.whereKept(c.Chan))
			}
		}
		return list
	case *ssa.Call:
		if m := calledMethod(i); m != nil && !i.Call.IsInvoke() && (funcKey(m) == "sync.WaitGroup.Wait" || funcKey(m) == "sync.Cond.Wait") {
			return []keptIn{a.placeOfSync(i.Call.Args[0])}
		}
	}
	return nil
}

// readLater finds a use of a place after a point.
func (a *analysis) readLater(b *ssa.BasicBlock, from int, p keptIn) ssa.Instruction {
	seen := map[*ssa.BasicBlock]bool{}
	var find func(b *ssa.BasicBlock, from int) ssa.Instruction
	find = func(b *ssa.BasicBlock, from int) ssa.Instruction {
		for _, i := range b.Instrs[from:] {
			if instrPos(i).IsValid() && a.usesPlace(i, p) {
				return i
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if use := find(s, 0); use != nil {
					return use
				}
			}
		}
		return nil
	}
	return find(b, from)
}
