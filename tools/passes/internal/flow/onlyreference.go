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

// Who received an object from a channel or took it from a pool has one reference to it, if it counts no other, and
// so has the function that it is given to for good. When a method counts that one down, the object may be in the pool
// by the time the method returns, be it that this was the last one or that another goroutine drops the last.

// judgeOnlyReferences reports what is used after its only reference was given up, or sent to a goroutine that does.
func (a *analysis) judgeOnlyReferences() {
	var given map[*types.Named]*ssa.Call
	for fn, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Call:
			if len(referrers(i)) > 0 || !a.dropsReference(i) || !a.hasOneReference(fn, i.Call.Args[0], nil, 0) {
				continue
			}
			if use := a.usedWithout(i, i.Call.Args[0]); use != nil {
				a.reportFound(finding{
					pattern: useAfterPut, pos: instrPos(use), fn: fn, cause: instrPos(i),
					message: fmt.Sprintf("%s is used after %s counted down the only reference that %s has to it (%s): it may be in the pool by now", orElse(a.valueName(i.Call.Args[0]), "this"), a.calledFunction(i).Name(), fn.Name(), a.line(instrPos(i))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(i), Message: "counted down here"}},
				})
			}
		case *ssa.Send:
			if given == nil {
				given = a.givenUpByReceivers()
			}
			drop := given[pointee(i.X.Type())]
			if drop == nil || !a.hasOneReference(fn, i.X, i, 0) {
				continue
			}
			if use := a.usedWithout(i, i.X); use != nil {
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(use), fn: fn, cause: instrPos(i),
					message: fmt.Sprintf("%s is used after the only reference that %s has to it was sent (%s): the receiver counts it down (%s), and it may be in the pool by now", orElse(a.valueName(i.X), "this"), fn.Name(), a.line(instrPos(i)), a.line(instrPos(drop))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(i), Message: "sent here"}, {Pos: instrPos(drop), Message: "counted down here"}},
				})
			}
		}
	}
}

// dropsReference reports whether a call counts its first argument down, and puts it where that was the last reference.
func (a *analysis) dropsReference(c *ssa.Call) bool {
	if c.Call.IsInvoke() || len(c.Call.Args) == 0 || !isPtr(c.Call.Args[0].Type()) {
		return false
	}
	callee := a.calledFunction(c)
	return a.countsDown(callee) && a.mayPutParam(callee, 0, 0)
}

// givenUpByReceivers are the types of which a function gives up the reference that it received, and where. A type
// that is sent on other ways as well, by a function that counts, is no less the receiver's.
func (a *analysis) givenUpByReceivers() map[*types.Named]*ssa.Call {
	given := map[*types.Named]*ssa.Call{}
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if ok && a.dropsReference(c) && pointee(c.Call.Args[0].Type()) != nil && fromChannel(c.Call.Args[0]) && given[pointee(c.Call.Args[0].Type())] == nil {
			given[pointee(c.Call.Args[0].Type())] = c
		}
	}
	return given
}

// fromChannel reports whether a value came from a channel.
func fromChannel(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		return x.Op == token.ARROW
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.UnOp:
			return t.Op == token.ARROW && x.Index == 0
		case *ssa.Select:
			return x.Index > 1
		}
	}
	return false
}

// hasOneReference reports whether a function has one reference to a value, of which it counts and keeps no other until
// it sends that one, if it does.
func (a *analysis) hasOneReference(fn *ssa.Function, v ssa.Value, sends *ssa.Send, depth int) bool {
	if depth > 2 || !a.keepsNoOther(v, sends) {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp, *ssa.Extract:
		return fromChannel(v)
	case *ssa.Call:
		got := a.calledFunction(x)
		return got != nil && a.inPackage(got) && a.takesNew(got)
	case *ssa.Parameter:
		k := slices.Index(fn.Params, x)
		calls := a.callsOf(fn)
		if k < 0 || len(calls) == 0 || a.usedAsValue(a.uses().sites, fn) {
			return false
		}
		for _, c := range calls {
			if _, plain := c.(*ssa.Call); !plain || c.Common().IsInvoke() || k >= len(c.Common().Args) || a.inTest(c.Parent()) {
				return false
			}
			arg := c.Common().Args[k]
			if !a.hasOneReference(c.Parent(), arg, nil, depth+1) || a.afterwards(c, arg, func(i ssa.Instruction) bool { return slices.Contains(referrers(arg), i) }) != nil {
				return false
			}
		}
		return true
	}
	return false
}

// keepsNoOther reports whether a function does nothing with a value that may be a reference more: it calls
// methods of the package on it, and reads and sets its fields. One that it counts and sends on is the receiver's.
func (a *analysis) keepsNoOther(v ssa.Value, sends *ssa.Send) bool {
	own := map[*ssa.BasicBlock]int{}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Send:
			if r != sends {
				own[r.Block()]--
			}
		case *ssa.Call:
			fn := a.calledFunction(r)
			if fn == nil || !a.inPackage(fn) || len(fn.Blocks) == 0 {
				return false
			}
			for k, x := range r.Call.Args {
				switch {
				case x != v:
				case k >= len(fn.Params):
					return false
				case addsTo(fn.Params[k]):
					own[r.Block()]++
				case a.leavesBehind(fn.Params[k], 0):
					return false
				}
			}
		default:
			return false
		}
	}
	for _, n := range own {
		if n != 0 {
			return false
		}
	}
	return true
}

