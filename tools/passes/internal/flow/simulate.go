// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// How a package sorts memory by size is written in as many ways as there are packages: tests one
// after the other, loops over tables, bits.Len. So functions that get and put are run on numbers:
// with a size that is asked for, or a slice of some capacity, and nothing known of the rest. At a
// branch on something unknown the run goes both ways, one after the other. (sizeclass.go
// draws the conclusions.)
//
// What a run reads from outside has a name, by the type of the receiver and the fields, so that a
// Get and a Put of the same pool ask the same name. A table of sizes is taken to grow.

// simLists is the length that a list from outside is taken to have.
const simLists = 6

// simTable is the number at an index of a table from outside.
func simTable(k int64) int64 { return 1024 << (2 * k) }

type (
	simUnknown struct {
		sized   bool // it depends on the size that the run is for
		counter bool // or rather on how much is in use: any size can meet that
	}
	simInt struct {
		v     int64
		sized bool
		table string // the table that it was read from
	}
	simBool  struct{ v, sized bool }
	simFloat struct {
		v     float64
		sized bool
	}
	simNil   struct{}
	simSlice struct {
		len, cap int64    // len is -1 where it is not known
		back     *simCell // for lists
	}
	simPtr    struct{ to *simCell }
	simStruct struct{ of *simCell } // also an array
	simMap    struct{ of *simCell }
	simFunc   struct {
		fn   *ssa.Function
		bind []any
	}
	simTuple []any
)

// A simCell is a place in memory.
type simCell struct {
	name string // of places outside
	made bool   // by the run: zero at first
	item *simSlice
	val  any
	sub  map[string]*simCell
}

func (c *simCell) at(key string) *simCell {
	s := c.sub[key]
	if s == nil {
		s = &simCell{made: c.made, item: c.item}
		if c.name != "" {
			s.name = c.name + key
		}
		if c.sub == nil {
			c.sub = map[string]*simCell{}
		}
		c.sub[key] = s
	}
	return s
}

// copied is a copy of a struct, or of what holds one.
func (c *simCell) copied(depth int) *simCell {
	n := *c
	n.sub = nil
	if depth < 4 {
		for k, s := range c.sub {
			if n.sub == nil {
				n.sub = map[string]*simCell{}
			}
			n.sub[k] = s.copied(depth + 1)
		}
	}
	return &n
}

// A simEnd says how a run ended.
type simEnd uint8

const (
	simReturned simEnd = iota
	simBeyond          // a slice was cut beyond its capacity
	simPanicked        // on purpose
	simLost            // by an index out of range, or it was too long
)

// A simRun is one way through a function.
type simRun struct {
	s      *simulator
	cells  map[string]*simCell // places outside, by name
	supply any                 // what Get gives
	from   string              // in the pool of this name
	fresh  bool                // other pools are empty

	choices []bool
	next    int
	steps   int
	depth   int
	end     simEnd
	vague   bool // a branch depended on the size and something unknown

	in      *ssa.Function         // where it panicked
	through ssa.CallInstruction   // the call of that function
	guessed bool                  // it is there because of a branch on something unknown
	beyond  int64                 // the capacity of what was cut beyond it
	via     []ssa.CallInstruction // the calls that it is in; nil first, and for functions that are given
	asked   []string
	put     string
	putAt   ssa.Instruction
	putVia  []ssa.CallInstruction // the calls that lead there
	putVal  any
	result  any
}

// A simulator runs functions of a package.
type simulator struct {
	a       *analysis
	steps   int // of all runs
	globals map[string]*simCell
	inited  bool
	keyed   map[string]bool // maps whose keys are the sizes of a table

	assumed  bool // a table's numbers were
	counters map[*types.Var]bool

	limitFields map[*types.Var]bool
}

type simStop struct{}

const maxSimSteps = 3_000_000

// runs follows a function with arguments on all ways that are few.
func (s *simulator) runs(fn *ssa.Function, args func(*simRun) []any, supply any, from string) (all []*simRun) {
	s.init()
	var choices []bool
	for range 64 {
		r := &simRun{s: s, cells: map[string]*simCell{}, supply: supply, from: from, choices: choices}
		if c, ok := supply.(func() any); ok {
			r.supply = c()
		}
		r.start(fn, args(r))
		all = append(all, r)
		if s.steps > maxSimSteps {
			return nil
		}
		choices = r.choices[:r.next]
		for len(choices) > 0 && choices[len(choices)-1] {
			choices = choices[:len(choices)-1]
		}
		if len(choices) == 0 {
			return all
		}
		choices = append(choices[:len(choices)-1:len(choices)-1], true)
	}
	return nil
}

