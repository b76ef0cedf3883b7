// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// The collector never empties a channel that serves as a pool. Where it takes back
// buffers of any size, each of them is in the end as large as the largest use, for good.

// judgeAnySize reports channels that keep buffers to which code out of view writes, where
// the package asks no buffer for its capacity.
func (a *analysis) judgeAnySize() {
	if len(a.freeLists) == 0 || a.asksCapacity() {
		return
	}
	type use struct {
		gets map[*ssa.Function]bool
		put  *ssa.Select
	}
	uses := map[types.Object]*use{}
	for fn, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Select)
		if !ok || len(s.States) != 1 {
			continue
		}
		l, ok := s.States[0].Chan.(*ssa.UnOp)
		if !ok {
			continue
		}
		obj := placeOf(l.X)
		if p := a.freeLists[obj]; p == nil || p.api != "channel" || !isBytesBuffer(obj.Type().Underlying().(*types.Chan).Elem()) {
			continue
		}
		u := uses[obj]
		if u == nil {
			u = &use{gets: map[*ssa.Function]bool{}}
			uses[obj] = u
		}
		if s.States[0].Dir == types.RecvOnly {
			u.gets[fn] = true
		} else if u.put == nil || s.Pos() < u.put.Pos() {
			u.put = s
		}
	}
	var found []finding
	for obj, u := range uses {
		if u.put == nil {
			continue
		}
		if _, ok := derivedFrom(u.put.States[0].Send).(*ssa.Parameter); !ok {
			continue
		}
		if w := a.filledOutside(u.gets); w != nil {
			found = append(found, finding{
				pattern: oversizeRetention, pos: u.put.States[0].Pos, fn: u.put.Parent(), pool: a.freeLists[obj],
				message: fmt.Sprintf("%s keeps buffers of any size, and the collector never takes them: what one large input made grow stays; drop buffers above a limit instead of sending them", a.freeLists[obj].label()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(w), Message: "written to here"}},
			})
		}
	}
	slices.SortFunc(found, func(x, y finding) int { return cmp.Compare(x.pos, y.pos) })
	for _, f := range found {
		a.reportFound(f)
	}
}

// filledOutside is a call that is given, as a writer, a buffer that one of the functions
// returned.
func (a *analysis) filledOutside(gets map[*ssa.Function]bool) ssa.Instruction {
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok || !gets[a.calledFunction(c)] {
			continue
		}
		for _, r := range referrers(c) {
			if m, ok := r.(*ssa.MakeInterface); ok && isWriter(m.Type()) {
				for _, u := range referrers(m) {
					call, ok := u.(*ssa.Call)
					if !ok {
						continue
					}
					if m := calledMethod(call); m == nil || !fromPackage(m, "fmt", "encoding/binary") { // which write one record
						return call
					}
				}
			}
			if m := calledMethod(r); m != nil && m.Name() == "ReadFrom" {
				return r
			}
		}
	}
	return nil
}

// asksCapacity reports whether the package asks for the capacity of a buffer or of bytes.
func (a *analysis) asksCapacity() bool {
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if m := calledMethod(c); m != nil && fromPackage(m, "bytes") && (m.Name() == "Cap" || m.Name() == "Available") {
			return true
		}
		if f, ok := c.Common().Value.(*ssa.Builtin); ok && f.Name() == "cap" && isBytes(c.Common().Args[0].Type()) {
			return true
		}
	}
	return false
}
