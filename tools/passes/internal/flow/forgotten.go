// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reset that forgets a field: some field of a pooled struct is set while the
// struct is in use, nothing in the package ever sets it back, and code asks
// whether it is set. After the first use the answer is always yes. No path
// shows that, as the parts lie in different functions, and between them the
// value often goes through code that is not in view; all uses of the field in
// the package do.

// written says what a store gives a field.
type written uint8

const (
	wZero    written = iota // the zero value, or a slice of length 0
	wSet                    // a constant other than zero
	wFresh                  // memory made on the spot
	wDerived                // something made from what the field had
	wOther
)

// A fieldStore is a store to a field of an object that was not made on the spot.
type fieldStore struct {
	instr ssa.Instruction
	what  written
	val   constant.Value // of wSet
	cas   bool
	given bool // what the function was called with
	more  bool // an element more, or a number added
}

// fieldFacts is what a package does with a field.
type fieldFacts struct {
	field  *types.Var
	of     *types.Struct
	stores []fieldStore
	reads  []ssa.Instruction
	tests  []ssa.Instruction // reads that ask whether the field is set
	ranges []ssa.Instruction // loops over all elements
	limits []ssa.Instruction // comparisons of a number with a limit
	keys   []ssa.Instruction // keys set in a map
	open   bool              // its address goes elsewhere
}

type forgotten struct {
	*sites
	a      *analysis
	facts  map[*types.Var]*fieldFacts
	fresh  map[*ssa.Function]bool         // functions that return new objects
	writes map[*ssa.Function][]*types.Var // fields that a function stores to

	gathered  bool
	takerSets map[takerKey]bool
	inputs    map[*types.Var]bool // of the struct that is being judged
}

// judgeForgotten reports the resets that forget a field.
func (a *analysis) judgeForgotten() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		if p.typ.Obj().Pkg() == a.pkg.Pkg && !done[p.typ] && !a.inTest(p.fn) {
			done[p.typ] = true
			f.judge(p.typ)
		}
	}
}

// uses are the uses of all fields in the package, found when first asked for.
func (a *analysis) uses() *forgotten {
	if a.fieldUses0 == nil {
		f := &forgotten{sites: a.findSites(), a: a, facts: map[*types.Var]*fieldFacts{}, fresh: map[*ssa.Function]bool{}, writes: map[*ssa.Function][]*types.Var{}, takerSets: map[takerKey]bool{}}
		if len(f.puts) > 0 || len(a.freeLists) > 0 || a.puts() {
			f.gather()
			f.gathered = true
		}
		a.fieldUses0 = f
	}
	return a.fieldUses0
}

// gather finds all uses of struct fields.
func (f *forgotten) gather() {
	for _, fn := range f.a.fns {
		f.fresh[fn] = returnsNew(fn)
	}
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) || f.unusedReset(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.FieldAddr:
				if s := structOf(i.X.Type()); s != nil {
					f.address(i, s)
				}
			case *ssa.Field:
				if s := structOf(i.X.Type()); s != nil {
					ff := f.of(s, i.Field)
					ff.reads = append(ff.reads, i)
					f.tested(ff, i)
				}
			case *ssa.Store:
				s, ok := i.Val.Type().Underlying().(*types.Struct)
				if ok && !f.isFresh(i.Addr) {
					f.whole(s, i, 0)
				}
			}
		}
	}
}

func (f *forgotten) of(s *types.Struct, n int) *fieldFacts {
	v := s.Field(n).Origin()
	ff := f.facts[v]
	if ff == nil {
		ff = &fieldFacts{field: v, of: s}
		f.facts[v] = ff
	}
	return ff
}

func (f *forgotten) store(ff *fieldFacts, s fieldStore) {
	if keptAsIs(s.instr, ff.field) {
		return
	}
	ff.stores = append(ff.stores, s)
	fn := s.instr.Parent()
	if !slices.Contains(f.writes[fn], ff.field) {
		f.writes[fn] = append(f.writes[fn], ff.field)
	}
}

// whole sees a struct overwritten.
func (f *forgotten) whole(s *types.Struct, i ssa.Instruction, depth int) {
	for n := range s.NumFields() {
		f.store(f.of(s, n), fieldStore{instr: i, what: wZero})
		if in, ok := s.Field(n).Type().Underlying().(*types.Struct); ok && depth < 4 {
			f.whole(in, i, depth+1)
		}
	}
}

// address sees the address of a field taken.
func (f *forgotten) address(fa *ssa.FieldAddr, s *types.Struct) {
	ff := f.of(s, fa.Field)
	fresh := f.isFresh(fa.X)
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.Store:
			switch {
			case r.Addr != fa:
				ff.open = true
			case !fresh:
				w, val := f.kindOf(r.Val, fa, 0)
				given := isGiven(r.Val)
				f.store(ff, fieldStore{instr: r, what: w, val: val, given: given && w == wOther, more: adds(r.Val, fa)})
			}
		case *ssa.UnOp:
			ff.reads = append(ff.reads, r)
			f.tested(ff, r)
		case ssa.CallInstruction:
			if !f.atomic(ff, fa, r, fresh) {
				ff.open = true
			}
		case *ssa.FieldAddr, *ssa.DebugRef:
		default:
			ff.open = true
		}
	}
}

