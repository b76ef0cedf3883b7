// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Pools by size class: Get rounds a size up to the class that holds it, so Put
// must round a capacity down. A Put that rounds up as well files a slice in a
// class whose users rely on more than it has.

// A classSite is a Get or Put on a pool picked from a list by a size.
type classSite struct {
	call ssa.CallInstruction
	list types.Object // the list of pools
	by   any          // the rounding function, or "bits.Len"
	size ssa.Value
}

func (a *analysis) judgeClasses() {
	var gets, puts []classSite
	for c := range a.poolCalls("Get") {
		if s, ok := a.classSite(c); ok {
			gets = append(gets, s)
		}
	}
	for c := range a.poolCalls("Put") {
		if s, ok := a.classSite(c); ok {
			puts = append(puts, s)
		}
	}
	for _, p := range puts {
		of, isCap := capOf(p.size)
		if !isCap || a.capCompared(p.call.Parent()) || !a.anybodys(of, p.call.Parent(), 0) {
			continue
		}
		for _, g := range gets {
			if g.list != p.list || g.by != p.by || !reliesOn(g) {
				continue
			}
			a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(p.call), fn: p.call.Parent(),
				message: fmt.Sprintf("the capacity is rounded up to the size class of %s: a slice with less than the class promises goes in, and a Get (%s) relies on it", p.list.Name(), a.line(instrPos(g.call))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(g.call), Message: "taken here for at least that size"}},
			})
			break
		}
	}
}

// classSite sees how the pool of a call is picked.
func (a *analysis) classSite(c ssa.CallInstruction) (classSite, bool) {
	v := c.Common().Args[0]
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		v = l.X
	}
	if fa, ok := v.(*ssa.FieldAddr); ok { // a struct with its pool
		v = fa.X
		if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
			v = l.X
		}
	}
	ia, ok := v.(*ssa.IndexAddr)
	if !ok {
		return classSite{}, false
	}
	list := a.staticPool(ia.X)
	if list == nil {
		return classSite{}, false
	}
	by, size := a.roundsUp(ia.Index, 0)
	if by == nil {
		return classSite{}, false
	}
	return classSite{c, list, by, size}, true
}

// roundsUp finds the size that an index is the class of, rounded up.
func (a *analysis) roundsUp(v ssa.Value, depth int) (by any, size ssa.Value) {
	if depth > 4 {
		return nil, nil
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return a.roundsUp(v.X, depth+1)
	case *ssa.BinOp:
		// An offset of the first class.
		if c, ok := v.Y.(*ssa.Const); ok && v.Op == token.SUB && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() > 1 {
			return a.roundsUp(v.X, depth+1)
		}
	case *ssa.Call:
		f := calledMethod(v)
		if f == nil || len(v.Call.Args) != 1 && (len(v.Call.Args) != 2 || f.Signature().Recv() == nil) || v.Call.IsInvoke() {
			return nil, nil
		}
		arg := v.Call.Args[len(v.Call.Args)-1]
		if strings.HasPrefix(funcKey(f), "math/bits.Len") {
			if x, ok := lessOne(arg); ok {
				return "bits.Len", x
			}
			return nil, nil
		}
		if fn := a.calledFunction(v); fn != nil && a.isRoundUp(fn) {
			return fn, arg
		}
	}
	return nil, nil
}

// lessOne takes x from x-1.
func lessOne(v ssa.Value) (ssa.Value, bool) {
	v = unconverted(v)
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.SUB {
		return nil, false
	}
	c, ok := b.Y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int || c.Int64() != 1 {
		return nil, false
	}
	return unconverted(b.X), true
}

func unconverted(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			return v
		}
		v = c.X
	}
}

// isRoundUp reports whether a function gives the number of the first class that
// is not smaller than its argument.
func (a *analysis) isRoundUp(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Results().Len() != 1 || sig.Params().Len() != 1 || !isInteger(sig.Results().At(0).Type()) || !isInteger(sig.Params().At(0).Type()) {
		return false
	}
	p := fn.Params[len(fn.Params)-1]
	up := false
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.BinOp:
				// In a loop over the classes: n <= size(i) ends it, or size(i) < n goes on.
				x, y := unconverted(i.X), unconverted(i.Y)
				_, cx := x.(*ssa.Const)
				_, cy := y.(*ssa.Const)
				if !inLoop(b) || cx || cy {
					continue
				}
				switch {
				case x == p && (i.Op == token.LEQ || i.Op == token.GTR), y == p && (i.Op == token.GEQ || i.Op == token.LSS):
					up = true
				case x == p || y == p:
					return false
				}
			case *ssa.Return:
				if by, size := a.bitsUp(i.Results[0]); by && size == p {
					up = true
				}
			}
		}
	}
	return up
}