// leavesBehind reports whether a function may leave a parameter where it stays when it returns, or counts a reference.
func (a *analysis) leavesBehind(p *ssa.Parameter, depth int) bool {
	if depth > 3 {
		return true
	}
	for _, r := range referrers(p) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr:
			if addsTo(p) {
				return true
			}
		case *ssa.MakeInterface:
			if slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool {
				c, ok := u.(ssa.CallInstruction)
				return !ok || !slices.ContainsFunc(a.valuesPut(c), func(x ssa.Value) bool { return x == ssa.Value(r) })
			}) {
				return true
			}
		case *ssa.Call:
			fn := a.calledFunction(r)
			if fn == nil || !a.inPackage(fn) || len(fn.Blocks) == 0 {
				return true
			}
			for k, x := range r.Call.Args {
				if x == ssa.Value(p) && (k >= len(fn.Params) || a.leavesBehind(fn.Params[k], depth+1)) {
					return true
				}
			}
		default:
			return true
		}
	}
	return false
}

// addsTo reports whether a function counts a field of a parameter up.
func addsTo(p *ssa.Parameter) bool {
	for _, r := range referrers(p) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(fa) {
			switch u := u.(type) {
			case *ssa.Call:
				f := calledMethod(u)
				if f != nil && fromPackage(f, "sync/atomic") && !countsDown(u) && (strings.HasPrefix(f.Name(), "Add") || strings.HasPrefix(f.Name(), "CompareAndSwap")) {
					return true
				}
			case *ssa.Store:
				if o, ok := u.Val.(*ssa.BinOp); ok && u.Addr == ssa.Value(fa) && o.Op == token.ADD && isInteger(o.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// takesNew reports whether all that a function returns comes from a pool.
func (a *analysis) takesNew(fn *ssa.Function) bool {
	found := false
	for i := range instrsOf(fn) {
		r, ok := i.(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) != 1 {
			return false
		}
		c, ok := unboxed(r.Results[0]).(*ssa.Call)
		if t, isAssert := r.Results[0].(*ssa.TypeAssert); isAssert {
			c, ok = t.X.(*ssa.Call)
		}
		if !ok || !a.uses().sites.gets0(a, c) {
			return false
		}
		found = true
	}
	return found
}

// usedWithout is where what a value points to is used behind a call that gave it up, if it is not given up again.
func (a *analysis) usedWithout(drop ssa.Instruction, v ssa.Value) ssa.Instruction {
	again := a.afterwards(drop, v, func(i ssa.Instruction) bool {
		c, ok := i.(ssa.CallInstruction)
		return ok && slices.Contains(c.Common().Args, v) && a.countsDown(a.calledFunction(c))
	})
	if again != nil {
		return nil // it had two
	}
	return a.afterwards(drop, v, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			return i.X == v && usesField(i)
		case *ssa.Call:
			fn := a.calledFunction(i)
			k := slices.Index(i.Call.Args, v)
			return fn != nil && k >= 0 && k < len(fn.Params) && slices.ContainsFunc(referrers(fn.Params[k]), func(r ssa.Instruction) bool {
				fa, ok := r.(*ssa.FieldAddr)
				return ok && usesField(fa)
			})
		}
		return false
	})
}

// usesField reports whether a field is read or set, that is not made for use by several.
func usesField(fa *ssa.FieldAddr) bool {
	t := fa.Type().Underlying().(*types.Pointer).Elem()
	if namedPkg(t) == "sync" || namedPkg(t) == "sync/atomic" {
		return false
	}
	return slices.ContainsFunc(referrers(fa), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp:
			return true
		case *ssa.Store:
			return r.Addr == ssa.Value(fa)
		}
		return false
	})
}

// afterwards finds an instruction that may run after another one in the same function, before a value is given anew.
func (a *analysis) afterwards(from ssa.Instruction, v ssa.Value, is func(ssa.Instruction) bool) ssa.Instruction {
	anew, _ := v.(ssa.Instruction)
	seen := map[*ssa.BasicBlock]bool{}
	var find func(b *ssa.BasicBlock, n int) ssa.Instruction
	find = func(b *ssa.BasicBlock, n int) ssa.Instruction {
		for _, i := range b.Instrs[n:] {
			if i == anew || i == from {
				return nil
			}
			if instrPos(i).IsValid() && is(i) {
				return i
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if use := find(s, 0); use != nil {
					return use
				}
			}
		}
		return nil
	}
	return find(from.Block(), slices.Index(from.Block().Instrs, from)+1)
}
