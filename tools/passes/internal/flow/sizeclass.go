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

// Pools by size: what Put takes for a capacity must be enough for all that Get promises from the
// same pool, and what Get gave must come back to where it came from. The functions that get and
// put are run on numbers (simulate.go), so that it does not matter how they pick the pool.

// A sizedFunc gets from pools by a size, or puts to them by one.
type sizedFunc struct {
	fn    *ssa.Function
	param int // of the size, or of what is put
	calls []ssa.CallInstruction
}

// A sizeJudge compares the Gets and Puts of a package.
type sizeJudge struct {
	a          *analysis
	s          *simulator
	gets, puts []*sizedFunc
	sizes      []int64 // to run them on
	gotten     map[*sizedFunc]*askedSizes
	filings    map[*sizedFunc][]filed
	told       map[*ssa.Function]bool
	handedIn   map[*ssa.Function]bool // functions whose callers pick the pool
	tries      map[ssa.CallInstruction]int
}

// judgeSizes reports Puts by size that do not fit the Gets.
func (a *analysis) judgeSizes() {
	j := &sizeJudge{a: a, s: &simulator{a: a, keyed: map[string]bool{}, counters: map[*types.Var]bool{}, limitFields: map[*types.Var]bool{}, globals: map[string]*simCell{}}, gotten: map[*sizedFunc]*askedSizes{}, filings: map[*sizedFunc][]filed{}, told: map[*ssa.Function]bool{}, handedIn: map[*ssa.Function]bool{}, tries: map[ssa.CallInstruction]int{}}
	if !j.severalPools() {
		return
	}
	j.gets = j.around("Get", func(fn *ssa.Function) int {
		if !givesMemory(fn.Signature.Results()) && !j.assertedMemory(fn) {
			return -1
		}
		k := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return isInteger(p.Type()) })
		if k < 0 || slices.ContainsFunc(fn.Params[k+1:], func(p *ssa.Parameter) bool { return isInteger(p.Type()) }) {
			return -1
		}
		return k
	})
	if len(j.gets) == 0 {
		return
	}
	j.puts = j.around("Put", func(fn *ssa.Function) int {
		return slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool {
			return p.Type() != typeOfReceiver(fn) && pooledMemory(p.Type(), 0)
		})
	})
	var fns []*ssa.Function
	for _, f := range slices.Concat(j.gets, j.puts) {
		fns = append(fns, f.fn)
	}
	j.sizes = j.samples(fns...)
	for _, p := range j.puts {
		for _, g := range j.gets {
			j.compare(g, p)
		}
	}
	j.s.steps = min(j.s.steps, 2*maxSimSteps/3) // what the comparisons left may be nothing
	for _, p := range j.puts {
		j.foreignPanics(p)
	}
}

func typeOfReceiver(fn *ssa.Function) types.Type {
	if r := fn.Signature.Recv(); r != nil {
		return r.Type()
	}
	return nil
}

// severalPools reports whether the package picks a pool among several: by an index, or by tests
// in one function.
func (j *sizeJudge) severalPools() bool {
	in := map[*ssa.Function]ssa.Value{}
	for c, x := range j.sizedUses("Put") {
		if other := in[c.Parent()]; other != nil && !oneRead(other, x, 0) {
			return true
		}
		in[c.Parent()] = x
		for depth := 0; x != nil && depth < 6; depth++ {
			switch y := x.(type) {
			case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Phi, *ssa.Parameter:
				return true
			case *ssa.FieldAddr:
				x = y.X
			case *ssa.Field:
				x = y.X
			case *ssa.UnOp:
				x = y.X
			case *ssa.Alloc:
				x = storedOnce(y)
			case *ssa.Call:
				if j.a.calledFunction(y) != nil && slices.ContainsFunc(y.Call.Args, func(v ssa.Value) bool { return isInteger(v.Type()) }) {
					return true
				}
				x = nil
			case *ssa.Extract:
				x = y.Tuple
			default:
				x = nil
			}
		}
	}
	return false
}