func (a *analysis) bitsUp(v ssa.Value) (bool, ssa.Value) {
	switch x := unconverted(v).(type) {
	case *ssa.Call:
		if f := calledMethod(x); f != nil && strings.HasPrefix(funcKey(f), "math/bits.Len") {
			y, ok := lessOne(x.Call.Args[0])
			return ok, y
		}
	case *ssa.BinOp:
		if c, ok := x.Y.(*ssa.Const); ok && x.Op == token.SUB && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() > 1 {
			return a.bitsUp(x.X)
		}
	}
	return false, nil
}

// capOf takes s from cap(s).
func capOf(v ssa.Value) (ssa.Value, bool) {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok {
		return nil, false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "cap" {
		return nil, false
	}
	return c.Call.Args[0], true
}

// capCompared reports whether a function compares a capacity with something
// other than a constant, or looks at its bits: it may know that it fits.
func (a *analysis) capCompared(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		o, ok := i.(*ssa.BinOp)
		if !ok {
			continue
		}
		_, x := capOf(o.X)
		_, y := capOf(o.Y)
		if !x && !y {
			continue
		}
		other := o.Y
		if y {
			other = o.X
		}
		_, isConst := other.(*ssa.Const)
		if !isConst || o.Op == token.AND || o.Op == token.EQL || o.Op == token.NEQ {
			if c, ok := other.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
				continue // cap(b) == 0
			}
			if o.Op == token.SUB {
				continue
			}
			return true
		}
	}
	return false
}

// anybodys reports whether a slice that is put may have any capacity: an
// exported function was given it, or it was grown by append.
func (a *analysis) anybodys(v ssa.Value, fn *ssa.Function, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		if token.IsExported(fn.Name()) && fn.Parent() == nil {
			return true
		}
		k := -1
		for n, p := range fn.Params {
			if p == x {
				k = n
			}
		}
		for _, c := range a.callsOf(fn) {
			if !a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && a.anybodys(c.Common().Args[k], c.Parent(), depth+1) {
				return true
			}
		}
	case *ssa.Slice:
		return a.anybodys(x.X, fn, depth+1)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append"
	case *ssa.UnOp:
		switch addr := x.X.(type) {
		case *ssa.Parameter:
			return a.anybodys(addr, fn, depth+1)
		case *ssa.Alloc:
			for _, r := range referrers(addr) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == addr && a.anybodys(st.Val, fn, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// callsOf are the calls of a function in the package.
func (a *analysis) callsOf(fn *ssa.Function) []ssa.CallInstruction { return a.uses().callers[fn] }

// reliesOn reports whether the one who gets a slice extends it to the size that
// picked the class, without a look at the capacity.
func reliesOn(g classSite) bool {
	for i := range instrsOf(g.call.Parent()) {
		if c, ok := i.(*ssa.Call); ok {
			if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "cap" {
				return false
			}
		}
	}
	for i := range instrsOf(g.call.Parent()) {
		if s, ok := i.(*ssa.Slice); ok && s.High != nil && unconverted(s.High) == unconverted(g.size) && gotFrom(s.X, g.call, 0) {
			return true
		}
	}
	return false
}

// gotFrom reports whether a value is what a call gave.
func gotFrom(v ssa.Value, call ssa.CallInstruction, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Call:
		return x == call
	case *ssa.TypeAssert:
		return gotFrom(x.X, call, depth+1)
	case *ssa.Extract:
		return gotFrom(x.Tuple, call, depth+1)
	case *ssa.UnOp:
		return gotFrom(x.X, call, depth+1)
	case *ssa.Slice:
		return gotFrom(x.X, call, depth+1)
	case *ssa.FieldAddr:
		return gotFrom(x.X, call, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if gotFrom(e, call, depth+2) {
				return true
			}
		}
	}
	return false
}
