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

// Middleware takes a value from a pool, hands a context with it to the handler, and puts it when that has returned. What
// the handler calls may have left a goroutine behind that finds the value in the context: after a timeout, or because
// nobody waits for it.

// judgeContextGoes reports Puts of what goroutines that are left behind find in their context.
func (c *custody) judgeContextGoes() {
	var left []leftContext
	looked := false
	for _, i := range c.a.instrsBeyondTests() {
		with, ok := i.(*ssa.Call)
		if !ok || calledMethod(with) == nil || funcKey(calledMethod(with)) != "context.WithValue" || len(with.Call.Args) != 3 {
			continue
		}
		key, _ := types.Unalias(unboxed(with.Call.Args[1]).Type()).(*types.Named)
		v := unboxed(with.Call.Args[2])
		if key == nil || key.Obj().Pkg() != c.a.pkg.Pkg || !c.taken(v) || !givenAtRunTime(with, 0) || waitsInBody(with.Parent()) {
			continue
		}
		put := c.putAfter(with, v)
		if put == nil || c.a.foundIn(goroutineUse, with.Parent()) {
			continue
		}
		if !looked {
			left, looked = c.leftContexts(), true
		}
		for _, l := range left {
			if !c.findsUnder(l.in, key, 0) {
				continue
			}
			c.a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(put), fn: put.Parent(), cause: instrPos(put),
				message: fmt.Sprintf("%s is in the context that others were given (%s), and a goroutine which %s starts and does not always wait for finds it there (%s)", apposed(c.a.putNameAt(put), "put here", "what is put here"), c.a.line(instrPos(with)), l.at.Parent().Name(), c.a.line(instrPos(l.at))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(with), Message: "the context is made here"}, {Pos: instrPos(l.at), Message: "started here with a context of who called"}},
			})
			break
		}
	}
}

// putAfter is the call by which a function puts a value on all paths behind an instruction, or at its end.
func (c *custody) putAfter(at *ssa.Call, v ssa.Value) ssa.CallInstruction {
	for i := range instrsOf(at.Parent()) {
		put, ok := i.(ssa.CallInstruction)
		if !ok || !slices.ContainsFunc(c.putBy(put), func(x ssa.Value) bool { return unboxed(x) == v }) || !c.a.putsAlways(c.a.uses().sites, put, v, 0) {
			continue
		}
		if _, later := put.(*ssa.Defer); later || precedes(at, put) {
			return put
		}
	}
	return nil
}

// givenAtRunTime reports whether a context, or a request that has it, is given to code that is chosen at run time.
func givenAtRunTime(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Call:
			if r.Call.StaticCallee() == nil && slices.Contains(r.Call.Args, v) {
				return true
			}
			if m := calledMethod(r); m != nil && (derivesContext(m) || funcKey(m) == "net/http.Request.WithContext" || funcKey(m) == "net/http.Request.Clone") && givenAtRunTime(r, depth+1) {
				return true
			}
		case *ssa.Extract:
			if r.Index == 0 && givenAtRunTime(r, depth+1) {
				return true
			}
		case *ssa.Store:
			if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && slices.ContainsFunc(loadsOf(cell), func(l ssa.Value) bool { return givenAtRunTime(l, depth+1) }) {
				return true
			}
		}
	}
	return false
}

// derivesContext reports whether a function makes a context out of another one, in which the same is found.
func derivesContext(m *types.Func) bool {
	if m.Pkg() == nil || m.Pkg().Path() != "context" || m.Signature().Recv() != nil {
		return false
	}
	p := m.Signature().Params()
	return p.Len() > 0 && isContextType(p.At(0).Type())
}

func isContextType(t types.Type) bool { return types.TypeString(t, nil) == "context.Context" }

// A leftContext is a context that a goroutine was started with, which its starter has from its caller and does
// not always wait for.
type leftContext struct {
	at *ssa.Go
	in ssa.Value // its name in the goroutine
}