// givesMemory reports whether the first result is, or leads to, a slice.
func givesMemory(t *types.Tuple) bool {
	return t.Len() > 0 && pooledMemory(t.At(0).Type(), 0)
}

// pooledMemory reports whether a type is a slice of plain data, or leads to one.
func pooledMemory(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if _, generic := types.Unalias(u.Elem()).(*types.TypeParam); generic {
			return true
		}
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString == 0
	case *types.Pointer:
		return depth < 2 && pooledMemory(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if _, ok := f.Type().Underlying().(*types.Slice); ok && depth < 2 && pooledMemory(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// around finds the functions that call a method of a pool, or call those that do, and have
// a parameter for the size.
func (j *sizeJudge) around(method string, param func(*ssa.Function) int) (list []*sizedFunc) {
	seen := map[*ssa.Function]bool{}
	var climb func(fn *ssa.Function, depth int)
	climb = func(fn *ssa.Function, depth int) {
		if depth > 3 || seen[fn] || j.a.inTest(fn) || fn.Parent() != nil || len(list) > 24 {
			return
		}
		seen[fn] = true
		if k := param(fn); k >= 0 {
			list = append(list, &sizedFunc{fn, k, j.a.callsOf(fn)})
			if method == "Get" && !j.handedIn[fn] {
				return
			}
			depth++
		}
		for _, c := range j.a.callsOf(fn) {
			climb(c.Parent(), depth+1)
		}
	}
	for c, pool := range j.sizedUses(method) {
		if ofParam(pool) {
			j.handedIn[c.Parent()] = true
		}
		climb(c.Parent(), 0)
	}
	return j.withoutHanded(list)
}

// samples are sizes around all that the functions compare with.
func (j *sizeJudge) samples(fns ...*ssa.Function) []int64 {
	set := map[int64]bool{}
	near := func(n int64) {
		for _, k := range []int64{n - 1, n, n + 1} {
			if k > 0 && k <= 1<<27 {
				set[k] = true
			}
		}
	}
	for k := range int64(simLists) {
		near(simTable(k))
	}
	for k := 3; k < 21; k += 2 {
		near(1 << k)
		near(3 << k)
	}
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if seen[fn] || depth > 3 {
			return
		}
		seen[fn] = true
		for i := range instrsOf(fn) {
			for _, op := range i.Operands(nil) {
				if c, ok := (*op).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int && isInteger(c.Type()) {
					if n, exact := constant.Int64Val(c.Value); exact && n > 4 {
						near(n)
						near(n + n/2)
					}
				}
			}
			if c, ok := i.(ssa.CallInstruction); ok {
				if f := j.a.calledFunction(c); f != nil {
					visit(f, depth+1)
				}
			}
		}
	}
	for _, fn := range fns {
		visit(fn, 0)
	}
	var list []int64
	for n := range set {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// arguments are those of a run: x for one parameter, and of the others what their types tell.
func arguments(fn *ssa.Function, param int, x any) func(*simRun) []any {
	return func(r *simRun) []any {
		var args []any
		for k, p := range fn.Params {
			if k == param {
				args = append(args, x)
				continue
			}
			args = append(args, r.known(p.Type()))
		}
		return args
	}
}

// known is what a parameter is, by its type.
func (r *simRun) known(t types.Type) any {
	if n := pointee(t); n != nil {
		return simPtr{r.outside(n.Obj().Name())}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == r.s.a.pkg.Pkg {
		return r.unknownOf(t, r.outside(n.Obj().Name()))
	}
	return simUnknown{}
}

// given is what a Put is given: memory of a length and capacity.
func given(t types.Type, length, capacity int64) any {
	s := simSlice{len: length, cap: capacity}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return s
	case *types.Pointer:
		c := &simCell{item: &s}
		if _, ok := u.Elem().Underlying().(*types.Slice); ok {
			c.val = s
		}
		return simPtr{c}
	}
	return simStruct{&simCell{item: &s}}
}

// sliceOf is the slice in what a function gives.
func sliceOf(x any, depth int) (simSlice, bool) {
	if depth > 4 {
		return simSlice{}, false
	}
	switch x := x.(type) {
	case simTuple:
		if len(x) > 0 {
			return sliceOf(x[0], depth+1)
		}
	case simSlice:
		return x, x.cap > 0
	case simPtr:
		return sliceIn(x.to, depth)
	case simStruct:
		return sliceIn(x.of, depth)
	}
	return simSlice{}, false
}

func sliceIn(c *simCell, depth int) (simSlice, bool) {
	if c.val != nil {
		return sliceOf(c.val, depth+1)
	}
	var found simSlice
	n := 0
	for _, s := range c.sub {
		if sl, ok := sliceOf(s.val, depth+1); ok {
			found = sl
			n++
		}
	}
	if n == 0 && c.item != nil {
		return *c.item, true
	}
	return found, n == 1
}

// put runs a Put on memory of a size. Where it goes is "" where it is dropped.
func (j *sizeJudge) put(p *sizedFunc, length, capacity int64) []*simRun {
	t := p.fn.Params[p.param].Type()
	return j.s.runs(p.fn, func(r *simRun) []any { return arguments(p.fn, p.param, given(t, length, capacity))(r) }, nil, "")
}

// get runs a Get on a size, with what a Put puts in the pool of that name.
func (j *sizeJudge) get(g *sizedFunc, n int64, supply any, from string) []*simRun {
	return j.s.runs(g.fn, arguments(g.fn, g.param, simInt{v: n, sized: true}), supply, from)
}

// goesTo is the one pool that memory goes to on all ways that are sure, or "".
func goesTo(runs []*simRun) (pool string, at *simRun) {
	for _, r := range runs {
		if r.put == "" || r.put == "?" || r.vague || r.end != simReturned {
			continue
		}
		if at != nil && pool != r.put {
			return "", nil
		}
		pool, at = r.put, r
	}
	return pool, at
}

// askedSizes is what a Get asks of the pools.
type askedSizes struct {
	sizes map[string][]int64 // by the pool, the sizes for which it is asked
	fresh map[int64]int64    // what is made for a size where the pool is empty
}

// A filed is where memory of a capacity goes.
type filed struct {
	capacity int64
	pool     string
	run      *simRun
}

// asked runs a Get on all sizes.
func (j *sizeJudge) asked(g *sizedFunc) *askedSizes {
	if k := j.gotten[g]; k != nil {
		return k
	}
	k := &askedSizes{map[string][]int64{}, map[int64]int64{}}
	j.gotten[g] = k
	for _, n := range j.sizes {
		for _, r := range j.get(g, n, nil, "") {
			if r.vague || len(r.asked) == 0 || r.asked[0] == "?" {
				continue
			}
			name := r.asked[0]
			if l := k.sizes[name]; len(l) == 0 || l[len(l)-1] != n {
				k.sizes[name] = append(l, n)
			}
			if s, ok := sliceOf(r.result, 0); ok && r.end == simReturned && (k.fresh[n] == 0 || s.cap < k.fresh[n]) {
				k.fresh[n] = s.cap
			}
		}
	}
	return k
}

// filed runs a Put on all capacities.
func (j *sizeJudge) filed(p *sizedFunc) []filed {
	list, known := j.filings[p]
	if known {
		return list
	}
	for _, c := range j.sizes {
		if pool, r := goesTo(j.put(p, c, c)); r != nil {
			list = append(list, filed{c, pool, r})
		}
	}
	j.filings[p] = list
	return list
}

func (j *sizeJudge) compare(g, p *sizedFunc) {
	if j.told[p.fn] || j.s.steps > maxSimSteps || len(j.filed(p)) == 0 {
		return
	}
	k := j.asked(g)
	asked, fresh := k.sizes, k.fresh
	if len(asked) < 2 {
		return
	}
	var all []filed
	for _, f := range j.filed(p) {
		if asked[f.pool] != nil {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return
	}
	any := j.foreign(p)
	if any != nil && any.size > 0 {
		if pool, r := goesTo(j.put(p, any.size, any.size)); r != nil && asked[pool] != nil {
			all = append(all, filed{any.size, pool, r})
		}
	}
	for _, f := range all {
		ns := asked[f.pool]
		if ns[len(ns)-1] <= f.capacity {
			continue
		}
		own := false
		for _, c := range fresh {
			own = own || c == f.capacity
		}
		if !own {
			if any == nil || any.size != 0 && any.size != f.capacity {
				continue
			}
		}
		for k := len(ns) - 1; k >= 0 && ns[k] > f.capacity; k-- {
			n := ns[k]
			if fresh[n] != 0 && fresh[n] <= f.capacity && ns[len(ns)-1] == j.sizes[len(j.sizes)-1] {
				continue // the last class, whose own slices are no larger: callers, it seems, ask for no more
			}
			how, by := j.tooSmall(g, p, n, f.capacity, f.pool, fresh[n])
			if !how {
				continue
			}
			related := []goanalysis.RelatedInformation{{Pos: g.fn.Pos(), Message: fmt.Sprintf("a slice of that pool is taken for %d here", n)}}
			if by != nil {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(by), Message: "which relies on it here"})
			}
			if !own && any.at != nil {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(any.at), Message: "the capacity of what is put comes from here"})
			}
			example := j.example()
			j.told[p.fn] = true
			at := j.picked(f.run)
			if at != f.run.putAt {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(f.run.putAt), Message: "put here"})
			}
			if j.a.foundIn(wrongPool, at.Parent()) {
				return
			}
			j.a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(at), fn: at.Parent(),
				message: fmt.Sprintf("a slice with a capacity of %d goes to a pool from which %s takes slices for up to %d, and does not ask whether they are large enough%s: round the capacity of what is put down", f.capacity, g.fn.Name(), n, example),
				related: related,
			})
			return
		}
	}
	// What Get gave must come back.
	for _, f := range all {
		if ns := asked[f.pool]; ns[0] > f.capacity {
			continue
		}
		for _, n := range slices.Backward(asked[f.pool]) {
			if n >= f.capacity || !slices.Contains(asked[f.pool], f.capacity) {
				continue
			}
			if j.byLength(g, p, n, f.capacity, f.pool) {
				return
			}
		}
	}
}

