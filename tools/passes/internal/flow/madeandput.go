// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A method that makes a new value for a field and then puts what the field has puts the new value, which the
// object goes on to use, and loses the old one, that was meant: the Put comes first.

// judgeMadeAndPut reports such methods.
func (a *analysis) judgeMadeAndPut() {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		a.eachPut(fn, func(c ssa.CallInstruction, x ssa.Value) {
			put, plain := c.(*ssa.Call)
			p := a.whereKept(x)
			if _, given := p.of.(*ssa.Parameter); !plain || !given || p.field == nil || p.field.Exported() {
				return
			}
			read, ok := x.(*ssa.UnOp)
			set := a.setFresh(put, p)
			if !ok || set == nil || !precedes(set, read) || !a.readBeyond(fn, p) {
				return
			}
			a.reportFound(finding{
				pattern: storeAlias, pos: instrPos(put), fn: fn,
				message: fmt.Sprintf("%s was just made for %s (%s), and stays there: the next user has it as well, and what the field had before is lost; put that before the field is set", apposed(a.putNameAt(put), "put here", "what is put here"), p.field.Name(), a.line(instrPos(set))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(set), Message: "set here"}},
			})
		})
	}
}

// setFresh is where a field is set to a new value before what it has is put, if nothing is set there after.
func (a *analysis) setFresh(put *ssa.Call, p keptIn) (set *ssa.Store) {
	for i := range instrsOf(put.Parent()) {
		s, ok := i.(*ssa.Store)
		if !ok || a.placeAt(s.Addr) != p {
			continue
		}
		if mayFollow(put, s) || set != nil {
			return nil
		}
		if s.Block() != put.Block() || !precedes(s, put) || !a.isFresh(s.Val) {
			return nil
		}
		set = s
	}
	return set
}

// isFresh reports whether a value was made where it stands, and for nobody else.
func (a *analysis) isFresh(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Call:
		f := calledMethod(x)
		return f != nil && strings.HasPrefix(f.Name(), "New") && !a.uses().sites.gets0(a, x) && a.calledFunction(x) == nil && (f.Pkg() == nil || isStdPath(f.Pkg().Path()))
	}
	return false
}

// readBeyond reports whether a field is read by some other function.
func (a *analysis) readBeyond(fn *ssa.Function, p keptIn) bool {
	for in, i := range a.instrsBeyondTests() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != p.field || in == fn {
			continue
		}
		if slices.ContainsFunc(referrers(fa), func(r ssa.Instruction) bool {
			l, ok := r.(*ssa.UnOp)
			return ok && l.Op == token.MUL
		}) {
			return true
		}
	}
	return false
}
