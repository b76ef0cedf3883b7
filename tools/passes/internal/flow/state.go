// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A state is what is known at one point of one path.
type state struct {
	f         *frame
	share     float64                    // of the whole walk, see estimate.go
	mem       map[*sym]*sym              // what this path wrote, by address
	epoch     map[*sym]int               // how often an unknown callee may have changed the object
	truth     map[*sym]bool              // outcomes of conditions on this path
	rel       map[*sym]*release          // values that are in a pool now
	gone      map[*sym]bool              // values that are no longer followed
	handed    map[*sym]bool              // tokens that somebody else may put back
	joined    map[*sym]bool              // of handed, those that were when the path last waited for others; never written to
	sent      map[*sym]*event            // tokens sent on a channel
	stores    map[*sym]*event            // where mem was written
	detached  map[*sym]bool              // contents that were taken out of their object before it was put
	escaped   map[*sym]bool              // local objects that an unknown callee may keep
	content   map[*sym]content           // what is known of the content of pooled buffers
	measured  map[*sym]measured          // tokens whose capacity was tested
	recvs     []*sym                     // received from channels
	lent      map[*sym][]ssa.Instruction // of handed, those that were only given to code chosen at run time, and the calls
	fitted    map[*sym]bool              // tokens whose capacity was compared with what is needed
	chosen    map[*sym]*sym              // which of several callees was taken for a function value or object
	blank     map[*sym]bool              // tokens that were zeroed where they were taken
	given     map[*sym]bool              // fields of tokens that were set to memory from elsewhere
	grown     map[*sym]*event            // headers (addresses) whose slice was appended to elsewhere
	counted   map[*sym]bool              // atomic numbers (addresses) that were added to, from an unknown start
	uncalled  map[*sym]ssa.Instruction   // what only functions have that were not called, and the calls that were given them
	toks      []*sym
	gos       []*spawn
	goPuts    []goPut           // what goroutines put on all their ways
	running   []*leftRunning    // goroutines that others left
	reads     []*sym            // fields of pooled values that the path read as they came
	filled    []*sym            // parts of pooled values that a decoder filled
	shared    []lentSlice       // slices of other pooled values that went to a pool
	skipped   []*ssa.BasicBlock // arms of if statements without else that this path passed by
	idle      []idle            // loops of which it had no turn
	asked     *ssa.BasicBlock   // the head of a loop of whose first turn it has only half of the condition
	vers      map[ssa.Instruction]int
	timedOut  bool               // the last receive was from a clock
	walkedOff bool               // the last select took a channel that tells of an end, beside one made for an answer
	again     bool               // some sync.Once had called its function before: what that gives up is gone
	usedNil   map[ssa.Value]bool // pointers to structs whose fields the path used where they are nil: it does not come about
	panics    int                // one more than the depth of the frame whose deferred calls run for a panic; 0 if none
	recovered bool               // from that
	returned  *ssa.Return        // of the last call that was followed
	refcount  int                // depth at which a reference count was tested; -1 if none
}

// A frame is one activation of a function on a path.
type frame struct {
	fn     *ssa.Function
	env    environment
	defers []*deferred
	visits []uint8
	stack  []ssa.Instruction // calls from the root down to this activation
	// inDefer is set while the deferred calls of this frame, or of a caller, run.
	inDefer bool
	// further is set where its loops get another turn, see comesRoundReleased.
	further bool
	parent  *frame
	last    token.Pos
}

type deferred struct {
	instr  *ssa.Defer
	callee callee
	args   []*sym
	// vers is how often each instruction had run, where an argument may be a slice.
	vers map[ssa.Instruction]int
}

// An event is something that happened to a value, with the calls that led there.
type event struct {
	stack []ssa.Instruction // outermost call first, the instruction itself last
	fn    *ssa.Function
}

func (e *event) pos() token.Pos {
	for i := len(e.stack) - 1; i >= 0; i-- {
		if p := instrPos(e.stack[i]); p.IsValid() {
			return p
		}
	}
	return token.NoPos
}

