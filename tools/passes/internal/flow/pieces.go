// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A buffer that is cut into pieces, b[:n] and then b[n:] again, gives slices whose
// capacities overlap: the first reaches to the end. Where all of them go to a pool, two
// users write in the same memory. A Put that asks for the capacity may tell the pieces
// from whole buffers, unless what is left after some cuts is as large as another class.

// A cutting is a loop that appends the pieces of a buffer to a slice.
type cutting struct {
	piece *ssa.Slice
	into  *ssa.Call  // of append
	sent  *ssa.Send  // in place of that
	field *types.Var // of the elements, where these are structs with a piece each
	steps []int64    // how much it may cut off at once; none if that is not known
}

// judgePieces reports loops whose pieces are put one by one.
func (a *analysis) judgePieces() {
	s := a.uses().sites
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, c := range a.cuttings(fn) {
			if c.into == nil {
				continue
			}
			put := a.putsElements(s, c.into, c.field, 0)
			if put == nil {
				continue
			}
			f := finding{
				pos: instrPos(put), fn: put.Parent(), cause: instrPos(put),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(c.into), Message: "cut and kept here"}},
			}
			switch {
			case a.takesPieces(s, put, c):
				f.pattern = doublePut
				f.message = "slices of one buffer" + a.asNamed(put) + " are put one by one: they were cut at " + a.line(instrPos(c.into)) + ", and the capacity of each reaches over those that follow it"
			case a.putsFirstOnly(s, c, put):
				// Only the first goes to a pool: what is wrong is that others are still there.
				f.pattern = storeAlias
				f.message = "slices of one buffer" + a.asNamed(put) + " are put one by one, and some of them are kept: they were cut at " + a.line(instrPos(c.into)) + ", and the first has the capacity of all, so that the memory of those that are kept goes to the pool with it"
			default:
				continue
			}
			a.reportFound(f)
		}
	}
}

// cuttings finds the loops of a function that cut a buffer.
func (a *analysis) cuttings(fn *ssa.Function) []cutting {
	var list []cutting
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			p, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			if !isBytes(p.Type()) {
				continue
			}
			for _, e := range p.Edges {
				rest, ok := e.(*ssa.Slice)
				if !ok || rest.X != p || rest.Low == nil || rest.High != nil {
					continue
				}
				for _, r := range referrers(p) {
					piece, ok := r.(*ssa.Slice)
					if !ok || piece.Low != nil || piece.Max != nil || piece.High != rest.Low {
						continue
					}
					steps := a.cutSteps(piece.High)
					if into := appendedTo(piece); into != nil {
						list = append(list, cutting{piece: piece, into: into, steps: steps})
					}
					for _, r := range referrers(piece) {
						switch r := r.(type) {
						case *ssa.Send:
							list = append(list, cutting{piece: piece, sent: r, steps: steps})
						case *ssa.Store:
							if into := appendedIn(r.Addr); into != nil {
								list = append(list, cutting{piece: piece, into: into, field: fieldAt(r.Addr), steps: steps})
							}
						}
					}
				}
			}
		}
	}
	return list
}

// appendedIn is the append that takes the struct with a field as an element, or a pointer to it.
func appendedIn(addr ssa.Value) *ssa.Call {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	switch x := fa.X.(type) {
	case *ssa.IndexAddr:
		if al, ok := x.X.(*ssa.Alloc); ok && al.Comment == "varargs" {
			return appendOfVarargs(al)
		}
	case *ssa.Alloc:
		if into := appendedTo(x); into != nil {
			return into
		}
		for _, l := range loadsOf(x) {
			if into := appendedTo(l); into != nil {
				return into
			}
		}
	}
	return nil
}

// appendedTo is the append that takes a value as an element.
func appendedTo(v ssa.Value) *ssa.Call {
	for _, r := range referrers(v) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Val != v {
			continue
		}
		e, ok := st.Addr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		al, ok := e.X.(*ssa.Alloc)
		if !ok || al.Comment != "varargs" {
			continue
		}
		if c := appendOfVarargs(al); c != nil {
			return c
		}
	}
	return nil
}