// isGiven reports whether a value is what a function was given, or, in the closure that an option is,
// what the option was given.
func isGiven(v ssa.Value) bool {
	switch x := unboxed(v).(type) {
	case *ssa.Parameter:
		return true
	case *ssa.FreeVar:
		return isOption(x.Parent()) && givenTo(x, 0)
	case *ssa.UnOp:
		fv, ok := x.X.(*ssa.FreeVar)
		return ok && x.Op == token.MUL && isOption(fv.Parent()) && givenTo(fv, 0)
	}
	return false
}

// isOption reports whether a closure is what the function around it returns, and has one parameter.
func isOption(fn *ssa.Function) bool {
	in := fn.Parent()
	if in == nil || fn.Signature.Params().Len() != 1 {
		return false
	}
	for _, b := range in.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		for _, x := range r.Results {
			switch x := unboxed(x).(type) {
			case *ssa.MakeClosure:
				if x.Fn == fn {
					return true
				}
			case *ssa.Function:
				if x == fn {
					return true
				}
			}
		}
	}
	return false
}

// atomic sees a field used through sync/atomic.
func (f *forgotten) atomic(ff *fieldFacts, fa *ssa.FieldAddr, c ssa.CallInstruction, fresh bool) bool {
	fn := calledMethod(c)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || len(c.Common().Args) == 0 || c.Common().Args[0] != fa {
		return false
	}
	name, args := fn.Name(), c.Common().Args
	value, _ := c.(ssa.Value)
	switch {
	case strings.HasPrefix(name, "Load"):
		ff.reads = append(ff.reads, c)
		if value != nil {
			f.tested(ff, value)
		}
	case strings.HasPrefix(name, "CompareAndSwap"):
		ff.reads = append(ff.reads, c)
		old, _ := f.kindOf(args[1], fa, 0)
		if old == wZero {
			ff.tests = append(ff.tests, c)
		}
		if w, val := f.kindOf(args[2], fa, 0); !fresh {
			f.store(ff, fieldStore{instr: c, what: w, val: val, cas: true})
		}
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Swap"):
		if w, val := f.kindOf(args[1], fa, 0); !fresh {
			f.store(ff, fieldStore{instr: c, what: w, val: val, cas: strings.HasPrefix(name, "Swap")})
		}
		if strings.HasPrefix(name, "Swap") {
			ff.reads = append(ff.reads, c)
			if value != nil {
				f.tested(ff, value)
			}
		}
	default:
		if !fresh {
			n, ok := args[len(args)-1].(*ssa.Const)
			f.store(ff, fieldStore{instr: c, what: wDerived, more: strings.HasPrefix(name, "Add") && ok && n.Value != nil && constant.Sign(n.Value) > 0})
		}
	}
	return true
}

// tested sees whether what was read is asked to be set.
func (f *forgotten) tested(ff *fieldFacts, v ssa.Value) {
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.If:
			ff.tests = append(ff.tests, r)
		case *ssa.UnOp:
			if r.Op == token.NOT {
				ff.tests = append(ff.tests, r)
			}
		case *ssa.Range:
			ff.ranges = append(ff.ranges, r)
		case *ssa.MapUpdate:
			if r.Map == v {
				ff.keys = append(ff.keys, r)
			} else {
				ff.open = true
			}
		case ssa.CallInstruction:
			f.passedOn(ff, v, r)
			if isBool(v.Type()) && f.asksArgument(r, v, 0) {
				ff.tests = append(ff.tests, r)
			}
		case *ssa.BinOp:
			if r.Op == token.LSS || r.Op == token.GTR || r.Op == token.LEQ || r.Op == token.GEQ {
				ff.limits = append(ff.limits, r)
			}
			for _, o := range []ssa.Value{r.X, r.Y} {
				if c, ok := o.(*ssa.Const); ok && (c.Value == nil || isZero(c.Value)) && (r.Op == token.EQL || r.Op == token.NEQ || r.Op == token.GTR) {
					ff.tests = append(ff.tests, r)
				}
			}
		case *ssa.Phi, *ssa.Return:
			if isBool(v.Type()) {
				ff.tests = append(ff.tests, r)
			}
		}
	}
}

