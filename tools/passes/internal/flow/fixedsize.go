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

// A pool whose slices all have one size, which who gets them relies on, must not be given memory that was
// made elsewhere: by callers who take a slice from the pool or else make one of their own, and put it either way,
// or who put bytes that something gave them.

// A fixedPool is such a pool, and what is known of it.
type fixedPool struct {
	made   []*ssa.MakeSlice // what New or a Get makes
	size   int64            // of all of that, 0 where it is no constant
	fixed  bool
	asks   bool // who gets one asks for its size
	relies ssa.Instruction
	gets   map[*ssa.Function]bool // functions that return what they got
	got    []ssa.Instruction
	puts   []fixedPut
}

type fixedPut struct {
	at ssa.Instruction
	x  ssa.Value
}

// judgeFixedSizes reports foreign memory that goes to pools of one size.
func (a *analysis) judgeFixedSizes() {
	pools := map[types.Object]*fixedPool{}
	var order []types.Object
	at := func(obj types.Object) *fixedPool {
		if obj == nil {
			return nil
		}
		p := pools[obj]
		if p == nil {
			p = &fixedPool{fixed: true, gets: map[*ssa.Function]bool{}}
			pools[obj] = p
			order = append(order, obj)
		}
		return p
	}
	for fn, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && isSyncPool(fa.X.Type()) {
				if p := at(a.staticPool(fa.X)); p != nil {
					p.makes(writtenFunc(i.Val))
				}
			}
		case *ssa.Call:
			switch {
			case i.Call.IsInvoke():
			case funcKey(calledMethod(i)) == "sync.Pool.Put":
				if p := at(a.staticPool(i.Call.Args[0])); p != nil {
					p.puts = append(p.puts, fixedPut{i, unboxed(i.Call.Args[1])})
				}
			case funcKey(calledMethod(i)) == "sync.Pool.Get":
				if p := at(a.staticPool(i.Call.Args[0])); p != nil {
					p.got = append(p.got, i)
				}
			}
		case *ssa.Defer:
			if funcKey(calledMethod(i)) == "sync.Pool.Put" && !i.Call.IsInvoke() {
				if p := at(a.staticPool(i.Call.Args[0])); p != nil {
					p.puts = append(p.puts, fixedPut{i, unboxed(i.Call.Args[1])})
				}
			}
		case *ssa.Select:
			if !simPooled(i) {
				continue
			}
			obj := types.Object(nil)
			if l, ok := i.States[0].Chan.(*ssa.UnOp); ok {
				obj = placeOf(l.X)
			}
			switch freeUseOf(fn, i) {
			case freeGet:
				if p := at(obj); p != nil {
					p.got = append(p.got, i)
				}
			case freePut:
				if p := at(obj); p != nil {
					p.puts = append(p.puts, fixedPut{i, i.States[0].Send})
				}
			}
		}
	}
	for _, obj := range order {
		a.judgeFixed(obj, pools[obj])
	}
}

// makes notes the slices that a function makes for a pool.
func (p *fixedPool) makes(fn *ssa.Function) {
	if fn == nil {
		return
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.MakeSlice:
			if isBasic(i.Type().Underlying().(*types.Slice).Elem()) {
				p.made = append(p.made, i)
				p.fixed = p.fixed && !sizeOfArgument(i.Cap, fn)
			}
		case *ssa.Slice:
			if n := madeConstant(i); n > 0 && isBasic(i.Type().Underlying().(*types.Slice).Elem()) {
				if p.size != 0 && p.size != n {
					p.fixed = false
				}
				p.size = n
			}
		}
	}
}

// madeConstant is the capacity of a slice that is made with a constant one, or 0.
func madeConstant(s *ssa.Slice) int64 {
	al, ok := s.X.(*ssa.Alloc)
	if !ok || al.Comment != "makeslice" {
		return 0
	}
	return deref(al.Type()).Underlying().(*types.Array).Len()
}

// sizeOfArgument reports whether a size depends on a number that a function is given.
func sizeOfArgument(v ssa.Value, fn *ssa.Function) bool {
	switch x := unconverted(v).(type) {
	case *ssa.Parameter:
		return x.Parent() == fn
	case *ssa.BinOp:
		return sizeOfArgument(x.X, fn) || sizeOfArgument(x.Y, fn)
	case *ssa.Phi, *ssa.Call:
		return true
	}
	return false
}

