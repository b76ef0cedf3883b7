// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that takes a struct from a pool to which others put, and that only reads and
// writes it, and passes it to functions of the package that do no more, loses it, whatever
// path it takes. That needs no walk, and shows where a function is too much to follow.

// judgeDropped reports what is taken and only used.
func (a *analysis) judgeDropped() {
	s := a.uses().sites
	for _, g := range s.gets {
		if s.getter[g.fn] || a.inTest(g.fn) || !instrPos(g.instr).IsValid() {
			continue
		}
		put := slices.IndexFunc(s.puts, func(p poolSite) bool {
			return p.typ == g.typ && !a.inTest(p.fn) && instrPos(p.instr).IsValid()
		})
		c, ok := g.instr.(ssa.Value)
		if put < 0 || !ok || a.lostIn(g.fn) {
			continue
		}
		if _, tuple := c.Type().(*types.Tuple); tuple {
			continue // it may be an error instead
		}
		d := &droppedSearch{a: a, s: s, fn: g.fn, seen: map[ssa.Value]bool{}}
		if !d.only(c) || !a.givesAlone(s, g.instr, 0) {
			continue
		}
		pos := instrPos(g.instr)
		if ta, ok := g.instr.(*ssa.TypeAssert); ok {
			if call, ok := ta.X.(*ssa.Call); ok {
				pos = instrPos(call)
			}
		}
		a.reportFound(finding{
			pattern: missingPut, pos: pos, fn: g.fn,
			message: apposed(a.heldAs(pos), "taken at "+a.line(pos), "the "+g.typ.Obj().Name()+" taken here") + " is used, and neither put back nor given to anyone",
			related: []goanalysis.RelatedInformation{{Pos: instrPos(s.puts[put].instr), Message: "others put it back"}},
		})
	}
}

// givesAlone reports whether nobody but the caller has what a call gives: it takes it from a
// sync.Pool, or calls a function of the package that keeps nothing of it.
func (a *analysis) givesAlone(s *sites, i ssa.Instruction, depth int) bool {
	if ta, ok := i.(*ssa.TypeAssert); ok {
		i, _ = ta.X.(ssa.Instruction)
	}
	c, ok := i.(ssa.CallInstruction)
	if !ok || depth > 3 {
		return false
	}
	if f := calledMethod(c); f != nil && funcKey(f) == "sync.Pool.Get" {
		return true
	}
	fn := a.calledFunction(c)
	if fn == nil || !s.getter[fn] {
		return false
	}
	found := false
	for _, g := range s.gets {
		if g.fn != fn {
			continue
		}
		v, ok := g.instr.(ssa.Value)
		if !ok || !a.givesAlone(s, g.instr, depth+1) {
			return false
		}
		d := &droppedSearch{a: a, s: s, seen: map[ssa.Value]bool{}}
		if !d.only(v) {
			return false
		}
		found = true
	}
	return found
}

// lostIn reports whether a path of a function already showed a value lost.
func (a *analysis) lostIn(fn *ssa.Function) bool {
	for k, f := range a.found {
		if k.pattern == missingPut && f.fn == fn {
			return true
		}
	}
	return false
}

// A droppedSearch follows a value and what is read from it.
type droppedSearch struct {
	a    *analysis
	s    *sites
	fn   *ssa.Function // may not return it; others may
	seen map[ssa.Value]bool
	// chosen is set where code chosen at run time borrows what it is given.
	chosen bool
}

// only reports whether a value is only used: nothing else gets to have it, or memory that
// it leads to.
func (d *droppedSearch) only(v ssa.Value) bool {
	if d.seen[v] {
		return true
	}
	d.seen[v] = true
	if len(d.seen) > 400 || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		if !d.borrows(r, v) {
			return false
		}
	}
	return true
}

// borrows reports whether an instruction only uses v.
func (d *droppedSearch) borrows(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.Store:
		if r.Val != v {
			return true
		}
		if !hasPointers(v.Type()) {
			return true
		}
		// Back into the value, or into a variable.
		switch addr := r.Addr.(type) {
		case *ssa.FieldAddr:
			return d.seen[addr] || d.seen[addr.X]
		case *ssa.Alloc:
			return !addr.Heap && d.only(addr)
		}
		return false
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.Lookup, *ssa.Range, *ssa.Next:
		x := r.(ssa.Value)
		return !hasPointers(x.Type()) || d.only(x)
	case *ssa.UnOp:
		return r.Op == token.MUL && (!hasPointers(r.Type()) || d.only(r))
	case *ssa.MapUpdate:
		return r.Map == v
	case *ssa.TypeAssert:
		return !types.IsInterface(r.AssertedType) && d.only(r)
	case *ssa.Convert:
		_, isBasic := r.Type().Underlying().(*types.Basic)
		return isBasic && isString(r.Type()) || isBytes(r.Type()) // a copy
	case *ssa.Return:
		return r.Parent() != d.fn // the call's result is followed
	case *ssa.Call:
		return d.borrowsArgs(r, v)
	}
	return false
}

// borrowsArgs reports whether a call only uses those of its arguments that are v.
func (d *droppedSearch) borrowsArgs(c *ssa.Call, v ssa.Value) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && len(c.Call.Args) == 2 && c.Call.Args[1] == v {
			s, ok := v.Type().Underlying().(*types.Slice)
			return ok && !hasPointers(s.Elem())
		}
		return !hasPointers(c.Type()) || d.only(c)
	}
	if hasPointers(c.Type()) && !(d.chosen && isError(c.Type())) && !d.only(c) {
		return false
	}
	if d.chosen && c.Call.StaticCallee() == nil {
		m := c.Call.Method
		return m == nil || c.Call.Value != v || !mayKeep(callee{iface: true, method: m}, v.Type(), 0) && !d.a.mayPutReceiver(m)
	}
	if c.Call.IsInvoke() {
		// A writer does not keep what it is given.
		return c.Call.Value != v && c.Call.Method.Name() == "Write" && isBytes(v.Type())
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil && isStdPath(obj.Pkg().Path()) && !d.a.inPackage(fn) {
		switch obj.Pkg().Path() {
		case "bytes", "strings", "strconv", "unicode/utf8", "sort", "encoding/binary", "encoding/hex", "encoding/base64", "math/big":
			return true
		case "sync", "sync/atomic":
			return fn.Signature.Recv() != nil && c.Call.Args[0] == v && !slices.Contains(c.Call.Args[1:], v)
		}
		return false
	}
	if !d.a.inPackage(fn) {
		return false
	}
	fn = origin(fn)
	if len(fn.Blocks) == 0 {
		return false
	}
	for k, x := range c.Call.Args {
		if x == v && (k >= len(fn.Params) || d.s.putter[fn][k] || !d.only(fn.Params[k])) {
			return false
		}
	}
	return true
}
