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

// A buffer in a pooled struct that is made anew when it is too small for what is asked
// for grows like one that is appended to.

// judgeRegrown reports the pools of structs whose buffers are made anew for larger input,
// where nobody who puts looks at their size.
func (a *analysis) judgeRegrown() {
	f := a.uses()
	seen := map[*types.Named]bool{}
	for _, s := range f.puts {
		t := s.typ
		if t.Obj().Pkg() != a.pkg.Pkg || seen[t] || a.inTest(s.fn) {
			continue
		}
		seen[t] = true
		at := f.putOf(t)
		if at == nil || a.foundIn(oversizeRetention, at.Parent()) {
			continue
		}
		field, made := a.regrows(t)
		if field == nil {
			continue
		}
		if slices.ContainsFunc(f.putRegion(t), func(fn *ssa.Function) bool { return fn != made.Parent() && a.testsSize(fn) }) ||
			slices.ContainsFunc(f.callers[at.Parent()], func(c ssa.CallInstruction) bool { return a.testsSize(c.Parent()) }) {
			continue
		}
		a.reportRegrown(t, field, at, made)
	}
	// Lists of free values.
	for _, l := range a.listPuts() {
		if seen[l.typ] || a.inTest(l.fn) || a.foundIn(oversizeRetention, l.fn) {
			continue
		}
		seen[l.typ] = true
		field, made := a.regrows(l.typ)
		if field == nil || a.boundedAbove(l.fn, made.Parent(), 0) {
			continue
		}
		a.reportRegrown(l.typ, field, l.instr, made)
	}
}

func (a *analysis) reportRegrown(t *types.Named, field *types.Var, at, made ssa.Instruction) {
	a.reportFound(finding{
		pattern: oversizeRetention, pos: instrPos(at), fn: at.Parent(),
		message: fmt.Sprintf("%s keeps %s of any size: what one large input made it grow to stays in the pool; drop what is above a limit before the Put", a.putIn(at, t), field.Name()),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(made), Message: "made anew here"}},
	})
}

// boundedAbove reports whether a function, or one that calls it, asks for a size, other than the
// one that makes the memory.
func (a *analysis) boundedAbove(fn, made *ssa.Function, depth int) bool {
	if fn != made && a.testsSize(fn) {
		return true
	}
	return depth < 3 && slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool {
		return !a.inTest(c.Parent()) && a.boundedAbove(c.Parent(), made, depth+1)
	})
}

// listPuts are the sends of structs of the package to channels that serve as pools.
func (a *analysis) listPuts() (list []poolSite) {
	if len(a.freeLists) == 0 {
		return nil
	}
	for fn, i := range a.instrs() {
		s, ok := i.(*ssa.Select)
		if !ok || len(s.States) != 1 || s.States[0].Dir != types.SendOnly {
			continue
		}
		l, ok := s.States[0].Chan.(*ssa.UnOp)
		if !ok {
			continue
		}
		obj := placeOf(l.X)
		if obj == nil || a.freeLists[obj] == nil {
			continue
		}
		if t := pointee(s.States[0].Send.Type()); t != nil && t.Obj().Pkg() == a.pkg.Pkg {
			list = append(list, poolSite{fn, s, t.Origin()})
		}
		// A list of values of any type is sent what the callers of its Put give.
		p, ok := s.States[0].Send.(*ssa.Parameter)
		if !ok || !types.IsInterface(p.Type()) {
			continue
		}
		for _, c := range a.callsOf(fn) {
			if k := slices.Index(fn.Params, p); k < len(c.Common().Args) {
				if t := pointee(unboxed(c.Common().Args[k]).Type()); t != nil && t.Obj().Pkg() == a.pkg.Pkg {
					list = append(list, poolSite{c.Parent(), c, t.Origin()})
				}
			}
		}
	}
	return list
}

// regrows finds a field of a struct that is made anew when its capacity is less than
// what a caller asks for, and is never let go of.
func (a *analysis) regrows(t *types.Named) (found *types.Var, made ssa.Instruction) {
	f := a.uses()
	collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
		ff := f.facts[v]
		_, elem := elementType(v.Type())
		if found != nil || ff == nil || elem == nil {
			return
		}
		if _, basic := elem.Underlying().(*types.Basic); !basic {
			return
		}
		if slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what == wZero && !cutsOnly(s.instr) }) {
			return
		}
		for _, s := range ff.stores {
			st, ok := s.instr.(*ssa.Store)
			if !ok || s.what != wFresh {
				continue
			}
			m, ok := st.Val.(*ssa.MakeSlice)
			if ok && !a.fromByte(m.Len, 0) && asksCap(st.Parent(), v) && (f.ofInput(m.Len, 0) || f.ofInput(m.Cap, 0)) {
				found, made = v, st
			}
		}
	})
	return found, made
}

