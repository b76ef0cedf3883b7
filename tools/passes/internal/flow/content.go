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

// content is what a path knows of the content of a pooled value.
type content uint8

const (
	fromPool content = iota // as the last user left it
	isReset                 // emptied
	isDirty                 // written since
	isArmed                 // a timer that runs
)

// A growth is where something of any size is added to a value of a pool.
type growth struct {
	pool *pool
	pos  token.Pos
	late bool // it is emptied again there
}

// contents gathers, over all roots, how the values of each pool are emptied,
// filled and put. Whether a reset is missing shows only when all of a pool's
// gets and puts are known, so it is judged at the end of the package.
type contents struct {
	putEvents []putSite // of the current root
	getEvents []getSite
	growEvent []growth
	grows     map[*pool]growth // where its values are made to grow first
	bulky     bulky

	fieldUses, fieldLefts, fieldKept []fieldEvent // of the current root
	used, left, kept                 fieldUse

	byInputs
}

// A putSite is a Put on one path.
type putSite struct {
	pool   *pool
	ev     event
	state  content
	typ    types.Type
	light  bool       // without its slices and maps
	held   types.Type // typ, with type parameters replaced by what they stand for
	tested bool       // somewhere on the way to the Put a size is compared
	small  bool       // the pool itself bounds what it keeps
	fn     *ssa.Function
	// limited says that the path asked for the capacity of what it puts.
	limited bool
	noRoom  bool // the only slice of what is put was let go of
	tok     *sym // what was put, if the path took it from the pool
}

// A getSite is a use of what came out of a pool, without a reset before.
type getSite struct {
	pool  *pool
	token []token.Pos
	ev    event
	what  string
	over  bool // through a buffer that was made over it
}

func (c *contents) begin() {
	c.putEvents, c.getEvents, c.growEvent = nil, nil, nil
	c.fieldUses, c.fieldLefts, c.fieldKept = nil, nil, nil
	c.byInputs.begin()
	c.bulky.seen = nil
}

func (c *contents) commit(a *analysis) {
	for i := range c.putEvents {
		e := &c.putEvents[i]
		e.pool.puts = append(e.pool.puts, e)
	}
	for i := range c.getEvents {
		e := &c.getEvents[i]
		e.pool.gets = append(e.pool.gets, e)
	}
	if c.grows == nil {
		c.grows, c.used, c.left, c.kept = map[*pool]growth{}, fieldUse{}, fieldUse{}, fieldUse{}
	}
	c.used.add(c.fieldUses)
	c.left.add(c.fieldLefts)
	c.kept.add(c.fieldKept)
	c.byInputs.commit()
	for _, g := range c.growEvent {
		if old, ok := c.grows[g.pool]; !ok || old.late && !g.late || old.late == g.late && a.inOrder(g.pos, old.pos) < 0 {
			c.grows[g.pool] = g
		}
	}
	c.bulky.commit()
}

// pooledBuffer finds the pooled object that a value is, or is the buffer of.
func pooledBuffer(x *sym) *sym {
	for {
		switch x.kind {
		case kIface, kView, kAdv, kAppend, kField:
			x = x.a
		case kLoad:
			x = x.a
		case kToken:
			return x
		default:
			return nil
		}
	}
}

// noteWrite sees x appended to or written.
func (a *analysis) noteWrite(st *state, i ssa.Instruction, x *sym, grows bool) {
	a.noteWrittenOver(st, i, x)
	t := pooledBuffer(x)
	if t == nil || throughPointer(x) {
		if t != nil {
			a.noteInnerWrite(st, i, x, t, grows)
		}
		return
	}
	if grows && a.quiet == 0 && a.unboundedHere(st, i, t) {
		a.grown(t, i, false)
	}
	if u, isMap := i.(*ssa.MapUpdate); isMap && (x != t || a.empties(u.Map.Type())) {
		return // maps within a value are cleared by those who care for what is in them
	} else if isMap && u.Key == u.Value {
		return // a table that gives each key itself back, as interners have: old content is right
	} else if isMap && setInAnyCase(u) {
		return // a record, of which each user sets what the last one had set
	}
	a.touched(st, i, t, "written to")
}

// setInAnyCase reports whether a function sets a key that is a constant on all of its ways.
func setInAnyCase(u *ssa.MapUpdate) bool {
	if _, ok := u.Key.(*ssa.Const); !ok {
		return false
	}
	return !slices.ContainsFunc(u.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		_, ends := lastInstr(b).(*ssa.Return)
		return ends && b != u.Parent().Recover && !u.Block().Dominates(b)
	})
}

// empties reports whether the package deletes the keys of maps of a type one by
// one, which shows on no single path.
func (a *analysis) empties(t types.Type) bool {
	for _, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		if f := calledMethod(c); (isBuiltin(c, "delete") || f != nil && fromPackage(f, "maps") && f.Name() == "DeleteFunc") && types.Identical(c.Call.Args[0].Type().Underlying(), t.Underlying()) {
			return true
		}
	}
	return false
}

// touched records a use that is right only on an empty value.
func (a *analysis) touched(st *state, i ssa.Instruction, t *sym, what string) {
	if st.content[t] == fromPool {
		a.noteGet(st, i, t, what)
	}
	if st.content[t] != isDirty {
		st.content[t] = isDirty
	}
}

// noteGet records a use of content as it came from the pool.
func (a *analysis) noteGet(st *state, i ssa.Instruction, t *sym, what string) {
	if a.quiet == 0 {
		a.getEvents = append(a.getEvents, getSite{pool: t.pool, token: t.stack, ev: st.here(i), what: what})
	}
}

func isSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// noteWrittenOver sees a write to a buffer that was made over a slice: it comes after what
// the slice held.
func (a *analysis) noteWrittenOver(st *state, i ssa.Instruction, buf *sym) {
	if buf.kind != kHold || len(buf.list) != 1 || st.content[buf] == isReset {
		return
	}
	x := buf.list[0]
	t := pooledBuffer(x)
	if t == nil || st.content[t] != fromPool || x != t && (x.kind != kLoad || x.a != t) {
		return // cut, or a part of something else
	}
	if x != t || isSlice(t.typ) {
		n := len(a.getEvents)
		a.noteGet(st, i, t, "appended to")
		for ; n < len(a.getEvents); n++ {
			a.getEvents[n].over = true
		}
	}
}

func (a *analysis) noteReset(st *state, i ssa.Instruction, x *sym) {
	if f := calledMethod(i); f != nil && funcKey(f) == "time.Timer.Reset" {
		st.content[memory(x)] = isArmed
		return
	}
	if t := pooledBuffer(x); t != nil && !throughPointer(x) {
		st.content[t] = isReset
	}
	st.content[memory(x)] = isReset
}

// throughPointer reports whether a path leads through a pointer field.
func throughPointer(x *sym) bool {
	for ; x != nil; x = x.a {
		if x.kind == kLoad {
			return true
		}
	}
	return false
}

func calledMethod(i ssa.Instruction) *types.Func {
	c, ok := i.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if c.Common().IsInvoke() {
		return c.Common().Method
	}
	if f := c.Common().StaticCallee(); f != nil && !isBound(f) {
		obj, _ := f.Object().(*types.Func)
		return obj
	}
	return nil
}

// noteDrain sees x read to its end.
func (a *analysis) noteDrain(st *state, x *sym) {
	for _, y := range append([]*sym{plain(x)}, plain(x).list...) {
		if t := pooledBuffer(y); t != nil && st.content[t] == isDirty {
			st.content[t] = isReset
		}
		if a.madeWith(y) && st.content[y] == isDirty {
			st.content[y] = isReset
		}
	}
}

// noteDrained sees a receive from the channel field of an object.
func (a *analysis) noteDrained(st *state, obj *sym) {
	if st.content[memory(obj)] == isArmed {
		st.content[memory(obj)] = isReset
	}
}

func (a *analysis) noteClear(st *state, x *sym) {
	st.content[memory(x)] = isReset
	if t := pooledBuffer(x); t != nil && (!throughPointer(x) || x.kind == kLoad && x.a == t && x.typ != nil && isMapType(x.typ)) {
		st.content[t] = isReset
	}
}

// noteAppend sees append(x, ...) give s.
func (a *analysis) noteAppend(st *state, i ssa.Instruction, x, s *sym, c *ssa.CallCommon) {
	m := memory(x)
	t := pooledBuffer(x)
	if t == nil {
		return
	}
	if a.quiet == 0 && m.kind != kLoad && unbounded(i) {
		a.grown(t, i, false)
	}
	if x == t && t.kind == kToken && isSlice(t.typ) && st.content[t] == fromPool {
		// A slice that was in the pool by value, as long as it came.
		a.noteGet(st, i, t, "appended to")
	}
	if m.kind != kLoad {
		return
	}
	a.noteFieldUse(st, i, x, "appended to")
	ev := st.here(i)
	set(&st.grown, m.a, &ev)
	// Appending to the content as it came: no [:0] between.
	if x.kind == kLoad && m.a == t {
		a.touched(st, i, t, "appended to")
	}
}

// unbounded reports whether what a call adds to a buffer may be of any size: it
// is not a constant, a number or a byte, unless a loop adds one after another.
func unbounded(i ssa.Instruction) bool {
	ci, ok := i.(ssa.CallInstruction)
	if ok && roomTested(ci.Common(), i.Block()) {
		return false
	}
	if c, isCall := i.(*ssa.Call); isCall && handedOnFull(c) {
		return false
	}
	if ok && readsFew(ci.Common()) {
		return inLoop(i.Block()) && !emptiedEachTime(i, nil)
	}
	if !ok || inLoop(i.Block()) {
		return true
	}
	c := ci.Common()
	args := c.Args
	if f := calledMethod(ci); f != nil && f.Signature().Recv() != nil && !c.IsInvoke() && len(args) > 0 {
		args = args[1:]
	} else if _, isBuiltin := c.Value.(*ssa.Builtin); isBuiltin || len(args) > 1 && isBytes(args[0].Type()) {
		args = args[1:] // append(dst, ...), AppendX(dst, ...)
	}
	_, isAppend := c.Value.(*ssa.Builtin)
	for _, x := range args {
		if _, isConst := x.(*ssa.Const); isConst || isAppend && (isShort(x) || copiesWithin(c.Args[0], x)) {
			continue
		}
		switch t := x.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&types.IsString == 0 {
				continue
			}
		case *types.Array:
			continue
		}
		return true
	}
	return false
}

// copiesWithin reports whether a slice is filled with another of the same struct, which counts
// by what makes that one grow.
func copiesWithin(dst, src ssa.Value) bool {
	cut, ok := dst.(*ssa.Slice)
	if !ok || cut.High == nil || !isZeroSize(cut.High) {
		return false
	}
	v, of := fieldLoad(cut.X)
	w, from := fieldLoad(src)
	return v != nil && w != nil && of == from
}

// isShort reports whether variable arguments are few and written out.
func isShort(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return false
	}
	return !inLoop(s.Block())
}

// noteFieldStore sees a store, before it is made.
func (a *analysis) noteFieldStore(st *state, i *ssa.Store, addr, v *sym) {
	a.noteGrowth(st, i, addr, v)
	a.noteDirty(i, addr, v)
	a.noteOutput(st, i, addr, v)
	t := addr
	if t.kind != kToken && t.kind != kParam && t.kind != kLoad {
		return
	}
	// *p = T{...} or *p = s[:0]: the whole content is replaced.
	if v.kind == kAgg || v.kind == kNil || v.kind == kAlloc || v.kind == kView && v.idx == 1 {
		st.content[t] = isReset
		return
	}
	if tok := pooledBuffer(t); tok == t && st.content[t] == fromPool {
		if v.kind != kAppend && !passes(v, t) {
			st.content[t] = isReset
		}
	}
}