// example says which sizes were assumed where a table is filled out of view.
func (j *sizeJudge) example() string {
	if !j.s.assumed {
		return ""
	}
	return fmt.Sprintf(" (with sizes of %d, %d, %d, ...)", simTable(0), simTable(1), simTable(2))
}

// tooSmall reports whether a Get for n gives what was put with a smaller capacity, and who relies
// on more.
func (j *sizeJudge) tooSmall(g, p *sizedFunc, n, capacity int64, pool string, fresh int64) (bool, ssa.Instruction) {
	supply := func() any {
		if _, r := goesTo(j.put(p, capacity, capacity)); r != nil {
			return r.putVal
		}
		return nil
	}
	for _, r := range j.get(g, n, supply, pool) {
		if r.vague || r.supply != nil || len(r.asked) == 0 || r.asked[0] != pool {
			continue
		}
		if r.end == simBeyond {
			return true, nil
		}
		if s, ok := sliceOf(r.result, 0); ok && r.end == simReturned && s.cap < n {
			if by := j.relies(g, p, fresh == 0 || fresh >= n); by != nil {
				return true, by
			}
			for _, c := range g.calls {
				if !j.a.inTest(c.Parent()) && j.usesBeyond(g, c, n, capacity, supply, pool) {
					return true, c
				}
			}
		}
	}
	return false, nil
}

