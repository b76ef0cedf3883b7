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

// A pool of connections, or of other things that break, has two ways to give a value back: one for what
// can be used again, one for what cannot. A value that goes both ways is in the pool broken, and counted
// down twice: an else is missing.

// judgeThrownAway reports values that go both ways, on interfaces and types with methods that take, put and
// discard a value of one type.
func (a *analysis) judgeThrownAway() {
	byFn := map[*ssa.Function][]*ssa.Call{}
	var fns []*ssa.Function
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok || !throwsAway(call) && !putsWhole(call) {
			continue
		}
		if byFn[call.Parent()] == nil {
			fns = append(fns, call.Parent())
		}
		byFn[call.Parent()] = append(byFn[call.Parent()], call)
	}
	for _, fn := range fns {
		for _, away := range byFn[fn] {
			if !throwsAway(away) {
				continue
			}
			for _, put := range byFn[fn] {
				if !putsWhole(put) || !sameOwner(callReceiver(away), callReceiver(put)) || !sameOwner(argOf(away), argOf(put)) || !bothWaysOf(away, put) {
					continue
				}
				first, second := away, put
				if !straightOn(first, second) {
					first, second = put, away
				}
				if !straightOn(first, second) || a.opposed(first, second) {
					continue
				}
				a.reportFound(finding{
					pattern: doublePut, pos: instrPos(second), fn: fn, cause: instrPos(first),
					message: fmt.Sprintf("%s, which %s was given (%s), is given to %s as well: what is thrown away must not go back to the pool", orElse(a.putNameAt(second), "the value"), calledMethod(first).Name(), a.line(instrPos(first)), calledMethod(second).Name()),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(first), Message: "given away here"}},
				})
			}
		}
	}
}

func throwsAway(c *ssa.Call) bool { return oneWay(c, awayNames...) }
func putsWhole(c *ssa.Call) bool  { return oneWay(c, "Put", "Release", "Return", "GiveBack") }

// oneWay reports whether a call is of a method with one of some names, with one argument that may be pooled.
func oneWay(c *ssa.Call, names ...string) bool { return isWay(calledMethod(c), names...) }

func isWay(f *types.Func, names ...string) bool {
	if f == nil || f.Signature().Recv() == nil || f.Signature().Params().Len() != 1 || !hasPointers(f.Signature().Params().At(0).Type()) {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, f.Name()) })
}

func callReceiver(c *ssa.Call) ssa.Value {
	if c.Call.IsInvoke() {
		return c.Call.Value
	}
	return c.Call.Args[0]
}

func argOf(c *ssa.Call) ssa.Value { return c.Call.Args[len(c.Call.Args)-1] }

// bothWaysOf reports whether two calls are of methods of one type, for values of a type that a third method
// gives.
func bothWaysOf(x, y *ssa.Call) bool {
	t := callReceiver(x).Type()
	of := calledMethod(x).Signature().Params().At(0).Type()
	if !types.Identical(t, callReceiver(y).Type()) || !types.Identical(of, calledMethod(y).Signature().Params().At(0).Type()) {
		return false
	}
	return givesSuch(t, of)
}

// givesSuch reports whether a method of a type gives values of another type.
func givesSuch(t, of types.Type) bool {
	for m := range types.NewMethodSet(t).Methods() {
		f := m.Obj().(*types.Func)
		if r := f.Signature().Results(); r.Len() > 0 && types.Identical(r.At(0).Type(), of) && givesName(f.Name()) {
			return true
		}
	}
	return false
}

var awayNames = []string{"Discard", "Destroy", "Invalidate"}

// maySendBothWays reports whether a function is a method that throws a value away, of a type that gives such values as well.
func maySendBothWays(f *types.Func) bool {
	return isWay(f, awayNames...) && givesSuch(f.Signature().Recv().Type(), f.Signature().Params().At(0).Type())
}

// opposed reports whether two calls stand behind tests of one value with different outcomes.
func (a *analysis) opposed(x, y *ssa.Call) bool {
	for k, is := range a.outcomesAt(x.Block()) {
		if was, ok := a.outcomesAt(y.Block())[k]; ok && was != is {
			return true
		}
	}
	return false
}

// outcomesAt are the tests that a block stands behind, by what they ask, and their outcomes.
func (a *analysis) outcomesAt(b *ssa.BasicBlock) map[keptIn]bool {
	asked := map[keptIn]bool{}
	for d := b.Idom(); d != nil; d = d.Idom() {
		t, ok := lastInstr(d).(*ssa.If)
		if !ok {
			continue
		}
		cond, yes := t.Cond, true
		if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
			cond, yes = n.X, false
		}
		if o, ok := cond.(*ssa.BinOp); ok && isNilConst(o.Y) && (o.Op == token.EQL || o.Op == token.NEQ) {
			cond, yes = o.X, yes == (o.Op == token.EQL)
		}
		for n, arm := range d.Succs {
			if len(arm.Preds) == 1 && arm.Dominates(b) {
				asked[a.whereKept(cond)] = yes == (n == 0)
			}
		}
	}
	return asked
}

func givesName(name string) bool {
	for _, verb := range []string{"get", "acquire", "take", "borrow", "lease", "checkout"} {
		if strings.HasPrefix(strings.ToLower(name), verb) {
			return true
		}
	}
	return false
}

// straightOn reports whether a call runs after another one on some path, with the same value: no round of a
// loop gives them another one.
func straightOn(first, second *ssa.Call) bool {
	if first.Block() == second.Block() {
		return mayFollowIn(first, second)
	}
	x, ok := argOf(first).(ssa.Instruction)
	if !ok || argOf(first) != argOf(second) {
		return reaches(first.Block(), second.Block()) && !inLoop(first.Block())
	}
	for _, b := range first.Block().Succs {
		if b != x.Block() && reachesPast(b, second.Block(), x.Block()) {
			return true
		}
	}
	return false
}