// posIn is where a function sees the event: its own call that led there, or the place itself if it had none.
func (e *event) posIn(fn *ssa.Function) token.Pos {
	for i := len(e.stack) - 1; i >= 0; i-- {
		if e.stack[i].Parent() == fn {
			if p := instrPos(e.stack[i]); p.IsValid() {
				return p
			}
		}
	}
	return e.pos()
}

// A release is a Put.
type release struct {
	event
	pool     *pool
	deferred bool
	async    bool   // by a goroutine or a channel's receiver
	closed   bool   // by the transport, which closes a request's body
	byField  bool   // the value was named by the field that holds it
	home     *sym   // what that is a field of, where it is known
	bounded  bool   // under a test of a capacity
	inTime   bool   // where a timer was found to be stopped in time
	flags    []*sym // fields of type bool that the path found set before
	value    *sym
	argType  types.Type
	received int // how often something had been received by then
}

// A spawn is a goroutine, or a transport, that holds values.
type spawn struct {
	event
	holds []*sym
	body  *ssa.Function // of a goroutine, where it is in view
	args  []*sym        // what the body is called with, and its free variables
	free  []*sym
	last  bool // it was started when a count of references had been asked
	// inTurn is the head of a loop that receives for it, among others.
	inTurn *ssa.BasicBlock
	// leaves are the values that its body uses and does not put.
	leaves  map[*sym]bool
	sink    string     // what the transport is; "" for a goroutine
	callee  string     // the function of another package that left it with a goroutine of its own
	failing bool       // it did so where it failed only
	from    []*sym     // results of the call that started it, where that is a function of another package
	on      *types.Var // the field with the channel that the receiver receives from
	with    []*sym     // what it received
	had     []heldPart // what was in the fields of what it holds
	// answers is how many were received from those, this one among them, that send on one channel.
	answers int
}

func newState() *state {
	return &state{
		mem: map[*sym]*sym{}, truth: map[*sym]bool{}, rel: map[*sym]*release{}, content: map[*sym]content{}, refcount: -1, share: 1,
	}
}

// set sets an entry of a map of a state that most paths have no use for: those are made when first written to.
func set[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

func (st *state) clone() *state {
	c := *st
	c.f = st.f.clone()
	c.mem = maps.Clone(st.mem)
	c.epoch = maps.Clone(st.epoch)
	c.truth = maps.Clone(st.truth)
	c.rel = maps.Clone(st.rel)
	c.gone = maps.Clone(st.gone)
	c.handed = maps.Clone(st.handed)
	c.sent = maps.Clone(st.sent)
	c.stores = maps.Clone(st.stores)
	c.detached = maps.Clone(st.detached)
	c.escaped = maps.Clone(st.escaped)
	c.content = maps.Clone(st.content)
	c.measured = maps.Clone(st.measured)
	c.lent = maps.Clone(st.lent)
	c.chosen = maps.Clone(st.chosen)
	c.fitted = maps.Clone(st.fitted)
	c.usedNil = maps.Clone(st.usedNil)
	c.blank = maps.Clone(st.blank)
	c.given = maps.Clone(st.given)
	c.grown = maps.Clone(st.grown)
	c.counted = maps.Clone(st.counted)
	c.vers = maps.Clone(st.vers)
	c.uncalled = maps.Clone(st.uncalled)
	c.toks = slices.Clip(st.toks)
	c.gos = slices.Clip(st.gos)
	c.goPuts = slices.Clip(st.goPuts)
	c.running = slices.Clip(st.running)
	c.recvs = slices.Clip(st.recvs)
	c.skipped = slices.Clip(st.skipped)
	c.idle = slices.Clip(st.idle)
	c.reads = slices.Clip(st.reads)
	c.filled = slices.Clip(st.filled)
	c.shared = slices.Clip(st.shared)
	return &c
}

func (f *frame) clone() *frame {
	if f == nil {
		return nil
	}
	c := *f
	c.env = f.env.clone()
	c.visits = slices.Clone(f.visits)
	c.defers = slices.Clip(f.defers)
	return &c
}

// here is an event at an instruction of the current frame.
func (st *state) here(i ssa.Instruction) event {
	return event{stack: append(slices.Clip(st.f.stack), i), fn: st.f.fn}
}

// instrPos is the best position of an instruction.
func instrPos(i ssa.Instruction) token.Pos {
	if p := i.Pos(); p.IsValid() {
		return p
	}
	switch i := i.(type) {
	case *ssa.Store:
		if p := i.Addr.Pos(); p.IsValid() {
			return p
		}
		return i.Val.Pos()
	case *ssa.UnOp:
		return i.X.Pos()
	case *ssa.MakeInterface:
		return i.X.Pos()
	case *ssa.IndexAddr:
		return i.X.Pos()
	case *ssa.RunDefers:
		// The return that runs them follows in the same block.
		b := i.Block()
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			if p := b.Instrs[k].Pos(); p.IsValid() {
				return p
			}
		}
	case *ssa.Return:
		if s := i.Parent().Syntax(); s != nil && len(i.Block().Instrs) > 0 {
			return s.End() - 1
		}
	}
	return token.NoPos
}

