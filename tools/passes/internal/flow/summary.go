// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Summary is the fact about an exported function that other packages need:
// what it does with pooled values, as the outcomes of its paths.
type Summary struct {
	Outcomes []Outcome
	// Unfollowed says that the function was too much to follow, and may put what it is given.
	Unfollowed bool `json:",omitempty"`
	// Waits says that the function waits for others: it receives from a channel, or calls Wait.
	Waits bool `json:",omitempty"`
	// Plain says that the function only gives back or keeps memory of its parameters.
	Plain bool `json:",omitempty"`
	// Keeps are the parameters that the function, of which nothing else is known, may keep.
	Keeps []int `json:",omitempty"`
	// Left is what the function, of which nothing else is known, leaves with goroutines.
	Left []Left `json:",omitempty"`
	// Stored is what the function, of which nothing else is known, keeps in containers.
	Stored []Stored `json:",omitempty"`
	// Clears are the parameters, slices, whose elements the function clears.
	Clears []int `json:",omitempty"`
	// Thin is set where the function does nothing but one call of a sync.Pool's method.
	Thin *Thin `json:",omitempty"`

	packed []byte // as it came from another package; see unpack
}

// AFact marks Summary as a fact.
func (*Summary) AFact() {}

func (s *Summary) String() string {
	if s.packed != nil {
		own := *s // others may read s as well
		own.unpack()
		return own.String()
	}
	if s.Unfollowed {
		return "not followed"
	}
	text := ""
	for i, o := range s.Outcomes {
		if i > 0 {
			text += " | "
		}
		text += o.String()
	}
	return text
}

// An Outcome is one way in which a function returns. All expressions are over
// its parameters and the memory that they led to when it was called.
type Outcome struct {
	Conds   []Cond  // what holds when this outcome happens
	Writes  []Write // what the function stored
	Puts    []Put   // what went to a pool
	Gone    []*Expr // what may have gone to a pool
	Held    []*Expr // what a goroutine holds on return
	Kept    []*Expr // what is reachable from elsewhere on return
	Results []*Expr
}

// String is short: it is what tests of facts compare.
func (o *Outcome) String() string {
	text := ""
	for _, p := range o.Puts {
		text += fmt.Sprintf("puts %s in %s; ", p.Value, strings.TrimPrefix(p.Pool, fieldMark))
	}
	for _, g := range o.Gone {
		text += fmt.Sprintf("may put %s; ", g)
	}
	for _, h := range o.Held {
		text += fmt.Sprintf("goroutine holds %s; ", h)
	}
	text += "returns"
	for _, r := range o.Results {
		text += " " + r.String()
	}
	return text
}

// A Cond is a condition with its value.
type Cond struct {
	Test *Expr
	Is   bool
}

// A Write is a store.
type Write struct{ Addr, Val *Expr }

// A Put is a release.
type Put struct {
	Value *Expr
	Pool  string
}

// An Expr is a symbolic value that other packages can understand.
type Expr struct {
	Kind   string // of sym, by name
	Index  int    `json:",omitempty"` // parameter, field, operator, or number of an object made by the function
	Text   string `json:",omitempty"` // constant, global, pool, type
	Sized  bool   `json:",omitempty"`
	A, B   *Expr  `json:",omitempty"`
	Others []*Expr
}

func (e *Expr) String() string {
	if e == nil {
		return unknown
	}
	switch e.Kind {
	case "param":
		return fmt.Sprintf("arg%d", e.Index)
	case "field":
		return fmt.Sprintf("%s.%d", e.A, e.Index)
	case "load":
		return fmt.Sprintf("*%s", e.A)
	case "view", "adv", "append", "iface", "not":
		return fmt.Sprintf("%s(%s)", e.Kind, e.A)
	case "token":
		return "value of " + strings.TrimPrefix(e.Text, fieldMark)
	case "const":
		return e.Text
	}
	return e.Kind
}

// maxOutcomes bounds a summary.
const maxOutcomes = 8

type summaries struct{}

// encoder turns the symbols of an exit into expressions.
type encoder struct {
	fn      *ssa.Function
	syms    *symbols
	st      *state
	objects map[*sym]int
	order   []*sym
	ends    map[*sym]lentEnds
	lent    map[*sym]bool
}

