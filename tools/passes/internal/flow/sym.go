// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A sym is a symbolic value: what an SSA value denotes on one path. Symbols
// are hash-consed, so that the same expression over the same memory is the
// same pointer; that is how two reads of one field, or two tests of one
// condition, are known to agree.
type sym struct {
	id   int
	kind kind
	a, b *sym
	idx  int        // field, parameter or result number; epoch of a load; operator of a comparison
	typ  types.Type // type of the value; for kIface the concrete type
	val  constant.Value
	obj  any    // *ssa.Function, types.Object, or the creating ssa.Instruction
	list []*sym // fields of kAgg, bindings of kClosure, parts of kHold
	pool *pool  // of kToken
	pos  token.Pos
	// stack is the chain of calls that made a token.
	stack []token.Pos
	mark  int // the last marking that reached it
	seen  int // the last marking that reached all that it is made of
	// reached is the last look of reachAll that came here, reachedAs what it noted.
	reached   int
	reachedAs uint8
	// guessed is set for a token whose pool was asked for a constant size.
	guessed bool
	turn    int  // which run of the instruction made it
	far     bool // an element that a function of another package set
	fixed   bool // a field that keeps what its object was made with
	// inner is set once there is a symbol for a part of this one's memory, which most have none of.
	inner bool
	kinds kinds // of this one and all that it mentions
}

// kinds is a set of kinds.
type kinds uint32

func setOf(list ...kind) kinds {
	var s kinds
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// markAll marks a symbol and what it is made of.
func (x *sym) markAll(n int) {
	for x != nil && x.mark != n {
		x.mark = n
		x.b.markAll(n)
		for _, y := range x.list {
			y.markAll(n)
		}
		x = x.a
	}
}

type kind uint8

const (
	kOpaque  kind = iota // result of an instruction that is not modelled
	kNil                 // zero value of a pointer-like type
	kConst               // boolean, number or string constant
	kParam               // parameter of the root function
	kFree                // free variable of a root closure
	kGlobal              // address of a package-level variable
	kFunc                // function
	kAlloc               // address of memory made on this path
	kToken               // value taken from a pool on this path
	kRecv                // value received from a channel (a)
	kField               // address of field idx of the struct at a
	kElem                // address of element b of the slice, array or map a
	kLoad                // what the memory at a held before this path wrote to it
	kView                // part of a's memory: slicing, Bytes()
	kAdv                 // slice of a that does not start at a's first element
	kAppend              // append to a: a's array, or a grown one
	kHold                // value that keeps every member of list reachable
	kIface               // interface holding a, of concrete type typ
	kClosure             // closure with bindings list
	kAgg                 // struct value with fields list
	kCmp                 // comparison a op b
	kArith               // a op b
	kLen                 // len(a)
	kCap                 // cap(a)
	kOk                  // the ok of a comma-ok on a
	kAtomic              // result of an atomic read-modify-write at a
)

type symKey struct {
	kind kind
	a, b *sym
	idx  int
	obj  any
	k    int
	val  string
	top  ssa.Instruction // the innermost call that the path is in
	from *pool
}

// A plainKey is a symKey that has nothing but what a processor compares and hashes at once, as most have.
type plainKey struct {
	a, b         *sym
	kind, idx, k int
}

// symbols interns the symbols of one root analysis.
type symbols struct {
	byKey    map[symKey]*sym
	byPlain  map[plainKey]*sym
	all      []*sym
	marks    int // number of the last marking
	fixed    map[types.Object]bool
	names    map[types.Type]string // of types, as they tell boxes apart
	asserted map[*sym]types.Type   // types that kOk tests for
	readErrs map[*sym]*sym         // errors that come with a number of bytes
	wrapped  map[*sym][]*sym       // of errors that were made around others, those
	contexts map[*sym]contextLayer // how contexts were made
	whose    map[*sym]*sym         // of what an interface's method gave, the object
	fedBack  map[*sym]*sym         // slices that calls gave, by those that they were given
	consts   map[*ssa.Const]*sym   // of constants in the code
}

func newSymbols() *symbols {
	return &symbols{byKey: map[symKey]*sym{}, byPlain: map[plainKey]*sym{}, names: map[types.Type]string{}}
}

func (key *symKey) isPlain() bool {
	return key.obj == nil && key.val == "" && key.top == nil && key.from == nil
}

func (key *symKey) plain() plainKey { return plainKey{key.a, key.b, int(key.kind), key.idx, key.k} }

// find is the symbol with a key, or nil.
func (t *symbols) find(key symKey) *sym {
	if key.isPlain() {
		return t.byPlain[key.plain()]
	}
	return t.byKey[key]
}

func (t *symbols) intern(key symKey, typ types.Type) *sym {
	if s := t.find(key); s != nil {
		return s
	}
	s := &sym{id: len(t.all) + 1, kind: key.kind, a: key.a, b: key.b, idx: key.idx, obj: key.obj, turn: key.k, typ: typ, kinds: setOf(key.kind)}
	if s.a != nil {
		s.kinds |= s.a.kinds
		switch s.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface:
			s.a.inner = true
		}
	}
	if s.b != nil {
		s.kinds |= s.b.kinds
	}
	if key.isPlain() {
		t.byPlain[key.plain()] = s
	} else {
		t.byKey[key] = s
	}
	t.all = append(t.all, s)
	return s
}