// inside reports whether address a lies within the object at o.
func inside(a, o *sym) bool {
	for {
		if a == o {
			return true
		}
		switch a.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface:
			a = a.a
		default:
			return false
		}
	}
}

// passes reports whether the path that names a passes through o.
func passes(a, o *sym) bool {
	for a != nil {
		if a == o {
			return true
		}
		switch a.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface, kLoad:
			a = a.a
		default:
			return false
		}
	}
	return false
}

// read is the content of the memory at addr.
func (a *analysis) read(st *state, addr *sym, typ types.Type) *sym {
	return a.readDepth(st, addr, typ, 0)
}

func (a *analysis) readDepth(st *state, addr *sym, typ types.Type, depth int) *sym {
	if f := a.listed(addr); f != nil {
		return f
	}
	if v := st.mem[addr]; v != nil {
		if u, ok := typ.Underlying().(*types.Struct); ok && depth < 3 && v.kind != kAgg && a.setInPart(st, addr, u) {
			return a.fieldByField(st, addr, u, typ, depth)
		}
		return v
	}
	if addr.kind == kField && addr.a != nil {
		if v := st.mem[addr.a]; v != nil {
			if t := plain(v); punned(addr) && t.kind == kToken {
				st.handOver(t) // an interface taken apart: its pointer is the value
			}
			return a.fieldOf(v, addr.idx, typ)
		}
	}
	if u, ok := typ.Underlying().(*types.Struct); ok && depth < 3 && u.NumFields() <= 32 {
		if _, isParam := typ.(*types.TypeParam); !isParam {
			return a.fieldByField(st, addr, u, typ, depth)
		}
	}
	n := st.epochOf(addr)
	if addr.kind == kElem && addr.b != nil {
		if a.unordered(st, addr) {
			return a.syms.load(addr, n, typ)
		}
	}
	if addr.root().kind == kAlloc && n == 0 && addrOnly(addr) {
		if z := a.syms.zero(typ); z.kind != kNil || owned(typ) {
			return z
		}
		return a.syms.unset()
	}
	return a.syms.load(addr, n, typ)
}

// epochOf counts how often the memory at an address may have been changed by
// callees out of view.
func (st *state) epochOf(addr *sym) int {
	n := 0
	for {
		if addr.fixed {
			return n
		}
		n += st.epoch[addr]
		switch addr.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface:
			addr = addr.a
		default:
			return n
		}
	}
}

// addrOnly reports whether an address names its object without an append between.
func addrOnly(x *sym) bool {
	for {
		switch x.kind {
		case kField, kElem, kView, kAdv, kIface:
			x = x.a
		case kAppend:
			return false
		default:
			return true
		}
	}
}

// fieldByField is a struct of what its fields hold.
func (a *analysis) fieldByField(st *state, addr *sym, u *types.Struct, typ types.Type, depth int) *sym {
	a.charge(8 * (1 + u.NumFields())) // symbols cost more than a look
	s := a.syms.fresh(kAgg, typ)
	s.a = nil
	for i := range u.NumFields() {
		s.list = append(s.list, a.readDepth(st, a.syms.field(addr, u, i), u.Field(i).Type(), depth+1))
	}
	return s
}

// setInPart reports whether a field of a struct was set after all of it was.
func (a *analysis) setInPart(st *state, addr *sym, u *types.Struct) bool {
	if !addr.inner || u.NumFields() > 32 {
		return false
	}
	for i := range u.NumFields() {
		if st.mem[a.syms.field(addr, u, i)] != nil {
			return true
		}
	}
	return false
}