// decoders are functions that fill the argument with the given number, the
// receiver being 0, and leave alone what the input does not mention.
var decoders = map[string]int{
	"encoding/json.Unmarshal": 1, "encoding/json.Decoder.Decode": 1,
	"encoding/xml.Unmarshal": 1, "encoding/xml.Decoder.Decode": 1, "encoding/gob.Decoder.Decode": 1,
	"gopkg.in/yaml.v2.Unmarshal": 1, "gopkg.in/yaml.v3.Unmarshal": 1, "gopkg.in/yaml.v3.Decoder.Decode": 1,
	"github.com/json-iterator/go.Unmarshal": 1, "github.com/goccy/go-json.Unmarshal": 1, "github.com/bytedance/sonic.Unmarshal": 1,
	"github.com/vmihailenco/msgpack/v5.Unmarshal": 1, "github.com/fxamacker/cbor/v2.Unmarshal": 1, "github.com/BurntSushi/toml.Unmarshal": 1,
}

// noteWriter sees x passed to a callee out of view.
func (a *analysis) noteWriter(st *state, i ssa.CallInstruction, x *sym, t types.Type, name string) {
	a.noteTarget(st, i, x, t, name)
	if f := calledMethod(i); f != nil {
		if n, ok := decoders[a.named(f).key]; ok {
			c := i.Common()
			if n < len(c.Args) || c.IsInvoke() {
				if mi, isBox := lastArg(c).(*ssa.MakeInterface); isBox && a.val(st, mi) == x && !(isMapType(deref(mi.X.Type())) && a.empties(deref(mi.X.Type()))) {
					if tok := plain(x); tok.kind == kToken && keepsFields(mi.X.Type()) && !a.covered(st, tok, mi.X.Type()) {
						a.touched(st, i, tok, "decoded into")
					} else {
						a.decodedInto(st, i, tok, mi.X.Type())
					}
				}
			}
			return
		}
		if f.Signature().Recv() != nil && a.val(st, recvOf(i)) == x {
			switch {
			case strings.HasPrefix(name, "Reset"), strings.HasPrefix(name, "reset"), name == "Clear", name == "Truncate":
				a.noteReset(st, i, x)
				return
			}
			if tok := plain(x); name == "Write" && tok.kind == kToken && digests(t) {
				a.touched(st, i, tok, "written to")
				return
			}
			// A method of an encoder writes what it holds.
			if x.kind == kHold && (strings.HasPrefix(name, "Enc") || strings.HasPrefix(name, "Write") || name == "Flush" || name == "Close" || name == "Execute") {
				for _, y := range x.list {
					a.writtenThrough(st, i, plain(y))
					a.noteWrittenOver(st, i, plain(y))
					if tok := pooledBuffer(y); tok != nil && bufferType(tok, y) {
						a.noteWrite(st, i, y, true)
					}
				}
			}
			return
		}
	}
	if isWriter(t) {
		a.noteWrittenOver(st, i, plain(x))
		for _, y := range append([]*sym{plain(x)}, plain(x).list...) {
			a.noteWrittenOver(st, i, y)
			if tok := pooledBuffer(y); tok != nil && bufferType(tok, y) {
				a.noteWrite(st, i, y, true)
			}
			a.writtenThrough(st, i, y)
		}
	}
}

// digests reports whether a type is an interface of hash functions.
func digests(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	n := 0
	for m := range it.Methods() {
		switch m.Name() {
		case "Sum", "Reset", "BlockSize":
			n++
		}
	}
	return n == 3
}

func recvOf(i ssa.CallInstruction) ssa.Value {
	c := i.Common()
	if c.IsInvoke() || len(c.Args) == 0 {
		return c.Value
	}
	return c.Args[0]
}

func lastArg(c *ssa.CallCommon) ssa.Value {
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[len(c.Args)-1]
}

// bufferType reports whether a pooled value is an in-memory buffer, in which a
// write stays.
func bufferType(t, x *sym) bool {
	if t.typ == nil {
		return false
	}
	p, ok := t.typ.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	switch types.TypeString(p.Elem(), nil) {
	case "bytes.Buffer", "strings.Builder":
		return true
	}
	if s, ok := p.Elem().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Embedded() && types.TypeString(f.Type(), nil) == "bytes.Buffer" {
				return true
			}
		}
	}
	return false
}

// keepsFields reports whether decoding into a *T leaves parts of T alone.
func keepsFields(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		_, isMap := t.Underlying().(*types.Map)
		return isMap
	}
	switch p.Elem().Underlying().(type) {
	case *types.Struct, *types.Map:
		return true
	}
	return false
}

// covered reports whether every exported field of a pooled struct was assigned, or has a map that was emptied,
// on this path.
func (a *analysis) covered(st *state, t *sym, typ types.Type) bool {
	s := structOf(typ)
	if s == nil {
		return false
	}
	n, set := 0, 0
	for i := range s.NumFields() {
		if !s.Field(i).Exported() {
			continue
		}
		n++
		if addr := a.syms.field(t, s, i); st.mem[addr] != nil || a.emptiedMap(st, addr, s.Field(i).Type()) {
			set++
		}
	}
	return n > 0 && set == n
}

// emptiedMap reports whether a field has a map that a path emptied, or none.
func (a *analysis) emptiedMap(st *state, addr *sym, t types.Type) bool {
	if !isMapType(t) {
		return false
	}
	m := a.syms.load(addr, st.epochOf(addr), t)
	isNil, known := st.truth[a.syms.nilTest(m)]
	return st.content[m] == isReset || known && isNil || a.empties(t)
}