func (a *analysis) judgeFixed(obj types.Object, p *fixedPool) {
	if len(p.got) == 0 || len(p.puts) == 0 {
		return
	}
	if p.size == 0 && len(p.made) == 0 {
		for _, g := range p.got {
			p.makes(g.Parent())
		}
	}
	if !p.fixed || p.size == 0 && len(p.made) == 0 || p.size != 0 && len(p.made) != 0 {
		return
	}
	for _, g := range p.got {
		for _, r := range referrers(g.(ssa.Value)) {
			switch r := r.(type) {
			case *ssa.TypeAssert:
				a.followFixed(p, r, 0)
			case *ssa.Extract:
				if r.Index == 2 {
					a.followFixed(p, r, 0)
				}
			case *ssa.Return:
				p.asks = true // whatever it is
			}
		}
	}
	if p.asks || p.relies == nil {
		return
	}
	for _, put := range p.puts {
		a.foreignPut(obj, p, put, put.x, put.at, 0)
	}
}

// followFixed sees what is done with a slice, or a pointer to one, that comes from a pool.
func (a *analysis) followFixed(p *fixedPool, v ssa.Value, depth int) {
	if depth > 6 || v.Referrers() == nil || p.asks {
		return
	}
	fn := v.(ssa.Instruction).Parent()
	asks := asksSize(fn, nil)
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Extract:
			a.followFixed(p, r, depth+1)
		case *ssa.Slice:
			if r.X != v {
				continue
			}
			if r.High == nil {
				if r.Low == nil {
					a.followFixed(p, r, depth+1)
				}
				continue
			}
			if p.relies == nil && !asks && certainSize(r.High) {
				p.relies = r
			}
			a.followFixed(p, r, depth+3)
		case *ssa.UnOp, *ssa.Phi:
			a.followFixed(p, r.(ssa.Value), depth+1)
		case *ssa.IndexAddr:
			if c, ok := r.Index.(*ssa.Const); ok && r.X == v && c.Value != nil && !isZero(c.Value) && isSlice(v.Type()) && p.relies == nil && !asks {
				p.relies = r
			}
		case *ssa.Return:
			if len(r.Results) == 0 || r.Results[0] != v || fn.Parent() != nil {
				continue
			}
			if asks {
				p.asks = true
				return
			}
			p.gets[fn] = true
			for _, x := range a.returnedFirst(r, v) {
				a.followFixed(p, x, depth+1)
			}
		case *ssa.Store:
			for _, l := range readAgain(r, v) {
				a.followFixed(p, l, depth+1)
			}
		case ssa.CallInstruction:
			if isSlice(v.Type()) && fillsArg(r, v) && p.relies == nil && !asks {
				p.relies = r
			}
		}
	}
}

// certainSize reports whether a bound is one that does not come from what was read: a constant, or a
// number that is kept.
func certainSize(v ssa.Value) bool {
	switch x := unconverted(v).(type) {
	case *ssa.Const:
		return x.Value != nil && !isZero(x.Value)
	case *ssa.UnOp:
		_, global := x.X.(*ssa.Global)
		return global
	}
	return false
}

// asksSize reports whether a function asks for a capacity, or compares the length of a slice; of a
// certain one where that is given.
func asksSize(fn *ssa.Function, of ssa.Value) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		bi, ok := c.Call.Value.(*ssa.Builtin)
		if !ok {
			continue
		}
		if bi.Name() == "cap" {
			return true
		}
		if of == nil || bi.Name() != "len" || !readThrough(c.Call.Args[0], of, 0) {
			continue
		}
		for _, r := range referrers(c) {
			if o, ok := r.(*ssa.BinOp); ok && o.Op != token.ADD && o.Op != token.SUB {
				return true
			}
		}
	}
	return false
}

// readThrough reports whether a value is read from another, or is it.
func readThrough(v, of ssa.Value, depth int) bool {
	if v == of {
		return true
	}
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		return readThrough(x.X, of, depth+1)
	case *ssa.Slice:
		return readThrough(x.X, of, depth+1)
	case *ssa.FieldAddr:
		return readThrough(x.X, of, depth+1)
	case *ssa.Alloc:
		s := storedOnce(x)
		return s != nil && readThrough(s, of, depth+1)
	}
	return false
}