// init runs the initialization of the package's variables.
func (s *simulator) init() {
	if s.inited {
		return
	}
	s.inited = true
	r := &simRun{s: s, cells: map[string]*simCell{}}
	r.outside("init$guard").val = simBool{}
	if fn := s.a.pkg.Func("init"); fn != nil && len(fn.Blocks) > 0 {
		r.start(fn, nil)
	}
	if r.end == simReturned && r.next == 0 {
		s.globals = r.cells
	}
}

func (r *simRun) start(fn *ssa.Function, args []any) {
	defer func() {
		if x := recover(); x != nil {
			if _, ok := x.(simStop); !ok {
				panic(x)
			}
		}
	}()
	r.result = r.call(fn, args, nil, nil)
}

func (r *simRun) stop(e simEnd) {
	r.end = e
	panic(simStop{})
}

// choose takes one way at a branch on something unknown.
func (r *simRun) choose(sized bool) bool {
	if sized {
		r.vague = true
	}
	if r.next == len(r.choices) {
		if r.next > 12 {
			r.stop(simLost)
		}
		r.choices = append(r.choices[:r.next:r.next], false)
	}
	r.next++
	return r.choices[r.next-1]
}

// outside is a place outside by its name.
func (r *simRun) outside(name string) *simCell {
	c := r.cells[name]
	if c == nil {
		if g := r.s.globals[name]; g != nil {
			c = g.copied(0)
		} else {
			c = &simCell{name: name}
		}
		r.cells[name] = c
	}
	return c
}

// unknownOf is what a parameter or a place outside holds, by its type.
func (r *simRun) unknownOf(t types.Type, c *simCell) any {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 && strings.Count(c.name, "[") == 1 {
			var k int64
			i := strings.IndexByte(c.name, '[')
			if n, err := fmt.Sscanf(c.name[i:], "[%d]", &k); n == 1 && err == nil && k < 12 {
				r.s.assumed = true
				return simInt{v: simTable(k), table: c.name[:i]}
			}
		}
		return simUnknown{}
	case *types.Slice:
		if _, basic := u.Elem().Underlying().(*types.Basic); basic && !isIntegers(u) {
			return simUnknown{}
		}
		return simSlice{simLists, simLists, c}
	case *types.Pointer:
		return simPtr{c.at("*")}
	case *types.Map:
		return simMap{c}
	case *types.Chan:
		return simChan{c}
	case *types.Struct, *types.Array:
		return simStruct{c}
	}
	return simUnknown{}
}

// isIntegers reports whether a slice is one of numbers larger than bytes.
func isIntegers(s *types.Slice) bool {
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Kind() != types.Byte
}

func simZero(t types.Type) any {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			return simInt{}
		case u.Info()&types.IsBoolean != 0:
			return simBool{}
		case u.Info()&types.IsFloat != 0:
			return simFloat{}
		}
		return simUnknown{}
	case *types.Slice:
		return simSlice{}
	case *types.Struct, *types.Array:
		return simStruct{&simCell{made: true}}
	}
	return simNil{}
}

func (r *simRun) load(c *simCell, t types.Type) any {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return simStruct{c}
	}
	if c.val != nil {
		return c.val
	}
	if c.item != nil {
		if sl, ok := t.Underlying().(*types.Slice); ok {
			if _, basic := sl.Elem().Underlying().(*types.Basic); basic {
				return *c.item
			}
		}
		return simUnknown{}
	}
	if c.made {
		return simZero(t)
	}
	if c.name == "" {
		return simUnknown{}
	}
	v := r.unknownOf(t, c)
	return v
}

func (r *simRun) store(c *simCell, v any) {
	if s, ok := v.(simStruct); ok {
		n := s.of.copied(0)
		c.sub, c.val, c.made, c.item = n.sub, n.val, n.made, n.item
		if n.name != "" {
			c.name = n.name
		}
		if c.name != "" {
			for k, s := range c.sub {
				s.named(c.name+k, 0)
			}
		}
		return
	}
	c.val = v
	if c.name != "" {
		switch x := v.(type) {
		case simPtr:
			x.to.named(c.name+"*", 0)
		case simSlice:
			if x.back != nil {
				x.back.named(c.name, 0)
			}
		case simMap:
			x.of.named(c.name, 0)
		case simChan:
			x.of.named(c.name, 0)
		}
	}
}