// notePut sees what a value is like when it goes to the pool.
func (a *analysis) notePut(st *state, i ssa.CallInstruction, x *sym, p *pool, pf poolFunc, argType types.Type, ev event) {
	if a.quiet == 0 && st.f.inDefer && pf.api != "sync.Pool" {
		a.checkBound(st, a.boundSlice(st, x), ev)
	}
	if a.quiet > 0 || !p.known || pf.api != "sync.Pool" {
		return
	}
	m := memory(x)
	typ := argType
	switch b := lastArg(i.Common()).(type) {
	case *ssa.MakeInterface:
		typ = b.X.Type()
	case *ssa.ChangeType:
		if isTypeParam(b.X.Type()) {
			typ = b.X.Type() // of any type: that is no box, as long as it is a parameter
		}
	}
	site := putSite{pool: p, ev: ev, state: st.content[m], typ: typ, held: structHeld(typ, ev.stack), small: pf.bounded, fn: a.root}
	a.noteNewBox(st, m, p)
	own := m.kind == kToken && m.pool == p
	if own {
		site.tok = m
	}
	if h, given := boxHeld(i, typ, ev.stack); h != nil && (own || m.kind == kAlloc || given != nil || !isPointerType(h)) && (st.mem[m] == nil || st.mem[m].kind != kNil) && !a.hookOutOfView(i, h) && !askedBefore(given) {
		site.held = h
	}
	if isSlice(typ) && m != x {
		// A slice by value: what its header says.
		site.state = isDirty
		if x.kind == kView && x.idx == 1 {
			site.state = isReset
		}
	} else if isSlice(typ) && a.putAsUsed(x) {
		site.state = isDirty
	}
	if m.kind == kToken && m.pool == p {
		if ptr, ok := typ.Underlying().(*types.Pointer); ok {
			if _, isSlice := ptr.Elem().Underlying().(*types.Slice); isSlice {
				// What the header says now.
				switch v := st.mem[m]; {
				case v == nil:
					site.state = fromPool // as long as it came
				case v.kind == kView && v.idx == 1 || v.kind == kNil || v.kind == kOpaque:
					site.state = isReset // or what a function gave that is not known
				case waitsForMore(st, v):
					site.state = isReset // until there are enough
				default:
					site.state = isDirty
				}
			}
		}
		if structOf(typ) != nil && a.covered(st, m, typ) {
			site.state = isReset
		}
	}
	site.limited = st.measured[m] == asLimit
	if site.limited {
		site.limited = a.wrongLimit(p, ev.stack) == nil
	}
	site.tested = site.limited || a.through[i] != nil && a.through[i].Bounded
	for k := range ev.stack {
		if a.testsSizeFor(ev.stack, k) {
			site.tested = true
		}
	}
	site.noRoom = a.withoutSlice(st, m, typ)
	site.light = a.lightened(st, m, typ)
	a.putEvents = append(a.putEvents, site)
	for _, t := range a.targets(st, x) {
		a.notePutField(t)
	}
	a.notePutStruct(st, x, p)
	a.checkHeader(st, i, x, p, typ, ev)
	a.checkRefs(st, x, p, instantiated(typ, ev.stack), ev)
	a.checkUncut(st, x, p, instantiated(typ, ev.stack), ev)
	a.checkKept(st, i, m, p, typ, ev)
	if site.state != isReset {
		a.noteLeft(st, m, p, ev)
		a.noteLeftByInput(st, m, p, typ, ev)
	}
}

// waitsForMore reports whether a path appended to a slice of things, and went on because there are not enough of
// them yet: they are kept for the next user to add to.
func waitsForMore(st *state, v *sym) bool {
	if v.kind != kAppend || v.typ == nil {
		return false
	}
	if s, ok := v.typ.Underlying().(*types.Slice); !ok || !hasPointers(s.Elem()) {
		return false
	}
	for c, is := range st.truth {
		if is && c.kind == kCmp && c.idx == int(token.LSS) && c.a.kind == kLen && c.a.a == v && c.b.kind == kConst {
			return true
		}
	}
	return false
}

// lightened reports whether a path set all slices, maps and pointers to buffers of a struct to nil: nothing that grew is left in it.
func (a *analysis) lightened(st *state, m *sym, typ types.Type) bool {
	p, ok := typ.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	if isSlice(p.Elem()) || isMapType(p.Elem()) {
		v := st.mem[m]
		return v != nil && v.kind == kNil // an empty box
	}
	u, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	some := false
	for k := range u.NumFields() {
		t := u.Field(k).Type()
		switch t.Underlying().(type) {
		case *types.Struct:
			if growable(t) {
				return false
			}
			continue
		case *types.Pointer:
			if !growable(t) {
				continue
			}
		case *types.Slice, *types.Map:
		default:
			continue
		}
		if v := st.mem[a.syms.field(m, u, k)]; v == nil || v.kind != kNil {
			return false
		}
		some = true
	}
	return some
}

// testsSize reports whether a function compares some length or capacity.
func (a *analysis) testsSize(fn *ssa.Function) bool {
	if v, ok := a.sizeTests[fn]; ok {
		return v
	}
	found := false
	for i := range instrsOf(fn) {
		if bo, ok := i.(*ssa.BinOp); ok {
			switch bo.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				if a.limits(bo) {
					found = true
				}
			}
		}
		if c, ok := i.(*ssa.If); ok && answersSize(c.Cond) {
			found = true
		}
	}
	a.sizeTests[fn] = found
	return found
}