// fresh returns a symbol that equals no other.
func (t *symbols) fresh(k kind, typ types.Type) *sym {
	s := &sym{id: len(t.all) + 1, kind: k, typ: typ, kinds: setOf(k)}
	t.all = append(t.all, s)
	return s
}

func (t *symbols) constant(v constant.Value, typ types.Type) *sym {
	// The 1 of a float is the symbol of the integer 1, and must be its value too.
	if n := constant.ToInt(v); n.Kind() == constant.Int {
		v = n
	}
	s := t.intern(symKey{kind: kConst, val: v.ExactString()}, typ)
	s.val = v
	return s
}

// ofConst is the symbol of a constant that is not nil. It is looked up for each use of the constant on
// each path, and costs as much as its value is long.
func (t *symbols) ofConst(c *ssa.Const) *sym {
	s := t.consts[c]
	if s == nil {
		s = t.constant(c.Value, c.Type())
		set(&t.consts, c, s)
	}
	return s
}

func (t *symbols) boolean(b bool) *sym {
	return t.constant(constant.MakeBool(b), types.Typ[types.Bool])
}

func (t *symbols) null() *sym { return t.intern(symKey{kind: kNil}, types.Typ[types.UntypedNil]) }

// unset is the nil of a pointer in memory that was not written since it was made.
func (t *symbols) unset() *sym {
	return t.intern(symKey{kind: kNil, idx: 1}, types.Typ[types.UntypedNil])
}

// zero is the zero value of a type.
func (t *symbols) zero(typ types.Type) *sym {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return t.boolean(false)
		case u.Info()&types.IsString != 0:
			return t.constant(constant.MakeString(""), typ)
		case u.Info()&types.IsNumeric != 0:
			return t.constant(constant.MakeInt64(0), typ)
		}
		return t.null()
	case *types.Struct:
		s := t.fresh(kAgg, typ)
		for f := range u.Fields() {
			s.list = append(s.list, t.zero(f.Type()))
		}
		return s
	case *types.Array:
		return t.fresh(kOpaque, typ)
	}
	if _, ok := typ.(*types.TypeParam); ok {
		return t.fresh(kOpaque, typ)
	}
	return t.null()
}

// field is the address of field i of the struct of type s at base.
func (t *symbols) field(base *sym, s *types.Struct, i int) *sym {
	f := t.intern(symKey{kind: kField, a: base, idx: i}, nil)
	if f.obj == nil && s != nil && i >= 0 && i < s.NumFields() {
		f.obj = s.Field(i).Origin()
		f.fixed = t.fixed[s.Field(i).Origin()]
	}
	return f
}

// hidden is the address of what a value of an opaque type keeps, such as the
// reader under a bufio.Reader.
func (t *symbols) hidden(base *sym) *sym { return t.field(base, nil, -1) }

// cell is the address of what a value of a type of sync/atomic holds.
func (t *symbols) cell(base *sym) *sym { return t.field(base, nil, cellField) }

// lent is the address of the memory that a handle lends.
func (t *symbols) lent(handle *sym) *sym { return t.field(handle, nil, lentField) }

const lentField = -5

// cellField is the number of the field that an atomic value is kept in.
const cellField = -4

func (t *symbols) elem(base, index *sym, typ types.Type) *sym {
	return t.intern(symKey{kind: kElem, a: base, b: index}, typ)
}

func (t *symbols) load(addr *sym, epoch int, typ types.Type) *sym {
	return t.intern(symKey{kind: kLoad, a: addr, idx: epoch}, typ)
}

// view is part of the memory of a; views of views are views of the whole.
func (t *symbols) view(a *sym, typ types.Type) *sym {
	if a.kind == kNil {
		return a
	}
	return t.intern(symKey{kind: kView, a: a}, typ)
}