func (e *encoder) object(x *sym) int {
	n, ok := e.objects[x]
	if !ok {
		n = len(e.order) + 1
		e.objects[x] = n
		e.order = append(e.order, x)
	}
	return n
}

// expr encodes a symbol; nil means unknown.
func (e *encoder) expr(x *sym, depth int) *Expr {
	if x == nil || depth > 10 {
		return nil
	}
	one := func(kind string) *Expr {
		a := e.expr(x.a, depth+1)
		if a == nil {
			return nil
		}
		return &Expr{Kind: kind, A: a, Index: x.idx}
	}
	switch x.kind {
	case kNil:
		return &Expr{Kind: "nil"}
	case kConst:
		switch x.val.Kind() {
		case constant.Bool, constant.Int:
			return &Expr{Kind: "const", Text: x.val.ExactString()}
		}
	case kParam:
		for i, p := range e.fn.Params {
			if x.obj == any(p) {
				return &Expr{Kind: "param", Index: i}
			}
		}
	case kField:
		return one("field")
	case kLoad:
		if x.idx == 0 && x.a.kind != kElem {
			return one("load")
		}
	case kView:
		if e.st.detached[x] {
			return nil
		}
		return one("view")
	case kAdv:
		return one("adv")
	case kAppend:
		return one("append")
	case kIface:
		a := e.expr(x.a, depth+1)
		if a == nil {
			return nil
		}
		return &Expr{Kind: "iface", A: a, Text: typeName(x.typ)}
	case kToken:
		t := &Expr{Kind: "token", Index: e.object(x), Text: x.pool.factName(), Sized: x.val != nil && x.val.ExactString() == "true"}
		if e.lent[x] {
			t.A = &Expr{Kind: "lent"}
		}
		return t
	case kAlloc:
		return &Expr{Kind: "alloc", Index: e.object(x)}
	case kHold, kClosure:
		if ends, ok := e.ends[x]; ok {
			h := &Expr{Kind: "ends", Sized: ends.once}
			for k, t := range ends.toks {
				h.Others = append(h.Others, &Expr{Kind: "put", A: e.expr(t, depth+1), Text: ends.pools[k]})
			}
			return h
		}
		h := &Expr{Kind: "hold"}
		for _, y := range x.list {
			if f := e.expr(y, depth+1); f != nil {
				h.Others = append(h.Others, f)
			}
		}
		return h
	case kCmp:
		a, b := e.expr(x.a, depth+1), e.expr(x.b, depth+1)
		if a != nil && b != nil {
			return &Expr{Kind: "cmp", A: a, B: b, Index: x.idx}
		}
	case kOk:
		if name := typeName(e.syms.asserted[x]); name != "" {
			if is := one("isof"); is != nil {
				is.Text = name
				return is
			}
		}
	}
	return nil
}

// unknown is the kind of an expression that could not be encoded.
const unknown = "?"

// orUnknown stands for nil in facts, whose encoding has no nil.
func orUnknown(e *Expr) *Expr {
	if e == nil {
		return &Expr{Kind: unknown}
	}
	return e
}