// limits reports whether a comparison is of some length or capacity. A loop's own bound is no
// limit, nor is whether there is anything.
func (a *analysis) limits(bo *ssa.BinOp) bool {
	return (sizeOfSome(bo.X, 0) || sizeOfSome(bo.Y, 0) || a.limitsNoted(bo)) && !loopBound(bo) && !asksEmpty(bo) && !asksBegun(bo) && !makesRoom(bo) && !ofEmptied(bo) && !guardsIndex(bo)
}

// guardsIndex reports whether a comparison asks whether an index is within a slice that is then indexed with it.
func guardsIndex(bo *ssa.BinOp) bool {
	of := func(size, index ssa.Value) bool {
		c, ok := size.(*ssa.Call)
		if _, isConst := index.(*ssa.Const); !ok || isConst || !isBuiltin(c, "len") {
			return false
		}
		for _, r := range referrers(c.Call.Args[0]) {
			ia, ok := r.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			k := ia.Index
			if o, ok := k.(*ssa.BinOp); ok {
				if _, isConst := o.Y.(*ssa.Const); isConst {
					k = o.X
				}
			}
			if k == index {
				return true
			}
		}
		return false
	}
	return of(bo.Y, bo.X) || of(bo.X, bo.Y)
}

// sizeOfSome reports whether a value is a length or capacity, or worked out from one.
func sizeOfSome(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "cap" || b.Name() == "len"
		}
		if f := calledMethod(v); f != nil {
			n := strings.ToLower(f.Name())
			return strings.Contains(n, "cap") || n == "len" || strings.Contains(n, "size")
		}
	case *ssa.BinOp:
		return sizeOfSome(v.X, depth+1) || sizeOfSome(v.Y, depth+1)
	case *ssa.Convert:
		return sizeOfSome(v.X, depth+1)
	}
	return false
}

// answersSize reports whether a condition is the answer of a function that is asked about a
// length or capacity.
func answersSize(v ssa.Value) bool {
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v = not.X
	}
	c, ok := v.(*ssa.Call)
	if !ok || calledMethod(c) == nil {
		return false
	}
	return slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool {
		of, ok := x.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := of.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "cap" || b.Name() == "len")
	})
}

// asksEmpty reports whether a comparison is with 0.
func asksEmpty(b *ssa.BinOp) bool {
	for _, v := range []ssa.Value{b.X, b.Y} {
		if c, ok := v.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			return true
		}
	}
	return false
}

// asksBegun reports whether a comparison asks for no more than the first few bytes of a text.
func asksBegun(b *ssa.BinOp) bool {
	of := func(size, n ssa.Value) bool {
		c, ok := size.(*ssa.Call)
		return ok && isBuiltin(c, "len") && (isBytes(c.Call.Args[0].Type()) || isText(c.Call.Args[0].Type())) && few(n)
	}
	return of(b.X, b.Y) || of(b.Y, b.X)
}

// loopBound reports whether a comparison is that of a loop counter.
func loopBound(b *ssa.BinOp) bool {
	for _, v := range []ssa.Value{b.X, b.Y} {
		if add, ok := v.(*ssa.BinOp); ok && (add.Op == token.ADD) {
			v = add.X
		}
		if phi, ok := v.(*ssa.Phi); ok && inLoop(phi.Block()) {
			return true
		}
	}
	return false
}

// checkHeader reports a slice whose growth, or whose start, is lost when it is put.
func (a *analysis) checkHeader(st *state, i ssa.CallInstruction, x *sym, p *pool, typ types.Type, ev event) {
	at := func() (token.Pos, *ssa.Function) { return ev.outermost() }
	// A slice that begins in the middle of its array.
	adv := func(y *sym) bool {
		for ; y != nil; y = y.a {
			switch y.kind {
			case kAdv:
				return true
			case kView, kIface:
			default:
				return false
			}
		}
		return false
	}
	bad := adv(x)
	if x.kind == kToken && st.mem[x] != nil {
		bad = adv(st.mem[x]) // *p = (*p)[n:]
	}
	if x.kind == kAlloc {
		for _, k := range sortedKeys(st.mem) {
			if boxes(k, x) && adv(st.mem[k]) {
				bad = true
			}
		}
	}
	if bad {
		pos, fn := at()
		a.report(finding{
			pattern: staleHeader, pos: pos, fn: fn,
			message: fmt.Sprintf("%s no longer begins at the start of its array: the pool loses the part before it, or drops the slice for its capacity", apposed(a.putName(&ev, fn), "put in "+p.label()+" at "+a.line(ev.pos()), "the slice put in "+p.label())),
			related: a.related(rel("the Put", &ev)),
			more:    a.acquired(memory(x)), whose: p,
		})
		return
	}
	m := memory(x)
	a.checkRemade(st, m, p, ev)
	// A deferred put bound a slice that was appended to later.
	if st.f.inDefer {
		a.checkBound(st, a.boundSlice(st, x), ev)
	}
	if m.kind != kToken || m.val != nil && m.val.ExactString() == "true" || st.measured[m] != 0 {
		return
	}
	for _, addr := range sortedKeys(st.grown) {
		if !inside(addr, m) {
			continue
		}
		v := st.mem[addr]
		if v == nil {
			if _, isSlice := fieldOrElem(addr, typ).(*types.Slice); !isSlice || storedBack(st.grown[addr], st.stores[addr]) || a.growthFailed(st, st.grown[addr]) {
				continue
			}
			pos, fn := at()
			a.report(finding{
				pattern: staleHeader, pos: pos, fn: fn,
				message: fmt.Sprintf("the slice of %s was appended to (%s), but the grown slice is not stored back before the Put", apposed(a.putName(&ev, fn), "put in "+p.label(), "the value put in "+p.label()), a.line(st.grown[addr].pos())),
				related: append(a.related(rel("appended to here", st.grown[addr])), a.acquired(m)...),
				more:    a.related(rel("the Put", &ev)),
			})
			return
		}
	}
}