// appendOfVarargs is the append that is given the elements of an array.
func appendOfVarargs(al *ssa.Alloc) *ssa.Call {
	for _, r := range referrers(al) {
		if sl, ok := r.(*ssa.Slice); ok {
			for _, r := range referrers(sl) {
				if c, ok := r.(*ssa.Call); ok && isBuiltin(c, "append") && len(c.Call.Args) == 2 && c.Call.Args[1] == sl {
					return c
				}
			}
		}
	}
	return nil
}

func isBuiltin(c ssa.CallInstruction, name string) bool {
	b, ok := c.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// cutSteps are the constants that a length may be, unless less is left: one that is a variable's, where it is only ever set
// to constants.
func (a *analysis) cutSteps(v ssa.Value) (steps []int64) {
	var parts []ssa.Value
	switch x := v.(type) {
	case *ssa.Call:
		if isBuiltin(x, "min") {
			parts = x.Call.Args
		}
	case *ssa.Phi:
		parts = x.Edges
	default:
		parts = []ssa.Value{v}
	}
	for _, p := range parts {
		if sizeCall(p) == "len" {
			continue
		}
		known := a.constantsOf(p)
		if known == nil {
			return nil
		}
		steps = append(steps, known...)
	}
	if len(steps) == 0 {
		return []int64{0} // all at once
	}
	return steps
}

// constantsOf are the numbers that a value may be: a constant, a field or variable that is set to constants only, or a
// parameter that all callers give one.
func (a *analysis) constantsOf(v ssa.Value) (list []int64) {
	set := func(x ssa.Value) bool {
		k, ok := x.(*ssa.Const)
		if ok = ok && k.Value != nil && k.Value.Kind() == constant.Int; ok {
			list = append(list, k.Int64())
		}
		return ok
	}
	if set(v) {
		return list
	}
	if p, ok := v.(*ssa.Parameter); ok {
		n := slices.Index(p.Parent().Params, p)
		for _, c := range a.callsOf(p.Parent()) {
			if args := c.Common().Args; n >= len(args) || !set(args[n]) {
				return nil
			}
		}
		return list
	}
	home := placeOf(loaded(v))
	if home == nil || home.Exported() {
		return nil
	}
	for _, i := range a.instrsBeyondTests() {
		if st, ok := i.(*ssa.Store); ok && placeOf(st.Addr) == home && !set(st.Val) {
			return nil
		}
	}
	return list
}

// putsElements is a call that puts each element of a slice, or of a copy of it, here, where the slice is
// returned to, or in a function or literal that has it; or what is in a field of each element.
func (a *analysis) putsElements(s *sites, v ssa.Value, field *types.Var, depth int) ssa.CallInstruction {
	seen := map[ssa.Value]bool{}
	var found ssa.CallInstruction
	var follow func(v ssa.Value, depth int)
	into := func(c ssa.CallInstruction, v ssa.Value, depth int) {
		fn := a.calledFunction(c)
		if k := slices.Index(c.Common().Args, v); fn != nil && !c.Common().IsInvoke() && k >= 0 && k < len(fn.Params) {
			follow(fn.Params[k], depth+1)
		}
	}
	follow = func(v ssa.Value, depth int) {
		if found != nil || seen[v] || v.Referrers() == nil || depth > 12 {
			return
		}
		seen[v] = true
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.Phi, *ssa.ChangeType:
				follow(r.(ssa.Value), depth+1)
			case *ssa.Slice:
				if r.X == v && r.Low == nil {
					follow(r, depth+1) // the first of them
				}
			case *ssa.Call:
				if isBuiltin(r, "append") || copiesList(r) {
					follow(r, depth+1) // more elements, or a copy
				}
				if isBuiltin(r, "copy") && r.Call.Args[1] == v {
					for _, x := range inOneVariable(r.Call.Args[0]) {
						follow(x, depth+1)
					}
				}
				into(r, v, depth)
			case *ssa.Defer:
				into(r, v, depth)
			case *ssa.IndexAddr:
				if c := a.putsLoaded(s, r, field); c != nil && inLoop(c.Block()) && eachRound(r.Block(), c.Block()) {
					found = c
					return
				}
			case *ssa.Return:
				k := slices.Index(r.Results, v)
				for _, c := range a.callsOf(r.Parent()) {
					call, ok := c.(*ssa.Call)
					if !ok {
						continue
					}
					if len(r.Results) == 1 {
						follow(call, depth+1)
						continue
					}
					for _, x := range referrers(call) {
						if e, ok := x.(*ssa.Extract); ok && e.Index == k {
							follow(e, depth+1)
						}
					}
				}
			case *ssa.Store:
				// A variable whose address is taken, as for a method with a pointer receiver.
				if al, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
					for _, l := range append(loadsOf(al), loadsInLiterals(al)...) {
						follow(l, depth+1)
					}
				}
				if f := fieldAt(r.Addr); f != nil && r.Val == v {
					for _, l := range a.loadsOfField(f) {
						follow(l, depth+1)
					}
				}
			}
		}
	}
	follow(v, depth)
	return found
}