// write stores v at addr.
func (a *analysis) write(st *state, addr, v *sym) {
	a.charge(len(st.mem))
	if addr.inner {
		for k := range st.mem {
			if k.kind == kField && k != addr && inside(k, addr) {
				delete(st.mem, k)
			}
		}
	}
	if v.kind == kAgg {
		delete(st.mem, addr)
		if u, ok := v.typ.Underlying().(*types.Struct); ok {
			if u.NumFields() == 0 && addr.kind == kElem {
				st.mem[addr] = a.syms.fresh(kOpaque, nil) // a key of a set, which is there now
			}
			for i, f := range v.list {
				a.write(st, a.syms.field(addr, u, i), f)
			}
			return
		}
	}
	if addr.kind == kElem && v.kind == kNil {
		// Elements are told apart by their index expressions only: that one is
		// nil says nothing of another.
		unset := v.idx == 1 && addr.a.kind == kAlloc && addr.b != nil && addr.b.kind == kConst
		if v = a.syms.fresh(kOpaque, nil); unset {
			set(&a.unsetElems, v, true)
		}
	}
	st.mem[addr] = v
	if from := ofArray(v); from != v && addr.kind == kAlloc {
		// A copy of an array has the same elements.
		for _, k := range keysOf(st.mem, func(k *sym) bool { return k.kind == kElem && k.a == from }) {
			st.mem[a.syms.elem(addr, k.b, nil)] = st.mem[k]
		}
	}
}

// replaced sees the struct at addr overwritten by v. The memory that its old
// value lent, as a bytes.Buffer does, is not the struct's any more, unless the
// new value leads to it.
func (a *analysis) replaced(st *state, addr, v *sym) {
	a.charge(len(a.syms.all))
	for _, s := range a.syms.all {
		if s.kind == kView && inside(s.a, addr) && !st.detached[s] && !leadsTo(v, addr, 0) {
			set(&st.detached, s, true)
		}
	}
}

// viewNow is part of the memory that an object has now: not what it had before
// it was replaced.
func (a *analysis) viewNow(st *state, x *sym, typ types.Type) *sym {
	v := a.syms.view(x, typ)
	for n := 1; st.detached[v]; n++ {
		v = a.syms.intern(symKey{kind: kView, a: x, k: n}, typ)
	}
	return v
}

// leadsTo reports whether a value was made of what is at addr.
func leadsTo(v, addr *sym, depth int) bool {
	if v == nil {
		return false
	}
	if v == addr || depth > 16 {
		return true
	}
	return leadsTo(v.a, addr, depth+1) || slices.ContainsFunc(v.list, func(x *sym) bool { return leadsTo(x, addr, depth+1) })
}

// fieldOf is field i of a struct value.
func (a *analysis) fieldOf(v *sym, i int, typ types.Type) *sym {
	if v.kind == kAgg && i < len(v.list) {
		return v.list[i]
	}
	if v.kind == kLoad && v.typ != nil {
		if u, ok := v.typ.Underlying().(*types.Struct); ok {
			return a.syms.load(a.syms.field(v.a, u, i), v.idx, typ)
		}
	}
	return a.syms.intern(symKey{kind: kOpaque, a: v, idx: i, val: "field"}, typ)
}

// havoc forgets what the memory of an object holds: an unknown callee saw it.
func (a *analysis) havoc(st *state, x *sym) {
	if x = plain(x); x.kind != kField {
		x = x.root()
	}
	switch x.kind {
	case kNil, kConst, kFunc, kOpaque:
		return
	}
	set(&st.epoch, x, st.epoch[x]+1)
	a.charge(len(st.mem))
	var gone []*sym // deleted together: what each look costs must not depend on the order
	for k, v := range st.mem {
		// What leads to a pooled value is taken to stay where it was put.
		if inside(k, x) && !k.fixed && !isOwnCount(k) && !a.pooled(st, v) && !a.leadsToPooled(st, v) {
			gone = append(gone, k)
		}
	}
	for _, k := range gone {
		delete(st.mem, k)
	}
}