// storedBack reports whether what an append gave was stored where its slice was read, whatever the path
// forgot of that memory since.
func storedBack(grown, store *event) bool {
	if store == nil {
		return false
	}
	for n := range min(len(grown.stack), len(store.stack)) {
		// Up to here both came the same way. What one of them did in a callee, it did where it was called.
		if s, g := store.stack[n], grown.stack[n]; s != g {
			return s.Parent() == g.Parent() && after(s, g)
		}
	}
	return false
}

// growthFailed reports whether the call that appended gave an error, as the function that the path is in knows: what it
// gave besides may be dropped.
func (a *analysis) growthFailed(st *state, grown *event) bool {
	c, ok := grown.stack[len(grown.stack)-1].(*ssa.Call)
	if !ok {
		return false
	}
	return slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool {
		err, ok := r.(*ssa.Extract)
		if !ok || !isError(err.Type()) {
			return false
		}
		x := st.f.env.get(err)
		if x == nil {
			return false
		}
		isNil, known := a.known(st, a.syms.nilTest(x))
		return known && !isNil
	})
}

// fieldOrElem is the type of the memory at an address within a pooled value.
func fieldOrElem(addr *sym, typ types.Type) types.Type {
	if t := fieldType(addr); t != nil {
		return t.Underlying()
	}
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return typ.Underlying()
}

// boundSlice is the slice that goes to a pool as x: x itself, or what is in the
// box that was made for it.
func (a *analysis) boundSlice(st *state, x *sym) *sym {
	if x.kind != kAlloc {
		return x
	}
	bound := x
	for _, k := range sortedKeys(st.mem) {
		if boxes(k, x) {
			bound = st.mem[k]
		}
	}
	return bound
}

// checkBound reports a deferred put whose argument was fixed before the slice grew.
func (a *analysis) checkBound(st *state, x *sym, ev event) {
	var early *ssa.Defer
	for _, s := range ev.stack {
		if d, ok := s.(*ssa.Defer); ok {
			early = d
			break
		}
	}
	if early == nil {
		return
	}
	// The argument must have been evaluated as a slice at the defer itself.
	if !bindsSlice(early) {
		return
	}
	was := st.versAt(early)
	for x.kind == kView && x.idx == 1 {
		x = x.a // of length 0, but the same array
	}
	m := memory(x)
	tok := pooledBuffer(x)
	if tok == nil || st.fitted[tok] || tok.val != nil && tok.val.ExactString() == "true" {
		return
	}
	for _, s := range a.syms.all {
		if s.kind != kAppend || memory(s) != m || passes(x, s) || !passes(s.a, x) && x != m {
			continue
		}
		c, ok := s.obj.(ssa.Instruction)
		if !ok || s.turn > st.vers[c] || s.turn <= was[c] || tok.guessed && !unbounded(c) {
			continue
		}
		a.report(finding{
			pattern: staleHeader, pos: instrPos(early), fn: early.Parent(),
			message: fmt.Sprintf("the deferred call puts %s as it is here, but it is appended to later (%s): when that allocates, the grown array is lost", orElse(orElse(a.boundName(early), a.putName(&ev, early.Parent())), "the slice"), a.line(instrPos(c))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(c), Message: "appended to here"}},
			more:    append(a.related(rel("the Put", &ev)), a.acquired(tok)...),
			fixes:   a.bindLate(early),
		})
		return
	}
}

// bindsSlice reports whether an argument of a deferred call is a slice.
func bindsSlice(d *ssa.Defer) bool { return boundSliceAt(d) >= 0 }

// boundSliceAt is the first argument of a deferred call that is a slice, or -1.
func boundSliceAt(d *ssa.Defer) int {
	return slices.IndexFunc(d.Call.Args, func(v ssa.Value) bool { return isSlice(unboxed(v).Type()) })
}

// boundName is the local variable whose slice a deferred call binds.
func (a *analysis) boundName(d *ssa.Defer) string {
	if v := a.variableAt(d, boundSliceAt(d)); v != nil {
		return v.Name()
	}
	return ""
}

// versAt is how often each instruction had run when the path came to a defer whose
// call runs now: what was appended before is in the slice that the defer bound.
func (st *state) versAt(early *ssa.Defer) map[ssa.Instruction]int {
	for f := st.f; f != nil; f = f.parent {
		for _, d := range f.defers {
			if d.instr == early {
				return d.vers
			}
		}
	}
	return nil
}

// checkRefs reports a slice that is truncated but not cleared before it is put.
func (a *analysis) checkRefs(st *state, x *sym, p *pool, typ types.Type, ev event) {
	m := plain(x)
	for _, addr := range sortedKeys(st.mem) {
		if m.kind == kAlloc && !boxes(addr, m) || m.kind != kAlloc && !inside(addr, m) {
			continue
		}
		v := st.mem[addr]
		if v.kind != kView || v.idx != 1 {
			continue
		}
		sl, ok := fieldOrElem(addr, typ).(*types.Slice)
		pos, fn := ev.pos(), ev.fn
		if !ok && m.kind == kAlloc {
			// The box of a pool of anything: who knows what it is gave it to that.
			if sl, ok = sliceWithin(v); ok {
				pos, fn = ev.concrete()
			}
		}
		if !ok || !leadsOut(instantiated(sl.Elem(), ev.stack)) || m.kind == kAlloc && anything(sl.Elem()) || !a.mayLeadOut(sl.Elem()) {
			continue
		}
		if k := memory(v).kind; !passes(v, addr) && k != kLoad && (m.kind != kAlloc || k != kParam) {
			continue
		}
		if st.content[memory(v)] == isReset || a.clearsElements(ev, sl.Elem(), st.stores[addr]) || a.reslices(sl.Elem()) {
			continue
		}
		e := st.stores[addr]
		if e == nil || !sameTop(e, &ev) {
			continue
		}
		if store, ok := e.stack[len(e.stack)-1].(*ssa.Store); ok && withoutRoom(store.Val) {
			continue // cut to no capacity: nothing is kept
		}
		a.report(finding{
			pattern: retainedRefs, pos: pos, fn: fn,
			message: fmt.Sprintf("%s is cut to length 0 (%s) but not cleared before it goes to %s (%s): its old elements keep what they point to alive", a.cutName(e, &ev, fn), a.line(e.pos()), p.label(), a.line(ev.pos())),
			related: a.related(rel("cut here", e)),
			more:    append(a.related(rel("the Put", &ev)), a.acquired(m)...),
			fixes:   a.clearFirst(e),
		})
		return
	}
}

