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

// The context of a connection has a value from a pool, and a method works off a channel and starts goroutines that pass the
// context on. Another one that puts the value and closes the channel, and waits for nobody, puts it while the goroutines
// find it in their context.

// judgeLeftContexts reports such Puts.
func (c *custody) judgeLeftContexts() {
	for _, fn := range c.a.fns {
		if fn.Signature.Recv() == nil || fn.Parent() != nil || !exportedRoot(fn) || c.a.inTest(fn) || len(c.a.callsOf(fn)) > 0 {
			continue
		}
		closed := closedFields(fn)
		if len(closed) == 0 || c.waitsOrLeaves(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			for _, v := range c.putBy(i) {
				key, ctx := c.keyOf(v, 0)
				if _, ok := ctx.(*ssa.Parameter); !ok || !c.pooledUnder(key) {
					continue
				}
				g := c.goesOnWith(fn, closed)
				if g == nil || c.a.foundIn(goroutineUse, fn) {
					continue
				}
				c.a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(i), fn: fn, cause: instrPos(i),
					message: fmt.Sprintf("%s is in the context, which goroutines that %s starts have (%s): nobody waits for them", apposed(c.a.putNameAt(i), "put here", "what is put here"), g.Parent().Name(), c.a.line(instrPos(g))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(g), Message: "started here with the context"}},
				})
			}
		}
	}
}

// closedFields are the fields with channels that a function closes.
func closedFields(fn *ssa.Function) (list []*types.Var) {
	for i := range instrsOf(fn) {
		if call, ok := i.(*ssa.Call); ok && isBuiltin(call, "close") {
			if f, _ := fieldLoad(call.Call.Args[0]); f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// waitsOrLeaves reports whether a function waits for something, or calls code that is not in view and may.
func (c *custody) waitsOrLeaves(fn *ssa.Function) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			switch i := i.(type) {
			case *ssa.UnOp:
				if i.Op == token.ARROW {
					return true
				}
			case *ssa.Select:
				if i.Blocking {
					return true
				}
			case ssa.CallInstruction:
				if _, builtin := i.Common().Value.(*ssa.Builtin); builtin {
					continue
				}
				m := calledMethod(i)
				switch {
				case m == nil:
					if f := i.Common().StaticCallee(); f == nil {
						return true
					}
				case i.Common().IsInvoke():
					if m.Pkg() == nil || m.Pkg().Path() != "context" {
						return true
					}
				case m.Pkg() != nil && m.Pkg().Path() != c.a.pkg.Pkg.Path():
					if pf, ok := poolFuncOf(m); !ok || pf.release < 0 {
						return true
					}
				}
			}
		}
	}
	return false
}

// keyOf is the type of the key under which a value was found in a context, and the context.
func (c *custody) keyOf(v ssa.Value, depth int) (key *types.Named, ctx ssa.Value) {
	switch x := v.(type) {
	case *ssa.Extract:
		return c.keyOf(x.Tuple, depth)
	case *ssa.TypeAssert:
		return c.keyOf(x.X, depth)
	case *ssa.Call:
		if x.Call.IsInvoke() {
			if m := x.Call.Method; m.Name() == "Value" && m.Pkg() != nil && m.Pkg().Path() == "context" && len(x.Call.Args) == 1 {
				key, _ = types.Unalias(unboxed(x.Call.Args[0]).Type()).(*types.Named)
				return key, x.Call.Value
			}
			return nil, nil
		}
		fn := c.a.calledFunction(x)
		if fn == nil || depth > 1 {
			return nil, nil
		}
		for _, r := range returnedBy(fn) {
			k, from := c.keyOf(r, depth+1)
			if n := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == from }); k != nil && n >= 0 && n < len(x.Call.Args) {
				return k, x.Call.Args[n]
			}
		}
	}
	return nil, nil
}

// pooledUnder reports whether the package puts what it took from a pool into a context under a key.
func (c *custody) pooledUnder(key *types.Named) bool {
	if key == nil || key.Obj().Pkg() != c.a.pkg.Pkg {
		return false
	}
	for _, i := range c.a.instrsBeyondTests() {
		call, ok := i.(*ssa.Call)
		if !ok || calledMethod(call) == nil || funcKey(calledMethod(call)) != "context.WithValue" || len(call.Call.Args) != 3 {
			continue
		}
		if types.Identical(unboxed(call.Call.Args[1]).Type(), key) && c.taken(unboxed(call.Call.Args[2])) {
			return true
		}
	}
	return false
}

// goesOnWith is where another method of the type receives from one of some channels, in a loop, and starts a goroutine
// there that passes on the context which the method was given.
func (c *custody) goesOnWith(end *ssa.Function, from []*types.Var) *ssa.Go {
	for _, fn := range c.a.fns {
		if fn == end || fn.Parent() != nil || recvType(fn) != recvType(end) || !exportedRoot(fn) || c.a.inTest(fn) {
			continue
		}
		works := false
		var started *ssa.Go
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.UnOp:
				if f, _ := fieldLoad(i.X); i.Op == token.ARROW && inLoop(i.Block()) && f != nil && slices.Contains(from, f) {
					works = true
				}
			case *ssa.Go:
				if started == nil && inLoop(i.Block()) && passesContext(i) {
					started = i
				}
			case ssa.CallInstruction:
				if m := calledMethod(i); m != nil && m.Name() == "Wait" {
					return nil
				}
			}
		}
		if works && started != nil {
			return started
		}
	}
	return nil
}

// passesContext reports whether a goroutine passes on a context that is a parameter of who starts it.
func passesContext(g *ssa.Go) bool {
	passed := func(v ssa.Value) bool {
		return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
			call, ok := r.(ssa.CallInstruction)
			return ok && slices.Contains(call.Common().Args, v)
		})
	}
	isContext := func(v ssa.Value) bool {
		p, ok := v.(*ssa.Parameter)
		return ok && types.TypeString(p.Type(), nil) == "context.Context"
	}
	if mc, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		body := mc.Fn.(*ssa.Function)
		for k, b := range mc.Bindings {
			if isContext(b) && passed(body.FreeVars[k]) {
				return true
			}
			cell, ok := b.(*ssa.Alloc)
			if !ok {
				continue
			}
			set := 0
			ofParam := false
			for _, r := range referrers(cell) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
					set++
					ofParam = isContext(s.Val)
				}
			}
			if set == 1 && ofParam && slices.ContainsFunc(loadsOf(body.FreeVars[k]), passed) {
				return true
			}
		}
	}
	fn := g.Call.StaticCallee()
	for k, x := range g.Call.Args {
		if isContext(x) && fn != nil && k < len(fn.Params) && passed(fn.Params[k]) {
			return true
		}
	}
	return false
}