// named gives what was made by the initialization the name of the variable that leads to it.
func (c *simCell) named(name string, depth int) {
	if c.name != "" || depth > 6 {
		return
	}
	c.name = name
	for k, s := range c.sub {
		s.named(name+k, depth+1)
		switch x := s.val.(type) {
		case simPtr:
			x.to.named(s.name+"*", depth+1)
		case simSlice:
			if x.back != nil {
				x.back.named(s.name, depth+1)
			}
		case simMap:
			x.of.named(s.name, depth+1)
		case simChan:
			x.of.named(s.name, depth+1)
		}
	}
}

// call follows a function of the package.
func (r *simRun) call(fn *ssa.Function, args, bind []any, by ssa.CallInstruction) any {
	if len(fn.Blocks) == 0 || r.depth > 7 {
		return simUnknown{sized: anySized(args)}
	}
	r.depth++
	defer func() { r.depth-- }()
	f := &simFrame{r: r, by: by, env: map[ssa.Value]any{}}
	r.via = append(r.via, by)
	defer func() { r.via = r.via[:len(r.via)-1] }()
	for k, p := range fn.Params {
		if k < len(args) {
			f.env[p] = args[k]
		}
	}
	for k, v := range fn.FreeVars {
		if k < len(bind) {
			f.env[v] = bind[k]
		}
	}
	return f.run(fn)
}

func anySized(args []any) bool {
	for _, x := range args {
		if simSized(x) {
			return true
		}
	}
	return false
}

func simSized(x any) bool {
	switch x := x.(type) {
	case simUnknown:
		return x.sized && !x.counter
	case simInt:
		return x.sized
	case simBool:
		return x.sized
	case simFloat:
		return x.sized
	}
	return false
}

type simFrame struct {
	r      *simRun
	by     ssa.CallInstruction
	env    map[ssa.Value]any
	defers []func()
	chose  map[*ssa.BasicBlock]bool // where a branch on something unknown went one of its ways
}

// guessed reports whether a block was come to because a branch on something unknown went that way.
func (f *simFrame) guessed(b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		if f.chose[d] && slices.ContainsFunc(d.Succs, func(s *ssa.BasicBlock) bool { return len(s.Preds) == 1 && s.Dominates(b) }) {
			return true
		}
	}
	return false
}

func (f *simFrame) get(v ssa.Value) any {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return simZero(v.Type())
		}
		switch v.Value.Kind() {
		case constant.Int:
			if n, ok := constant.Int64Val(v.Value); ok {
				if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
					return simFloat{v: float64(n)}
				}
				return simInt{v: n}
			}
		case constant.Bool:
			return simBool{v: constant.BoolVal(v.Value)}
		case constant.Float:
			x, _ := constant.Float64Val(v.Value)
			return simFloat{v: x}
		}
		return simUnknown{}
	case *ssa.Global:
		return simPtr{f.r.outside(v.Name())}
	case *ssa.Function:
		return simFunc{fn: v}
	}
	if x, ok := f.env[v]; ok {
		return x
	}
	return simUnknown{}
}