// typeName names a defined type, or a pointer to one.
func typeName(t types.Type) string {
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		star, t = "*", p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 {
		return ""
	}
	return star + n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// summarise exports what a root means to other packages.
func (a *analysis) summarise(fn *ssa.Function, exits []exit) {
	obj := a.toldOthers(fn)
	if obj == nil {
		return
	}
	var list []Outcome
	worth := false
	for _, e := range exits {
		o, interesting := a.outcomeOf(fn, e)
		worth = worth || interesting
		list = append(list, o)
	}
	thin := thinOf(fn)
	if !worth && thin == nil {
		return
	}
	decided(list)
	list = mergeOutcomes(list)
	a.pass.ExportObjectFact(obj, &Summary{Outcomes: list, Waits: a.waits(fn, 0), Thin: thin})
}

// unfollowed tells other packages of a function that deals with pools and was too much to
// follow.
func (a *analysis) unfollowed(fn *ssa.Function) {
	if obj := a.toldOthers(fn); obj != nil && a.relevant[fn] {
		a.pass.ExportObjectFact(obj, &Summary{Unfollowed: true})
	}
}

// toldOthers is the function that other packages are told of when fn has been followed, or nil where they cannot
// call it, or know it from the table.
func (a *analysis) toldOthers(fn *ssa.Function) *types.Func {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() || obj.Pkg() != a.pkg.Pkg || a.pass.ExportObjectFact == nil {
		return nil
	}
	if _, known := poolFuncOf(obj); known {
		return nil
	}
	return obj
}

// decided marks what an outcome does not put although others do: unless it
// returns an error, the function decided to drop the value, and its caller is
// not to blame.
func decided(list []Outcome) {
	for _, o := range list {
		values := slices.Clone(o.Gone)
		for _, p := range o.Puts {
			values = append(values, p.Value)
		}
		for _, v := range values {
			is := func(x *Expr) bool { return same(x, v) }
			for k := range list {
				q := &list[k]
				if n := len(q.Results); n > 0 && q.Results[n-1].Kind != "nil" && q.Results[n-1].Kind != "const" {
					continue
				}
				if !slices.ContainsFunc(q.Puts, func(r Put) bool { return is(r.Value) }) && !slices.ContainsFunc(q.Gone, is) && !slices.ContainsFunc(q.Kept, is) {
					q.Kept = append(q.Kept, v)
				}
			}
		}
	}
}

// outcomeOf encodes one exit. interesting says whether it has to do with pools
// or aliases.
func (a *analysis) outcomeOf(fn *ssa.Function, e exit) (o Outcome, interesting bool) {
	st := e.st
	enc := &encoder{fn: fn, syms: a.syms, st: st, objects: map[*sym]int{}, ends: a.ends, lent: a.lentWith(fn, e)}
	for n, r := range e.results {
		x := enc.expr(r, 0)
		if v, ok := st.truth[a.syms.nilTest(r)]; x == nil && ok && !v {
			x = &Expr{Kind: "nonnil"}
		}
		o.Results = append(o.Results, orUnknown(x))
		if x == nil || !hasPointers(fn.Signature.Results().At(n).Type()) {
			continue
		}
		switch m := memory(r); m.kind {
		case kToken, kParam:
			interesting = true
		case kLoad:
			interesting = interesting || m.base().kind == kParam
		}
	}
	var writes []*sym
	for _, k := range sortedKeys(st.mem) {
		switch b := k.base(); b.kind {
		case kParam:
			writes = append(writes, k)
		case kAlloc, kToken:
			if enc.objects[b] > 0 && k != b {
				writes = append(writes, k)
			}
		}
	}
	for _, k := range writes {
		if len(o.Writes) >= 32 {
			break
		}
		addr := enc.expr(k, 0)
		if addr == nil {
			continue
		}
		v := st.mem[k]
		o.Writes = append(o.Writes, Write{addr, orUnknown(enc.expr(v, 0))})
		if t := memory(v); t.kind == kToken {
			interesting = true
		}
	}
	for _, k := range sortedKeys(st.rel) {
		if b := k.base(); b.kind != kParam && enc.objects[b] == 0 {
			continue
		}
		if m := memory(k); m != k && st.rel[m] == st.rel[k] && !st.gone[k] {
			continue // a part of what is listed whole
		}
		if x := enc.expr(k, 0); x != nil {
			interesting = true
			if st.gone[k] {
				o.Gone = append(o.Gone, x)
			} else {
				o.Puts = append(o.Puts, Put{x, st.rel[k].pool.factName()})
			}
		}
	}
	for _, k := range sortedKeys(st.gone) {
		if x := enc.expr(k, 0); x != nil && k.base().kind == kParam && st.rel[k] == nil {
			o.Gone = append(o.Gone, x)
			interesting = true
		}
	}
	for _, g := range st.gos {
		for _, h := range g.holds {
			a.reach(st, h, func(y *sym) bool {
				if y.kind == kParam || y.kind == kLoad && y.base().kind == kParam {
					if x := enc.expr(y, 0); x != nil && pointery(y.typ) {
						o.Held = append(o.Held, x)
						interesting = true
					}
				}
				return true
			})
		}
	}
	keep := func(y *sym) bool {
		if y.kind == kParam {
			if x := enc.expr(y, 0); x != nil && pointery(y.typ) && !slices.ContainsFunc(o.Kept, func(k *Expr) bool { return k.Kind == "param" && k.Index == x.Index }) {
				o.Kept = append(o.Kept, x)
			}
		}
		return true
	}
	for _, k := range sortedKeys(st.mem) {
		switch k.base().kind {
		case kGlobal, kOpaque, kRecv, kFree:
			a.reach(st, st.mem[k], keep)
		case kParam, kAlloc:
			// In a slice, map or struct of another argument, or of a result.
			if m := memory(st.mem[k]); m.kind == kParam && m != k.base() || k.kind == kElem {
				a.reach(st, st.mem[k], keep)
			}
		}
	}
	for _, k := range sortedKeys(st.sent) {
		keep(k)
	}
	for _, r := range e.results {
		if r.kind == kHold || r.kind == kClosure || r.kind == kAgg {
			a.reach(st, r, keep)
		}
	}
	interesting = interesting || len(o.Kept) > 0
	for _, k := range sortedKeys(st.truth) {
		if k.base().kind != kParam && k.kind != kCmp && !a.asksParam(k) {
			continue
		}
		if k.mentions(func(x *sym) bool { return x.kind == kToken || x.kind == kAlloc || x.kind == kLen || x.kind == kCap }) {
			continue
		}
		if x := enc.expr(k, 0); x != nil {
			o.Conds = append(o.Conds, Cond{x, st.truth[k]})
		}
	}
	return o, interesting
}

func pointery(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Chan:
		return true
	}
	return false
}