// asksArgument reports whether a call gives a flag to a function of the package that asks whether it is set.
func (f *forgotten) asksArgument(c ssa.CallInstruction, v ssa.Value, depth int) bool {
	fn := f.a.calledFunction(c)
	if fn == nil || c.Common().IsInvoke() || depth > 2 {
		return false
	}
	for k, x := range c.Common().Args {
		if x != v || k >= len(fn.Params) {
			continue
		}
		for _, r := range referrers(fn.Params[k]) {
			switch r := r.(type) {
			case *ssa.If:
				return true
			case *ssa.UnOp:
				if r.Op == token.NOT {
					return true
				}
			case ssa.CallInstruction:
				if f.asksArgument(r, fn.Params[k], depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// passedOn sees a slice or map that was read passed to a function.
func (f *forgotten) passedOn(ff *fieldFacts, v ssa.Value, c ssa.CallInstruction) {
	_, isMap := v.Type().Underlying().(*types.Map)
	b, ok := c.Common().Value.(*ssa.Builtin)
	if !ok {
		if m := calledMethod(c); isMap && (m == nil || !fromPackage(m, "maps") || !readsMap(c, slices.Index(c.Common().Args, v))) {
			ff.open = true // it may be emptied there
		}
		return
	}
	switch b.Name() {
	case "delete", "clear":
		f.store(ff, fieldStore{instr: c, what: wZero})
	case "len":
		if isMap || c.Value() == nil {
			return
		}
		for _, r := range referrers(c.Value()) {
			switch r := r.(type) {
			case *ssa.BinOp:
				switch {
				case strings.HasPrefix(r.Block().Comment, "rangeindex"):
					ff.ranges = append(ff.ranges, r)
				case !comparesZero(r):
					ff.open = true // what is behind the length may be counted elsewhere
				}
			case *ssa.DebugRef, *ssa.MakeMap:
			case *ssa.MakeSlice:
				ff.open = ff.open || r.Len == c.Value() // not only its capacity
			default:
				ff.open = true
			}
		}
	case "cap":
		if c.Value() == nil || !onlyToClear(c.Value()) {
			ff.open = true
		}
	}
}

// onlyToClear reports whether a capacity serves only to clear all that is in a slice.
func onlyToClear(v ssa.Value) bool {
	clears := func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.Call)
		if !ok {
			_, ok = r.(*ssa.DebugRef)
			return ok
		}
		b, ok := c.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "clear"
	}
	for _, r := range referrers(v) {
		s, ok := r.(*ssa.Slice)
		if !ok || s.X == v || slices.ContainsFunc(referrers(s), func(r ssa.Instruction) bool { return !clears(r) }) {
			return false
		}
	}
	return true
}

// clearsElementsOnly reports whether a store is a call of clear on a slice, which is as long after it.
func clearsElementsOnly(s fieldStore, v *types.Var) bool {
	_, isCall := s.instr.(ssa.CallInstruction)
	return isCall && isSlice(v.Type())
}

func comparesZero(b *ssa.BinOp) bool {
	c, ok := b.Y.(*ssa.Const)
	return ok && c.Value != nil && isZero(c.Value)
}

// adds reports whether a value is what the field had and an element or a number more.
func adds(v ssa.Value, fa *ssa.FieldAddr) bool {
	had := func(x ssa.Value) bool {
		l, ok := x.(*ssa.UnOp)
		return ok && readsField(l, fa, 5)
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		if x.Op != token.ADD || !had(x.X) || !isInteger(x.Type()) {
			return false
		}
		c, ok := x.Y.(*ssa.Const)
		return ok && c.Value != nil && constant.Sign(c.Value) > 0
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && had(x.Call.Args[0])
	}
	return false
}

func isBool(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// kindOf says what a stored value is.
func (f *forgotten) kindOf(v ssa.Value, fa *ssa.FieldAddr, depth int) (written, constant.Value) {
	if depth > 6 {
		return wOther, nil
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil || isZero(v.Value) {
			return wZero, nil
		}
		return wSet, v.Value
	case *ssa.Slice:
		if c, ok := v.High.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			return wZero, nil
		}
		if readsField(v.X, fa, 0) {
			return wDerived, nil
		}
		if al, ok := v.X.(*ssa.Alloc); ok && al.Heap {
			return wFresh, nil
		}
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return wFresh, nil
	case *ssa.Convert:
		return f.kindOf(v.X, fa, depth+1)
	case *ssa.ChangeType:
		return f.kindOf(v.X, fa, depth+1)
	case *ssa.MakeInterface:
		return f.kindOf(v.X, fa, depth+1)
	case *ssa.BinOp:
		if readsField(v, fa, 0) {
			return wDerived, nil
		}
	case *ssa.Call:
		if readsField(v, fa, 0) {
			return wDerived, nil
		}
	case *ssa.Phi:
		w, val := f.kindOf(v.Edges[0], fa, depth+2)
		for _, e := range v.Edges[1:] {
			x, c := f.kindOf(e, fa, depth+2)
			if x == wDerived || w == wDerived {
				w = wDerived
				continue
			}
			if x != w || w == wSet && !constant.Compare(val, token.EQL, c) {
				return wOther, nil
			}
		}
		return w, val
	case *ssa.Parameter:
		return f.passed(v, fa, depth)
	}
	return wOther, nil
}

// passed says what a parameter is, as far as callers are in view: whoever else calls an
// exported setter, these leave what they set to the next user.
func (f *forgotten) passed(p *ssa.Parameter, fa *ssa.FieldAddr, depth int) (written, constant.Value) {
	fn := p.Parent()
	calls := f.callers[fn]
	if len(calls) == 0 || f.taken[fn] || fn.Parent() != nil {
		return wOther, nil
	}
	k := slices.Index(fn.Params, p)
	w, val := wOther, constant.Value(nil)
	n := 0
	for _, c := range calls {
		if f.a.inTest(c.Parent()) {
			continue
		}
		if c.Common().IsInvoke() || k >= len(c.Common().Args) {
			return wOther, nil
		}
		x, v := f.kindOf(c.Common().Args[k], fa, depth+2)
		if n++; n == 1 {
			w, val = x, v
			continue
		}
		if x != w || w == wSet && !constant.Compare(val, token.EQL, v) {
			return wOther, nil
		}
	}
	if token.IsExported(fn.Name()) && w != wSet {
		return wOther, nil
	}
	return w, val
}

// readsField reports whether a value is made from what the field had.
func readsField(v ssa.Value, fa *ssa.FieldAddr, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if o, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL && o.Field == fa.Field && types.Identical(o.X.Type(), fa.X.Type()) {
			return true
		}
		return readsField(x.X, fa, depth+1)
	case *ssa.BinOp:
		return readsField(x.X, fa, depth+1) || readsField(x.Y, fa, depth+1)
	case *ssa.Slice:
		return readsField(x.X, fa, depth+1)
	case *ssa.Convert:
		return readsField(x.X, fa, depth+1)
	case *ssa.Call:
		return slices.ContainsFunc(x.Call.Args, func(y ssa.Value) bool { return readsField(y, fa, depth+1) })
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(y ssa.Value) bool { return readsField(y, fa, depth+2) })
	}
	return false
}

// isFresh reports whether an address is in an object made on the spot.
func (f *forgotten) isFresh(v ssa.Value) bool { return f.isFreshDepth(v, 0) }

func (f *forgotten) isFreshDepth(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return f.isFreshDepth(x.X, depth+1)
	case *ssa.IndexAddr:
		return f.isFreshDepth(x.X, depth+1)
	case *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.Call:
		if fn := f.a.calledFunction(x); fn != nil {
			return f.fresh[fn] && !f.getter[fn]
		}
	case *ssa.UnOp:
		// A variable that a closure captures.
		al, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		n := 0
		for _, r := range referrers(al) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == al {
				if n++; !f.isFreshDepth(st.Val, depth+1) {
					return false
				}
			}
		}
		return n > 0
	case *ssa.Parameter:
		// A step of a constructor.
		fn := x.Parent()
		calls := f.callers[fn]
		if len(calls) == 0 || f.taken[fn] || token.IsExported(fn.Name()) {
			return false
		}
		k := slices.Index(fn.Params, x)
		for _, c := range calls {
			if c.Common().IsInvoke() || k >= len(c.Common().Args) || !f.isFreshDepth(c.Common().Args[k], depth+2) {
				return false
			}
		}
		return true
	}
	return false
}