// foreignPut reports what is put and was made elsewhere. A parameter is what the callers give, one by one.
func (a *analysis) foreignPut(obj types.Object, p *fixedPool, put fixedPut, v ssa.Value, at ssa.Instruction, depth int) {
	fn := at.Parent()
	if depth > 3 || a.inTest(fn) || asksSize(fn, nil) || behindFlag(at.Block()) {
		return
	}
	for _, prm := range fn.Params {
		if paramOf(derivedFrom(v)) == prm {
			if asksSize(fn, prm) {
				return
			}
			k := slices.Index(fn.Params, prm)
			for _, c := range a.callsOf(fn) {
				if args := c.Common().Args; !c.Common().IsInvoke() && k < len(args) {
					a.foreignPut(obj, p, put, args[k], c, depth+1)
				}
			}
			return
		}
	}
	o := &foreignOrigin{a: a, p: p, pool: obj, seen: map[ssa.Value]bool{}}
	o.from(v, 0)
	if o.foreign == nil || !o.pooled && !o.whole || !o.whole && o.kept(fn) {
		return
	}
	if a.foundIn(wrongPool, fn) {
		return
	}
	related := []goanalysis.RelatedInformation{
		{Pos: instrPos(o.foreign), Message: "made here"},
		{Pos: instrPos(p.relies), Message: "who gets a slice relies on its size here"},
	}
	if at != put.at {
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(put.at), Message: "put here"})
	}
	a.reportFound(finding{
		pattern: wrongPool, pos: instrPos(at), fn: fn,
		message: fmt.Sprintf("memory that was made elsewhere (%s) goes to %s, whose slices all have one size, on which who gets them relies (%s): put only what came from there, or ask for the capacity first", a.line(instrPos(o.foreign)), obj.Name(), a.line(instrPos(p.relies))),
		related: related,
	})
}

// A foreignOrigin finds where a slice comes from that is put.
type foreignOrigin struct {
	a       *analysis
	p       *fixedPool
	pool    types.Object
	seen    map[ssa.Value]bool
	pooled  bool            // also from the pool
	foreign ssa.Instruction // also from there
	whole   bool            // which is memory of any size that something gave
}

func (o *foreignOrigin) from(v ssa.Value, depth int) {
	if depth > 10 || o.seen[v] {
		return
	}
	o.seen[v] = true
	switch x := v.(type) {
	case *ssa.Slice:
		if n := madeConstant(x); n > 0 {
			if o.p.size > n && o.foreign == nil {
				o.foreign = x
			}
			return
		}
		if x.Low == nil {
			o.from(x.X, depth+1)
		}
	case *ssa.MakeSlice:
		if o.foreign == nil && o.otherSize(x) {
			o.foreign = x
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			o.from(e, depth+1)
		}
	case *ssa.MakeInterface:
		o.from(x.X, depth+1)
	case *ssa.TypeAssert:
		o.from(x.X, depth+1)
	case *ssa.Extract:
		if _, ok := x.Tuple.(*ssa.Select); ok {
			o.pooled = o.pooled || slices.Contains(o.p.got, x.Tuple.(ssa.Instruction))
			return
		}
		if x.Index == 0 {
			o.from(x.Tuple, depth+1)
		}
	case *ssa.Alloc:
		o.stored(x, depth)
	case *ssa.FreeVar:
		s := &funcSearch{a: o.a}
		s.bindings(x, func(v ssa.Value) { o.from(v, depth+1) })
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return
		}
		if f := fieldAt(x.X); f != nil {
			if f.Pkg() != o.a.pkg.Pkg {
				return
			}
			for _, fn := range o.a.fns {
				if !o.a.inTest(fn) {
					eachStore(fn, func(st *ssa.Store) {
						if fieldAt(st.Addr) == f {
							o.from(st.Val, depth+1)
						}
					})
				}
			}
			return
		}
		o.from(x.X, depth+1)
	case *ssa.Convert:
		if b, ok := x.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			o.foreign, o.whole = x, true
		}
	case *ssa.Call:
		o.call(x, depth)
	}
}

// stored looks at all that a variable is set to.
func (o *foreignOrigin) stored(al *ssa.Alloc, depth int) {
	for _, r := range referrers(al) {
		if st, ok := r.(*ssa.Store); ok && st.Addr == al {
			o.from(st.Val, depth+1)
		}
	}
}

func (o *foreignOrigin) call(c *ssa.Call, depth int) {
	if slices.Contains(o.p.got, ssa.Instruction(c)) {
		o.pooled = true
		return
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			o.from(c.Call.Args[0], depth+1) // as large as that, at least
		}
		return
	}
	if makesBytes(c) {
		o.foreign, o.whole = c, true
		return
	}
	fn := o.a.calledFunction(c)
	if fn == nil {
		return
	}
	if o.p.gets[fn] {
		o.pooled = true
		return
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 {
			o.from(r.Results[0], depth+2)
		}
	}
}

