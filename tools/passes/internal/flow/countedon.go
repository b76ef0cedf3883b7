// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What a pooled struct counts for its user, and gives out, has to begin at zero with each user. Where
// all that the package does with a number is to add to it and to give it away, and other fields beside
// it are set up for each use, it goes on from where the last user left it. That is on purpose for
// numbers that tell one use from another: these are compared, not given away.

// judgeCountedOn reports such numbers.
func (a *analysis) judgeCountedOn() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if f.ofTwoKinds(t) || t.TypeParams().Len() > 0 {
			continue
		}
		region, begins := f.region(t), f.atPool(t)
		owner := map[*types.Struct]*types.Var{} // the field that holds a struct
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			if in, ok := v.Type().Underlying().(*types.Struct); ok {
				owner[in] = v
			}
			ff := f.facts[v]
			if ff == nil || ff.open || a.toldOf[v] || !isInteger(v.Type()) || tellsUses(v.Name()) {
				return
			}
			add := f.countsOn(ff, t, begins)
			if add == nil {
				return
			}
			out := givenOut(ff.reads, v)
			if o := owner[s]; out == nil && o != nil && f.facts[o] != nil {
				out = givenOut(f.facts[o].reads, v)
			}
			if out == nil || !f.setUpBeside(s, owner[s], v, t, region) {
				return
			}
			a.toldOf[v] = true
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("field %s of the pooled %s is added to (%s), given out (%s) and never set back: for the next user it goes on from where it was", v.Name(), t.Obj().Name(), a.line(instrPos(add)), a.line(instrPos(out))),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(add), Message: v.Name() + " is added to here"}, {Pos: instrPos(out), Message: "given out here"}},
			})
		})
	}
}

// tellsUses reports whether a name is that of a number which tells uses apart, or counts them.
func tellsUses(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"gen", "epoch", "seq", "version", "id", "uses", "age", "total", "reuse", "serial", "cycle", "round"}, func(s string) bool { return strings.Contains(name, s) })
}

// atPool are the functions that take values of a type from a sync.Pool or put them there, and those that
// they call on such values.
func (f *forgotten) atPool(t *types.Named) []*ssa.Function {
	var out []*ssa.Function
	for _, p := range slices.Concat(f.puts, f.gets) {
		i := p.instr
		if ta, ok := i.(*ssa.TypeAssert); ok {
			i, _ = ta.X.(ssa.Instruction)
		}
		if m := calledMethod(i); p.typ != t || m == nil || !strings.HasPrefix(funcKey(m), "sync.Pool.") {
			continue
		}
		out = append(out, p.fn)
		for i := range instrsOf(p.fn) {
			if c, ok := i.(ssa.CallInstruction); ok && slices.ContainsFunc(c.Common().Args, func(x ssa.Value) bool { return within(x, t) }) {
				if fn := f.a.calledFunction(c); fn != nil {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// countsOn is the first addition to a field, if additions in use are all that the package stores there.
func (f *forgotten) countsOn(ff *fieldFacts, t *types.Named, region []*ssa.Function) ssa.Instruction {
	var first ssa.Instruction
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok || slices.Contains(region, st.Parent()) {
			return nil
		}
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || !addsUp(st.Val, fa) || !rootWithin(fa, t) {
			return nil
		}
		if first == nil || cmp.Compare(instrPos(st), instrPos(first)) < 0 {
			first = st
		}
	}
	return first
}

// rootWithin reports whether the object that an address leads from is a *t, or lies in one.
func rootWithin(fa *ssa.FieldAddr, t *types.Named) bool {
	for {
		up, ok := fa.X.(*ssa.FieldAddr)
		if !ok {
			return within(fa.X, t)
		}
		fa = up
	}
}

// addsUp reports whether a value is what a field had, and something added.
func addsUp(v ssa.Value, fa *ssa.FieldAddr) bool {
	x, ok := v.(*ssa.BinOp)
	if !ok || x.Op != token.ADD {
		return false
	}
	l, ok := x.X.(*ssa.UnOp)
	return ok && readsField(l, fa, 5)
}

// givenOut is a read of a field, or of a struct that it is in, that is returned; nil if any read serves
// something else than that and to add to it.
func givenOut(reads []ssa.Instruction, v *types.Var) ssa.Instruction {
	var out ssa.Instruction
	for _, r := range reads {
		x, ok := r.(ssa.Value)
		if !ok || x.Referrers() == nil {
			return nil
		}
		for _, q := range referrers(x) {
			switch q := q.(type) {
			case *ssa.Return:
				out = r
			case *ssa.Convert, *ssa.ChangeType:
				for _, u := range referrers(q.(ssa.Value)) {
					if _, ok := u.(*ssa.Return); !ok {
						return nil
					}
					out = r
				}
			case *ssa.BinOp:
				if q.Op != token.ADD {
					return nil
				}
			case *ssa.DebugRef:
			default:
				return nil
			}
		}
	}
	return out
}

// setUpBeside reports whether another field, of the struct or of that which holds it, is set for each
// use, or emptied for the next.
func (f *forgotten) setUpBeside(s *types.Struct, owner, v *types.Var, t *types.Named, region []*ssa.Function) bool {
	beside := func(s *types.Struct) bool {
		for w := range s.Fields() {
			ff := f.facts[w.Origin()]
			if w.Origin() != v && w.Origin() != owner && ff != nil && slices.ContainsFunc(ff.stores, func(x fieldStore) bool { return slices.Contains(region, x.instr.Parent()) && !intoNew(x.instr) }) {
				return true
			}
		}
		return false
	}
	if beside(s) {
		return true
	}
	found := false
	collectFields(t, 0, func(w *types.Var, in *types.Struct) {
		found = found || w == owner && beside(in)
	})
	return found
}