// returnsNew reports whether all that a function returns first is made in it.
func returnsNew(fn *ssa.Function) bool {
	n := 0
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) == 0 {
			return false
		}
		switch v := unboxed(r.Results[0]).(type) {
		case *ssa.Alloc:
			n++
		case *ssa.Const:
		default:
			_ = v
			return false
		}
	}
	return n > 0
}

// judge looks at the fields of one pooled type.
func (f *forgotten) judge(t *types.Named) {
	if f.ofTwoKinds(t) {
		return
	}
	region := f.region(t)
	if f.clearsAsBytes(region, t) {
		return
	}
	missed := map[*ssa.Function][]forgottenField{}
	var resets []*ssa.Function
	collectFields(t, 0, func(v *types.Var, s *types.Struct) {
		ff := f.facts[v]
		if ff == nil || ff.open || f.a.toldOf[v] || len(ff.stores)+len(ff.keys) == 0 {
			return
		}
		why := f.grows(ff, region)
		if why == nil && len(ff.tests) > 0 {
			if why = f.sticky(ff, t, region); why != nil && f.lazy(ff, t, region) {
				return
			}
		}
		if why == nil && len(ff.tests) > 0 {
			why = f.runsDown(ff, t, region)
		}
		if why == nil {
			why = f.leftOut(ff, t, region)
		}
		if why == nil && len(ff.tests) > 0 {
			why = f.leftTwin(ff, t, region)
		}
		if why == nil {
			return
		}
		reset, n := f.resetOf(s, region)
		noReset := n == 0
		if noReset && f.byOption(why, t) {
			reset, n = f.putOf(t).Parent(), 1
		}
		if n == 0 || f.putGuarded(ff, t) || f.assignedOnTake(ff, t) {
			return
		}
		if missed[reset] == nil {
			resets = append(resets, reset)
		}
		missed[reset] = append(missed[reset], forgottenField{ff, why, noReset})
	})
	for _, reset := range resets {
		f.report(t, reset, missed[reset])
	}
}

// byOption reports whether a store stands in an option for an object of the type, which is there for
// one use.
func (f *forgotten) byOption(i ssa.Instruction, t *types.Named) bool {
	fn := i.Parent()
	return isOption(fn) && pointee(fn.Signature.Params().At(0).Type()) == t && f.putOf(t) != nil
}