// mergeOutcomes drops conditions that do not matter, until few outcomes are left.
func mergeOutcomes(list []Outcome) []Outcome {
	byEffect := map[string]int{}
	var out []Outcome
	for _, o := range list {
		conds := o.Conds
		o.Conds = nil
		key, err := json.Marshal(o)
		if err != nil {
			continue
		}
		if n, dup := byEffect[string(key)]; dup {
			// Keep what both agree on.
			var both []Cond
			for _, c := range out[n].Conds {
				if slices.ContainsFunc(conds, func(d Cond) bool { return c.Is == d.Is && same(c.Test, d.Test) }) {
					both = append(both, c)
				}
			}
			out[n].Conds = both
			continue
		}
		o.Conds = conds
		byEffect[string(key)] = len(out)
		out = append(out, o)
	}
	if len(out) <= maxOutcomes {
		return out
	}
	// Too many: whatever may be put or kept is not followed any more.
	var gone []*Expr
	add := func(x *Expr) {
		if x != nil && !slices.ContainsFunc(gone, func(y *Expr) bool { return same(x, y) }) {
			gone = append(gone, x)
		}
	}
	for _, o := range out {
		for _, p := range o.Puts {
			add(p.Value)
		}
		for _, x := range slices.Concat(o.Gone, o.Held, o.Kept) {
			add(x)
		}
	}
	last := Outcome{Gone: gone, Kept: gone}
	for range out[0].Results {
		last.Results = append(last.Results, orUnknown(nil))
	}
	return []Outcome{last}
}

func same(x, y *Expr) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.Kind == y.Kind && x.Index == y.Index && x.Text == y.Text && x.Sized == y.Sized &&
		same(x.A, y.A) && same(x.B, y.B) && slices.EqualFunc(x.Others, y.Others, same)
}

// summaryOf finds the fact about a function of another package.
func (a *analysis) summaryOf(f *types.Func) *Summary {
	f = f.Origin()
	if f.Pkg() == nil || f.Pkg() == a.pkg.Pkg {
		return nil
	}
	if s, ok := a.facts[f]; ok {
		return s
	}
	s := new(Summary)
	if !importSummary(a.pass, f, s) {
		s = nil
	}
	a.facts[f] = s
	return s
}

func (a *analysis) hasSummary(f *types.Func) bool {
	s := a.summaryOf(f)
	return s != nil && !s.Unfollowed && len(s.Outcomes) > 0
}

// decoderOf turns expressions back into symbols at a call.
type instance struct {
	a       *analysis
	st      *state
	call    ssa.CallInstruction
	args    []*sym
	sig     *types.Signature
	objects map[int]*sym
	mixed   bool // the outcomes have values of several pools: which one may depend on what was not followed
}