// leadsToPooled reports whether an object made on the path, a slice that was made and appended to, or a closure, holds a
// value that came from a pool.
func (a *analysis) leadsToPooled(st *state, x *sym) bool {
	x = plain(x)
	of := x
	for of.kind == kAppend || of.kind == kView {
		of = of.a
	}
	if of.kind != kAlloc && of.kind != kClosure {
		return false
	}
	found := false
	a.reach(st, x, func(y *sym) bool {
		found = found || y.kind == kToken
		return !found
	})
	return found
}

// pooled reports whether a value is part of one that came from a pool, or went there.
func (a *analysis) pooled(st *state, x *sym) bool {
	for ; x != nil; x = x.a {
		if x.kind == kToken || st.rel[x] != nil {
			return true
		}
		if x.kind == kHold && slices.ContainsFunc(x.list, func(y *sym) bool { return a.pooled(st, y) }) {
			return true
		}
	}
	return false
}

// reach visits every value that x keeps reachable, x first. visit returns
// false to stop descending there.
func (a *analysis) reach(st *state, x *sym, visit func(*sym) bool) {
	a.reachAll(st, []*sym{x}, visit)
}

// reachAll visits every value that some of several keep reachable, once.
func (a *analysis) reachAll(st *state, roots []*sym, visit func(*sym) bool) {
	const visited, goesOn, walked = 1, 2, 4
	// What was seen is noted on the symbols, but not by a call within visit.
	var inner map[*sym]uint8
	if a.reaching {
		inner = map[*sym]uint8{}
	} else {
		a.reaching = true
		defer func() { a.reaching = false }()
		a.reaches++
	}
	turn := a.reaches
	seen := func(x *sym) uint8 {
		if inner != nil {
			return inner[x]
		}
		if x.reached != turn {
			return 0
		}
		return x.reachedAs
	}
	see := func(x *sym, as uint8) {
		if inner != nil {
			inner[x] |= as
			return
		}
		if x.reached != turn {
			x.reached, x.reachedAs = turn, 0
		}
		x.reachedAs |= as
	}
	look := func(x *sym) bool {
		if seen(x) == 0 {
			see(x, visited)
			if visit(x) {
				see(x, goesOn)
			}
		}
		return seen(x)&goesOn != 0
	}
	var keys []*sym // of st.mem, when first needed
	// up visits what a slice was found in, whatever else is there by now; not so where the slice
	// was taken out before that went to a pool.
	up := func(x *sym) {
		for ; x != nil && seen(x) == 0; x = x.a {
			if !look(x) {
				return
			}
			switch x.kind {
			case kField, kElem, kView, kAdv, kAppend, kIface:
			case kLoad:
				if !owned(x.typ) || st.detached[x] {
					return
				}
			default:
				return
			}
		}
	}
	var walk func(x *sym)
	walk = func(x *sym) {
		if x == nil || seen(x)&walked != 0 {
			return // what was only passed on the way up is walked: that must not depend on what came first
		}
		goes := look(x)
		see(x, walked)
		if !goes || x.kind == kView && st.detached[x] {
			return
		}
		if x.kind != kHold || !st.detached[x] {
			for _, p := range x.parents() {
				walk(p)
			}
		}
		if x.kind == kLoad && owned(x.typ) && !st.detached[x] {
			up(x.a)
		}
		switch x.kind {
		case kAlloc, kToken, kParam, kFree, kLoad, kOpaque, kRecv, kAppend, kField, kElem, kClosure, kHold:
			a.charge(len(st.mem))
			if !x.inner {
				walk(st.mem[x])
				return
			}
			if keys == nil && len(st.mem) > 0 {
				keys = slices.AppendSeq(make([]*sym, 0, len(st.mem)), maps.Keys(st.mem))
			}
			var within []*sym
			for _, k := range keys {
				if inside(k, x) {
					within = append(within, k)
				}
			}
			sortSyms(within)
			for _, k := range within {
				walk(st.mem[k])
				walk(keyOf(k))
			}
		}
	}
	for _, x := range roots {
		walk(x)
	}
}

// keyOf is the key of an entry of a map, where that is a pointer.
func keyOf(addr *sym) *sym {
	if addr.kind == kElem && addr.b != nil && addr.b.typ != nil && isPtr(addr.b.typ) {
		return addr.b
	}
	return nil
}