// copiesList reports whether a call of package slices gives the elements of its first argument in another slice.
func copiesList(c *ssa.Call) bool {
	m := calledMethod(c)
	if m == nil {
		return false
	}
	switch funcKey(m) {
	case "slices.Clone", "slices.Clip", "slices.Grow":
		return true
	}
	return false
}

// inOneVariable are a value and, if it was read from a variable of the function's, the other loads from that.
func inOneVariable(v ssa.Value) []ssa.Value {
	if l, ok := v.(*ssa.UnOp); ok {
		if al, ok := l.X.(*ssa.Alloc); ok {
			return append(loadsOf(al), loadsInLiterals(al)...)
		}
	}
	return []ssa.Value{v}
}

// loadsInLiterals are the loads from a variable in the function literals that have it.
func loadsInLiterals(al *ssa.Alloc) (loads []ssa.Value) {
	for _, r := range referrers(al) {
		m, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for k, b := range m.Bindings {
			if b == ssa.Value(al) {
				loads = append(loads, loadsOf(m.Fn.(*ssa.Function).FreeVars[k])...)
			}
		}
	}
	return loads
}

// eachRound reports whether a loop that comes by one of its blocks comes by another before it comes by the first again.
func eachRound(first, then *ssa.BasicBlock) bool {
	return first == then || !slices.ContainsFunc(first.Succs, func(s *ssa.BasicBlock) bool { return reachesPast(s, first, then) })
}

// loadsOfField are the loads from a field, beyond tests.
func (a *analysis) loadsOfField(f *types.Var) []ssa.Value {
	var loads []ssa.Value
	for _, i := range a.instrsBeyondTests() {
		if l, ok := i.(*ssa.UnOp); ok {
			if v, _ := fieldLoad(l); v == f {
				loads = append(loads, l)
			}
		}
	}
	return loads
}

// elementLoads are the values that are read from an element, or from a field of it or of what it points to.
func elementLoads(addr *ssa.IndexAddr, field *types.Var) []ssa.Value {
	if field == nil {
		return loadsOf(addr)
	}
	var list []ssa.Value
	in := func(x ssa.Value) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				if r.X == x && fieldAt(r) == field {
					list = append(list, loadsOf(r)...)
				}
			case *ssa.Field:
				if nthField(r.X, r.Field) == field {
					list = append(list, r)
				}
			}
		}
	}
	in(addr)
	for _, l := range loadsOf(addr) {
		in(l)
		for _, r := range referrers(l) {
			if st, ok := r.(*ssa.Store); ok && st.Val == l {
				if al, ok := st.Addr.(*ssa.Alloc); ok {
					in(al) // a variable for the element
					for _, v := range loadsOf(al) {
						in(v)
					}
				}
			}
		}
	}
	return list
}

