// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A pooled reader or writer works on what its last user gave it until Reset gives it something else.
// Where a path leaves that out, bytes go to, or come from, a connection that is another's.

// streamUses are the methods that read from or write to what a Reset gave.
var streamUses = map[string]bool{
	"Write": true, "WriteString": true, "WriteByte": true, "WriteRune": true, "ReadFrom": true, "Flush": true,
	"Read": true, "ReadByte": true, "ReadString": true, "ReadBytes": true, "ReadLine": true, "ReadSlice": true, "ReadRune": true, "Peek": true, "Discard": true, "WriteTo": true,
}

// worksOn is the name of a type that works on what its Reset was given; Close writes to it.
func worksOn(t types.Type) string {
	if t == nil {
		return ""
	}
	n := pointee(t)
	if n == nil || n.Obj().Pkg() == nil {
		return ""
	}
	key := strings.TrimPrefix(n.Obj().Pkg().Path(), "vendor/") + "." + n.Obj().Name()
	if !keepers[key] || strings.HasPrefix(key, "bytes.") || strings.HasPrefix(key, "strings.") {
		return ""
	}
	return key
}

// usesTarget reports whether a method of a type works on what a Reset gave.
func usesTarget(key, name string) bool {
	return streamUses[name] || name == "Close" && strings.HasSuffix(key, ".Writer")
}

// noteTarget sees x passed to a call out of view, as its receiver where recv is set: a pooled reader
// or writer that the path did not reset.
func (a *analysis) noteTarget(st *state, i ssa.CallInstruction, x *sym, t types.Type, name string) {
	if !a.poolsStreams() {
		return
	}
	tok := plain(x)
	if tok.kind != kToken {
		if a.targetsElsewhere() {
			a.mayTarget(st, x)
		}
		return
	}
	key := worksOn(tok.typ)
	if key == "" || !ofSync(tok.pool) || st.content[tok] != fromPool {
		return
	}
	f := calledMethod(i)
	recv := f != nil && f.Signature().Recv() != nil && recvOf(i) != nil && plain(a.val(st, recvOf(i))) == tok
	used := recv && usesTarget(key, name) || !recv && streamType(t)
	if !used {
		if !recv || strings.HasPrefix(name, "Reset") {
			st.content[tok] = isReset
		}
		return
	}
	st.content[tok] = isDirty
	if a.quiet > 0 || st.gone[tok] || st.rel[tok] != nil || !a.targetsSet(key) || a.madeTargeted(tok.pool) {
		return
	}
	if resetsWhatIsGiven(takenIn(tok)) {
		return
	}
	ev := st.here(i)
	a.report(finding{
		pattern: missingReset, pos: ev.pos(), fn: ev.fn,
		message: fmt.Sprintf("%s is used without a Reset since it was taken: it works on what its last user gave it", a.tokenSaid(tok)),
		related: a.acquired(tok),
	})
}

// resetsWhatIsGiven reports whether the function that takes a reader or writer leaves the Reset out only where it has
// nothing to reset it with: nobody uses that then.
func resetsWhatIsGiven(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || len(c.Call.Args) != 2 || calledMethod(c) == nil || calledMethod(c).Name() != "Reset" {
			continue
		}
		x, ok := unboxed(c.Call.Args[1]).(*ssa.Parameter)
		if !ok {
			continue
		}
		for _, p := range c.Block().Preds {
			t, ok := lastInstr(p).(*ssa.If)
			if !ok {
				continue
			}
			if o, ok := t.Cond.(*ssa.BinOp); ok && (unboxed(o.X) == ssa.Value(x) && isNilConst(o.Y) || unboxed(o.Y) == ssa.Value(x) && isNilConst(o.X)) {
				return true
			}
		}
	}
	return false
}

// mayTarget sees that code out of view may have reset what an object leads to.
func (a *analysis) mayTarget(st *state, x *sym) {
	some := false
	for y, c := range st.content {
		some = some || c == fromPool && y.kind == kToken && worksOn(y.typ) != ""
	}
	if !some {
		return
	}
	a.reach(st, x, func(y *sym) bool {
		if y.kind == kToken && worksOn(y.typ) != "" && st.content[y] == fromPool {
			st.content[y] = isReset
		}
		return true
	})
}

// poolsStreams reports whether the package takes readers or writers that have to be reset from pools.
func (a *analysis) poolsStreams() bool {
	if a.streams0 == nil {
		found := false
		for c := range a.poolCalls("Get") {
			v, ok := c.(*ssa.Call)
			found = found || ok && slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
				ta, ok := r.(*ssa.TypeAssert)
				return ok && worksOn(ta.AssertedType) != ""
			})
		}
		a.streams0 = &found
	}
	return *a.streams0
}

// targetsElsewhere reports whether some method of the package resets what a field holds: code out
// of view that has the object may call it.
func (a *analysis) targetsElsewhere() bool {
	if a.streams1 == nil {
		found := a.findTargets()
		a.streams1 = &found
	}
	return *a.streams1
}

func (a *analysis) findTargets() bool {
	for c := range a.productCalls() {
		m := calledMethod(c)
		args := c.Common().Args
		if m == nil || !strings.HasPrefix(m.Name(), "Reset") || c.Common().IsInvoke() || len(args) < 2 || worksOn(args[0].Type()) == "" {
			continue
		}
		if v, _ := fieldLoad(args[0]); v != nil {
			return true
		}
	}
	return false
}

// targetsSet reports whether the package gives objects of a type something to work on with Reset, or
// makes them with nothing, or with what a caller gave.
func (a *analysis) targetsSet(key string) bool {
	for c := range a.productCalls() {
		m := calledMethod(c)
		if m == nil {
			continue
		}
		args := c.Common().Args
		if strings.HasPrefix(m.Name(), "Reset") && !c.Common().IsInvoke() && len(args) > 1 && worksOn(args[0].Type()) == key {
			return true
		}
		v, ok := c.(*ssa.Call)
		if !ok || m.Signature().Recv() != nil || len(args) == 0 {
			continue
		}
		if _, given := unboxed(args[0]).(*ssa.Parameter); !given && !givesNothing(args[0]) {
			continue
		}
		t := v.Type()
		if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
			t = tuple.At(0).Type()
		}
		if worksOn(t) == key {
			return true
		}
	}
	return false
}

// madeTargeted reports whether the New of a pool makes its values with what they are to work on for good, as
// with the system's source of random bytes.
func (a *analysis) madeTargeted(p *pool) bool {
	for _, fn := range a.news[p.key] {
		for i := range instrsOf(fn) {
			c, ok := i.(*ssa.Call)
			if !ok || calledMethod(c) == nil || calledMethod(c).Signature().Recv() != nil || len(c.Call.Args) == 0 || worksOn(c.Type()) == "" {
				continue
			}
			if g, ofPackage := loaded(c.Call.Args[0]).(*ssa.Global); ofPackage && g.Name() != "Discard" {
				return true
			}
		}
	}
	return false
}

// loaded is the address that a value was loaded from, or the value.
func loaded(v ssa.Value) ssa.Value {
	if l, ok := unboxed(v).(*ssa.UnOp); ok && l.Op == token.MUL {
		return l.X
	}
	return v
}
