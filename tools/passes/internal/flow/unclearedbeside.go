// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice of some size comes from one of two pools, by its size. Where all that comes from the one is cleared, on its way
// in or out, the takers count on zeros, and find what the last user left where it comes from the other.

// A lengthGetter is a function that takes a slice of numbers from a pool and returns it with a length.
type lengthGetter struct {
	fn   *ssa.Function
	get  *ssa.Call
	pool types.Object
	elem types.Type
	cut  *ssa.Slice      // to the length that was asked for
	zero ssa.Instruction // what clears it there, or where it is put
	seen bool            // all that is done with it there is in view, and nothing of that writes to it
}

// judgeUnclearedBeside reports getters that do not clear where the getter beside them does.
func (a *analysis) judgeUnclearedBeside() {
	getters := map[*ssa.Function][]*lengthGetter{}
	some := false
	for c := range a.poolCalls("Get") {
		if call, ok := c.(*ssa.Call); ok {
			if g := a.lengthGetter(call); g != nil {
				getters[g.fn] = append(getters[g.fn], g)
				some = some || g.zero != nil
			}
		}
	}
	if !some {
		return
	}
	done := map[*lengthGetter]bool{}
	for _, fn := range a.fns {
		if a.inTest(fn) || fn.Signature.Results().Len() == 0 {
			continue
		}
		for _, pair := range a.chosenGetters(fn, getters) {
			zeroed, dirty := pair[0], pair[1]
			if done[dirty] || !a.countOnZeros(fn, dirty, 0) || a.clearedAround(dirty, fn, zeroed) {
				continue
			}
			done[dirty] = true
			a.reportFound(finding{
				pattern: missingReset, pos: dirty.cut.Pos(), fn: dirty.fn,
				message: fmt.Sprintf("%s gives a slice with what its last user left in it, while those of %s, which %s chooses for other sizes, are cleared (%s): who counts on zeros does not get them for every size", withReceiver(dirty.fn), withReceiver(zeroed.fn), withReceiver(fn), a.line(instrPos(zeroed.zero))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(dirty.get), Message: "taken here"}, {Pos: instrPos(zeroed.zero), Message: "cleared here"}},
			})
		}
	}
}

// withReceiver is the name of a function, with that of its receiver's type.
func withReceiver(fn *ssa.Function) string {
	if recv := fn.Signature.Recv(); recv != nil && recvName(recv.Type()) != nil {
		return recvName(recv.Type()).Name() + "." + fn.Name()
	}
	return outermost(fn).Name()
}

// lengthGetter looks at what a function does with what it takes from a pool; it is nil where that is no slice of numbers
// or is not returned.
func (a *analysis) lengthGetter(get *ssa.Call) *lengthGetter {
	g := &lengthGetter{fn: get.Parent(), get: get, pool: a.staticPool(get.Call.Args[0]), seen: true}
	if g.pool == nil {
		return nil
	}
	returned := false
	met := map[ssa.Value]bool{}
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if met[v] {
			return
		}
		met[v] = true
		if s, ok := v.Type().Underlying().(*types.Slice); ok && g.elem == nil {
			g.elem = s.Elem()
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
			case *ssa.Return:
				returned = true
			case *ssa.TypeAssert, *ssa.Extract, *ssa.Phi, *ssa.ChangeType, *ssa.UnOp, *ssa.FieldAddr, *ssa.MakeInterface:
				if ex, ok := r.(*ssa.Extract); !ok || ex.Index == 0 {
					follow(r.(ssa.Value))
				}
			case *ssa.Slice:
				if r.High != nil && (r.Low == nil || isZeroSize(r.Low)) && !isZeroSize(r.High) && g.cut == nil && givesOut(r) {
					g.cut = r
				}
				follow(r)
			case *ssa.Store:
				if r.Val != v {
					continue
				}
				if al, ok := r.Addr.(*ssa.Alloc); ok {
					follow(al)
				} else if !met[r.Addr] {
					g.seen = false
				}
			case *ssa.Call:
				switch {
				case sizeCall(r) != "" || isPut(r):
				case a.clearsWhole(r, v):
					g.zero = r
				default:
					if fn := a.calledFunction(r); fn == nil || !a.putsInPool(fn, g.pool) {
						g.seen = false
					}
				}
			case *ssa.IndexAddr:
				if z := zeroesEach(r); z != nil {
					g.zero = z
				}
				g.seen = false
			default:
				g.seen = false
			}
		}
	}
	follow(get)
	if !returned || g.elem == nil || hasPointers(g.elem) {
		return nil
	}
	if g.zero == nil {
		for c := range a.poolCalls("Put") {
			if a.staticPool(c.Common().Args[0]) != g.pool {
				continue
			}
			for i := range instrsOf(c.Parent()) {
				if z := a.zeroes(i, g.elem); z != nil && mayFollow(z, c) {
					g.zero = z
				}
			}
		}
	}
	return g
}

