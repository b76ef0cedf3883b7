// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A free list may be a chain of the objects themselves: the field that leads from one to the
// next, when it is in use, leads from one free one to the next. What its other fields led to
// is kept alive as long as the node is free, unless they are cleared.

// A freeHead is the variable or field in which such a chain begins.
type freeHead struct {
	at   types.Object
	node *types.Named
}

// judgeFreeNodes reports nodes that are chained with references in them.
func (a *analysis) judgeFreeNodes() {
	var pushes []*ssa.Store
	pops := map[freeHead][]*ssa.Function{} // those that take one, or make one
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(st *ssa.Store) {
			h := headAt(st.Addr)
			if h.node == nil || h.node.Obj().Pkg() != a.pkg.Pkg {
				return
			}
			switch {
			case pushed(st):
				pushes = append(pushes, st)
			case popped(st) && makes(fn, h.node):
				pops[h] = append(pops[h], fn)
			}
		})
	}
	var f *forgotten
	done := map[*types.Named]bool{}
	for _, st := range pushes {
		h := headAt(st.Addr)
		if pops[h] == nil || done[h.node] {
			continue
		}
		done[h.node] = true
		if f == nil {
			if f = a.uses(); len(f.facts) == 0 {
				f.gather()
			}
		}
		f.freeNode(st, h, pops[h])
	}
}

// headAt is the head of a chain of nodes that an address is, if it may be one.
func headAt(addr ssa.Value) (h freeHead) {
	p, ok := addr.Type().Underlying().(*types.Pointer)
	if !ok {
		return h
	}
	n := pointee(p.Elem())
	if n == nil {
		return h
	}
	switch x := addr.(type) {
	case *ssa.Global:
		h.at = x.Object()
	case *ssa.FieldAddr:
		if owner := pointee(x.X.Type()); owner != nil && owner.Origin() == n.Origin() {
			return h // from one node to the next
		}
		h.at = fieldAt(x)
	}
	if h.at != nil {
		h.node = n.Origin()
	}
	return h
}

// linkOf is the node that an address is a link of: one of its fields, or an element of one,
// that leads to its like.
func linkOf(addr ssa.Value) ssa.Value {
	if x, ok := addr.(*ssa.IndexAddr); ok {
		addr = x.X
	}
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	return fa.X
}

// pushed reports whether a store to the head of a chain puts a node before those that are there.
func pushed(st *ssa.Store) bool {
	if _, isNew := st.Val.(*ssa.Alloc); isNew {
		return false
	}
	found := false
	eachStore(st.Parent(), func(link *ssa.Store) {
		n := linkOf(link.Addr)
		l, ok := link.Val.(*ssa.UnOp)
		if n != nil && ok && l.Op == token.MUL && oneRead(n, st.Val, 0) && oneAddr(l.X, st.Addr, 0) && precedes(l, st) {
			found = true
		}
	})
	return found
}

// popped reports whether a store to the head of a chain takes the first node off.
func popped(st *ssa.Store) bool {
	l, ok := st.Val.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	n, ok := linkOf(l.X).(*ssa.UnOp)
	return ok && n.Op == token.MUL && oneAddr(n.X, st.Addr, 0)
}

// makes reports whether a function makes a node: it is one that was free, or a new one.
func makes(fn *ssa.Function, node *types.Named) bool {
	for i := range instrsOf(fn) {
		if al, ok := i.(*ssa.Alloc); ok && al.Heap {
			if n := pointee(al.Type()); n != nil && n.Origin() == node {
				return true
			}
		}
	}
	return false
}

// freeNode judges the fields of a node that becomes free.
func (f *forgotten) freeNode(st *ssa.Store, h freeHead, getters []*ssa.Function) {
	s, ok := h.node.Underlying().(*types.Struct)
	if !ok {
		return
	}
	var names []string
	var related []goanalysis.RelatedInformation
	for v := range s.Fields() {
		ff := f.facts[v.Origin()]
		if ff == nil || ff.open || f.a.toldOf[v] || !keepsObject(v.Type(), h.node) {
			continue
		}
		var set ssa.Instruction
		if slices.ContainsFunc(ff.stores, func(x fieldStore) bool {
			if set == nil && x.what == wOther {
				set = x.instr
			}
			return x.what == wZero
		}) || set == nil {
			continue
		}
		if asked := f.missedBy(st, h.node, v.Origin(), getters); asked != nil {
			f.a.toldOf[v] = true
			f.a.reportFound(finding{
				pattern: missingReset, pos: instrPos(st), fn: st.Parent(),
				message: fmt.Sprintf("the %s goes on the free list %s, reset but for %s, which not all who take one set, and which is asked for (%s): it has what the last user set", h.node.Obj().Name(), h.at.Name(), v.Name(), f.a.line(instrPos(asked))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(set), Message: v.Name() + " is set here"}, {Pos: instrPos(asked), Message: "asked for here"}},
			})
			continue
		}
		names = append(names, v.Name())
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(set), Message: v.Name() + " is set here"})
	}
	if len(names) == 0 {
		return
	}
	f.a.reportFound(finding{
		pattern: retainedRefs, pos: instrPos(st), fn: st.Parent(),
		message: fmt.Sprintf("the %s goes on the free list %s with what it had in %s: what that leads to is kept alive while the node is free; clear it first", h.node.Obj().Name(), h.at.Name(), strings.Join(names, ", ")),
		related: related,
	})
}

// keepsObject reports whether a field of a node can keep something alive that is no node.
func keepsObject(t types.Type, node *types.Named) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		n := pointee(u)
		return n != nil && n.Origin() != node && namedPkg(u) != "sync"
	case *types.Interface, *types.Signature:
		return true
	}
	return false
}

// mayChainFree reports whether a package has a type whose values lead to their like, and a
// variable or another struct that leads to one.
func mayChainFree(pass *goanalysis.Pass) bool {
	scope := pass.Pkg.Scope()
	nodes := map[*types.Named]bool{}
	heads := map[*types.Named]bool{}
	leads := func(from *types.Named, t types.Type) {
		if arr, ok := t.Underlying().(*types.Array); ok && from != nil {
			t = arr.Elem()
		}
		if n := pointee(t); n != nil && n.Obj().Pkg() == pass.Pkg {
			if from != nil && n.Origin() == from {
				nodes[from] = true
			} else {
				heads[n.Origin()] = true
			}
		}
	}
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			leads(nil, obj.Type())
		case *types.TypeName:
			n, ok := types.Unalias(obj.Type()).(*types.Named)
			if !ok || n.Obj().Pkg() != pass.Pkg {
				continue
			}
			if s, ok := n.Underlying().(*types.Struct); ok {
				for v := range s.Fields() {
					leads(n.Origin(), v.Type())
				}
			}
		}
	}
	for n := range nodes {
		if heads[n] {
			return true
		}
	}
	return false
}