func (t *symbols) iface(a *sym, typ types.Type) *sym {
	if a.kind == kIface {
		return a
	}
	name, ok := t.names[typ]
	if !ok {
		name = types.TypeString(typ, nil)
		t.names[typ] = name
	}
	return t.intern(symKey{kind: kIface, a: a, val: name}, typ)
}

// hold is a value that keeps others reachable: a reader over a buffer, an
// error that names an address.
func (t *symbols) hold(typ types.Type, parts ...*sym) *sym {
	s := t.fresh(kHold, typ)
	s.list = parts
	return s
}

// compare makes the canonical comparison: only ==, < and <= occur; the second
// result says whether the outcome is negated.
func (t *symbols) compare(op token.Token, a, b *sym) (*sym, bool) {
	neg := false
	switch op {
	case token.NEQ:
		op, neg = token.EQL, true
	case token.GTR:
		op, a, b = token.LSS, b, a
	case token.GEQ:
		op, neg = token.LSS, true
	case token.LEQ:
		op, a, b, neg = token.LSS, b, a, true
	}
	if op == token.EQL && a.id > b.id {
		a, b = b, a
	}
	return t.intern(symKey{kind: kCmp, a: a, b: b, idx: int(op)}, types.Typ[types.Bool]), neg
}

// nilTest is the condition x == nil.
func (t *symbols) nilTest(x *sym) *sym {
	c, _ := t.compare(token.EQL, plain(x), t.null())
	return c
}

// plain strips interface boxes, which do not change what is compared with nil.
func plain(x *sym) *sym {
	for x.kind == kIface {
		x = x.a
	}
	return x
}

// nonNil reports whether a value cannot be nil by construction.
func nonNil(x *sym) bool {
	switch x.kind {
	case kAlloc, kGlobal, kFunc, kClosure, kField, kElem, kConst, kAgg, kHold:
		return true
	case kIface:
		// A nil pointer in an interface is not a nil interface, but whoever
		// tests it means the pointer.
		return nonNil(x.a)
	}
	return false
}

// parents are the values of whose memory x is a part or holder.
func (x *sym) parents() []*sym {
	switch x.kind {
	case kField, kElem, kView, kAdv, kAppend, kIface:
		return []*sym{x.a}
	case kHold, kClosure, kAgg:
		return x.list
	}
	return nil
}

// root follows a value to the object whose memory it is in, through field and
// element addresses, slices and boxes, but through no pointer.
func (x *sym) root() *sym {
	for {
		switch x.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface:
			x = x.a
		default:
			return x
		}
	}
}

// base follows loads as well, to the variable or value where a path begins.
func (x *sym) base() *sym {
	for {
		switch x.kind {
		case kField, kElem, kView, kAdv, kAppend, kIface, kLoad:
			x = x.a
		default:
			return x
		}
	}
}

// mentionsSome is mentions for what only symbols of some kinds can be.
func (x *sym) mentionsSome(of kinds, ok func(*sym) bool) bool {
	if x == nil || x.kinds&of == 0 {
		return false
	}
	if of&(1<<x.kind) != 0 && ok(x) {
		return true
	}
	return x.a.mentionsSome(of, ok) || x.b.mentionsSome(of, ok)
}

// mentions reports whether x contains y.
func (x *sym) mentions(ok func(*sym) bool) bool {
	if x == nil {
		return false
	}
	if ok(x) {
		return true
	}
	return x.a != nil && x.a.mentions(ok) || x.b != nil && x.b.mentions(ok)
}

// function is the function that a symbol denotes, and its bindings.
func (x *sym) function() (*ssa.Function, []*sym) {
	switch x.kind {
	case kFunc:
		return x.obj.(*ssa.Function), nil
	case kClosure:
		return x.obj.(*ssa.Function), x.list
	}
	return nil, nil
}

// owned reports whether memory of this type, found in a field of a pooled
// value, goes with it to the pool. Slices and maps do; pointers and interfaces
// usually lead to what somebody else owns.
func owned(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// hasPointers reports whether values of a type can lead to memory.
func hasPointers(t types.Type) bool { return hasPointersDepth(t, 0) }

func hasPointersDepth(t types.Type, depth int) bool {
	if depth > 8 || t == nil {
		return true
	}
	if _, ok := t.(*types.TypeParam); ok {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String || u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil || u.Kind() == types.UntypedString
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointersDepth(f.Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Array:
		return u.Len() > 0 && hasPointersDepth(u.Elem(), depth+1)
	case *types.Tuple:
		for v := range u.Variables() {
			if hasPointersDepth(v.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}
