// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reader with a deadline reads in a goroutine and gives up on that when the time is over. Whoever lets it
// read to a buffer from a pool, and puts the buffer whatever became of the read, gives the next user one that
// the goroutine may still fill. Which readers and writers of the package get where pooled buffers are read
// to and written from is found by following their types through the package.

// A bufferUse is a buffer given to the Read or Write of what is behind an interface.
type bufferUse struct {
	on, buf ssa.Value
	method  string
}

// bufferUses are those of one call.
func bufferUses(c *ssa.CallCommon) []bufferUse {
	if c.IsInvoke() {
		if name := c.Method.Name(); (name == "Read" || name == "Write") && len(c.Args) == 1 && isBytes(c.Args[0].Type()) {
			return []bufferUse{{c.Value, c.Args[0], name}}
		}
		return nil
	}
	f := c.StaticCallee()
	if f == nil || f.Object() == nil {
		return nil
	}
	switch fn, _ := f.Object().(*types.Func); funcKey(fn) {
	case "io.ReadFull", "io.ReadAtLeast":
		return []bufferUse{{c.Args[0], c.Args[1], "Read"}}
	case "io.CopyBuffer":
		return []bufferUse{{c.Args[1], c.Args[2], "Read"}, {c.Args[0], c.Args[2], "Write"}}
	}
	return nil
}

// judgeReadLate reports the goroutines of readers and writers that outlive the loan of a pooled buffer.
func (a *analysis) judgeReadLate() {
	s := a.uses().sites
	for c := range a.productCalls() {
		if call, ok := c.(*ssa.Call); ok {
			for _, u := range bufferUses(&call.Call) {
				a.readLate(s, call, call, u, 0)
			}
		}
	}
}

// readLate looks for the pool that a buffer came from, in the function that uses it at a call or, by its
// parameters, in those that call it.
func (a *analysis) readLate(s *sites, at, use *ssa.Call, u bufferUse, depth int) {
	for _, o := range originsOf(a, u.buf, nil) {
		if p, ok := o.(*ssa.Parameter); ok {
			if depth > 3 {
				continue
			}
			for _, c := range a.callsOf(at.Parent()) {
				caller, ok := c.(*ssa.Call)
				if !ok || a.inTest(c.Parent()) || len(c.Common().Args) != len(at.Parent().Params) {
					continue
				}
				there := u
				there.buf = c.Common().Args[slices.Index(at.Parent().Params, p)]
				if k := slices.IndexFunc(at.Parent().Params, func(q *ssa.Parameter) bool { return ssa.Value(q) == unboxed(u.on) }); k >= 0 {
					there.on = c.Common().Args[k]
				}
				a.readLate(s, caller, use, there, depth+1)
			}
			continue
		}
		if !takenHere(a, s, o, 0) {
			continue
		}
		put := a.putAfterAll(s, at, o)
		if put == nil {
			continue
		}
		for _, t := range a.flowTo(u.on) {
			if m := a.bufferMethod(t.typ, u.method); m != nil && a.usesLate(t.typ) {
				a.reportReadLate(m, use, put)
			}
		}
	}
}

func (a *analysis) reportReadLate(m *ssa.Function, use *ssa.Call, put ssa.Instruction) {
	for _, g := range a.leftRunning(m, m.Params[1]) {
		if a.goroutineFound(g) {
			continue
		}
		a.reportFound(finding{
			pattern: goroutineUse, pos: instrPos(g), fn: m, cause: instrPos(g),
			message: fmt.Sprintf("%s may be a buffer from a pool that %s puts when the call is over (%s), but the goroutine may use it longer: a path returns without waiting for it",
				m.Params[1].Name(), put.Parent().Name(), a.line(instrPos(put))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(use), Message: "given to it here"},
				{Pos: instrPos(put), Message: "put here, whatever became of the call"},
			},
		})
	}
}

// bufferMethod is a method that a type of the package declares with a buffer as its only parameter.
func (a *analysis) bufferMethod(t types.Type, name string) *ssa.Function {
	if !concrete(t) {
		return nil
	}
	sel := types.NewMethodSet(t).Lookup(a.pkg.Pkg, name)
	if sel == nil {
		return nil
	}
	m := a.prog.MethodValue(sel)
	if m == nil || len(m.Blocks) == 0 || len(m.Params) != 2 || m.Synthetic != "" || !a.inPackage(m) || !isBytes(m.Params[1].Type()) || a.inTest(m) {
		return nil
	}
	return m
}

