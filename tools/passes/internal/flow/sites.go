// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Some rules do not follow paths: they look at the package as a whole, at what
// functions there put in pools and take from them, by type.

// A poolSite is a place where a value of type *T goes to a pool, or comes from one.
type poolSite struct {
	fn    *ssa.Function
	instr ssa.Instruction
	typ   *types.Named // T, of generic types the origin
}

type sites struct {
	puts, gets []poolSite
	generic    []poolSite                     // gets of what a type parameter stands for
	putter     map[*ssa.Function]map[int]bool // functions that put a parameter
	getter     map[*ssa.Function]bool         // functions that return what they get
	callers    map[*ssa.Function][]ssa.CallInstruction
	taken      map[*ssa.Function]bool           // functions used as values
	invokes    map[string][]ssa.CallInstruction // calls of methods of interfaces, by name
}

// findSites finds the puts and gets of structs, also through wrappers in the package.
func (a *analysis) findSites() *sites {
	s := &sites{
		putter: map[*ssa.Function]map[int]bool{}, getter: map[*ssa.Function]bool{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, taken: map[*ssa.Function]bool{}, invokes: map[string][]ssa.CallInstruction{},
	}
	var calls []ssa.CallInstruction
	for _, i := range a.instrs() {
		c, isCall := i.(ssa.CallInstruction)
		var direct ssa.Value
		if isCall {
			calls = append(calls, c)
			if m := c.Common().Method; m != nil {
				s.invokes[m.Name()] = append(s.invokes[m.Name()], c)
			}
			if f := a.calledFunction(c); f != nil {
				s.callers[f] = append(s.callers[f], c)
			}
			if !c.Common().IsInvoke() {
				direct = c.Common().Value
			}
		}
		for _, r := range i.Operands(nil) {
			if *r == nil || *r == direct {
				continue
			}
			if f, ok := (*r).(*ssa.Function); ok {
				s.taken[origin(f)] = true
			}
		}
	}
	for again := true; again; {
		again = false
		for _, c := range calls {
			fn := c.Parent()
			for _, n := range s.putArgs(a, c) {
				v := unboxed(c.Common().Args[n])
				for k, p := range fn.Params {
					if v == p && !s.putter[fn][k] {
						if s.putter[fn] == nil {
							s.putter[fn] = map[int]bool{}
						}
						s.putter[fn][k], again = true, true
					}
				}
			}
		}
		for _, fn := range a.fns {
			if !s.getter[fn] && s.returnsGot(a, fn) {
				s.getter[fn], again = true, true
			}
		}
	}
	for _, c := range calls {
		for _, n := range s.putArgs(a, c) {
			if t := pointee(unboxed(c.Common().Args[n]).Type()); t != nil {
				s.puts = append(s.puts, poolSite{c.Parent(), c, t.Origin()})
			} else if t := takenAs(c, n, calls); t != nil {
				s.puts = append(s.puts, poolSite{c.Parent(), c, t.Origin()})
			}
		}
		v, ok := c.(*ssa.Call)
		if !ok || !s.gets0(a, c) {
			continue
		}
		given := v.Type()
		if tuple, ok := given.(*types.Tuple); ok && tuple.Len() > 0 {
			given = tuple.At(0).Type() // beside an error, or whether it was new
		}
		if t := pointee(given); t != nil {
			s.gets = append(s.gets, poolSite{c.Parent(), c, t.Origin()})
		} else if generic(given) {
			s.generic = append(s.generic, poolSite{c.Parent(), c, nil})
		}
		for _, ta := range assertsOf(v, map[ssa.Value]bool{}) {
			if t := pointee(ta.AssertedType); t != nil {
				s.gets = append(s.gets, poolSite{c.Parent(), ta, t.Origin()})
			} else if generic(ta.AssertedType) {
				s.generic = append(s.generic, poolSite{c.Parent(), ta, nil})
			}
		}
	}
	return s
}

// assertsOf are the type assertions on a value, also where it is a new one that stands in for nil.
func assertsOf(v ssa.Value, seen map[ssa.Value]bool) (out []*ssa.TypeAssert) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			out = append(out, r)
		case *ssa.Phi:
			out = append(out, assertsOf(r, seen)...)
		}
	}
	return out
}