// makesBytes reports whether a call gives bytes that a function of the standard library made, with what capacity
// it liked.
func makesBytes(c *ssa.Call) bool {
	m := calledMethod(c)
	if m == nil {
		return false
	}
	switch funcKey(m) {
	case "io.ReadAll", "os.ReadFile", "bytes.Clone", "bytes.Join", "bytes.ToLower", "bytes.ToUpper", "bytes.Repeat",
		"encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/xml.Marshal", "encoding/hex.DecodeString":
		return true
	}
	return false
}

// otherSize reports whether memory is made for a number that the function is given, other than where that is
// larger than something.
func (o *foreignOrigin) otherSize(m *ssa.MakeSlice) bool {
	fn := m.Parent()
	if slices.Contains(o.p.made, m) {
		return false
	}
	n := numberGiven(m.Cap, fn)
	if n == nil {
		return false
	}
	if larger(m.Block(), n, 1) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			f := o.a.calledFunction(c)
			if slices.Contains(o.p.got, i) || f != nil && o.p.gets[f] {
				if larger(b, n, -1) {
					return false
				}
			}
		}
	}
	return true
}

// kept reports whether a function, or what it calls to make the pool, may know that the sizes are the same.
func (o *foreignOrigin) kept(fn *ssa.Function) bool {
	m, ok := o.foreign.(*ssa.MakeSlice)
	if !ok {
		return false
	}
	// A constructor that also sets the size of the pool.
	n := numberGiven(m.Cap, m.Parent())
	if n == nil {
		return false
	}
	for _, made := range o.p.made {
		if l, ok := unconverted(made.Cap).(*ssa.UnOp); ok {
			kept := false
			eachStore(m.Parent(), func(st *ssa.Store) {
				kept = kept || placeOf(st.Addr) != nil && placeOf(st.Addr) == placeOf(l.X)
			})
			if kept {
				return true
			}
		}
	}
	return false
}

// numberGiven is the parameter, or the length of something, that a size is computed from.
func numberGiven(v ssa.Value, fn *ssa.Function) ssa.Value {
	switch x := unconverted(v).(type) {
	case *ssa.Parameter:
		if x.Parent() == fn {
			return x
		}
	case *ssa.Call:
		if sizeCall(x) == "len" {
			return x
		}
	case *ssa.BinOp:
		if x.Op != token.ADD && x.Op != token.MUL {
			return nil
		}
		if _, ok := x.Y.(*ssa.Const); ok {
			return numberGiven(x.X, fn)
		}
	}
	return nil
}

// larger reports whether a block is come to where a number is larger than something; or, for a sign of
// -1, where it is smaller.
func larger(b *ssa.BasicBlock, n ssa.Value, sign int) bool {
	for d := b; d != nil; d = d.Idom() {
		for _, p := range d.Preds {
			iff, ok := lastInstr(p).(*ssa.If)
			if !ok || !p.Dominates(b) && len(d.Preds) == 1 {
				continue
			}
			o, ok := iff.Cond.(*ssa.BinOp)
			if !ok {
				continue
			}
			op, x, y := o.Op, o.X, o.Y
			if p.Succs[1] == d {
				op = opposite(op)
			}
			if sameNumber(y, n) {
				x, y, op = y, x, mirrored(op)
			}
			if !sameNumber(x, n) {
				continue
			}
			if c, ok := y.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Compare(c.Value, token.LEQ, constant.MakeInt64(1)) {
				continue
			}
			if (op == token.GTR || op == token.GEQ) == (sign > 0) && op != token.EQL && op != token.NEQ {
				return true
			}
		}
	}
	return false
}

// sameNumber reports whether two numbers are one, or lengths of the same.
func sameNumber(x, n ssa.Value) bool {
	x = unconverted(x)
	if x == n {
		return true
	}
	c, ok := x.(*ssa.Call)
	d, ok2 := n.(*ssa.Call)
	return ok && ok2 && sizeCall(c) == "len" && sizeCall(d) == "len" && sameRead(c.Call.Args[0], d.Call.Args[0])
}

// behindFlag reports whether a block is come to under a test of a flag.
func behindFlag(b *ssa.BasicBlock) bool {
	for d := b; d != nil; d = d.Idom() {
		if len(d.Preds) != 1 {
			continue
		}
		iff, ok := lastInstr(d.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		v := iff.Cond
		if n, ok := v.(*ssa.UnOp); ok && n.Op == token.NOT {
			v = n.X
		}
		switch v.(type) {
		case *ssa.UnOp, *ssa.Phi, *ssa.Parameter, *ssa.Field, *ssa.FreeVar:
			return true
		}
	}
	return false
}