// givesOut reports whether a slice is returned, or stored where it came from.
func givesOut(s *ssa.Slice) bool {
	vals := []ssa.Value{s}
	for k := 0; k < len(vals) && k < 8; k++ {
		for _, r := range referrers(vals[k]) {
			switch r := r.(type) {
			case *ssa.Return:
				return true
			case *ssa.Store:
				if r.Val == vals[k] {
					return true
				}
			case *ssa.Phi:
				vals = append(vals, r)
			}
		}
	}
	return false
}

// putsInPool reports whether a function puts to a pool.
func (a *analysis) putsInPool(fn *ssa.Function, pool types.Object) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok && isPut(c) && a.staticPool(c.Common().Args[0]) == pool {
			return true
		}
	}
	return false
}

// clearsWhole reports whether a call clears a slice that it is given, and not only a part of constant size.
func (a *analysis) clearsWhole(c *ssa.Call, v ssa.Value) bool {
	if s, ok := v.(*ssa.Slice); ok {
		if _, isConst := s.High.(*ssa.Const); isConst || s.Low != nil && !isZeroSize(s.Low) {
			return false
		}
	}
	if isBuiltin(c, "clear") {
		return true
	}
	fn := a.calledFunction(c)
	if fn == nil || !isSlice(v.Type()) && !isSlice(deref(v.Type())) {
		return false
	}
	for i := range instrsOf(fn) {
		if a.zeroes(i, nil) != nil {
			return true
		}
	}
	return false
}

// zeroes is the instruction, if it sets all elements of a slice of such elements, or of any, to zero.
func (a *analysis) zeroes(i ssa.Instruction, elem types.Type) ssa.Instruction {
	switch i := i.(type) {
	case *ssa.Call:
		if isBuiltin(i, "clear") {
			if s, ok := i.Call.Args[0].Type().Underlying().(*types.Slice); ok && (elem == nil || types.Identical(s.Elem(), elem)) {
				return i
			}
			return nil
		}
		if fn := a.calledFunction(i); fn != nil && elem != nil {
			for _, x := range i.Call.Args {
				if s, ok := deref(x.Type()).Underlying().(*types.Slice); ok && types.Identical(s.Elem(), elem) && a.clearsWhole(i, x) {
					return i
				}
			}
		}
	case *ssa.IndexAddr:
		if s, ok := i.X.Type().Underlying().(*types.Slice); ok && (elem == nil || types.Identical(s.Elem(), elem)) {
			return zeroesEach(i)
		}
	}
	return nil
}

// zeroesEach finds the store of zero to an element in a loop.
func zeroesEach(ia *ssa.IndexAddr) ssa.Instruction {
	for _, r := range referrers(ia) {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(ia) && inLoop(s.Block()) {
			if c, ok := s.Val.(*ssa.Const); ok && (c.Value == nil || c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value) || c.Value.Kind() != constant.Bool && constant.Sign(constant.ToFloat(c.Value)) == 0) {
				return s
			}
		}
	}
	return nil
}

// A getterArm is what a function returns on some way: what getters gave, or an object that has one as its method.
type getterArm struct {
	getters []*lengthGetter
	typ     types.Type
	at      *ssa.BasicBlock
}

// chosenGetters are the pairs of getters, one that clears and one that does not, between which a function chooses by a size.
func (a *analysis) chosenGetters(fn *ssa.Function, getters map[*ssa.Function][]*lengthGetter) (pairs [][2]*lengthGetter) {
	arms := a.getterArms(fn, getters)
	for _, x := range arms {
		for _, y := range arms {
			if x.at == y.at {
				continue
			}
			for _, p := range a.matched(fn, x, y, getters) {
				if p[0].pool != p[1].pool && p[0].zero != nil && p[1].zero == nil && p[1].seen && p[1].cut != nil && types.Identical(p[0].elem, p[1].elem) && chosenBySize(x.at, y.at) {
					pairs = append(pairs, p)
				}
			}
		}
	}
	return pairs
}