// sticky is a store, made in use, that nothing undoes.
func (f *forgotten) sticky(ff *fieldFacts, t *types.Named, region []*ssa.Function) ssa.Instruction {
	flag, ref := false, false
	if n, ok := types.Unalias(ff.field.Type()).(*types.Named); ok && namedPkg(n) == "sync/atomic" {
		flag = n.Obj().Name() != "Value" && n.Obj().Name() != "Pointer"
		ref = !flag
	} else {
		switch u := ff.field.Type().Underlying().(type) {
		case *types.Basic:
			flag = u.Info()&(types.IsBoolean|types.IsInteger) != 0
			ref = u.Info()&types.IsString != 0
		case *types.Pointer, *types.Interface, *types.Signature, *types.Map, *types.Slice:
			ref = true
		}
	}
	if flag && f.oneValue(ff) {
		for _, s := range ff.stores {
			if !f.begins(s.instr.Parent(), ff, t) && f.maySet(s, t) {
				return s.instr
			}
		}
	}
	if !ref && !flag {
		return nil
	}
	// What a setter was given, beside a default for what was not set.
	for _, s := range ff.stores {
		if s.what == wZero || s.what == wDerived || f.givenZero(s) {
			return nil
		}
	}
	arms := f.arms(ff)
	for _, s := range ff.stores {
		fn := s.instr.Parent()
		if s.given && (!slices.Contains(region, fn) || f.takesOne(fn, t)) && guardOf(arms, s) == nil && !f.sameAsBefore(ff, s) && f.maySet(s, t) {
			return s.instr
		}
	}
	return nil
}

// sameAsBefore reports whether the function that sets a field compares what it had with what
// it is set to: the last user's is kept on purpose, as the key to what was made for it.
func (f *forgotten) sameAsBefore(ff *fieldFacts, s fieldStore) bool {
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return false
	}
	for _, r := range ff.reads {
		v, ok := r.(ssa.Value)
		if !ok || r.Parent() != st.Parent() || v.Referrers() == nil {
			continue
		}
		for _, u := range referrers(v) {
			if c, ok := u.(*ssa.BinOp); ok && (c.Op == token.EQL || c.Op == token.NEQ) && (c.X == st.Val || c.Y == st.Val) {
				return true
			}
		}
	}
	return false
}

// takesOne reports whether a function is one of several that take a value of a type from
// a pool, and puts none: what it sets, it sets for its own caller.
func (f *forgotten) takesOne(fn *ssa.Function, t *types.Named) bool {
	at := func(p poolSite) bool { return p.typ == t && p.fn == fn }
	return slices.ContainsFunc(f.gets, at) && !slices.ContainsFunc(f.puts, at)
}

// grows is a store that adds to a field that nothing ever takes from: to a slice
// or map whose elements are all looked at, or a number that has a limit.
func (f *forgotten) grows(ff *fieldFacts, region []*ssa.Function) ssa.Instruction {
	arms := f.arms(ff)
	for _, s := range ff.stores {
		if !s.more && (s.what != wFresh || guardOf(arms, s) == nil) && !clearsElementsOnly(s, ff.field) {
			return nil
		}
	}
	switch u := ff.field.Type().Underlying().(type) {
	case *types.Slice:
		if len(ff.ranges) > 0 && len(ff.stores) > 0 {
			return ff.stores[0].instr
		}
	case *types.Map:
		if len(ff.ranges) > 0 && len(ff.keys) > 0 {
			return ff.keys[0]
		}
	case *types.Basic:
		// One who counts how often the value was used does so where it is put.
		inRegion := func(i ssa.Instruction) bool { return slices.Contains(region, i.Parent()) }
		if u.Info()&types.IsInteger != 0 && len(ff.limits) > 0 && len(ff.stores) > 0 && !slices.ContainsFunc(ff.limits, inRegion) && !inRegion(ff.stores[0].instr) {
			return ff.stores[0].instr
		}
	}
	return nil
}

// begins reports whether a function starts a new use of an object: it empties
// fields beside the one it sets, and puts nothing.
func (f *forgotten) begins(fn *ssa.Function, ff *fieldFacts, t *types.Named) bool {
	if slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t && p.fn == fn }) {
		return false
	}
	_, n := f.resetOf(ff.of, []*ssa.Function{fn})
	return n > 0
}

// guardOf is the block under a test that found the field zero, in which it is stored to.
func guardOf(arms []arm, s fieldStore) *ssa.BasicBlock {
	for _, a := range arms {
		if a.isZero && a.to.Parent() == s.instr.Parent() && (a.to == s.instr.Block() || a.to.Dominates(s.instr.Block()) || s.cas && a.to.Idom() == s.instr.Block()) {
			return a.to
		}
	}
	return nil
}

// oneValue reports whether all stores to a field give it one constant.
func (f *forgotten) oneValue(ff *fieldFacts) bool {
	var val constant.Value
	for _, s := range ff.stores {
		if s.what != wSet || val != nil && !constant.Compare(val, token.EQL, s.val) {
			return false
		}
		val = s.val
	}
	return true
}

// region is the functions that put values of a type, or take them, and those
// that they call on such values.
func (f *forgotten) region(t *types.Named) []*ssa.Function {
	return f.regionOf(t, slices.Concat(f.puts, f.gets), 3)
}

// putRegion is the functions that put values of a type, and those that they call on such
// values, in the order of the source.
func (f *forgotten) putRegion(t *types.Named) []*ssa.Function {
	out := f.regionOf(t, f.puts, 2)
	slices.SortFunc(out, func(x, y *ssa.Function) int { return f.a.inOrder(x.Pos(), y.Pos()) })
	return out
}