// usesLate reports whether the Read or Write of a type leaves a goroutine behind with its buffer, and the
// type has nothing to wait for it with.
func (a *analysis) usesLate(t types.Type) bool {
	n := recvName(t)
	if n == nil || n.Pkg() != a.pkg.Pkg || types.IsInterface(t) {
		return false
	}
	late, ok := a.lateTypes[n]
	if !ok {
		for _, name := range []string{"Read", "Write"} {
			if m := a.bufferMethod(t, name); m != nil && len(a.leftRunning(m, m.Params[1])) > 0 {
				late = true
			}
		}
		for _, name := range []string{"Close", "Wait", "Stop", "Shutdown", "Join"} {
			if sel := types.NewMethodSet(types.NewPointer(n.Type())).Lookup(n.Pkg(), name); late && sel != nil {
				if m := a.prog.MethodValue(sel); m != nil && m.Synthetic == "" && a.waits(m, 0) {
					late = false
				}
			}
		}
		if a.lateTypes == nil {
			a.lateTypes = map[*types.TypeName]bool{}
		}
		a.lateTypes[n] = late
	}
	return late
}

// originsOf are the values whose memory a slice may be, or a pointer to it, through variables.
func originsOf(a *analysis, v ssa.Value, seen []ssa.Value) (list []ssa.Value) {
	if slices.Contains(seen, v) || len(seen) > 12 {
		return nil
	}
	seen = append(slices.Clip(seen), v)
	switch x := v.(type) {
	case *ssa.Slice:
		return originsOf(a, x.X, seen)
	case *ssa.ChangeType:
		return originsOf(a, x.X, seen)
	case *ssa.MakeInterface:
		return originsOf(a, x.X, seen)
	case *ssa.UnOp:
		return originsOf(a, x.X, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			list = append(list, originsOf(a, e, seen)...)
		}
		return list
	case *ssa.Alloc:
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v {
				list = append(list, originsOf(a, st.Val, seen)...)
			}
		}
		return list
	case *ssa.FreeVar:
		k := slices.Index(x.Parent().FreeVars, x)
		for _, m := range a.closures[x.Parent()] {
			list = append(list, originsOf(a, m.Bindings[k], seen)...)
		}
		return list
	}
	return []ssa.Value{v}
}

// putAfterAll finds the Put of a value that runs after a call whatever that gave: a deferred one, or one that
// all ways from the call come by.
func (a *analysis) putAfterAll(s *sites, at *ssa.Call, o ssa.Value) ssa.Instruction {
	taken, ok := o.(ssa.Instruction)
	if !ok {
		return nil
	}
	puts := map[*ssa.BasicBlock]bool{}
	var first ssa.Instruction
	for i := range instrsOf(at.Parent()) {
		switch i := i.(type) {
		case *ssa.Defer:
			if (i.Block() == taken.Block() || i.Block().Dominates(at.Block())) && a.putsWhatever(s, i, o) {
				return i
			}
		case *ssa.Call:
			if !a.putsOrigin(s, i, o) {
				continue
			}
			if i.Block() == at.Block() {
				if mayFollowIn(at, i) {
					return i
				}
				continue
			}
			puts[i.Block()] = true
			if first == nil {
				first = i
			}
		}
	}
	if first == nil || returnsAround(at.Block(), puts) {
		return nil
	}
	return first
}

// putsOrigin reports whether a call puts memory of a value, and is told nothing that could keep it from that.
func (a *analysis) putsOrigin(s *sites, c ssa.CallInstruction, o ssa.Value) bool {
	for _, x := range c.Common().Args {
		if isBool(x.Type()) || isError(x.Type()) {
			return false
		}
	}
	return slices.ContainsFunc(s.putArgs(a, c), func(n int) bool {
		return slices.Contains(originsOf(a, c.Common().Args[n], nil), o)
	})
}

// putsWhatever reports whether a deferred call puts a value, on all ways through a literal.
func (a *analysis) putsWhatever(s *sites, d *ssa.Defer, o ssa.Value) bool {
	if a.putsOrigin(s, d, o) {
		return true
	}
	lit, ok := d.Call.Value.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	puts := map[*ssa.BasicBlock]bool{}
	fn := lit.Fn.(*ssa.Function)
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok && a.putsOrigin(s, c, o) {
			puts[c.Block()] = true
		}
	}
	return len(puts) > 0 && !returnsAround(fn.Blocks[0], puts)
}