func sortedKeys[V any](m map[*sym]V) []*sym {
	keys := make([]*sym, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sortSyms(keys)
	return keys
}

// keysOf are some keys of a map, in order.
func keysOf[V any](m map[*sym]V, some func(*sym) bool) []*sym {
	var keys []*sym
	for k := range m {
		if some(k) {
			keys = append(keys, k)
		}
	}
	sortSyms(keys)
	return keys
}

func sortSyms(list []*sym) {
	slices.SortFunc(list, func(x, y *sym) int { return x.id - y.id })
}

// released returns the Put that gave away the memory that x leads to.
func (a *analysis) released(st *state, x *sym) *release {
	part := false
	for depth := 0; x != nil && depth < 64; depth++ {
		if r := st.rel[x]; r != nil && !st.gone[x] {
			return r
		}
		if st.detached[x] {
			if x = a.targetOf(st, x); x == nil {
				return nil
			}
			continue
		}
		switch x.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface:
			part = part || x.kind != kIface
			x = x.a
		case kLoad:
			if r := a.companionReleased(st, x); r != nil || !a.goesAlong(x) && !a.partGoesAlong(x, part) {
				return r
			}
			x = x.a
		case kHold:
			for _, p := range x.list {
				if r := a.released(st, p); r != nil {
					return r
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// releasedWithin finds a released value among all that x keeps reachable.
func (a *analysis) releasedWithin(st *state, x *sym) *release {
	var found *release
	a.reach(st, x, func(y *sym) bool {
		if found != nil {
			return false
		}
		if r := a.released(st, y); r != nil {
			found = r
			return false
		}
		return true
	})
	return found
}

// known evaluates a condition; ok is false when the path does not decide it.
func (a *analysis) known(st *state, c *sym) (value, ok bool) {
	switch c.kind {
	case kConst:
		if c.val.Kind().String() == "Bool" {
			return c.val.ExactString() == "true", true
		}
	case kCmp:
		if c.idx == int(token.EQL) {
			x, y := c.a, c.b
			if x == y && x.kind != kOpaque || x.kind == kNil && y.kind == kNil {
				return true, true
			}
			if x.kind == kNil {
				x, y = y, x
			}
			if y.kind == kNil && (nonNil(x) || sentinel(x)) {
				return false, true
			}
			if y.kind == kNil && x.kind == kView {
				return a.known(st, a.syms.nilTest(x.a))
			}
			if x.kind == kConst && y.kind == kConst {
				return x.val.ExactString() == y.val.ExactString(), true
			}
			if moved(x, y) || moved(y, x) {
				return false, true
			}
			for _, p := range [][2]*sym{{x, y}, {y, x}} {
				if p[0].kind == kConst && p[0].val.Kind().String() == "Bool" {
					if v, ok := a.known(st, p[1]); ok {
						return v == (p[0].val.ExactString() == "true"), true
					}
				}
			}
		}
		if c.idx == int(token.LSS) && c.a.kind == kConst && c.b.kind == kConst {
			return constLess(c.a, c.b)
		}
		if v, ok := countedUp(c); ok {
			return v, ok
		}
		if c.idx == int(token.LSS) && c.a == c.b {
			return false, true
		}
		if v, ok := cutToThat(c); ok {
			return v, ok
		}
		if v, ok := a.knownEmpty(st, c); ok {
			return v, ok
		}
		if v, ok := leavesSome(st, c); ok {
			return v, ok
		}
	case kArith:
		if c.idx == int(token.NOT) {
			v, ok := a.known(st, c.a)
			return !v, ok
		}
	case kOk:
		// What comes out of a pool is nil or of the type that goes in.
		if c.a.kind == kToken {
			if isNil, ok := st.truth[a.syms.nilTest(c.a)]; ok {
				if is, open := a.ofTakenType(c); !isNil && open {
					break // any of those that its pool may have
				} else {
					return !isNil && is, true
				}
			}
		}
	}
	v, ok := st.truth[c]
	if !ok && (distinct(c) || isAnother(st, c) || a.noError(st, c) || otherClass(st, c)) {
		return false, true
	}
	if !ok {
		return knownByRange(st, c)
	}
	return v, ok
}

// isAnother reports whether a condition asks if a value is one constant, where the path
// knows that it is another.
func isAnother(st *state, c *sym) bool {
	x, val := againstConst(c)
	if x == nil {
		return false
	}
	for known, is := range st.truth {
		if !is {
			continue
		}
		if y, other := againstConst(known); y == x && other.val.ExactString() != val.val.ExactString() {
			return true
		}
	}
	return false
}

// againstConst takes apart a test whether a value is a constant.
func againstConst(c *sym) (x, val *sym) {
	if c.kind != kCmp || c.idx != int(token.EQL) {
		return nil, nil
	}
	x, val = c.a, c.b
	if x.kind == kConst {
		x, val = val, x
	}
	if val.kind != kConst || x.kind == kConst || val.val == nil {
		return nil, nil
	}
	return x, val
}

// knownEmpty evaluates a test of a length with 0 by its counterpart: len(x) == 0
// is the opposite of 0 < len(x).
func (a *analysis) knownEmpty(st *state, c *sym) (value, ok bool) {
	isLen := func(x *sym) bool { return x.kind == kLen || x.kind == kCap }
	isZero := func(x *sym) bool {
		return x.kind == kConst && x.val.Kind() == constant.Int && constant.Sign(x.val) == 0
	}
	var other *sym
	if c.b != nil && (isZero(c.a) && hasElement(c.b) || isZero(c.b) && hasElement(c.a)) {
		switch {
		case c.idx == int(token.EQL):
			return false, true
		case c.idx == int(token.LSS):
			return isZero(c.a), true
		}
	}
	switch {
	case c.idx == int(token.LSS) && isZero(c.a) && isLen(c.b):
		other = a.equalTest(c.b, c.a)
	case c.idx == int(token.EQL) && isLen(c.a) && isZero(c.b):
		other, _ = a.syms.compare(token.LSS, c.b, c.a)
	case c.idx == int(token.EQL) && isZero(c.a) && isLen(c.b):
		other, _ = a.syms.compare(token.LSS, c.a, c.b)
	default:
		return false, false
	}
	v, ok := st.truth[other]
	return !v, ok
}

// moved reports whether y is x plus or minus a constant that is not zero.
func moved(x, y *sym) bool {
	return y.kind == kArith && (y.idx == int(token.ADD) || y.idx == int(token.SUB)) && y.a == x &&
		y.b != nil && y.b.kind == kConst && y.b.val.Kind() == constant.Int && constant.Sign(y.b.val) != 0
}

// sentinel reports whether a value is that of a package-level error variable,
// which nobody sets to nil.
func sentinel(x *sym) bool {
	return x.kind == kLoad && x.a.kind == kGlobal && x.typ != nil && types.Implements(x.typ, errorType)
}

var errorType = typeError.Underlying().(*types.Interface)

// assume records the outcome of a condition.
func (a *analysis) assume(st *state, c *sym, v bool) {
	if c.kind == kArith && c.idx == int(token.NOT) {
		a.assume(st, c.a, !v)
		return
	}
	st.truth[c] = v
	if v {
		a.foundSame(st, c)
	}
	if err := a.erring(c); v && err != nil {
		st.truth[a.syms.nilTest(err)] = false
	}
	if c.kind == kOk && !v && c.a.kind == kRecv {
		st.handOver(c.a) // there was none
	}
	if c.kind == kOk && !v && c.a.kind != kIface && !a.ofAnotherType(c) {
		// Of a box with a value in it, it is known what type that has: it only lacks methods.
		if _, known := st.truth[a.syms.nilTest(c.a)]; !known {
			st.truth[a.syms.nilTest(c.a)] = true
		}
	}
	if c.kind == kOk && v {
		st.truth[a.syms.nilTest(c.a)] = false
	}
}

// constLess compares two numbers.
func constLess(x, y *sym) (less, ok bool) {
	switch x.val.Kind() {
	case constant.Int, constant.Float:
		switch y.val.Kind() {
		case constant.Int, constant.Float:
			return constant.Compare(x.val, token.LSS, y.val), true
		}
	}
	return false, false
}