// regionOf is the functions that some puts and gets of values of a type stand in, and those
// that they call on such values, so many calls deep.
func (f *forgotten) regionOf(t *types.Named, at []poolSite, most int) []*ssa.Function {
	var out []*ssa.Function
	var add func(fn *ssa.Function, depth int)
	add = func(fn *ssa.Function, depth int) {
		if fn == nil || slices.Contains(out, fn) || f.a.inTest(fn) {
			return
		}
		out = append(out, fn)
		if depth > most {
			return
		}
		for i := range instrsOf(fn) {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if slices.ContainsFunc(c.Common().Args, func(x ssa.Value) bool { return within(x, t) }) {
				add(f.a.calledFunction(c), depth+1)
			} else if fn := f.behindType(c, t); fn != nil {
				add(fn, depth+1)
			}
		}
	}
	for _, p := range at {
		if p.typ == t {
			add(p.fn, 0)
		}
	}
	return out
}

// within reports whether a value is a *t, or a pointer to a struct that lies in one, be it in an array.
func within(v ssa.Value, t *types.Named) bool {
	n := pointee(v.Type())
	if n == nil {
		return false
	}
	n = n.Origin()
	if n == t {
		return true
	}
	found := false
	collectFields(t, 0, func(w *types.Var, _ *types.Struct) {
		in := types.Unalias(w.Type())
		if list, ok := in.(*types.Array); ok {
			in = types.Unalias(list.Elem())
		}
		if m, ok := in.(*types.Named); ok && m.Origin() == n {
			found = true
		}
	})
	return found
}

// resetOf is the function of the region that empties most fields of a struct, by itself and by
// those that it calls, and how many it does.
func (f *forgotten) resetOf(s *types.Struct, region []*ssa.Function) (best *ssa.Function, most int) {
	empties := func(v *types.Var, fn *ssa.Function) bool {
		ff := f.facts[v.Origin()]
		return ff != nil && slices.ContainsFunc(ff.stores, func(x fieldStore) bool { return x.instr.Parent() == fn && x.what == wZero })
	}
	for _, fn := range region {
		own, n := 0, 0
		var helpers []*ssa.Function
		for i := range instrsOf(fn) {
			if c, ok := i.(*ssa.Call); ok {
				if h := f.a.calledFunction(c); h != nil && h != fn && slices.Contains(region, h) {
					helpers = append(helpers, h)
				}
			}
		}
		for v := range s.Fields() {
			switch {
			case empties(v, fn):
				own, n = own+1, n+1
			case slices.ContainsFunc(helpers, func(h *ssa.Function) bool { return empties(v, h) }):
				n++
			}
		}
		if own > 0 && n > most {
			best, most = fn, n
		}
	}
	return best, most
}

// isReset reports whether a function of the region empties a field.
func (f *forgotten) isReset(v *types.Var, region []*ssa.Function) bool {
	ff := f.facts[v]
	return ff != nil && slices.ContainsFunc(ff.stores, func(x fieldStore) bool {
		return x.what == wZero && slices.Contains(region, x.instr.Parent())
	})
}

// An arm is where a test of a field leads.
type arm struct {
	to     *ssa.BasicBlock
	isZero bool
}

// arms are the ways out of the tests of a field.
func (f *forgotten) arms(ff *fieldFacts) []arm {
	var out []arm
	var of func(v ssa.Value, zero bool)
	of = func(v ssa.Value, zero bool) { // v is true when the field is zero, or when it is not
		refs := v.Referrers()
		if refs == nil {
			return
		}
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.If:
				for k, to := range r.Block().Succs {
					if len(to.Preds) == 1 {
						out = append(out, arm{to, zero == (k == 0)})
					}
				}
			case *ssa.UnOp:
				if r.Op == token.NOT {
					of(r, !zero)
				}
			}
		}
	}
	for _, r := range ff.reads {
		v, ok := r.(ssa.Value)
		if !ok {
			continue
		}
		if c, ok := r.(ssa.CallInstruction); ok {
			if m := calledMethod(c); m != nil && strings.HasPrefix(m.Name(), "CompareAndSwap") {
				if slices.Contains(ff.tests, r) {
					of(v, true)
				}
				continue
			}
		}
		if isBool(v.Type()) {
			of(v, false)
			continue
		}
		for _, q := range referrers(v) {
			b, ok := q.(*ssa.BinOp)
			if !ok || !slices.Contains(ff.tests, ssa.Instruction(b)) {
				continue
			}
			of(b, b.Op == token.EQL)
		}
	}
	return out
}

// lazy reports whether a field says what was set up once in the object's life:
// it is set where it was not, and what is done there is kept, too.
func (f *forgotten) lazy(ff *fieldFacts, t *types.Named, region []*ssa.Function) bool {
	arms := f.arms(ff)
	for _, s := range ff.stores {
		at := guardOf(arms, s)
		if at == nil {
			return false
		}
		if f.puttingBelow(at, t) {
			return false
		}
		set := f.setBelow(at, ff.field)
		if len(set) == 0 || slices.ContainsFunc(set, func(v *types.Var) bool { return f.isReset(v, region) }) {
			return false
		}
	}
	return true
}