func (f *simFrame) run(fn *ssa.Function) any {
	r := f.r
	var prev *ssa.BasicBlock
	b := fn.Blocks[0]
	for {
		phis := map[ssa.Value]any{}
		for _, i := range b.Instrs {
			p, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			for k, pred := range b.Preds {
				if pred == prev {
					phis[p] = f.get(p.Edges[k])
				}
			}
		}
		maps.Copy(f.env, phis)
		var next *ssa.BasicBlock
		for _, i := range b.Instrs {
			r.steps++
			r.s.steps++
			if r.steps > 4000 {
				r.stop(simLost)
			}
			switch i := i.(type) {
			case *ssa.Phi, *ssa.DebugRef:
			case *ssa.If:
				k := 1
				switch c := f.get(i.Cond).(type) {
				case simBool:
					if c.v {
						k = 0
					}
				default:
					if f.chose == nil {
						f.chose = map[*ssa.BasicBlock]bool{}
					}
					f.chose[b] = true
					if r.choose(simSized(c)) {
						k = 0
					}
				}
				next = b.Succs[k]
			case *ssa.Jump:
				next = b.Succs[0]
			case *ssa.Return:
				if len(i.Results) == 1 {
					return f.get(i.Results[0])
				}
				var t simTuple
				for _, x := range i.Results {
					t = append(t, f.get(x))
				}
				return t
			case *ssa.Panic:
				r.in, r.through, r.guessed = fn, f.by, f.guessed(b)
				r.stop(simPanicked)
			case *ssa.Store:
				if r.s.a.sliceLists.puts[i] != nil {
					f.appends(i)
					continue
				}
				if p, ok := f.get(i.Addr).(simPtr); ok {
					r.store(p.to, f.get(i.Val))
				}
			case *ssa.MapUpdate:
				if m, ok := f.get(i.Map).(simMap); ok {
					if k, ok := f.get(i.Key).(simInt); ok {
						r.store(m.of.at(fmt.Sprintf("{%d}", k.v)), f.get(i.Value))
					}
				}
			case *ssa.Defer:
				do := f.prepare(i)
				f.defers = append(f.defers, func() { do() })
			case *ssa.RunDefers:
				for k := len(f.defers) - 1; k >= 0; k-- {
					f.defers[k]()
				}
				f.defers = nil
			case *ssa.Call:
				f.env[i] = f.prepare(i)()
			case ssa.Value:
				f.env[i] = f.value(i)
			}
		}
		if next == nil {
			r.stop(simLost)
		}
		prev, b = b, next
	}
}

func (f *simFrame) value(i ssa.Value) any {
	r := f.r
	switch i := i.(type) {
	case *ssa.Alloc:
		c := &simCell{made: true}
		return simPtr{c}
	case *ssa.FieldAddr:
		if p, ok := f.get(i.X).(simPtr); ok {
			return simPtr{p.to.at(fmt.Sprintf(".%d", i.Field))}
		}
	case *ssa.Field:
		if s, ok := f.get(i.X).(simStruct); ok {
			return r.load(s.of.at(fmt.Sprintf(".%d", i.Field)), i.Type())
		}
	case *ssa.IndexAddr:
		c := f.element(f.get(i.X), i.X.Type(), f.get(i.Index))
		if c != nil {
			return simPtr{c}
		}
	case *ssa.Index:
		if c := f.element(f.get(i.X), i.X.Type(), f.get(i.Index)); c != nil {
			return r.load(c, i.Type())
		}
	case *ssa.Lookup:
		return f.lookup(i)
	case *ssa.UnOp:
		return f.unary(i)
	case *ssa.BinOp:
		return simBinary(i.Op, f.get(i.X), f.get(i.Y))
	case *ssa.Convert:
		x := f.get(i.X)
		if p, ok := x.(simPtr); ok && p.to.item != nil {
			return p // of memory, through unsafe.Pointer
		}
		b, ok := i.Type().Underlying().(*types.Basic)
		if !ok {
			return simUnknown{}
		}
		switch x := x.(type) {
		case simInt:
			if b.Info()&types.IsFloat != 0 {
				return simFloat{float64(x.v), x.sized}
			}
			if b.Info()&types.IsInteger != 0 {
				if b.Kind() == types.Uint8 {
					x.v &= 0xff
				}
				return x
			}
		case simFloat:
			if b.Info()&types.IsInteger != 0 {
				return simInt{v: int64(x.v), sized: x.sized}
			}
			return x
		case simUnknown:
			return x
		}
	case *ssa.MakeInterface:
		return f.get(i.X)
	case *ssa.ChangeInterface:
		return f.get(i.X)
	case *ssa.ChangeType:
		return f.get(i.X)
	case *ssa.TypeAssert:
		x := f.get(i.X)
		switch x.(type) {
		case simNil:
			if !i.CommaOk {
				r.stop(simLost)
			}
			return simTuple{simZero(i.AssertedType), simBool{}}
		case simUnknown:
			if i.CommaOk {
				return simTuple{simUnknown{}, simUnknown{}}
			}
			return x
		}
		if i.CommaOk {
			return simTuple{x, simBool{v: true}}
		}
		return x
	case *ssa.Extract:
		if t, ok := f.get(i.Tuple).(simTuple); ok && i.Index < len(t) {
			return t[i.Index]
		}
	case *ssa.MakeSlice:
		l, ok1 := f.get(i.Len).(simInt)
		c, ok2 := f.get(i.Cap).(simInt)
		if ok1 && ok2 {
			return simSlice{l.v, c.v, &simCell{made: true}}
		}
	case *ssa.Select:
		return f.selects(i)
	case *ssa.MakeChan:
		return simChan{&simCell{made: true}}
	case *ssa.MakeMap:
		return simMap{&simCell{made: true}}
	case *ssa.MakeClosure:
		fn := simFunc{fn: i.Fn.(*ssa.Function)}
		for _, b := range i.Bindings {
			fn.bind = append(fn.bind, f.get(b))
		}
		return fn
	case *ssa.Slice:
		return f.slice(i)
	}
	return simUnknown{}
}

