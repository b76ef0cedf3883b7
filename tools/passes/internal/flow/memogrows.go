// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A decoder that remembers what it learned is worth to be pooled, as long as it is of types that it learns. A
// memory whose keys are text from the input has no end: what each use adds stays with the value for all
// its lives in the pool.

// judgeMemoGrows reports maps of pooled structs, or of what they lead to alone, that are only added to,
// with text of the input for a key.
func (a *analysis) judgeMemoGrows() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if t.TypeParams().Len() > 0 {
			continue
		}
		told := false
		judge := func(v *types.Var, owner *types.Struct) {
			m, isMap := v.Type().Underlying().(*types.Map)
			if told || !isMap || a.toldOf[v] || v.Exported() || v.Pkg() != a.pkg.Pkg {
				return
			}
			if b, ok := m.Key().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
				return
			}
			add := f.onlyAddedTo(v, owner)
			if add == nil || a.foundIn(oversizeRetention, p.fn) {
				return
			}
			told, a.toldOf[v] = true, true
			a.reportFound(finding{
				pattern: oversizeRetention, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("map %s, which the pooled %s leads to, gets text of the input for keys (%s), and nothing ever leaves it: it grows for as long as the value is used again; drop the map, or clear it, above a limit", v.Name(), t.Obj().Name(), a.line(instrPos(add))),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(add), Message: "added to here"}},
			})
		}
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			judge(v, s)
			of := pointee(v.Type())
			if of == nil || of.Obj().Pkg() != a.pkg.Pkg || of == t {
				return
			}
			if inner, ok := of.Underlying().(*types.Struct); ok && f.madeAlong(v) {
				for w := range inner.Fields() {
					judge(w.Origin(), inner)
				}
			}
		})
	}
}

// constructs reports whether a function only runs where an object is made.
func (f *forgotten) constructs(fn *ssa.Function, depth int) bool {
	if f.fresh[fn] {
		return true
	}
	for _, list := range f.a.news {
		if slices.Contains(list, fn) {
			return true
		}
	}
	calls := f.a.callsOf(fn)
	return depth < 4 && len(calls) > 0 && !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
		return !f.constructs(c.Parent(), depth+1)
	})
}

// madeAlong reports whether a field is a pointer to something that is made where its struct is, and is not set
// later.
func (f *forgotten) madeAlong(v *types.Var) bool {
	made, other := false, false
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) {
			continue
		}
		eachStore(fn, func(st *ssa.Store) {
			if fieldAt(st.Addr) != v {
				return
			}
			_, fresh := st.Val.(*ssa.Alloc)
			if fresh && (f.constructs(fn, 0) || ofNew(st.Addr)) {
				made = true
			} else {
				other = true
			}
		})
	}
	return made && !other
}

// ofNew reports whether a field is one of an object that the function has just made.
func ofNew(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.Alloc:
			return true
		default:
			return false
		}
	}
}

// onlyAddedTo finds where text of the input becomes a key of a map in a field, if the package does nothing but to add
// to the map and to look into it, and never counts what is in it.
func (f *forgotten) onlyAddedTo(v *types.Var, owner *types.Struct) (add ssa.Instruction) {
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				if p, ok := i.Addr.Type().Underlying().(*types.Pointer); ok && p.Elem().Underlying() == owner && !ofNew(i.Addr) {
					return nil // the whole is set
				}
			case *ssa.Field:
				if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == v {
					return nil
				}
			case *ssa.FieldAddr:
				if fieldAt(i) != v {
					continue
				}
				for _, r := range referrers(i) {
					switch r := r.(type) {
					case *ssa.DebugRef:
					case *ssa.Store:
						if _, made := r.Val.(*ssa.MakeMap); !made || r.Addr != i || !ofNew(i) && !f.constructs(fn, 0) && !underNilTest(r, v) {
							return nil
						}
					case *ssa.UnOp:
						k, ok := f.addsTo(r)
						if !ok {
							return nil
						}
						if k != nil && add == nil {
							add = k
						}
					default:
						return nil
					}
				}
			}
		}
	}
	return add
}

// underNilTest reports whether a map is made where there is none.
func underNilTest(st *ssa.Store, v *types.Var) bool {
	for d := st.Block(); d != nil; d = d.Idom() {
		if len(d.Preds) != 1 {
			continue
		}
		if iff, ok := lastInstr(d.Preds[0]).(*ssa.If); ok {
			if o, ok := iff.Cond.(*ssa.BinOp); ok && o.Op == token.EQL && d.Preds[0].Succs[0] == d && isNilConst(o.Y) {
				if l, ok := o.X.(*ssa.UnOp); ok && fieldAt(l.X) == v {
					return true
				}
			}
		}
	}
	return false
}

// addsTo looks at what is done with a map that was read: where a key of the input is added, and whether
// all the rest are look-ups.
func (f *forgotten) addsTo(m *ssa.UnOp) (add ssa.Instruction, ok bool) {
	for _, r := range referrers(m) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup:
		case *ssa.BinOp: // against nil
		case *ssa.MapUpdate:
			if r.Map != m {
				return nil, false
			}
			if add == nil && f.a.ofData(r.Key, 0) {
				add = r
			}
		default:
			return nil, false
		}
	}
	return add, true
}

// ofData reports whether a text is part of an input: bytes that became text, a piece of a text, a key of a
// table that was handed in.
func (a *analysis) ofData(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return isBytes(x.X.Type())
	case *ssa.ChangeType:
		return a.ofData(x.X, depth+1)
	case *ssa.Slice:
		return a.ofData(x.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return a.ofData(e, depth+2) })
	case *ssa.BinOp:
		return x.Op == token.ADD && (a.ofData(x.X, depth+1) || a.ofData(x.Y, depth+1))
	case *ssa.Extract:
		n, ok := x.Tuple.(*ssa.Next)
		if !ok || x.Index != 1 {
			return false
		}
		r, ok := n.Iter.(*ssa.Range)
		if !ok {
			return false
		}
		_, given := r.X.(*ssa.Parameter)
		return given
	case *ssa.UnOp:
		if ia, ok := x.X.(*ssa.IndexAddr); ok {
			c, ok := ia.X.(*ssa.Call)
			return ok && calledMethod(c) != nil && fromPackage(calledMethod(c), "strings") && len(c.Call.Args) > 0 && !constantText(c.Call.Args[0])
		}
	case *ssa.Call:
		m := calledMethod(x)
		if m == nil {
			return false
		}
		switch funcKey(m) {
		case "bufio.Scanner.Text", "bytes.Buffer.String", "strings.Builder.String":
			return true
		case "strings.Clone", "strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "strings.Trim", "strings.TrimPrefix", "strings.TrimSuffix":
			return a.ofData(x.Call.Args[0], depth+1)
		}
	case *ssa.Parameter:
		fn := x.Parent()
		k := slices.Index(fn.Params, x)
		return slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool {
			args := c.Common().Args
			return !c.Common().IsInvoke() && !a.inTest(c.Parent()) && k < len(args) && a.ofData(args[k], depth+1)
		})
	}
	return false
}

func constantText(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.String
}
