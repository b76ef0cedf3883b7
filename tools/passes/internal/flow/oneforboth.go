// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object that begins with one reference goes into a map, and a goroutine gets it as well, which gives the
// reference up at its end. Whoever sets another object under the same key gives up the one reference of the first,
// and the goroutine uses what was put then.

// judgeOneForBoth reports such drops of what a map held.
func (a *analysis) judgeOneForBoth() {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			set, ok := i.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			home := fieldOfAddr(set.Map)
			made, cell := madeWithOne(set.Value)
			if home == nil || made == nil {
				continue
			}
			drop := a.dropOfFound(fn, set, home)
			if drop == nil {
				continue
			}
			use := a.usedBehind(fn, made, cell, a.calledFunction(drop))
			if use == nil {
				continue
			}
			t := pointee(made.Type())
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(drop), fn: fn, cause: instrPos(use),
				message: fmt.Sprintf("the %s under this key is given up here, but the goroutine that was started with it may still use it (%s): it begins with one reference, which both the map and the goroutine take for theirs", t.Obj().Name(), a.line(instrPos(use))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(use), Message: "used by the goroutine"}, {Pos: made.Pos(), Message: "made with one reference"}},
			})
		}
	}
}

// madeWithOne is the struct that a value points to, where it was made here with a number set to 1, and the
// variable that it is in, if closures have that.
func madeWithOne(v ssa.Value) (made, cell *ssa.Alloc) {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		cell, _ = l.X.(*ssa.Alloc)
		if cell == nil {
			return nil, nil
		}
		n := 0
		for _, r := range referrers(cell) {
			if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
				v, n = s.Val, n+1
			}
		}
		if n != 1 {
			return nil, nil
		}
	}
	made, ok := v.(*ssa.Alloc)
	if !ok || pointee(made.Type()) == nil {
		return nil, nil
	}
	one := false
	for _, r := range referrers(made) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, q := range referrers(fa) {
			if s, ok := q.(*ssa.Store); ok && s.Addr == fa && isInteger(s.Val.Type()) {
				c, ok := s.Val.(*ssa.Const)
				one = one || ok && c.Value != nil && constant.Compare(c.Value, token.EQL, constant.MakeInt64(1)) && countsDownIn(fieldAt(fa))
			}
		}
	}
	if !one {
		return nil, nil
	}
	return made, cell
}

// countsDownIn reports whether a field may count references: it is no exported one.
func countsDownIn(f *types.Var) bool { return f != nil && !f.Exported() }

// dropOfFound is a call that gives up a reference of what is found under the key that a map is set at, before.
func (a *analysis) dropOfFound(fn *ssa.Function, set *ssa.MapUpdate, home *types.Var) *ssa.Call {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || len(c.Call.Args) == 0 || !mayFollow(c, set) {
			continue
		}
		l := lookupOf(c.Call.Args[0])
		if l == nil || fieldOfAddr(l.X) != home || !cameFrom(l.Index, set.Key, 0) {
			continue
		}
		if a.givesUpCount(a.calledFunction(c)) && !a.waitsFirst(c) {
			return c
		}
	}
	return nil
}

// waitsFirst reports whether a function may have waited for somebody on the way to a call.
func (a *analysis) waitsFirst(at *ssa.Call) bool {
	for i := range instrsOf(at.Parent()) {
		if i == ssa.Instruction(at) || !mayFollow(i, at) {
			continue
		}
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			return true
		case *ssa.Call:
			if f := calledMethod(i); f != nil && (f.Name() == "Wait" || fromPackage(f, "time")) {
				return true
			}
			if fn := a.calledFunction(i); fn != nil && a.inPackage(fn) && a.mayWait(fn, 0) {
				return true
			}
		}
	}
	return false
}

// givesUpCount reports whether a method counts a field of its receiver down, and ends something, in view of a pool or
// through an interface, when it comes to zero.
func (a *analysis) givesUpCount(fn *ssa.Function) bool {
	if fn == nil || fn.Signature.Recv() == nil || len(fn.Params) != 1 || !a.inPackage(fn) || len(fn.Blocks) == 0 || !a.relevant[fn] {
		return false
	}
	counted := map[*types.Var]bool{}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			o, isOp := i.Val.(*ssa.BinOp)
			if ok && isOp && fa.X == ssa.Value(fn.Params[0]) && o.Op == token.SUB && fieldOfValue(o.X) == fieldAt(fa) {
				counted[fieldAt(fa)] = true
			}
		case *ssa.Call:
			if countsDown(i) {
				if fa, ok := i.Call.Args[0].(*ssa.FieldAddr); ok && fa.X == ssa.Value(fn.Params[0]) {
					counted[fieldAt(fa)] = true
				}
			}
		}
	}
	if len(counted) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		t, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		o, ok := t.Cond.(*ssa.BinOp)
		if !ok || !zeroConst(o.Y) {
			continue
		}
		if c, ok := o.X.(*ssa.Call); ok && countsDown(c) || counted[fieldOfValue(o.X)] {
			return true
		}
		if s, ok := o.X.(*ssa.BinOp); ok && s.Op == token.SUB && counted[fieldOfValue(s.X)] {
			return true
		}
	}
	return false
}