// leftContexts finds those of the package.
func (c *custody) leftContexts() (list []leftContext) {
	for _, i := range c.a.instrsBeyondTests() {
		g, ok := i.(*ssa.Go)
		if !ok || callsPipe(g.Parent()) {
			continue
		}
		body := startedBody(g)
		if body == nil || !c.a.inPackage(body) {
			continue
		}
		var in []ssa.Value
		for k, x := range g.Call.Args {
			if isContextType(x.Type()) && ofCaller(x, map[ssa.Value]bool{}) && k < len(body.Params) {
				in = append(in, body.Params[k])
			}
		}
		if mc, ok := g.Call.Value.(*ssa.MakeClosure); ok {
			for k, x := range mc.Bindings {
				if t := x.Type(); (isContextType(t) || isContextType(deref(t))) && ofCaller(x, map[ssa.Value]bool{}) {
					in = append(in, body.FreeVars[k])
				}
			}
		}
		if len(in) == 0 {
			continue
		}
		w := waiter{a: c.a, g: g, signs: map[ssa.Value]bool{}, seen: map[*ssa.BasicBlock]bool{}}
		for _, x := range boundTo(g) {
			if carriesSign(x.Type(), 0) {
				w.signs[x] = true
			}
		}
		if w.deferred() || !w.returns(g.Block(), slices.Index(g.Block().Instrs, ssa.Instruction(g))+1) {
			continue
		}
		for _, x := range in {
			list = append(list, leftContext{g, x})
		}
	}
	return list
}

// ofCaller reports whether a context, or all that a variable with one is set to, is one that a function was given,
// or made from that.
func ofCaller(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true // made from itself
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Parameter:
		return isContextType(x.Type())
	case *ssa.Extract:
		return x.Index == 0 && ofCaller(x.Tuple, seen)
	case *ssa.Call:
		m := calledMethod(x)
		switch {
		case m == nil:
			return false
		case funcKey(m) == "net/http.Request.Context":
			_, given := x.Call.Args[0].(*ssa.Parameter)
			return given
		}
		return derivesContext(m) && ofCaller(x.Call.Args[0], seen)
	case *ssa.UnOp:
		return x.Op == token.MUL && ofCaller(x.X, seen)
	case *ssa.Alloc:
		sets := 0
		for _, r := range referrers(x) {
			if s, ok := r.(*ssa.Store); ok {
				if s.Addr != ssa.Value(x) || !ofCaller(s.Val, seen) {
					return false
				}
				sets++
			}
		}
		return sets > 0
	}
	return false
}

// findsUnder reports whether a goroutine looks for what is under a key in a context, and uses that.
func (c *custody) findsUnder(ctx ssa.Value, key *types.Named, depth int) bool {
	if depth > 6 {
		return false
	}
	for _, r := range referrers(ctx) {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op == token.MUL && c.findsUnder(r, key, depth+1) {
				return true
			}
		case *ssa.Extract:
			if r.Index == 0 && c.findsUnder(r, key, depth+1) {
				return true
			}
		case *ssa.MakeClosure:
			for k, b := range r.Bindings {
				if b == ctx && c.findsUnder(r.Fn.(*ssa.Function).FreeVars[k], key, depth+1) {
					return true
				}
			}
		case *ssa.Call:
			if r.Call.IsInvoke() {
				if m := r.Call.Method; r.Call.Value == ctx && m.Name() == "Value" && len(r.Call.Args) == 1 && types.Identical(unboxed(r.Call.Args[0]).Type(), key) && usesFound(r) {
					return true
				}
				continue
			}
			if k, from := c.keyOf(r, 0); k != nil && from == ctx && types.Identical(k, key) && usesFound(r) {
				return true
			}
			if m := calledMethod(r); m != nil && derivesContext(m) {
				if r.Call.Args[0] == ctx && c.findsUnder(r, key, depth+1) {
					return true
				}
				continue
			}
			fn := c.a.calledFunction(r)
			if fn == nil || !c.a.inPackage(fn) {
				continue
			}
			for k, x := range r.Call.Args {
				if x == ctx && k < len(fn.Params) && c.findsUnder(fn.Params[k], key, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// usesFound reports whether a function uses what it found, by any type, for more than a test.
func usesFound(v ssa.Value) bool {
	return slices.ContainsFunc(asserted(v), func(x ssa.Value) bool {
		return slices.ContainsFunc(referrers(x), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				return true
			case ssa.CallInstruction:
				return slices.Contains(r.Common().Args, x) && pointee(x.Type()) != nil
			}
			return false
		})
	})
}