// puttingBelow reports whether a value of the type is put in a block or under it.
func (f *forgotten) puttingBelow(b *ssa.BasicBlock, t *types.Named) bool {
	return slices.ContainsFunc(f.puts, func(p poolSite) bool {
		return p.typ == t && p.fn == b.Parent() && (b == p.instr.Block() || b.Dominates(p.instr.Block()))
	})
}

// setBelow are the fields that are stored to in a block or under it, but v.
func (f *forgotten) setBelow(b *ssa.BasicBlock, v *types.Var) []*types.Var {
	var out []*types.Var
	for _, c := range b.Parent().Blocks {
		if c != b && !b.Dominates(c) {
			continue
		}
		for _, i := range c.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if fa, ok := i.Addr.(*ssa.FieldAddr); ok {
					if w := structOf(fa.X.Type()).Field(fa.Field).Origin(); w != v {
						out = append(out, w)
					}
				}
			case ssa.CallInstruction:
				if fn := f.a.calledFunction(i); fn != nil {
					for _, w := range f.writes[fn] {
						if w != v {
							out = append(out, w)
						}
					}
				}
			}
		}
	}
	return out
}

// putGuarded reports whether values with the field set are never put.
func (f *forgotten) putGuarded(ff *fieldFacts, t *types.Named) bool {
	arms := f.arms(ff)
	var guarded func(i ssa.Instruction, depth int) bool
	guarded = func(i ssa.Instruction, depth int) bool {
		fn := i.Parent()
		for _, a := range arms {
			if a.isZero && a.to.Parent() == fn && (a.to == i.Block() || a.to.Dominates(i.Block())) &&
				!slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
					return s.instr.Parent() == fn && (s.instr.Block() == a.to || a.to.Dominates(s.instr.Block()) || s.cas)
				}) {
				return true
			}
		}
		if depth > 3 || f.taken[fn] || token.IsExported(fn.Name()) || len(f.callers[fn]) == 0 {
			return false
		}
		return !slices.ContainsFunc(f.callers[fn], func(c ssa.CallInstruction) bool { return !guarded(c, depth+1) })
	}
	n := 0
	for _, p := range f.puts {
		if c, ok := p.instr.(ssa.CallInstruction); p.typ != t || ok && f.putsAs(f.a.calledFunction(c), t) {
			continue // the wrapper's own Put counts
		}
		if n++; !guarded(p.instr, 0) {
			return false
		}
	}
	return n > 0
}

// putsAs reports whether a Put of a value of the type stands in a function.
func (f *forgotten) putsAs(fn *ssa.Function, t *types.Named) bool {
	return fn != nil && slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t && p.fn == fn })
}

// ofTwoKinds reports whether a flag that values get when they are made, and keep, says which of
// them are put: what is done in use may be done to the others only.
func (f *forgotten) ofTwoKinds(t *types.Named) (found bool) {
	collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
		ff := f.facts[v]
		if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.Bool || ff == nil || ff.open || slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return !intoNew(s.instr) }) {
			return
		}
		arms, n := f.arms(ff), 0
		for _, p := range f.puts {
			if c, ok := p.instr.(ssa.CallInstruction); p.typ != t || f.a.inTest(p.fn) || ok && f.putter[f.a.calledFunction(c)] != nil {
				continue // the wrapper's own Put counts
			}
			if n++; !slices.ContainsFunc(arms, func(a arm) bool {
				return !a.isZero && a.to.Parent() == p.fn && (a.to == p.instr.Block() || a.to.Dominates(p.instr.Block()))
			}) {
				return
			}
		}
		found = found || n > 0
	})
	return found
}

// intoNew reports whether an instruction sets a field of an object that is made there.
func intoNew(i ssa.Instruction) bool {
	s, ok := i.(*ssa.Store)
	return ok && fieldRoot[*ssa.Alloc](s.Addr) != nil
}

// assignedOnTake reports whether whoever takes a value sets the field.
func (f *forgotten) assignedOnTake(ff *fieldFacts, t *types.Named) bool {
	for _, g := range f.gets {
		if g.typ != t || f.a.inTest(g.fn) {
			continue
		}
		if f.setByTaker(ff, g.instr, t, 0) || f.setAfter(ff, g.instr, t, 0) {
			continue
		}
		if !f.getter[g.fn] || token.IsExported(g.fn.Name()) || len(f.callers[g.fn]) == 0 {
			return false
		}
		// Those who call the wrapper are gets themselves.
	}
	return true
}

// setByTaker reports whether an instruction takes a value by a function that sets the
// field of whatever it takes.
func (f *forgotten) setByTaker(ff *fieldFacts, i ssa.Instruction, t *types.Named, depth int) bool {
	c, ok := i.(*ssa.Call)
	if !ok || depth > 3 {
		return false
	}
	fn := f.a.calledFunction(c)
	if fn == nil || !f.getter[fn] {
		return false
	}
	key := takerKey{ff, fn, t}
	if sets, known := f.takerSets[key]; known {
		return sets
	}
	n, all := 0, true
	for _, g := range f.gets {
		if g.typ == t && g.fn == fn && all {
			n++
			all = f.setByTaker(ff, g.instr, t, depth+1) || f.setAfter(ff, g.instr, t, 0)
		}
	}
	for _, g := range f.generic {
		if g.fn == fn && all {
			n++
			all = f.setAfter(ff, g.instr, t, 0)
		}
	}
	f.takerSets[key] = n > 0 && all
	return n > 0 && all
}