// counts reports whether a field is a number that is counted up and down.
func (s *simulator) counts(v *types.Var) bool {
	if v == nil || !isInteger(v.Type()) {
		return false
	}
	is, known := s.counters[v]
	if known {
		return is
	}
	for _, fn := range s.a.fns {
		eachStore(fn, func(st *ssa.Store) {
			b, ok := st.Val.(*ssa.BinOp)
			if !ok || fieldAt(st.Addr) != v || b.Op != token.ADD && b.Op != token.SUB {
				return
			}
			for _, x := range []ssa.Value{b.X, b.Y} {
				if l, ok := x.(*ssa.UnOp); ok && fieldAt(l.X) == v {
					is = true
				}
			}
		})
	}
	s.counters[v] = is
	return is
}

// element is the cell of an element of a list or array.
func (f *simFrame) element(x any, t types.Type, index any) *simCell {
	var c *simCell
	n := int64(math.MaxInt64)
	switch x := x.(type) {
	case simSlice:
		c, n = x.back, x.len
	case simPtr:
		c = x.to
	case simStruct:
		c = x.of
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		n = a.Len()
	}
	if c == nil {
		return nil
	}
	k, ok := index.(simInt)
	if !ok {
		return nil
	}
	if k.v < 0 || k.v >= n {
		f.r.stop(simLost)
	}
	return c.at(fmt.Sprintf("[%d]", k.v))
}

func (f *simFrame) lookup(i *ssa.Lookup) any {
	m, ok := f.get(i.X).(simMap)
	t, isMap := i.X.Type().Underlying().(*types.Map)
	k, isInt := f.get(i.Index).(simInt)
	if !ok || !isMap || !isInt {
		if i.CommaOk {
			return simTuple{simUnknown{}, simUnknown{}}
		}
		return simUnknown{}
	}
	c := m.of.at(fmt.Sprintf("{%d}", k.v))
	var has any = simUnknown{}
	switch {
	case c.val != nil || len(c.sub) > 0:
		has = simBool{v: true}
	case m.of.made:
		has = simBool{sized: k.sized}
	case k.table != "":
		f.r.s.keyed[m.of.name] = true
		has = simBool{v: true}
	case f.r.s.keyed[m.of.name]:
		in := false
		for n := range int64(simLists) {
			in = in || simTable(n) == k.v
		}
		has = simBool{in, true}
	}
	var v any
	if b, known := has.(simBool); known && !b.v {
		v = simZero(t.Elem())
	} else {
		v = f.r.load(c, t.Elem())
	}
	if i.CommaOk {
		return simTuple{v, has}
	}
	return v
}

func (f *simFrame) unary(i *ssa.UnOp) any {
	x := f.get(i.X)
	switch i.Op {
	case token.MUL:
		if f.r.s.a.sliceLists.takes[i] != nil {
			return f.takes(i)
		}
		if p, ok := x.(simPtr); ok {
			v := f.r.load(p.to, i.Type())
			if u, ok := v.(simUnknown); ok {
				switch {
				case f.r.s.counts(fieldAt(i.X)):
					u.counter = true
					return u
				case f.r.s.limits(fieldAt(i.X)):
					return f.r.limit()
				}
			}
			return v
		}
	case token.NOT:
		if b, ok := x.(simBool); ok {
			b.v = !b.v
			return b
		}
		return x
	case token.SUB:
		if n, ok := x.(simInt); ok {
			n.v = -n.v
			return n
		}
	case token.XOR:
		if n, ok := x.(simInt); ok {
			n.v = ^n.v
			return n
		}
	case token.ARROW:
		return simUnknown{}
	}
	return simUnknown{sized: simSized(x)}
}

