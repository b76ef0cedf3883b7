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

// A digest in a pooled struct that is reset where a use begins has the input of the last use until then. Who takes the
// struct, writes and sums without a reset of its own sums that as well.

// digestUse is what a function does with a digest in a field of a struct that it takes from a pool.
type digestUse struct {
	resets, writes, sums []ssa.CallInstruction
}

// judgeDigestsBeside reports functions that write to such a digest without a reset, where all resets come before writes.
func (a *analysis) judgeDigestsBeside() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		t := p.typ
		if t.Obj().Pkg() != a.pkg.Pkg || done[t] || a.inTest(p.fn) {
			continue
		}
		done[t] = true
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			if digests(v.Type()) && !v.Exported() && !a.toldOf[v] {
				f.digestBeside(t, v)
			}
		})
	}
}

func (f *forgotten) digestBeside(t *types.Named, v *types.Var) {
	users := map[*ssa.Function]*digestUse{}
	var order []*ssa.Function
	for _, fn := range f.a.fns {
		for i := range instrsOf(fn) {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != v {
				continue
			}
			for _, r := range referrers(fa) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != ssa.Value(fa) || !f.isFresh(fa.X) {
						return // another digest, which is empty
					}
				case *ssa.UnOp:
					u := users[fn]
					if u == nil {
						u = &digestUse{}
						users[fn] = u
						order = append(order, fn)
					}
					if !u.see(r) {
						return
					}
				default:
					return
				}
			}
		}
	}
	var first ssa.CallInstruction
	for _, u := range users {
		for _, c := range u.resets {
			if !slices.ContainsFunc(u.writes, func(w ssa.CallInstruction) bool { return precedes(c, w) }) {
				return // reset behind its use, for the next one
			}
			if first == nil || instrPos(c) < instrPos(first) {
				first = c
			}
		}
	}
	if first == nil {
		return
	}
	for _, fn := range order {
		u := users[fn]
		here := func(p poolSite) bool { return p.typ == t && p.fn == fn }
		if f.a.inTest(fn) || len(u.resets) > 0 || len(u.writes) == 0 || len(u.sums) == 0 || !slices.ContainsFunc(f.gets, here) || !slices.ContainsFunc(f.puts, here) {
			continue
		}
		anew := false
		eachStore(fn, func(s *ssa.Store) { anew = anew || types.Identical(s.Val.Type(), t) })
		if anew {
			continue
		}
		f.a.reportFound(finding{
			pattern: missingReset, pos: instrPos(u.writes[0]), fn: fn,
			message: fmt.Sprintf("field %s of the pooled %s is written and summed here without a reset before, as others have it (%s): it has what the last user wrote", v.Name(), t.Obj().Name(), f.a.line(instrPos(first))),
			typed:   t,
			related: []goanalysis.RelatedInformation{{Pos: instrPos(first), Message: "reset here"}},
		})
	}
}

// see notes what is done with the digest; it is false where more may be done than is seen.
func (u *digestUse) see(l *ssa.UnOp) bool {
	if l.Op != token.MUL {
		return false
	}
	for _, r := range referrers(l) {
		c, ok := r.(ssa.CallInstruction)
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if _, plain := r.(*ssa.Call); !ok || !plain || !c.Common().IsInvoke() || c.Common().Value != ssa.Value(l) || slices.Contains(c.Common().Args, ssa.Value(l)) {
			return false
		}
		switch c.Common().Method.Name() {
		case "Reset":
			u.resets = append(u.resets, c)
		case "Write":
			u.writes = append(u.writes, c)
		case "Sum", "Sum32", "Sum64":
			u.sums = append(u.sums, c)
		case "Size", "BlockSize":
		default:
			return false
		}
	}
	return true
}