// eval gives the symbol of an expression, and its type where that is known.
func (n *instance) eval(e *Expr) (*sym, types.Type) {
	a := n.a
	if e == nil {
		return a.syms.fresh(kOpaque, nil), nil
	}
	switch e.Kind {
	case "nil":
		return a.syms.null(), nil
	case "const":
		switch e.Text {
		case "true", "false":
			return a.syms.boolean(e.Text == "true"), nil
		}
		return a.syms.constant(constant.MakeFromLiteral(e.Text, token.INT, 0), nil), nil
	case "param":
		if e.Index >= len(n.args) {
			break
		}
		i := e.Index
		var t types.Type
		if r := n.sig.Recv(); r != nil {
			if i == 0 {
				return plain(n.args[0]), r.Type()
			}
			i--
		}
		if i < n.sig.Params().Len() {
			t = n.sig.Params().At(i).Type()
		}
		return n.args[e.Index], t
	case "field":
		b, t := n.eval(e.A)
		var s *types.Struct
		var ft types.Type
		if t != nil {
			if s = structOf(t); s != nil && e.Index >= 0 && e.Index < s.NumFields() {
				ft = types.NewPointer(s.Field(e.Index).Type())
			}
		}
		return a.syms.field(plain(b), s, e.Index), ft
	case "load":
		b, t := n.eval(e.A)
		var elem types.Type
		if t != nil {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				elem = p.Elem()
			}
		}
		if v := n.st.mem[b]; v != nil {
			return v, elem
		}
		if elem == nil {
			return a.syms.load(b, n.st.epochOf(b), nil), nil
		}
		return a.read(n.st, b, elem), elem
	case "view":
		b, t := n.eval(e.A)
		if b.kind == kNil {
			return b, t
		}
		return a.syms.intern(symKey{kind: kView, a: plain(b), idx: e.Index}, t), t
	case "adv":
		b, t := n.eval(e.A)
		return a.syms.intern(symKey{kind: kAdv, a: plain(b), obj: n.call}, t), t
	case "append":
		b, t := n.eval(e.A)
		s := a.syms.fresh(kAppend, t)
		s.a, s.obj = plain(b), n.call
		return s, t
	case "iface":
		b, _ := n.eval(e.A)
		if t := a.lookupType(e.Text); t != nil {
			return a.syms.iface(b, t), t
		}
		return b, nil
	case "token", "alloc":
		if s := n.objects[e.Index]; s != nil {
			return s, s.typ
		}
		k := kAlloc
		if e.Kind == "token" {
			k = kToken
		}
		s := a.syms.fresh(k, nil)
		s.obj = n.call
		n.objects[e.Index] = s
		if k == kToken {
			s.pool = a.foreignPool(e.Text)
			if n.mixed {
				s.pool = &pool{name: s.pool.name, api: s.pool.api}
			}
			s.val = constant.MakeBool(e.Sized && workedOut(n.call.Common(), n.args))
			s.guessed = e.Sized && !workedOut(n.call.Common(), n.args)
			for _, i := range append(slices.Clip(n.st.f.stack), ssa.Instruction(n.call)) {
				s.stack = append(s.stack, instrPos(i))
			}
			n.st.content[s] = isReset
			n.st.truth[a.syms.nilTest(s)] = false
			n.st.toks = append(slices.Clip(n.st.toks), s)
			if e.A != nil {
				n.st.handOver(s)
			}
		}
		return s, nil
	case "nonnil":
		s := a.syms.fresh(kOpaque, nil)
		n.st.truth[a.syms.nilTest(s)] = false
		return s, nil
	case "hold":
		var parts []*sym
		for _, o := range e.Others {
			p, _ := n.eval(o)
			parts = append(parts, p)
		}
		return a.syms.hold(nil, parts...), nil
	case "ends":
		ends := lentEnds{once: e.Sized}
		for _, o := range e.Others {
			t, _ := n.eval(o.A)
			ends.toks = append(ends.toks, t)
			ends.pools = append(ends.pools, o.Text)
		}
		s := a.syms.hold(nil, ends.toks...)
		s.obj = &ends
		return s, nil
	case "cmp":
		x, _ := n.eval(e.A)
		y, _ := n.eval(e.B)
		x, y = plain(x), plain(y)
		if e.Index == int(token.EQL) && x.id > y.id {
			x, y = y, x
		}
		return a.syms.intern(symKey{kind: kCmp, a: x, b: y, idx: e.Index}, types.Typ[types.Bool]), nil
	case "isof":
		x, _ := n.eval(e.A)
		return a.isOfNamed(x, e.Text), nil
	}
	return a.syms.fresh(kOpaque, nil), nil
}