// relies finds a caller that extends what a Get gave to the size that it asked for, and does not
// ask for the capacity, or that puts what it found too small back where it was, although what Get
// makes is large enough.
func (j *sizeJudge) relies(g, p *sizedFunc, enough bool) ssa.Instruction {
	for _, c := range g.calls {
		v := c.Value()
		if v == nil || j.a.inTest(c.Parent()) || g.param >= len(c.Common().Args) {
			continue
		}
		size := unconverted(c.Common().Args[g.param])
		if _, isConst := size.(*ssa.Const); isConst {
			continue
		}
		asks := false
		var cut, back ssa.Instruction
		for i := range instrsOf(c.Parent()) {
			switch i := i.(type) {
			case *ssa.BinOp:
				for _, x := range []ssa.Value{i.X, i.Y} {
					if of, ok := capOf(x); ok && gotFrom(of, c, 0) {
						asks = true
						other := i.Y
						if x == i.Y {
							other = i.X
						}
						if sameNumber(other, size) {
							back = j.putUnder(i, c, p)
						}
					}
				}
			case *ssa.Slice:
				if i.High != nil && sameNumber(i.High, size) && gotFrom(i.X, c, 0) {
					cut = i
				}
			}
		}
		if cut != nil && !asks {
			return cut
		}
		if back != nil && enough {
			return back
		}
	}
	return nil
}