// sliceWithin is the type of a slice, or of what it was cut from, as far as that is known.
func sliceWithin(v *sym) (*types.Slice, bool) {
	for last := memory(v); ; v = v.a {
		if v.typ != nil {
			if sl, ok := v.typ.Underlying().(*types.Slice); ok {
				return sl, true
			}
		}
		if v == last {
			return nil, false
		}
	}
}

// concrete is where an event happens, or where the innermost function without type parameters calls what leads to it.
func (e *event) concrete() (token.Pos, *ssa.Function) {
	for n := len(e.stack) - 1; n >= 0; n-- {
		if fn := e.stack[n].Parent(); fn.Origin() == nil && fn.TypeParams().Len() == 0 && instrPos(e.stack[n]).IsValid() {
			return instrPos(e.stack[n]), fn
		}
	}
	return e.pos(), e.fn
}

// sameTop reports whether a store belongs to the put: it is in the function that
// puts, or in one that is called for the purpose.
func sameTop(e, put *event) bool {
	top := func(i ssa.Instruction) *ssa.Function { return i.Parent() }
	for _, s := range put.stack {
		for _, q := range e.stack {
			if top(s) == top(q) && (s.Block() == q.Block() || q.Block().Dominates(s.Block())) {
				return true
			}
		}
	}
	return false
}

// anything reports whether a type parameter says nothing of what its arguments are.
func anything(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	it, ok := p.Underlying().(*types.Interface)
	return !ok || it.NumMethods() == 0
}