// usedBehind is a use of an object in a function that runs in a goroutine, before that gives up a reference
// of it as another call does.
func (a *analysis) usedBehind(fn *ssa.Function, made, cell *ssa.Alloc, drop *ssa.Function) ssa.Instruction {
	for i := range instrsOf(fn) {
		m, ok := i.(*ssa.MakeClosure)
		if !ok || !a.runsBehind(m) {
			continue
		}
		body := m.Fn.(*ssa.Function)
		for k, b := range m.Bindings {
			if b != ssa.Value(made) && (cell == nil || b != ssa.Value(cell)) {
				continue
			}
			v := body.FreeVars[k]
			is := func(x ssa.Value) bool {
				l, ok := x.(*ssa.UnOp)
				return x == ssa.Value(v) || ok && l.Op == token.MUL && l.X == ssa.Value(v) && b == ssa.Value(cell)
			}
			var use, end ssa.Instruction
			for j := range instrsOf(body) {
				switch j := j.(type) {
				case *ssa.FieldAddr:
					if use == nil && is(j.X) && !locked(j) {
						use = j
					}
				case ssa.CallInstruction:
					if j.Common().IsInvoke() || !slices.ContainsFunc(j.Common().Args, is) {
						continue
					}
					switch callee := a.calledFunction(j); {
					case callee == drop:
						end = j
					case callee != nil && takesReference(callee):
						return nil // it has a reference of its own
					case use == nil && !locked(j):
						use = j
					}
				}
			}
			_, deferred := end.(*ssa.Defer)
			if use != nil && end != nil && instrPos(use).IsValid() && (deferred || mayFollow(use, end)) && !a.countedUpIn(fn, made, cell) {
				return use
			}
		}
	}
	return nil
}

// runsBehind reports whether a closure is run in a goroutine: started here, or by the function that it is given to.
func (a *analysis) runsBehind(m *ssa.MakeClosure) bool {
	for _, r := range referrers(m) {
		var v ssa.Value = m
		if t, ok := r.(*ssa.ChangeType); ok && len(referrers(t)) == 1 {
			v, r = t, referrers(t)[0]
		}
		switch r := r.(type) {
		case *ssa.Go:
			return true
		case *ssa.Call:
			if f := calledMethod(r); f != nil && startsFunc(f) {
				return true
			}
			fn := a.calledFunction(r)
			if n := slices.Index(r.Call.Args, v); fn != nil && n >= 0 && n < len(fn.Params) && len(fn.Blocks) > 0 && startsParam(fn.Params[n]) {
				return true
			}
		}
	}
	return false
}

// startsParam reports whether a function runs a parameter in a goroutine.
func startsParam(p *ssa.Parameter) bool {
	names := variablesOf(p)
	for i := range instrsOf(p.Parent()) {
		g, ok := i.(*ssa.Go)
		if !ok {
			continue
		}
		if names[g.Call.Value] || slices.ContainsFunc(boundTo(g), func(v ssa.Value) bool { return names[v] }) {
			return true
		}
	}
	return false
}

// takesReference reports whether a function counts a field of its receiver up.
func takesReference(fn *ssa.Function) bool {
	if len(fn.Params) == 0 {
		return false
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			o, isOp := i.Val.(*ssa.BinOp)
			if ok && isOp && fa.X == ssa.Value(fn.Params[0]) && o.Op == token.ADD && fieldOfValue(o.X) == fieldAt(fa) {
				return true
			}
		case *ssa.Call:
			if f := calledMethod(i); f != nil && fromPackage(f, "sync/atomic") && !countsDown(i) && len(i.Call.Args) == 2 {
				if fa, ok := i.Call.Args[0].(*ssa.FieldAddr); ok && fa.X == ssa.Value(fn.Params[0]) {
					return true
				}
			}
		}
	}
	return false
}

// countedUpIn reports whether a function counts up, or sets anew, a number of an object that it made.
func (a *analysis) countedUpIn(fn *ssa.Function, made, cell *ssa.Alloc) bool {
	is := func(x ssa.Value) bool {
		l, ok := x.(*ssa.UnOp)
		return x == ssa.Value(made) || cell != nil && ok && l.X == ssa.Value(cell)
	}
	sets := 0
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && is(fa.X) && isInteger(i.Val.Type()) {
				if _, isConst := i.Val.(*ssa.Const); !isConst {
					sets += 2
				}
			}
		case *ssa.Call:
			if i.Call.IsInvoke() || !slices.ContainsFunc(i.Call.Args, is) {
				continue
			}
			if callee := a.calledFunction(i); callee == nil || !a.inPackage(callee) || takesReference(callee) {
				sets += 2
			}
		}
	}
	return sets > 1
}