func (f *simFrame) slice(i *ssa.Slice) any {
	var s simSlice
	switch x := f.get(i.X).(type) {
	case simSlice:
		s = x
	case simPtr:
		p, ok := i.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return simUnknown{}
		}
		a, ok := p.Elem().Underlying().(*types.Array)
		if !ok {
			return simUnknown{}
		}
		s = simSlice{a.Len(), a.Len(), x.to}
	default:
		return simUnknown{}
	}
	at := func(v ssa.Value, other int64) (int64, bool) {
		if v == nil {
			return other, true
		}
		n, ok := f.get(v).(simInt)
		return n.v, ok
	}
	low, ok1 := at(i.Low, 0)
	high, ok2 := at(i.High, s.len)
	end, ok3 := at(i.Max, s.cap)
	if !ok1 || !ok3 {
		return simUnknown{}
	}
	if !ok2 || high < 0 && i.High == nil {
		if low > end {
			f.r.stop(simLost)
		}
		return simSlice{-1, end - low, s.back}
	}
	if high > s.cap || end > s.cap {
		f.r.beyond = s.cap
		f.r.stop(simBeyond)
	}
	if low < 0 || low > high || high > end {
		f.r.stop(simLost)
	}
	if low > 0 {
		s.back = nil
	}
	return simSlice{high - low, end - low, s.back}
}

// prepare gives what runs a call, its arguments taken now.
func (f *simFrame) prepare(c ssa.CallInstruction) func() any {
	r, cc := f.r, c.Common()
	var args []any
	for _, x := range cc.Args {
		args = append(args, f.get(x))
	}
	unknown := func() any {
		if res := cc.Signature().Results(); res.Len() > 1 {
			var t simTuple
			for range res.Len() {
				t = append(t, simUnknown{sized: anySized(args)})
			}
			return t
		}
		return simUnknown{sized: anySized(args)}
	}
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		if b.Name() == "len" && !isSlice(cc.Args[0].Type()) && !simSized(args[0]) {
			return func() any { return simUnknown{} } // of text or a table, which is no memory of a pool
		}
		return func() any { return r.builtin(b.Name(), args) }
	}
	if !cc.IsInvoke() {
		if m := calledMethod(c); m != nil {
			switch key := funcKey(m); key {
			case "sync.Pool.Get":
				return func() any { return r.poolGet(args) }
			case "sync.Pool.Put":
				return func() any { return r.poolPut(args, c) }
			default:
				if x := simMath(key, args); x != nil {
					return func() any { return x }
				}
				if strings.HasPrefix(key, "sync.") || strings.HasPrefix(key, "sync/") {
					return func() any { return unknown() }
				}
				if key == "sort.Search" && len(args) == 2 {
					return func() any { return r.search(args, unknown) }
				}
				if key == "slices.IndexFunc" && len(args) == 2 {
					return func() any { return r.indexFunc(cc.Args[0].Type(), args, unknown) }
				}
				if key == "slices.BinarySearch" && len(args) == 2 || key == "sort.SearchInts" {
					return func() any { return r.binarySearch(args, key == "sort.SearchInts", unknown) }
				}
			}
		}
	}
	if fn := r.s.a.calledFunction(c); fn != nil {
		if cc.IsInvoke() {
			args = append([]any{f.get(cc.Value)}, args...)
		}
		return func() any { return r.call(fn, args, nil, c) }
	}
	if fn, ok := f.get(cc.Value).(simFunc); ok && !cc.IsInvoke() && fn.fn != nil && fn.fn.Pkg == r.s.a.pkg {
		return func() any { return r.call(fn.fn, args, fn.bind, c) }
	}
	return unknown
}

// search follows sort.Search.
func (r *simRun) search(args []any, unknown func() any) any {
	n, ok := args[0].(simInt)
	fn, isFunc := args[1].(simFunc)
	if !ok || !isFunc || n.v > 64 {
		return unknown()
	}
	sized := false
	for k := range n.v {
		b, ok := r.call(fn.fn, []any{simInt{v: k}}, fn.bind, nil).(simBool)
		if !ok {
			return unknown()
		}
		sized = sized || b.sized
		if b.v {
			return simInt{v: k, sized: sized}
		}
	}
	return simInt{v: n.v, sized: sized}
}