// calledFunction is the function of this package that a call calls.
func (a *analysis) calledFunction(c ssa.CallInstruction) *ssa.Function {
	cc := c.Common()
	if cc.IsInvoke() {
		t := a.onlyBehind(cc.Value)
		if t == nil {
			return nil
		}
		if sel := types.NewMethodSet(t).Lookup(cc.Method.Pkg(), cc.Method.Name()); sel != nil {
			return a.prog.MethodValue(sel)
		}
		return nil
	}
	if f := cc.StaticCallee(); f != nil && a.inPackage(f) {
		return origin(f)
	}
	return nil
}

func unboxed(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// putArgs are the arguments of a call that go to a pool.
func (s *sites) putArgs(a *analysis, c ssa.CallInstruction) []int {
	f := calledMethod(c)
	if f != nil && funcKey(f) == "sync.Pool.Put" && !c.Common().IsInvoke() {
		return []int{1}
	}
	var out []int
	if fn := a.calledFunction(c); fn != nil {
		shift := 0
		if c.Common().IsInvoke() {
			shift = 1
		}
		for k := range s.putter[fn] {
			if k >= shift && k-shift < len(c.Common().Args) {
				out = append(out, k-shift)
			}
		}
		slices.Sort(out)
		return out
	}
	if f == nil || c.Common().IsInvoke() || f.Pkg() == a.pkg.Pkg {
		return nil
	}
	if sum := a.summaryOf(f); sum != nil {
		for _, o := range sum.Outcomes {
			for _, p := range o.Puts {
				e := p.Value
				for e != nil && e.Kind == "iface" {
					e = e.A
				}
				if e != nil && e.Kind == "param" && e.Index < len(c.Common().Args) && !slices.Contains(out, e.Index) {
					out = append(out, e.Index)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// gets0 reports whether a call gives what comes from a pool.
func (s *sites) gets0(a *analysis, c ssa.CallInstruction) bool {
	f := calledMethod(c)
	if f != nil && funcKey(f) == "sync.Pool.Get" {
		return true
	}
	if fn := a.calledFunction(c); fn != nil {
		return s.getter[fn]
	}
	if f == nil || c.Common().IsInvoke() || f.Pkg() == a.pkg.Pkg {
		return false
	}
	if sum := a.summaryOf(f); sum != nil {
		for _, o := range sum.Outcomes {
			if len(o.Results) > 0 && o.Results[0].hasToken() {
				return true
			}
		}
	}
	return false
}

// returnsGot reports whether a function returns what it gets from a pool.
func (s *sites) returnsGot(a *analysis, fn *ssa.Function) bool {
	if fn.Signature.Results().Len() == 0 {
		return false
	}
	seen := map[ssa.Value]bool{} // phis form graphs
	var got func(v ssa.Value, depth int) bool
	got = func(v ssa.Value, depth int) bool {
		if depth > 8 || seen[v] {
			return false
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Call:
			return s.gets0(a, v)
		case *ssa.TypeAssert:
			return got(v.X, depth+1)
		case *ssa.Extract:
			return v.Index == 0 && got(v.Tuple, depth+1)
		case *ssa.MakeInterface:
			return got(v.X, depth+1)
		case *ssa.ChangeType:
			return got(v.X, depth+1)
		case *ssa.ChangeInterface:
			return got(v.X, depth+1)
		case *ssa.Phi:
			return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return got(e, depth+1) })
		case *ssa.UnOp:
			al, ok := v.X.(*ssa.Alloc)
			if v.Op != token.MUL || !ok {
				return false
			}
			for _, r := range referrers(al) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == al && got(st.Val, depth+1) {
					return true
				}
			}
		}
		return false
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 && got(r.Results[0], 0) {
			return true
		}
	}
	return false
}

func lastInstr(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// inTest reports whether a function is in a test file.
func (a *analysis) inTest(fn *ssa.Function) bool { return testFile(fn) }

func testFile(fn *ssa.Function) bool {
	return strings.HasSuffix(fn.Prog.Fset.Position(fn.Pos()).Filename, "_test.go")
}