// foreignPool is a pool of another package, known by name only.
func (a *analysis) foreignPool(name string) *pool {
	if p := a.pools[name]; p != nil {
		return p
	}
	key := name
	name, field := strings.CutPrefix(name, fieldMark)
	// A pool that its own package could not tell is named after its API.
	p := &pool{key: key, name: name, api: "foreign", known: name != "sync.Pool", field: field}
	switch {
	case strings.HasPrefix(name, "the channel "):
		p.api = "channel"
	case strings.HasPrefix(name, "the list "):
		p.api = "slice"
	}
	a.pools[key] = p
	return p
}

// fieldMark begins the name that facts give to a pool in a field.
const fieldMark = "."

// factName is what facts call a pool: a field is one of many objects, and another field may lead to the same pool.
func (p *pool) factName() string {
	name := p.label()
	if p != nil {
		if v, ok := p.key.(*types.Var); p.field || ok && v.IsField() {
			return fieldMark + name
		}
	}
	return name
}

// lookupType finds a type by the name that typeName gave it.
func (a *analysis) lookupType(name string) types.Type {
	if name == "" {
		return nil
	}
	ptr := name[0] == '*'
	if ptr {
		name = name[1:]
	}
	dot := len(name) - 1
	for dot > 0 && name[dot] != '.' {
		dot--
	}
	p := a.prog.ImportedPackage(name[:dot])
	if p == nil {
		return nil
	}
	tn, ok := p.Pkg.Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !ok {
		return nil
	}
	if ptr {
		return types.NewPointer(tn.Type())
	}
	return tn.Type()
}

// ofObject reports whether x is an object, or was read from it.
func ofObject(x, object *sym) bool {
	for x = plain(x); x != nil && x != object; x = x.a {
		switch x.kind {
		case kField, kElem, kLoad, kView, kAdv, kAppend, kIface:
		default:
			return false
		}
	}
	return x == object
}

// partsFirst are the numbers of a callee's Puts, what is part of another value before that: in the order of a
// summary a value's own buffer, which the callee gave back before, would go with it, and then once more.
func partsFirst(puts []Put) []int {
	deep := func(k int) (n int) {
		for e := puts[k].Value; e != nil; e = e.A {
			n++
		}
		return n
	}
	order := make([]int, len(puts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(deep(y), deep(x)) })
	return order
}

// conventional assumes that an error which comes with a nil pointer or interface is not nil.
func (a *analysis) conventional(st *state, sig *types.Signature, results []*sym) {
	n := len(results)
	if n < 2 || sig.Results().Len() != n || !isError(sig.Results().At(n-1).Type()) {
		return
	}
	err := plain(results[n-1])
	if err.kind != kOpaque && err.kind != kLoad {
		return
	}
	for k, r := range results[:n-1] {
		t := sig.Results().At(k).Type()
		if _, isPtr := t.Underlying().(*types.Pointer); (isPtr || types.IsInterface(t)) && r.kind == kNil {
			if _, known := a.known(st, a.syms.nilTest(err)); !known {
				st.truth[a.syms.nilTest(err)] = false
			}
			return
		}
	}
}

