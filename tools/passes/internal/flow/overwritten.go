// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who finds that a container has something under a key, and sets another value there, lets go of the
// first: where other functions put what they take out of the container, that one is lost.

// judgeOverwritten reports such stores, to elements of container/list and to maps in fields.
func (a *analysis) judgeOverwritten() {
	elements := map[types.Type]ssa.Instruction{} // types of what is put that a list's element had
	maps := map[*types.Var]ssa.Instruction{}     // fields of maps of which elements are put
	for c := range a.productCalls() {
		for _, v := range a.valuesPut(c) {
			v = unboxed(v)
			if t, of := assertedOf(v); t != nil && isListValue(of) {
				for same := range elements {
					if types.Identical(same, t) {
						t = same
					}
				}
				elements[t] = c
			}
			if f := mapOfElement(v); f != nil {
				maps[f] = c
			}
		}
	}
	if len(elements)+len(maps) == 0 {
		return
	}
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			box, boxed := i.Val.(*ssa.MakeInterface)
			if !ok || !boxed || !isElement(fa.X.Type()) || readsValue(fa.X) {
				continue
			}
			if lookupOf(fa.X) == nil && !isCursor(fa.X) {
				continue
			}
			for t, put := range elements {
				if types.Identical(t, box.X.Type()) {
					a.reportOverwritten(i, put, "the element of the list")
				}
			}
		case *ssa.MapUpdate:
			f := fieldOfAddr(i.Map)
			if put := maps[f]; f != nil && put != nil && foundUnseen(i) {
				a.reportOverwritten(i, put, "the map "+f.Name())
			}
		}
	}
}

func (a *analysis) reportOverwritten(at, put ssa.Instruction, where string) {
	a.reportFound(finding{
		pattern: missingPut, pos: instrPos(at), fn: at.Parent(),
		message: fmt.Sprintf("%s has a value already, which is overwritten here and not put; what is taken out elsewhere is put (%s)", where, a.line(instrPos(put))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "put here"}},
	})
}

// assertedOf is the type that a value was asserted to be, and what it was asserted of.
func assertedOf(v ssa.Value) (types.Type, ssa.Value) {
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v = e.Tuple
	}
	if t, ok := v.(*ssa.TypeAssert); ok {
		return t.AssertedType, t.X
	}
	return nil, nil
}

// isListValue reports whether a value is what an element of a list has, or had when it was removed.
func isListValue(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		return funcKey(calledMethod(v)) == "container/list.List.Remove"
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		return ok && v.Op == token.MUL && isElement(fa.X.Type()) && fieldAt(fa).Name() == "Value"
	}
	return false
}

func isElement(t types.Type) bool { return types.TypeString(t, nil) == "*container/list.Element" }

// isCursor reports whether a value is an element that was found in a list.
func isCursor(v ssa.Value) bool {
	if p, ok := v.(*ssa.Phi); ok {
		for _, e := range p.Edges {
			if c, ok := e.(*ssa.Call); ok && isListMove(c) {
				return true
			}
		}
		return false
	}
	c, ok := v.(*ssa.Call)
	return ok && isListMove(c)
}

func isListMove(c *ssa.Call) bool {
	switch funcKey(calledMethod(c)) {
	case "container/list.List.Front", "container/list.List.Back", "container/list.Element.Next", "container/list.Element.Prev":
		return true
	}
	return false
}

// readsValue reports whether anybody looks at what an element has, or gives the element to others than
// its list.
func readsValue(el ssa.Value) bool {
	if el.Referrers() == nil {
		return true
	}
	for _, r := range referrers(el) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if !onlyStored(r) {
				return true
			}
		case ssa.CallInstruction:
			f := calledMethod(r)
			if f == nil || f.Pkg() == nil || f.Pkg().Path() != "container/list" || f.Name() == "Remove" {
				return true
			}
		case *ssa.Store, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			return true
		}
	}
	return false
}

// mapOfElement is the field of the map that a value was looked up in, or found in by a loop.
func mapOfElement(v ssa.Value) *types.Var {
	if l := lookupOf(v); l != nil {
		return fieldOfAddr(l.X)
	}
	if e, ok := v.(*ssa.Extract); ok && e.Index == 2 {
		if n, ok := e.Tuple.(*ssa.Next); ok {
			return mapOf(n)
		}
	}
	return nil
}

// foundUnseen reports whether an element is set where a test has found that there is one, and nobody in
// the function looks at that.
func foundUnseen(u *ssa.MapUpdate) bool {
	found := false
	for i := range instrsOf(u.Parent()) {
		l, ok := i.(*ssa.Lookup)
		if !ok || !sameOwner(l.X, u.Map) {
			continue
		}
		if !l.CommaOk || part(l, 0) != nil && len(*part(l, 0).Referrers()) > 0 {
			return false
		}
		if has := part(l, 1); has != nil && sameOwner(l.Index, u.Key) {
			found = found || whereTrue(has, u.Block())
		}
	}
	return found
}

// whereTrue reports whether a block is only come to where a condition holds.
func whereTrue(c ssa.Value, b *ssa.BasicBlock) bool {
	for _, r := range referrers(c) {
		switch r := r.(type) {
		case *ssa.If:
			if arm := r.Block().Succs[0]; len(arm.Preds) == 1 && arm.Dominates(b) {
				return true
			}
		case *ssa.UnOp:
			if r.Op != token.NOT {
				continue
			}
			for _, n := range referrers(r) {
				if i, ok := n.(*ssa.If); ok && len(i.Block().Succs[1].Preds) == 1 && i.Block().Succs[1].Dominates(b) {
					return true
				}
			}
		}
	}
	return false
}