// leadsOut reports whether an element keeps something else alive: it holds a
// pointer, interface, function, channel, map or string.
func leadsOut(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan, *types.Map:
		return true
	case *types.Basic:
		return u.Kind() == types.String
	case *types.Struct:
		for f := range u.Fields() {
			if leadsOut(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return leadsOut(u.Elem())
	}
	return false
}

// clearsElements reports whether a function on the way to a put touches the
// elements of slices of that type: it clears them, or resets them one by one.
func (a *analysis) clearsElements(ev event, elem types.Type, cut *event) bool {
	var fns []*ssa.Function
	if cut != nil {
		for _, s := range cut.stack {
			fns = append(fns, s.Parent())
		}
	}
	for _, s := range ev.stack {
		fns = append(fns, s.Parent())
	}
	for _, s := range ev.stack {
		for i := range instrsOf(s.Parent()) {
			if c, ok := i.(*ssa.Call); ok {
				if f := c.Call.StaticCallee(); f != nil && a.inPackage(f) && !slices.Contains(fns, f) {
					fns = append(fns, f)
				}
			}
		}
	}
	for _, fn := range fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				if ia := elementOf(i.Addr); ia != nil && sameElem(ia.X.Type(), elem) && !givenElement(i.Val, 0) {
					return true
				}
			case *ssa.Call:
				if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "clear" && (sameElem(i.Call.Args[0].Type(), elem) || a.clearsForAll(i, elem)) || a.clearedElsewhere(i, elem) {
					return true
				}
				for _, x := range i.Call.Args {
					if ia := elementOf(x); ia != nil && sameElem(ia.X.Type(), elem) {
						return true
					}
					if l, ok := x.(*ssa.UnOp); ok {
						if ia := elementOf(l.X); ia != nil && sameElem(ia.X.Type(), elem) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

func elementOf(v ssa.Value) *ssa.IndexAddr {
	for {
		switch x := v.(type) {
		case *ssa.IndexAddr:
			return x
		case *ssa.FieldAddr:
			v = x.X
		default:
			return nil
		}
	}
}

// sameElem reports whether t is a slice of elem, or may be one as far as generic code tells.
func sameElem(t, elem types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if _, any := elem.(*types.TypeParam); ok && any {
		return true
	}
	return ok && types.Identical(s.Elem(), elem)
}

// reslices reports whether the package extends slices of that type within
// their capacity, to use old elements again: it asks for a capacity, and cuts
// somewhere to a length other than 0. There is something to use again only where elements
// have memory of their own. So does who reads, of the slice as it came, the element that stands
// where another one, which was cut, is appended to next.
func (a *analysis) reslices(elem types.Type) bool {
	if !a.hasRoom(elem) {
		return false
	}
	asks, cuts := false, false
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "cap" && sameElem(i.Call.Args[0].Type(), elem) {
				asks = true
			}
		case *ssa.Slice:
			if i.High == nil || !sameElem(i.Type(), elem) {
				continue
			}
			if c, ok := i.High.(*ssa.Const); !ok || c.Value == nil || !isZero(c.Value) {
				cuts = true
			}
		case *ssa.IndexAddr:
			if n, ok := i.Index.(*ssa.Call); ok && sizeCall(n) == "len" && n.Call.Args[0] != i.X && sameElem(i.X.Type(), elem) && sameElem(n.Call.Args[0].Type(), elem) {
				return true
			}
		}
	}
	return asks && cuts
}

// judge draws the conclusions that need all of a pool's gets and puts.
func (a *analysis) judge() {
	a.judgeLists()
	for _, p := range a.poolList {
		if p.api != "sync.Pool" {
			continue
		}
		var dirty, oversize *putSite
		bounded := false
		slices.SortStableFunc(p.puts, func(x, y *putSite) int { return a.writtenFirst(x.ev.pos(), y.ev.pos()) })
		for _, s := range p.puts {
			if s.state == isDirty && dirty == nil {
				dirty = s
			}
			if s.tested {
				bounded = true
			}
			if oversize == nil && growable(s.held) && !s.light {
				oversize = s
			}
			if s.state == isArmed {
				a.reportFound(finding{
					pattern: missingReset, pos: s.ev.pos(), fn: s.fn,
					message: orElse(a.putName(&s.ev, s.fn), "the timer") + " goes to " + p.label() + " (" + a.line(s.ev.pos()) + ") while it may still be running: stop it, or its tick reaches the next user",
					more:    a.related(rel("the Put", &s.ev)), whose: p,
				})
			}
		}
		slices.SortStableFunc(p.gets, func(x, y *getSite) int { return a.writtenFirst(x.ev.pos(), y.ev.pos()) })
		if full := a.madeFull(p); dirty == nil && full.IsValid() && len(p.gets) > 0 && p.gets[0].what == "appended to" {
			g := p.gets[0]
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(g.ev.stack[0]),
				message: fmt.Sprintf("%s is appended to without a cut to length 0, and New makes it full (%s): what is appended comes after zeros", a.gotAs(g, "the slice"), a.line(full)),
				related: []goanalysis.RelatedInformation{{Pos: g.token[len(g.token)-1], Message: "taken here"}, {Pos: full, Message: "made here"}},
			})
		}
		if dirty != nil && len(p.gets) > 0 {
			g := p.gets[0]
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(g.ev.stack[0]),
				message: fmt.Sprintf("%s is %s without a reset, and a Put at %s returns it with content", a.gotAs(g, "the value"), g.what, a.line(dirty.ev.pos())),
				related: append([]goanalysis.RelatedInformation{{Pos: g.token[len(g.token)-1], Message: "taken here"}}, a.related(rel("put with content here", &dirty.ev))...),
				fixes:   a.afterGet(g.token[len(g.token)-1], "empty it after Get", a.emptied(g)),
			})
		}
		if dirty == nil && len(a.news[p.key]) == 0 {
			a.judgeWholeLength(p)
		}
		a.judgeNoRoom(p)
		if bounded {
			a.judgeUnbounded(p)
		}
		grows := a.grows[p].pos
		if oversize != nil && !bounded && a.grows[p].pool == nil {
			if grows = a.growsBehind(oversize); !grows.IsValid() {
				grows = a.growsInField(p)
			}
		}
		if oversize == nil || bounded || !grows.IsValid() {
			continue
		}
		if wrong := a.wrongLimit(p, oversize.ev.stack); wrong != nil {
			a.reportFound(finding{
				pattern: oversizeRetention, pos: oversize.ev.pos(),
				message: fmt.Sprintf("only what is large goes to %s, and what is small, as New makes it, is dropped: the comparison is the wrong way round (%s)", p.label(), a.line(instrPos(wrong))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(wrong), Message: "compared here"}, {Pos: grows, Message: "grows here"}},
			})
		} else {
			a.reportFound(finding{
				pattern: oversizeRetention, pos: oversize.ev.pos(),
				message: fmt.Sprintf("%s keeps %s: what one large input made grow (%s) stays in it; drop values above a limit instead of putting them", p.label(), a.keptAtAnySize(oversize), a.line(grows)),
				related: []goanalysis.RelatedInformation{{Pos: grows, Message: "grows here"}},
				more:    append(a.related(rel("the Put", &oversize.ev)), a.acquired(oversize.tok)...), whose: p,
			})
		}
	}
}

// madeFull finds, in the New function of a pool, the slice that it makes with a
// length above 0 and no more capacity than that.
func (a *analysis) madeFull(p *pool) token.Pos {
	for _, fn := range a.news[p.key] {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.MakeSlice:
				if n, ok := i.Len.(*ssa.Const); i.Len == i.Cap && (!ok || n.Int64() > 0) {
					return i.Pos()
				}
			case *ssa.Slice:
				al, ok := i.X.(*ssa.Alloc)
				if !ok || al.Comment != "makeslice" || i.Low != nil {
					continue
				}
				arr, ok := al.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
				if high, isConst := i.High.(*ssa.Const); ok && isConst && high.Int64() == arr.Len() && arr.Len() > 0 {
					return al.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// growable reports whether a value of the type grows with what is written to it.
func growable(t types.Type) bool {
	if t == nil {
		return false
	}
	if isDigest(t) {
		return false // of a fixed size, whatever is written
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	case *types.Struct:
		switch types.TypeString(t, nil) {
		case "bytes.Buffer":
			return true
		case "strings.Builder":
			return false // its Reset lets go of the memory
		}
		for f := range u.Fields() {
			switch types.TypeString(f.Type(), nil) {
			case "bytes.Buffer", "*bytes.Buffer":
				return true
			}
			if _, isMap := f.Type().Underlying().(*types.Map); isMap {
				return true
			}
			if s, ok := f.Type().Underlying().(*types.Slice); ok {
				if _, basic := s.Elem().Underlying().(*types.Basic); basic || u.NumFields() == 1 && onlyNumbers(s.Elem()) {
					return true
				}
			}
		}
	}
	return false
}

// onlyNumbers reports whether a type is a struct of numbers: a record of data, of which there may
// be any number.
func onlyNumbers(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() < 2 {
		return false
	}
	for f := range s.Fields() {
		if b, ok := f.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 {
			return false
		}
	}
	return true
}

// isDigest reports whether a type has the methods of hash.Hash.
func isDigest(t types.Type) bool {
	for _, name := range []string{"BlockSize", "Sum", "Write"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj == nil {
			return false
		}
	}
	return true
}