func (r *simRun) binarySearch(args []any, only bool, unknown func() any) any {
	s, ok := args[0].(simSlice)
	x, isInt := args[1].(simInt)
	if !ok || !isInt || s.back == nil || s.len > 64 {
		return unknown()
	}
	at := s.len
	found := false
	for k := range s.len {
		n, ok := r.load(s.back.at(fmt.Sprintf("[%d]", k)), types.Typ[types.Int]).(simInt)
		if !ok {
			return unknown()
		}
		if n.v >= x.v {
			at, found = k, n.v == x.v
			break
		}
	}
	if only {
		return simInt{v: at, sized: x.sized}
	}
	return simTuple{simInt{v: at, sized: x.sized}, simBool{found, x.sized}}
}

func (r *simRun) poolGet(args []any) any {
	p, ok := args[0].(simPtr)
	if !ok || p.to.name == "" {
		r.asked = append(r.asked, "?")
		return simUnknown{}
	}
	name := p.to.name
	r.asked = append(r.asked, name)
	if x, ok := r.supplied(name); ok {
		return x
	}
	for k, c := range p.to.sub {
		// New is the field after those that are not exported.
		if fn, ok := c.val.(simFunc); ok && k != "" {
			return r.call(fn.fn, nil, fn.bind, nil)
		}
	}
	if r.s.globals[rootName(name)] != nil {
		return simNil{}
	}
	if r.choose(false) {
		return simNil{}
	}
	return simUnknown{}
}

// rootName is the variable that a name begins with.
func rootName(name string) string {
	if i := strings.IndexAny(name, ".[{*"); i > 0 {
		return name[:i]
	}
	return name
}

func (r *simRun) poolPut(args []any, c ssa.CallInstruction) any {
	name := "?"
	if p, ok := args[0].(simPtr); ok && p.to.name != "" {
		name = p.to.name
	}
	r.putTo(name, args[1], c)
	return simUnknown{}
}

func simBuiltin(name string, args []any) any {
	switch name {
	case "len", "cap":
		if s, ok := args[0].(simSlice); ok {
			n := s.len
			if name == "cap" {
				n = s.cap
			}
			if n < 0 {
				return simUnknown{sized: true}
			}
			// A list's length is no size.
			return simInt{v: n, sized: s.back == nil || s.back.name == ""}
		}
		return simUnknown{sized: true}
	case "copy":
		s, ok := args[0].(simSlice)
		t, ok2 := args[1].(simSlice)
		if ok && ok2 && s.len >= 0 && t.len >= 0 {
			return simInt{v: min(s.len, t.len), sized: true}
		}
	case "min", "max":
		best := args[0]
		for _, x := range args[1:] {
			less, ok := simBinary(token.LSS, x, best).(simBool)
			if !ok {
				return simUnknown{sized: anySized(args)}
			}
			if less.v == (name == "min") {
				best = x
			}
		}
		if n, ok := best.(simInt); ok {
			n.sized = anySized(args)
			return n
		}
		return best
	case "append":
		s, ok := args[0].(simSlice)
		if len(args) < 2 {
			return args[0]
		}
		t, ok2 := args[1].(simSlice)
		if !ok || !ok2 {
			return simUnknown{}
		}
		if s.len < 0 || t.len < 0 {
			return simUnknown{}
		}
		n := s.len + t.len
		return simSlice{n, max(n, s.cap), s.back}
	}
	return simUnknown{}
}

// simMath is the result of a function of math or math/bits.
func simMath(key string, args []any) any {
	if len(args) == 1 {
		switch n := args[0].(type) {
		case simInt:
			res := func(v int) any { return simInt{v: int64(v), sized: n.sized} }
			switch key {
			case "math/bits.Len", "math/bits.Len64":
				return res(bits.Len64(uint64(n.v)))
			case "math/bits.Len32":
				return res(bits.Len32(uint32(n.v)))
			case "math/bits.Len16":
				return res(bits.Len16(uint16(n.v)))
			case "math/bits.LeadingZeros", "math/bits.LeadingZeros64":
				return res(bits.LeadingZeros64(uint64(n.v)))
			case "math/bits.LeadingZeros32":
				return res(bits.LeadingZeros32(uint32(n.v)))
			case "math/bits.TrailingZeros", "math/bits.TrailingZeros64":
				return res(bits.TrailingZeros64(uint64(n.v)))
			case "math/bits.TrailingZeros32":
				return res(bits.TrailingZeros32(uint32(n.v)))
			case "math/bits.OnesCount", "math/bits.OnesCount64", "math/bits.OnesCount32":
				return res(bits.OnesCount64(uint64(n.v)))
			}
		case simFloat:
			switch key {
			case "math.Log2":
				return simFloat{math.Log2(n.v), n.sized}
			case "math.Ceil":
				return simFloat{math.Ceil(n.v), n.sized}
			case "math.Floor":
				return simFloat{math.Floor(n.v), n.sized}
			}
		}
	}
	if len(args) == 2 && key == "math.Pow" {
		x, ok := args[0].(simFloat)
		y, ok2 := args[1].(simFloat)
		if ok && ok2 {
			return simFloat{math.Pow(x.v, y.v), x.sized || y.sized}
		}
	}
	return nil
}