// applySummary follows a call by the callee's summary.
func (a *analysis) applySummary(st *state, i ssa.CallInstruction, f *types.Func, args []*sym, c *ssa.CallCommon) ([]outcome, bool) {
	s := a.summaryOf(f)
	if s == nil {
		return nil, false
	}
	for n, x := range args {
		if !s.Unfollowed && !slices.Contains(s.Keeps, n) {
			continue
		}
		a.reach(st, x, func(y *sym) bool {
			if tracked(y) {
				st.handOver(y)
			}
			return true
		})
	}
	if len(s.Outcomes) == 0 {
		return nil, false // for the rest it is unknown
	}
	puts := false
	var put, got []string // pools that it puts in, and that it takes from
	note := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, o := range s.Outcomes {
		puts = puts || len(o.Puts) > 0
		for _, p := range o.Puts {
			note(&put, p.Pool)
		}
		for _, r := range o.Results {
			r.tokens(func(name string) { note(&got, name) })
		}
		for _, w := range o.Writes {
			w.Val.tokens(func(name string) { note(&got, name) })
		}
	}
	if !puts {
		for _, x := range args {
			if hasPointers0(x) {
				if r := a.released(st, x); r != nil {
					a.reportUse(st, i, x, r, "passed to "+f.Name())
				}
			}
		}
	}
	for n, x := range args {
		a.noteWriter(st, i, x, argType(c, n), f.Name())
	}
	if s.Waits {
		a.awaitedWith(st, args)
	}
	a.closed(st, f.Name(), args)
	var outs []outcome
	for k, o := range s.Outcomes {
		after := st
		if k < len(s.Outcomes)-1 {
			after = st.clone()
		}
		n := &instance{a: a, st: after, call: i, args: args, sig: f.Origin().Signature(), objects: map[int]*sym{}, mixed: len(got) > 1}
		feasible := true
		for _, cond := range o.Conds {
			x, _ := n.eval(cond.Test)
			if v, ok := a.known(n.st, x); ok {
				if v != cond.Is {
					feasible = false
					break
				}
				continue
			}
			a.assume(n.st, x, cond.Is)
		}
		if !feasible {
			continue
		}
		type pending struct{ addr, val *sym }
		var writes []pending
		var released []*sym
		for _, p := range o.Puts {
			x, _ := n.eval(p.Value)
			released = append(released, x)
		}
		for _, w := range o.Writes {
			addr, _ := n.eval(w.Addr)
			v, _ := n.eval(w.Val)
			writes = append(writes, pending{addr, v})
		}
		for _, g := range o.Gone {
			x, _ := n.eval(g)
			set(&n.st.gone, x, true)
			a.takeOver(n.st, x)
		}
		for _, k := range o.Kept {
			x, _ := n.eval(k)
			a.reach(n.st, x, func(y *sym) bool {
				if tracked(y) {
					n.st.handOver(y)
				}
				if y.kind == kAlloc || firstAppend(y) {
					n.st.escape(y)
				}
				return true
			})
		}
		var held []*sym
		for _, h := range o.Held {
			x, _ := n.eval(h)
			if f.Signature().Recv() != nil && len(args) > 0 && ofObject(x, plain(args[0])) {
				continue // a goroutine of the object's own, which its type looks after
			}
			held = append(held, x)
		}
		results := make([]*sym, 0, len(o.Results))
		for k, r := range o.Results {
			var x *sym
			if r.Kind == unknown {
				x = a.opaque(n.st, i, k, c.Signature().Results().At(k).Type())
			} else {
				x, _ = n.eval(r)
				if x.typ == nil && (x.kind == kToken || x.kind == kAlloc) {
					x.typ = c.Signature().Results().At(k).Type()
				}
			}
			results = append(results, x)
		}
		for _, w := range writes {
			a.write(n.st, w.addr, w.val)
			a.noteStore(n.st, i, w.addr, w.val)
		}
		a.conventional(n.st, c.Signature(), results)
		// Tokens that the caller does not get, or cannot give back, are the callee's affair.
		got := map[*sym]bool{}
		a.reachAll(n.st, results, func(x *sym) bool { got[x] = true; return true })
		for _, x := range n.objects {
			if x.kind == kToken && (!got[x] || !slices.Contains(results, x) && !a.canGiveBack(f, x.pool.factName())) {
				set(&n.st.handed, x, true)
			}
		}
		for _, k := range partsFirst(o.Puts) {
			x := released[k]
			p := a.foreignPool(o.Puts[k].Pool)
			if m := memory(x); len(put) > 1 || slices.Contains(slices.Collect(maps.Values(n.objects)), m) {
				// Which one may depend on what was not followed. Where the callee puts what it took itself, which
				// pool that belongs to is its own package's affair.
				p = &pool{name: p.name, api: p.api}
			}
			a.put(n.st, i, x, p, poolFunc{release: 0, bounded: true, api: "foreign"}, types.Typ[types.UnsafePointer])
		}
		if len(held) > 0 {
			n.st.gos = append(slices.Clip(n.st.gos), &spawn{event: n.st.here(i), holds: held, from: results})
		}
		var result *sym
		switch len(results) {
		case 0:
			result = a.syms.null()
		case 1:
			result = results[0]
		default:
			result = a.tuple(results...)
		}
		outs = append(outs, outcome{n.st, result})
	}
	return outs, true
}