// matched are the getters of two arms that stand for each other.
func (a *analysis) matched(fn *ssa.Function, x, y getterArm, getters map[*ssa.Function][]*lengthGetter) (pairs [][2]*lengthGetter) {
	if x.typ == nil || y.typ == nil {
		for _, g := range x.getters {
			for _, h := range y.getters {
				pairs = append(pairs, [2]*lengthGetter{g, h})
			}
		}
		return pairs
	}
	it, ok := fn.Signature.Results().At(0).Type().Underlying().(*types.Interface)
	if !ok || types.Identical(x.typ, y.typ) {
		return nil
	}
	for m := range it.Methods() {
		f, g := a.methodOf(x.typ, m), a.methodOf(y.typ, m)
		if f == nil || g == nil {
			continue
		}
		for _, g1 := range getters[origin(f)] {
			for _, g2 := range getters[origin(g)] {
				pairs = append(pairs, [2]*lengthGetter{g1, g2})
			}
		}
	}
	return pairs
}

// getterArms finds what a function returns as its first result, each with the block in which that is made.
func (a *analysis) getterArms(fn *ssa.Function, getters map[*ssa.Function][]*lengthGetter) (arms []getterArm) {
	met := map[ssa.Value]bool{}
	var add func(v ssa.Value, at *ssa.BasicBlock)
	add = func(v ssa.Value, at *ssa.BasicBlock) {
		switch v.(type) {
		case *ssa.Phi, *ssa.Alloc:
			if met[v] {
				return
			}
			met[v] = true
		}
		switch x := v.(type) {
		case *ssa.Phi:
			for k, e := range x.Edges {
				add(e, x.Block().Preds[k])
			}
		case *ssa.MakeInterface:
			if recvName(x.X.Type()) != nil {
				arms = append(arms, getterArm{typ: x.X.Type(), at: at})
			}
		case *ssa.UnOp:
			if t := a.onlyStored(v); t != nil {
				arms = append(arms, getterArm{typ: t, at: at})
			} else if al, ok := x.X.(*ssa.Alloc); ok {
				add(al, at)
			} else {
				add(x.X, at)
			}
		case *ssa.Alloc:
			for _, r := range referrers(x) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(x) {
					add(s.Val, s.Block())
				}
			}
		case *ssa.Slice:
			add(x.X, at)
		case *ssa.Extract:
			add(x.Tuple, at)
		case *ssa.TypeAssert:
			add(x.X, at)
		case *ssa.Call:
			if list := a.gettersOf(x, getters, 0); len(list) > 0 {
				arms = append(arms, getterArm{getters: list, at: x.Block()})
			}
		}
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 {
			add(r.Results[0], b)
		}
	}
	return arms
}

// gettersOf are the getters that a call is of, also where the function that is called only calls them.
func (a *analysis) gettersOf(c *ssa.Call, getters map[*ssa.Function][]*lengthGetter, depth int) []*lengthGetter {
	for _, g := range getters[c.Parent()] {
		if g.get == c {
			return []*lengthGetter{g}
		}
	}
	fn := a.calledFunction(c)
	if fn == nil || depth > 2 {
		return nil
	}
	if list := getters[fn]; len(list) > 0 {
		return list
	}
	if res := returnedBy(fn); len(res) == 1 {
		if inner, ok := res[0].(*ssa.Call); ok {
			return a.gettersOf(inner, getters, depth+1)
		}
	}
	return nil
}

// chosenBySize reports whether all tests that lead to one of two blocks and not to the other compare sizes.
func chosenBySize(x, y *ssa.BasicBlock) bool {
	tests := 0
	for _, b := range x.Parent().Blocks {
		i, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		leads := func(s, to *ssa.BasicBlock) bool { return s == to || reaches(s, to) }
		var to [2][2]bool
		for k, s := range b.Succs {
			to[k] = [2]bool{leads(s, x), leads(s, y)}
		}
		if to[0] == to[1] || to[0] != [2]bool{true, false} && to[0] != [2]bool{false, true} && to[1] != [2]bool{true, false} && to[1] != [2]bool{false, true} {
			continue
		}
		if !comparesLengths(i.Cond) {
			return false
		}
		tests++
	}
	return tests > 0
}

// comparesLengths reports whether a condition is that one number is less than another, or that an index is behind all there are.
func comparesLengths(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.NOT && comparesLengths(v.X)
	case *ssa.Extract: // class, ok := classFor(n)
		c, ok := v.Tuple.(*ssa.Call)
		return ok && v.Index > 0 && isInteger(c.Call.Signature().Results().At(0).Type())
	case *ssa.BinOp:
		if !isInteger(v.X.Type()) {
			return false
		}
		switch v.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		case token.EQL, token.NEQ:
			for _, x := range []ssa.Value{v.X, v.Y} {
				if sizeCall(x) != "" {
					return true
				}
				if c, ok := x.(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) < 0 {
					return true
				}
			}
		}
	}
	return false
}

