// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Close that puts what some fields of its object hold, and does not look at another
// field that only a second method puts, loses what that one holds: nobody has to
// call both. The same goes for what objects hold that fields of its object lead to, as the nodes of a list
// do, where the second method puts that as well.

// judgeUnclosed reports such fields.
func (c *custody) judgeUnclosed() {
	for _, fn := range c.a.fns {
		if !endsObject(fn) || c.a.inTest(fn) {
			continue
		}
		s := structOf(fn.Params[0].Type())
		if s == nil || pointee(fn.Params[0].Type()) == nil {
			continue
		}
		within := c.reaches(fn)
		used, puts := c.fieldsUsed(within, s)
		beyond := len(puts) == 0
		if beyond {
			c.judgeEndOnly(fn, s, within)
			puts = c.putsBeyond(within, s)
		}
		if len(puts) == 0 {
			continue
		}
		for f := range s.Fields() {
			f := f.Origin()
			if f.Exported() || used[f] || len(c.takesField[f]) == 0 || len(c.putsField[f]) == 0 {
				continue
			}
			put := c.otherEnd(fn, f)
			if put == nil || !c.leftInField(f) {
				continue
			}
			if beyond && !c.putsOneOf(puts, put.Parent()) {
				continue // it may end another thing
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: fn.Pos(), fn: fn,
				message: fmt.Sprintf("%s puts what %s holds, but not what %s holds, which only %s puts", fn.Name(), puts[0].Name(), f.Name(), put.Parent().Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "put here"}},
			})
		}
	}
}

// endsObject reports whether a method ends the life of its receiver, by its name.
func endsObject(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || fn.Parent() != nil {
		return false
	}
	return endsByName(fn.Name())
}

// endsByName reports whether a method of that name ends an object's life.
func endsByName(name string) bool {
	switch strings.ToLower(name) {
	case "close", "destroy", "dispose", "shutdown", "free":
		return true
	}
	return false
}

// fieldsUsed are the fields of a struct that functions use, and those of which they put
// what they hold.
func (c *custody) fieldsUsed(fns map[*ssa.Function]bool, s *types.Struct) (used map[*types.Var]bool, puts []*types.Var) {
	used = map[*types.Var]bool{}
	for fn := range fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.FieldAddr:
				if f := nthField(i.X, i.Field); f != nil {
					used[f] = true
				}
			case *ssa.Field:
				if f := nthField(i.X, i.Field); f != nil {
					used[f] = true
				}
			}
		}
	}
	for f := range s.Fields() {
		for fn := range c.putsField[f.Origin()] {
			if fns[fn] && !slices.Contains(puts, f.Origin()) {
				puts = append(puts, f.Origin())
			}
		}
	}
	return used, puts
}

// putsBeyond are the fields of which functions put what they hold, in objects that fields of a struct, or
// elements of them, point to.
func (c *custody) putsBeyond(fns map[*ssa.Function]bool, s *types.Struct) (puts []*types.Var) {
	for f := range s.Fields() {
		n := pointee(f.Type())
		if e := slotType(f.Type()); e != nil {
			n = pointee(e)
		}
		if n == nil || n.Obj().Pkg() != c.a.pkg.Pkg {
			continue
		}
		_, there := c.fieldsUsed(fns, structOf(n))
		for _, g := range there {
			if !slices.Contains(puts, g) {
				puts = append(puts, g)
			}
		}
	}
	return puts
}

// putsOneOf reports whether a function, or one that it calls, puts what one of some fields holds.
func (c *custody) putsOneOf(fields []*types.Var, fn *ssa.Function) bool {
	for by := range c.reaches(fn) {
		if slices.ContainsFunc(fields, func(g *types.Var) bool { return c.putsField[g][by] != nil }) {
			return true
		}
	}
	return false
}

// otherEnd is the Put of what a field holds in another method of the same type, if
// nothing calls that by itself or for whoever ends the object.
func (c *custody) otherEnd(end *ssa.Function, f *types.Var) (put ssa.Instruction) {
	for fn, i := range c.putsField[f] {
		if fn.Parent() != nil || recvType(fn) != recvType(end) || c.startedFrom(fn) {
			return nil
		}
		if put == nil || instrPos(i) < instrPos(put) {
			put = i
		}
	}
	for _, call := range c.a.callsOf(end) {
		root := call.Parent()
		for root.Parent() != nil {
			root = root.Parent()
		}
		for fn := range c.reaches(root) {
			if c.putsField[f][fn] != nil {
				return nil
			}
		}
	}
	return put
}

// startedFrom reports whether a function runs in a goroutine or as a callback.
func (c *custody) startedFrom(fn *ssa.Function) bool {
	for _, g := range c.a.fns {
		for i := range instrsOf(g) {
			switch i := i.(type) {
			case *ssa.Go:
				if f := c.a.calledFunction(i); f != nil && c.reaches(f)[fn] {
					return true
				}
			case *ssa.MakeClosure:
				f, ok := i.Fn.(*ssa.Function)
				if ok && f.Synthetic != "" && f.Object() == fn.Object() {
					return true // a method value
				}
			}
		}
	}
	return false
}

// leftInField reports whether some function that others may call leaves in a field what it
// took, for a later call.
func (c *custody) leftInField(f *types.Var) bool {
	for taker := range c.takesField[f] {
		if c.a.inTest(taker) {
			continue
		}
		for _, root := range c.a.fns {
			if root.Parent() != nil || !c.a.relevant[root] || !exportedRoot(root) && len(c.a.callsOf(root)) > 0 {
				continue
			}
			way := c.reaches(root)
			if !way[taker] {
				continue
			}
			puts := false
			for fn := range c.putsField[f] {
				puts = puts || way[fn]
			}
			if !puts {
				return true
			}
		}
	}
	return false
}