// asksCap reports whether a function asks for the capacity of the slice in a field.
func asksCap(fn *ssa.Function, v *types.Var) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		of, ok := capOf(c)
		if !ok {
			continue
		}
		if l, ok := of.(*ssa.UnOp); ok {
			if fa, ok := l.X.(*ssa.FieldAddr); ok && structOf(fa.X.Type()).Field(fa.Field).Origin() == v {
				return true
			}
		}
	}
	return false
}

// ofInput reports whether a size depends on what a caller gives: the length of data, or a
// number that is neither constant nor kept in a field.
func (f *forgotten) ofInput(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return f.ofInput(x.X, depth+1)
	case *ssa.BinOp:
		return f.ofInput(x.X, depth+1) || f.ofInput(x.Y, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.ofInput(e, depth+2) })
	case *ssa.Extract:
		return x.Index == 0 && namesNumber(x.Tuple) && !limitedNumber(v, 0)
	case *ssa.Call:
		if namesNumber(x) {
			return !limitedNumber(v, 0)
		}
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && isParam(x.Call.Args[0]) && (isBytes(x.Call.Args[0].Type()) || isString(x.Call.Args[0].Type()))
	case *ssa.Parameter:
		fn := x.Parent()
		if len(f.callers[fn]) == 0 || f.taken[fn] {
			return true
		}
		k := slices.Index(fn.Params, x)
		return slices.ContainsFunc(f.callers[fn], func(c ssa.CallInstruction) bool {
			return !f.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && f.ofInput(c.Common().Args[k], depth+1)
		})
	}
	return false
}

func isParam(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

// namesNumber reports whether a call reads a number that somebody else wrote: one that may be
// large.
func namesNumber(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	m := calledMethod(c)
	if m == nil {
		return false
	}
	switch {
	case fromPackage(m, "encoding/binary"):
		switch m.Name() {
		case "Uint32", "Uint64", "Uvarint", "Varint", "ReadUvarint", "ReadVarint":
			return true
		}
	case fromPackage(m, "strconv"):
		return m.Name() == "Atoi" || m.Name() == "ParseInt" || m.Name() == "ParseUint"
	}
	return false
}

// boundedNumber reports whether a size is a number that somebody else wrote and that is within a
// limit, or one that comes from a byte.
func (a *analysis) boundedNumber(v ssa.Value) bool {
	if a.fromByte(v, 0) {
		return true
	}
	v = unconverted(v)
	call := v
	if x, ok := v.(*ssa.Extract); ok {
		call = x.Tuple
	}
	return namesNumber(call) && limitedNumber(v, 0)
}

// limitedNumber reports whether a number is compared with something that is no capacity, or
// masked.
func limitedNumber(v ssa.Value, depth int) bool {
	if depth > 3 || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Convert:
			if limitedNumber(r, depth+1) {
				return true
			}
		case *ssa.BinOp:
			other := r.Y
			if other == v {
				other = r.X
			}
			switch r.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if sizeCall(other) == "" && !isZeroNumber(other) {
					return true
				}
			case token.AND, token.REM, token.SHR:
				return true
			case token.ADD, token.SUB, token.MUL:
				if limitedNumber(r, depth+1) {
					return true
				}
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "min" {
				return true
			}
			if calledMethod(r) != nil && !fromPackage(calledMethod(r), "fmt") {
				return true // which may ask
			}
		case *ssa.Phi:
			return true
		}
	}
	return false
}

func isZeroNumber(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && isZero(c.Value)
}

// fromByte reports whether a number is one of eight bits, or such a one with a constant added or
// multiplied, or kept in a field that is set to such numbers alone.
func (a *analysis) fromByte(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	if b, ok := v.Type().Underlying().(*types.Basic); ok && (b.Kind() == types.Uint8 || b.Kind() == types.Int8) {
		return true
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return a.fromByte(x.X, depth+1)
	case *ssa.BinOp:
		return x.Op != token.SHL && (isConst(x.X) && a.fromByte(x.Y, depth+1) || isConst(x.Y) && a.fromByte(x.X, depth+1))
	case *ssa.UnOp:
		field, _ := fieldLoad(x)
		return field != nil && a.setToBytes(field, depth+1)
	}
	return false
}

// setToBytes reports whether all that the package sets a field to, in new objects as well, are constants and numbers
// of eight bits.
func (a *analysis) setToBytes(field *types.Var, depth int) bool {
	facts := a.uses().facts[field]
	if field.Pkg() != a.pkg.Pkg || field.Exported() || facts == nil || facts.open {
		return false
	}
	for _, s := range facts.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != field && !isConst(st.Val) && !isLiteral(st.Val) {
			return false // another object, as a whole
		}
	}
	set, other := false, false
	for _, fn := range a.fns {
		eachStore(fn, func(st *ssa.Store) {
			if fieldAt(st.Addr) == field && !isConst(st.Val) {
				set = true
				other = other || !a.fromByte(st.Val, depth)
			}
		})
	}
	return set && !other
}