// countOnZeros reports whether there may be callers of a function that do not write over all that it gives.
func (a *analysis) countOnZeros(fn *ssa.Function, g *lengthGetter, depth int) bool {
	for _, name := range []string{fn.Name(), g.fn.Name()} {
		name = strings.ToLower(name)
		if strings.Contains(name, "dirty") || strings.Contains(name, "uninit") || strings.Contains(name, "nozero") || strings.Contains(name, "unclear") {
			return false
		}
	}
	if _, ok := fn.Signature.Results().At(0).Type().Underlying().(*types.Interface); ok {
		fn = g.fn // by whoever calls the method
	}
	if depth > 3 || a.reachedFromOutside(fn) {
		return true
	}
	calls := a.callsOf(fn)
	return slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
		call, ok := c.(*ssa.Call)
		if !ok || a.inTest(call.Parent()) {
			return false
		}
		vals, filled, returned := []ssa.Value{call}, false, false
		for k := 0; k < len(vals) && k < 20; k++ {
			for _, r := range referrers(vals[k]) {
				switch r := r.(type) {
				case *ssa.Extract, *ssa.UnOp, *ssa.Slice, *ssa.Phi, *ssa.FieldAddr:
					if s, ok := r.(*ssa.Slice); ok && s.High != nil && isZeroSize(s.High) {
						filled = true
					}
					if !slices.Contains(vals, r.(ssa.Value)) {
						vals = append(vals, r.(ssa.Value))
					}
				case *ssa.Return:
					returned = true
				case *ssa.Call:
					filled = filled || writesAll(r, vals[k])
				case *ssa.IndexAddr:
					for _, q := range referrers(r) {
						if s, ok := q.(*ssa.Store); ok && s.Addr == ssa.Value(r) && inLoop(s.Block()) {
							filled = true
						}
					}
				}
			}
		}
		if returned && !filled {
			return a.countOnZeros(call.Parent(), g, depth+1)
		}
		return !filled
	})
}

// writesAll reports whether a call writes to a slice from its start on.
func writesAll(c *ssa.Call, v ssa.Value) bool {
	if isBuiltin(c, "copy") || isBuiltin(c, "clear") {
		return c.Call.Args[0] == v
	}
	if m := calledMethod(c); m != nil {
		switch funcKey(m) {
		case "io.ReadFull", "io.ReadAtLeast":
			return c.Call.Args[1] == v
		case "crypto/rand.Read", "io.Reader.Read":
			return true
		}
		return strings.HasPrefix(m.Name(), "Read")
	}
	return false
}

// reachedFromOutside reports whether other packages can call a function: by its name, or by an interface that its receiver
// is made.
func (a *analysis) reachedFromOutside(fn *ssa.Function) bool {
	if !token.IsExported(fn.Name()) {
		return false
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	n := recvName(recv.Type())
	if n == nil || n.Exported() {
		return true
	}
	for _, i := range a.instrsBeyondTests() {
		if m, ok := i.(*ssa.MakeInterface); ok && recvName(m.X.Type()) == n {
			return true
		}
	}
	return false
}

// clearedAround reports whether somebody around a getter clears slices of its elements: who puts to its pool, who calls
// these or the getter, and who calls the function that chooses; but for what clears for the other getter.
func (a *analysis) clearedAround(g *lengthGetter, chooser *ssa.Function, other *lengthGetter) bool {
	fns := []*ssa.Function{g.fn, chooser}
	for c := range a.poolCalls("Put") {
		if a.staticPool(c.Common().Args[0]) == g.pool {
			fns = append(fns, c.Parent())
		}
	}
	for range 2 {
		for _, fn := range fns {
			for _, c := range a.callsOf(fn) {
				if p := c.Parent(); !a.inTest(p) && !slices.Contains(fns, p) {
					fns = append(fns, p)
				}
			}
			if fn.Signature.Recv() == nil {
				continue
			}
			for c := range a.productCalls() { // by an interface
				m := c.Common().Method
				if m != nil && m.Name() == fn.Name() && types.Identical(m.Signature().Results(), fn.Signature.Results()) && types.Identical(m.Signature().Params(), fn.Signature.Params()) && !slices.Contains(fns, c.Parent()) {
					fns = append(fns, c.Parent())
				}
			}
		}
	}
	for _, fn := range fns {
		if fn == other.fn && fn != chooser && fn != g.fn {
			continue
		}
		for i := range instrsOf(fn) {
			z := a.zeroes(i, g.elem)
			if z == nil || z == other.zero {
				continue
			}
			if c, ok := z.(*ssa.Call); ok && a.calledFunction(c) == other.zero.Parent() && a.putsInPool(other.zero.Parent(), other.pool) {
				continue // puts to the other pool
			}
			return true
		}
	}
	return false
}