// putUnder finds the Put, right after a test, of what a call gave.
func (j *sizeJudge) putUnder(test *ssa.BinOp, got ssa.CallInstruction, p *sizedFunc) ssa.Instruction {
	for _, c := range p.calls {
		if slices.Contains(test.Block().Succs, c.Block()) && p.param < len(c.Common().Args) && gotFrom(c.Common().Args[p.param], got, 0) {
			return c
		}
	}
	return nil
}

// byLength reports a Put that looks at the length, which Get has cut to what was asked for.
func (j *sizeJudge) byLength(g, p *sizedFunc, n, capacity int64, pool string) bool {
	supply := func() any {
		if _, r := goesTo(j.put(p, capacity, capacity)); r != nil {
			return r.putVal
		}
		return nil
	}
	for _, r := range j.get(g, n, supply, pool) {
		s, ok := sliceOf(r.result, 0)
		if r.vague || r.supply != nil || r.end != simReturned || len(r.asked) == 0 || r.asked[0] != pool || !ok || s.cap != capacity {
			continue
		}
		var cut ssa.Instruction
		if s.len == s.cap {
			// The callers may cut it.
			if cut = j.cutByCaller(g, p); cut == nil {
				continue
			}
			s.len = n
		}
		if s.len <= 0 {
			continue
		}
		to := ""
		runs := j.put(p, s.len, s.cap)
		if len(runs) == 0 {
			return false
		}
		for _, q := range runs {
			if q.vague || q.put == pool || q.put == "?" || q.end != simReturned && q.end != simPanicked {
				return false
			}
			to = q.put
		}
		prm := p.fn.Params[p.param]
		if j.a.extended(prm) || j.a.foundIn(staleHeader, p.fn) {
			return false
		}
		at := lengthIn(p.fn, prm)
		if at == nil {
			return false
		}
		what := "is dropped"
		if to != "" {
			what = "goes to another pool"
		}
		example := j.example()
		j.told[p.fn] = true
		related := []goanalysis.RelatedInformation{{Pos: g.fn.Pos(), Message: "taken here"}}
		if cut != nil {
			related = append(related, goanalysis.RelatedInformation{Pos: instrPos(cut), Message: "cut here"})
		}
		j.a.reportFound(finding{
			pattern: staleHeader, pos: instrPos(at), fn: p.fn,
			message: fmt.Sprintf("the pool is picked by the length of what is put: a slice that %s gave for %d, with a capacity of %d, %s%s; ask for the capacity and put b[:cap(b)]", g.fn.Name(), s.len, s.cap, what, example),
			related: related,
		})
		return true
	}
	return false
}