// A takerKey asks whether a function sets a field of the values that it takes.
type takerKey struct {
	field *fieldFacts
	fn    *ssa.Function
	typ   *types.Named
}

// setAfter reports whether the field is stored to on the main way on from an instruction.
func (f *forgotten) setAfter(ff *fieldFacts, from ssa.Instruction, t *types.Named, depth int) bool {
	fn := from.Parent()
	sets := map[*ssa.BasicBlock]bool{}
	for _, s := range ff.stores {
		if s.instr.Parent() == fn && !s.cas {
			sets[s.instr.Block()] = true
		}
	}
	if depth < 3 {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*ssa.Call)
				if !ok {
					continue
				}
				callee := f.behindType(c, t)
				if callee == nil {
					callee = f.a.calledFunction(c)
					if callee == nil || len(callee.Blocks) == 0 || !slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return within(x, t) }) {
						continue
					}
				}
				if !switchesOn(callee, ff, t) && f.setAfter(ff, callee.Blocks[0].Instrs[0], t, depth+1) {
					sets[b] = true
				}
			}
		}
	}
	if len(sets) == 0 {
		return false
	}
	// The main way leads to the last return, or to a Put where there is none.
	seen := map[*ssa.BasicBlock]bool{}
	var last, all *ssa.Return
	var walk func(b *ssa.BasicBlock, avoid bool)
	walk = func(b *ssa.BasicBlock, avoid bool) {
		if seen[b] || avoid && sets[b] {
			return
		}
		seen[b] = true
		if r, ok := lastInstr(b).(*ssa.Return); ok {
			if all == nil || endOf(r) > endOf(all) {
				all = r
			}
		}
		for _, s := range b.Succs {
			walk(s, avoid)
		}
	}
	walk(from.Block(), false)
	last, all = all, nil
	if last == nil {
		return true
	}
	clear(seen)
	walk(from.Block(), true)
	return !seen[last.Block()]
}

// switchesOn reports whether a function is a method, for whoever likes, that sets a field to one value and gives the object
// back: by its form it is left out by others, also where all who are in view call it.
func switchesOn(fn *ssa.Function, ff *fieldFacts, t *types.Named) bool {
	sig := fn.Signature
	return token.IsExported(fn.Name()) && sig.Recv() != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && pointee(sig.Results().At(0).Type()) == t &&
		slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.instr.Parent() == fn && s.what == wSet })
}

// endOf is where a return stands, be it that at the end of a function, which is not written.
func endOf(r *ssa.Return) token.Pos {
	if !r.Pos().IsValid() && r.Parent().Syntax() != nil {
		return r.Parent().Syntax().End()
	}
	return r.Pos()
}

type forgottenField struct {
	*fieldFacts
	set     ssa.Instruction
	noReset bool // nothing resets any field
}

func (f *forgotten) report(t *types.Named, reset *ssa.Function, missed []forgottenField) {
	var names []string
	var related []goanalysis.RelatedInformation
	what := ""
	for _, m := range missed {
		f.a.toldOf[m.field] = true
		names = append(names, m.field.Name())
		reads := slices.Concat(m.tests, m.ranges, m.limits)
		asked := " is asked here"
		if len(reads) == 0 {
			reads, asked = m.reads, " is read here"
		}
		read := slices.MinFunc(reads, func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) })
		if what == "" {
			what = fmt.Sprintf("set in use (%s) and never back: the next user finds it set", f.a.line(instrPos(m.set)))
		}
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(m.set), Message: m.field.Name() + " is set here"})
		p := instrPos(read)
		if c, ok := read.(*ssa.If); ok && !p.IsValid() {
			p = c.Cond.Pos()
			if l, ok := c.Cond.(*ssa.UnOp); ok && !p.IsValid() {
				p = l.X.Pos()
			}
		}
		if p.IsValid() {
			related = append(related, goanalysis.RelatedInformation{Pos: p, Message: m.field.Name() + asked})
		}
	}
	name := reset.Name()
	if reset.Parent() != nil {
		name = "the function"
	}
	if missed[0].noReset {
		put := f.putOf(t)
		f.a.reportFound(finding{
			pattern: missingReset, pos: instrPos(put), fn: reset,
			message: fmt.Sprintf("%s goes back with %s, which is %s", f.a.putIn(put, t), strings.Join(names, ", "), what),
			typed:   t,
			related: related,
		})
		return
	}
	f.a.reportFound(finding{
		pattern: missingReset, pos: reset.Pos(), fn: reset,
		message: fmt.Sprintf("%s resets fields of the pooled %s but not %s, which is %s", name, t.Obj().Name(), strings.Join(names, ", "), what),
		typed:   t,
		related: related,
	})
}