// unknownFrom is what an operation gives when it is not known.
func unknownFrom(list ...any) any {
	res := simUnknown{sized: anySized(list)}
	for _, x := range list {
		if u, ok := x.(simUnknown); ok && u.counter {
			res.counter = true
		}
	}
	return res
}

func simBinary(op token.Token, x, y any) any {
	sized := simSized(x) || simSized(y)
	switch x := x.(type) {
	case simInt:
		y, ok := y.(simInt)
		if !ok {
			return unknownFrom(x, y)
		}
		switch op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			// Of a table only the order is known.
			if x.table != y.table && !sized {
				return simUnknown{}
			}
			return simBool{constant.Compare(constant.MakeInt64(x.v), op, constant.MakeInt64(y.v)), sized}
		}
		v := int64(0)
		switch op {
		case token.ADD:
			v = x.v + y.v
		case token.SUB:
			v = x.v - y.v
		case token.MUL:
			v = x.v * y.v
		case token.QUO, token.REM:
			if y.v == 0 {
				return unknownFrom(x, y)
			}
			if op == token.QUO {
				v = x.v / y.v
			} else {
				v = x.v % y.v
			}
		case token.AND:
			v = x.v & y.v
		case token.OR:
			v = x.v | y.v
		case token.XOR:
			v = x.v ^ y.v
		case token.AND_NOT:
			v = x.v &^ y.v
		case token.SHL, token.SHR:
			if y.v < 0 || y.v > 62 {
				return unknownFrom(x, y)
			}
			if op == token.SHL {
				v = x.v << y.v
			} else {
				v = x.v >> y.v
			}
		default:
			return unknownFrom(x, y)
		}
		table := x.table
		if table == "" {
			table = y.table
		}
		return simInt{v, sized, table}
	case simFloat:
		y, ok := y.(simFloat)
		if !ok {
			return unknownFrom(x, y)
		}
		switch op {
		case token.ADD:
			return simFloat{x.v + y.v, sized}
		case token.SUB:
			return simFloat{x.v - y.v, sized}
		case token.MUL:
			return simFloat{x.v * y.v, sized}
		case token.QUO:
			return simFloat{x.v / y.v, sized}
		case token.LSS:
			return simBool{x.v < y.v, sized}
		case token.GTR:
			return simBool{x.v > y.v, sized}
		case token.LEQ:
			return simBool{x.v <= y.v, sized}
		case token.GEQ:
			return simBool{x.v >= y.v, sized}
		case token.EQL:
			return simBool{x.v == y.v, sized}
		case token.NEQ:
			return simBool{x.v != y.v, sized}
		}
		return unknownFrom(x, y)
	}
	// Against nil.
	if op == token.EQL || op == token.NEQ {
		if _, ok := y.(simNil); ok || isEmptySlice(y) {
			switch x := x.(type) {
			case simNil:
				return simBool{v: op == token.EQL}
			case simPtr, simMap, simChan, simFunc:
				return simBool{v: op == token.NEQ}
			case simSlice:
				return simBool{v: (x.cap == 0) == (op == token.EQL)}
			}
		}
		if b, ok := x.(simBool); ok {
			if c, ok := y.(simBool); ok {
				return simBool{(b.v == c.v) == (op == token.EQL), sized}
			}
		}
	}
	return unknownFrom(x, y)
}

func isEmptySlice(x any) bool {
	s, ok := x.(simSlice)
	return ok && s.cap == 0
}