// lengthIn is where a function asks for the length of a parameter, or of what it leads to.
func lengthIn(fn *ssa.Function, p *ssa.Parameter) ssa.Instruction {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || sizeCall(c) != "len" {
			continue
		}
		v := c.Call.Args[0]
		for range 4 {
			if paramOf(v) == p || v == ssa.Value(p) {
				return c
			}
			switch x := v.(type) {
			case *ssa.UnOp:
				v = x.X
			case *ssa.FieldAddr:
				v = x.X
			case *ssa.Slice:
				v = x.X
			}
		}
	}
	return nil
}

// cutByCaller finds a slice that Get gave and somebody puts with a part of its length.
func (j *sizeJudge) cutByCaller(g, p *sizedFunc) ssa.Instruction {
	for _, c := range p.calls {
		if j.a.inTest(c.Parent()) || p.param >= len(c.Common().Args) {
			continue
		}
		if s := shorterCut(c.Common().Args[p.param], g, 0); s != nil {
			return s
		}
	}
	return nil
}

func shorterCut(v ssa.Value, g *sizedFunc, depth int) *ssa.Slice {
	if depth > 5 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if x.Low != nil || x.High == nil || x.Max != nil {
			return nil
		}
		if _, isCap := capOf(x.High); isCap || sizeCall(x.High) != "" {
			return nil
		}
		if _, isConst := x.High.(*ssa.Const); isConst {
			return nil
		}
		for _, c := range g.calls {
			if gotFrom(x.X, c, 0) || storedFrom(x.X, c) {
				return x
			}
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if s := shorterCut(e, g, depth+2); s != nil {
				return s
			}
		}
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return shorterCut(al, g, depth+1)
		}
	case *ssa.Alloc:
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x {
				if s := shorterCut(st.Val, g, depth+1); s != nil {
					return s
				}
			}
		}
	}
	return nil
}

// storedFrom reports whether a value is read from a variable that a call's result went to.
func storedFrom(v ssa.Value, c ssa.CallInstruction) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	al, ok := l.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	return slices.ContainsFunc(referrers(al), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == al && gotFrom(st.Val, c, 0)
	})
}

// largest are the largest sizes for which each of the pools is asked.
func (j *sizeJudge) largest() (list []int64) {
	for _, g := range j.gets {
		for _, ns := range j.asked(g).sizes {
			list = append(list, ns[len(ns)-1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// foreignPanics reports callers whose memory a Put panics on.
func (j *sizeJudge) foreignPanics(p *sizedFunc) {
	panics := slices.ContainsFunc(p.fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, ok := lastInstr(b).(*ssa.Panic)
		return ok
	})
	if !panics {
		return
	}
	for _, c := range p.calls {
		fn := c.Parent()
		if j.a.inTest(fn) || fn.Parent() != nil {
			continue
		}
		for k, prm := range fn.Params {
			t, isSlice := prm.Type().Underlying().(*types.Slice)
			if !isInteger(prm.Type()) && !(isSlice && isBasic(t.Elem())) || k == 0 && fn.Signature.Recv() != nil {
				continue
			}
			for _, n := range slices.Concat([]int64{100, 1000, 1024, 5000, 16384, 70000}, j.largest()) {
				var x any = simInt{v: n, sized: true}
				if isSlice {
					x = simSlice{len: n, cap: n}
				}
				for _, r := range j.s.runs(fn, arguments(fn, k, x), nil, "") {
					if r.end != simPanicked || r.vague || r.guessed || r.in != p.fn || r.through != c || len(r.asked) == 0 {
						continue
					}
					j.a.reportFound(finding{
						pattern: wrongPool, pos: instrPos(c), fn: fn,
						message: fmt.Sprintf("%s panics here: with %s of %d it is given a slice that was made elsewhere in place of the one from the pool, of a capacity that no pool has", p.fn.Name(), prm.Name(), n),
						related: []goanalysis.RelatedInformation{{Pos: p.fn.Pos(), Message: "put here"}},
					})
					return
				}
			}
		}
	}
}