// putsLoaded is the call that puts what is at an address.
func (a *analysis) putsLoaded(s *sites, addr *ssa.IndexAddr, field *types.Var) ssa.CallInstruction {
	for _, l := range elementLoads(addr, field) {
		for _, r := range referrers(l) {
			c, ok := r.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if slices.ContainsFunc(a.bytesPut(s, c), func(n int) bool { return c.Common().Args[n] == l }) {
				return c
			}
		}
	}
	return nil
}

// bytesPut are the arguments of a call that go to a pool, also by their address or as
// the arrays that they are slices of.
func (a *analysis) bytesPut(s *sites, c ssa.CallInstruction) []int {
	if list := s.putArgs(a, c); len(list) > 0 || c.Common().IsInvoke() {
		return list
	}
	fn := a.calledFunction(c)
	if fn == nil {
		return nil
	}
	var list []int
	for n, p := range fn.Params {
		if isBytes(p.Type()) && n < len(c.Common().Args) && a.putsMemory(s, fn, p) {
			list = append(list, n)
		}
	}
	return list
}

// putsMemory reports whether a function puts the memory of its parameter.
func (a *analysis) putsMemory(s *sites, fn *ssa.Function, p *ssa.Parameter) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			if cutOf(unboxed(c.Common().Args[n])) == ssa.Value(p) {
				return true
			}
		}
	}
	return false
}

// cutOf is what a slice, a pointer to an array, or the address of a variable is the
// beginning of.
func cutOf(v ssa.Value) ssa.Value {
	for n := 0; n < 6; n++ {
		switch x := v.(type) {
		case *ssa.Slice:
			if x.Low != nil {
				return v
			}
			v = x.X
		case *ssa.SliceToArrayPointer:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if _, ok := x.X.(*ssa.Alloc); !ok || x.Op != token.MUL {
				return v
			}
			v = x.X
		case *ssa.Alloc:
			var from ssa.Value
			for _, r := range referrers(x) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == x && from == nil {
					from = st.Val
				}
			}
			if from == nil {
				return v
			}
			v = from
		default:
			return v
		}
	}
	return v
}

// takesPieces reports whether a put takes two pieces of a buffer: it does not
// ask for the capacity, or for one of several that are some steps apart. Where nobody knows the step, it may be
// one that leads from the capacity of a whole buffer of the pool's to another one; that is only said of loops that are
// wrong in any case, for they use the pieces in turn.
func (a *analysis) takesPieces(s *sites, put ssa.CallInstruction, c cutting) bool {
	if slices.Contains(a.testedIn(put.Parent()), -1) || len(a.testedIn(put.Parent())) > 0 {
		return false // the loop itself chooses
	}
	fn := a.calledFunction(put)
	if fn == nil {
		return true
	}
	classes := a.testedIn(fn)
	if len(classes) == 0 {
		return !a.testsSize(fn)
	}
	if slices.Contains(classes, -1) {
		return false
	}
	if len(c.steps) == 0 && (!a.ofPooled(s, c) || a.putsFirstOnly(s, c, put) || !usesInTurn(put, c.field) || a.choosesPiece(put)) {
		return false
	}
	for _, from := range classes {
		for _, to := range classes {
			if d := from - to; d > 0 && (len(c.steps) == 0 || slices.ContainsFunc(c.steps, func(step int64) bool { return step > 0 && d%step == 0 })) {
				return true
			}
		}
	}
	return false
}

// testedIn are the constants that a function compares a capacity with for equality; -1
// where it asks otherwise.
func (a *analysis) testedIn(fn *ssa.Function) []int64 {
	var list []int64
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || !isBuiltin(c, "cap") {
			continue
		}
		for _, r := range referrers(c) {
			t, ok := r.(*ssa.BinOp)
			if !ok {
				if _, isDebug := r.(*ssa.DebugRef); !isDebug {
					list = append(list, -1)
				}
				continue
			}
			other := t.Y
			if other == ssa.Value(c) {
				other = t.X
			}
			k, ok := other.(*ssa.Const)
			if !ok || t.Op != token.EQL || k.Value == nil || k.Value.Kind() != constant.Int {
				list = append(list, -1)
				continue
			}
			list = append(list, k.Int64())
		}
	}
	return list
}
