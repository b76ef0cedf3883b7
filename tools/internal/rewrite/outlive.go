// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A class says how a value is related to the memory that is followed.
type class uint8

const (
	region class = 1 << iota // points to the memory, or is a slice of it
	holder                   // is, or points to, something that holds a region
)

// maxDepth bounds how deep calls are followed.
const maxDepth = 12

// analysis follows values through the functions of a program.
type analysis struct {
	prog *ssa.Program
	// std reports whether a package is of the standard library.
	std func(path string) bool
	// facts are what is known of parameters; nil marks those under way.
	facts map[param]*fact
}

type param struct {
	fn    *ssa.Function
	index int
	class class
}

// A fact says what a function does with a parameter.
type fact struct {
	escape  *escape
	results []class // of the results that refer to it
	holds   bool    // it gets to hold a pointer to itself
	traits
}

// traits are what is done with a value that a pool may change: a slice from a
// pool has more capacity than one from make, and memory behind its length that
// was used before.
type traits struct {
	compared  bool // with nil
	capacity  bool // its capacity is asked for
	reslices  bool // up to a length that may be beyond its own
	deferred  bool // a deferred call uses it
	boxed     bool // it becomes an interface value
	appends   []token.Pos
	elsewhere bool // functions that it is passed to append to it
}

// add takes over what a callee does.
func (t *traits) add(of traits) {
	t.capacity = t.capacity || of.capacity
	t.reslices = t.reslices || of.reslices
	t.elsewhere = t.elsewhere || of.elsewhere || len(of.appends) > 0
}

// An escape is where and how a value may outlive its function.
type escape struct {
	pos token.Pos
	why string
}

// A tracker follows one value through one function and its closures.
type tracker struct {
	*analysis
	root  *ssa.Function
	depth int

	classes map[ssa.Value]class
	work    []ssa.Value
	escape  *escape
	results []class

	// uses are the instructions that use a value that is followed.
	uses map[ssa.Instruction]bool

	traits

	// method, if not nil, says what the methods of the followed value do with
	// their receiver. It reports false for a method that it does not know.
	method func(callee *types.Func) (result class, ok bool)

	// dynamic is the type that is in the interfaces which hold the value, if
	// it has methods of the user's.
	dynamic types.Type
}

func (a *analysis) tracker(root *ssa.Function, depth int) *tracker {
	return &tracker{analysis: a, root: root, depth: depth, classes: map[ssa.Value]class{}, uses: map[ssa.Instruction]bool{},
		results: make([]class, root.Signature.Results().Len())}
}

// follow runs the tracker from v to the end, or to the first escape.
func (t *tracker) follow(v ssa.Value, c class) *escape {
	t.mark(v, c)
	for len(t.work) > 0 && t.escape == nil {
		v := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		for _, instr := range *v.Referrers() {
			if _, ok := instr.(*ssa.DebugRef); ok {
				continue
			}
			t.uses[instr] = true
			t.use(instr, v, t.classes[v])
			if t.escape != nil {
				break
			}
		}
	}
	return t.escape
}

func (t *tracker) mark(v ssa.Value, c class) {
	if c == 0 || t.classes[v]&c == c {
		return
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return
	case *ssa.Global:
		t.fail(v.Pos(), "it is stored in the package-level variable %s", v.Name())
		return
	}
	t.classes[v] |= c
	if v.Referrers() == nil {
		t.fail(v.Pos(), "it reaches %s, which cannot be followed", v.Name())
		return
	}
	t.work = append(t.work, v)
	if fv, ok := v.(*ssa.FreeVar); ok {
		for _, b := range t.bindings(fv) {
			t.mark(b, c)
		}
	}
}

// derived marks a value that was computed from one that is followed.
func (t *tracker) derived(v ssa.Value, c class) {
	if pointerful(v.Type()) {
		t.mark(v, c)
	}
}

func (t *tracker) fail(pos token.Pos, format string, args ...any) {
	if t.escape == nil {
		t.escape = &escape{pos, fmt.Sprintf(format, args...)}
	}
}

// bindings returns what a captured variable is in the function around, if that
// is part of what is tracked.
func (t *tracker) bindings(fv *ssa.FreeVar) []ssa.Value {
	fn := fv.Parent()
	if fn == t.root || fn.Parent() == nil {
		return nil
	}
	i := slices.Index(fn.FreeVars, fv)
	var found []ssa.Value
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
				found = append(found, mc.Bindings[i])
			}
		}
	}
	return found
}

// use looks at one instruction that has v, of class c, as an operand.
func (t *tracker) use(instr ssa.Instruction, v ssa.Value, c class) {
	switch i := instr.(type) {
	case *ssa.Store:
		if i.Val == v {
			t.store(i.Addr, c, i.Pos())
		}
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			if c&holder != 0 {
				t.derived(i, region|holder)
			}
		case token.ARROW:
			t.derived(i, region|holder)
		}
	case *ssa.Slice:
		if i.X == v && i.High != nil && !isConstZero(i.High) {
			t.reslices = true
		}
		t.mark(i, c)
	case *ssa.MakeInterface:
		t.traits.boxed = true
		if x := i.X.Type(); t.dynamic != nil && c == region && !types.Identical(x, t.dynamic) && t.prog.MethodSets.MethodSet(x).Len() > 0 {
			t.fail(i.Pos(), "a part of it becomes an interface value, whose methods may keep it")
			return
		}
		t.methods(i, c)
		t.mark(i, c)
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Phi, *ssa.SliceToArrayPointer:
		t.mark(i.(ssa.Value), c)
	case *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.TypeAssert, *ssa.Lookup, *ssa.Next, *ssa.Range, *ssa.MultiConvert:
		t.derived(i.(ssa.Value), c)
	case *ssa.Convert:
		if b, ok := i.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			t.fail(i.Pos(), "it is converted to unsafe.Pointer")
			return
		}
		t.derived(i, c)
	case *ssa.MapUpdate:
		if i.Key == v || i.Value == v {
			t.store(i.Map, c, i.Pos())
		}
	case *ssa.MakeClosure:
		t.mark(i, holder)
		fn := i.Fn.(*ssa.Function)
		for k, b := range i.Bindings {
			if b == v {
				t.mark(fn.FreeVars[k], c)
			}
		}
	case *ssa.Return:
		for k, r := range i.Results {
			if r != v {
				continue
			}
			if i.Parent() == t.root {
				t.results[k] |= c
				if t.depth == 0 {
					t.fail(i.Pos(), "it is returned")
				}
				continue
			}
			t.returned(i.Parent(), c)
		}
	case *ssa.Send:
		if i.X == v {
			t.fail(i.Pos(), "it is sent to a channel")
		}
	case *ssa.Select:
		for _, s := range i.States {
			if s.Send == v {
				t.fail(s.Pos, "it is sent to a channel")
			}
		}
	case *ssa.Panic:
		t.fail(i.Pos(), "it is panicked with")
	case *ssa.Go:
		t.fail(i.Pos(), "a goroutine gets it, which may outlive the function")
	case *ssa.BinOp:
		t.compared = true
	case *ssa.If, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.RunDefers:
	case ssa.CallInstruction:
		if _, ok := i.(*ssa.Defer); ok {
			t.deferred = true
		}
		t.call(i, v, c)
	default:
		t.fail(instr.Pos(), "it is used in a way that cannot be followed (%s)", instr)
	}
}

// returned marks what calls of a closure give, when the closure returns what
// is followed.
func (t *tracker) returned(fn *ssa.Function, c class) {
	for f := fn; f != nil; f = f.Parent() {
		if f.Parent() == nil {
			break
		}
		for _, b := range f.Parent().Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && (call.Call.StaticCallee() == fn || call.Call.StaticCallee() == nil && !call.Call.IsInvoke()) {
					t.derived(call, c|region|holder)
				}
			}
		}
	}
}

// store marks the memory at addr as a holder, if it is local.
func (t *tracker) store(addr ssa.Value, c class, pos token.Pos) {
	base := addr
	name := ""
	for {
		switch b := base.(type) {
		case *ssa.FieldAddr:
			if name == "" {
				name = fieldName(b)
			}
			base = b.X
			continue
		case *ssa.IndexAddr:
			if name == "" {
				name = "an element of a slice"
			}
			base = b.X
			continue
		case *ssa.Slice:
			base = b.X
			continue
		}
		break
	}
	switch b := base.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		t.mark(base, holder)
		return
	case *ssa.FreeVar:
		if b.Parent() != t.root {
			t.mark(b, holder)
			return
		}
		t.fail(pos, "it is assigned to %s, a variable of the function around", b.Name())
		return
	case *ssa.Global:
		t.fail(pos, "it is stored in the package-level variable %s", b.Name())
		return
	}
	if t.classes[base] != 0 {
		t.mark(base, holder)
		return
	}
	if name == "" {
		name = "memory"
		if _, ok := base.Type().Underlying().(*types.Map); ok {
			name = "a map"
		}
	}
	t.fail(pos, "it is stored in %s, which the function did not make", name)
}

func fieldName(f *ssa.FieldAddr) string {
	p, ok := f.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return "a field"
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return "a field"
	}
	return "the field " + st.Field(f.Field).Name()
}

// call looks at a call that has v as an argument, as its receiver, or as the
// function called.
func (t *tracker) call(i ssa.CallInstruction, v ssa.Value, c class) {
	com := i.Common()
	result, _ := i.(ssa.Value) // nil for a deferred call
	if b, ok := com.Value.(*ssa.Builtin); ok {
		t.builtin(i, b.Name(), v, c)
		return
	}
	if com.IsInvoke() {
		if com.Value == v {
			t.invoked(i, com.Method, c)
		}
		for k, arg := range com.Args {
			if arg == v {
				t.outcome(i, v, result, com.Method, argumentContract(com.Method, k))
			}
		}
		return
	}
	callee := com.StaticCallee()
	if callee == nil {
		if com.Value == v {
			// A closure, or an iterator over the value.
			if result != nil {
				t.derived(result, region|holder)
			}
			t.calledBack(i, v)
		}
		for _, arg := range com.Args {
			if arg == v && !isLoopBody(v) {
				t.fail(i.Pos(), "it is passed to the function value %s, which may keep it", funcValueName(com.Value))
			}
		}
		return
	}
	for k, arg := range com.Args {
		if arg == v {
			t.static(i, v, result, callee, k, c)
		}
	}
}

// methods looks at the methods of a value that becomes an interface: whoever gets
// it may call them, also where no call is in view.
func (t *tracker) methods(i *ssa.MakeInterface, c class) {
	if t.method != nil && c == region {
		return // the methods of a codec or buffer are known
	}
	typ := i.X.Type()
	base := typ
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		base = p.Elem()
	}
	n, ok := types.Unalias(base).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || t.std(n.Obj().Pkg().Path()) || trusted[n.Obj().Pkg().Path()] {
		return
	}
	if types.Implements(typ, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		t.fail(i.Pos(), "it becomes, or becomes a part of, an error")
		return
	}
	set := t.prog.MethodSets.MethodSet(typ)
	for k := range set.Len() {
		fn := t.prog.MethodValue(set.At(k))
		if fn == nil || !t.inView(fn) {
			t.fail(i.Pos(), "it becomes an interface value, with the method %s whose code is not in view", set.At(k).Obj().Name())
			return
		}
		f := t.fact(fn, 0, c)
		switch {
		case f == nil:
			t.fail(i.Pos(), "it becomes an interface value, whose method %s cannot be followed", fn.Name())
		case f.escape != nil:
			t.fail(i.Pos(), "it becomes an interface value, in whose method %s %s", fn.Name(), f.escape.why)
		default:
			for r, rc := range f.results {
				if rc != 0 && isError(fn.Signature.Results().At(r).Type()) {
					t.fail(i.Pos(), "it becomes an interface value, whose method %s may return it in an error", fn.Name())
				}
			}
			continue
		}
		return
	}
}

// isLoopBody reports whether v is the body of a range over a function. It cannot
// run any more when the loop has ended, whoever keeps it.
func isLoopBody(v ssa.Value) bool {
	mc, ok := v.(*ssa.MakeClosure)
	return ok && strings.HasPrefix(mc.Fn.(*ssa.Function).Synthetic, "range-over-func")
}

// calledBack looks at the functions that a call passes beside v: what runs them
// may give them v, or parts of it.
func (t *tracker) calledBack(i ssa.CallInstruction, v ssa.Value) {
	for _, arg := range i.Common().Args {
		if arg == v {
			continue
		}
		if _, ok := arg.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		for {
			c, ok := arg.(*ssa.ChangeType)
			if !ok {
				break
			}
			arg = c.X
		}
		switch fn := arg.(type) {
		case *ssa.MakeClosure:
			for _, p := range fn.Fn.(*ssa.Function).Params {
				t.derived(p, region|holder)
			}
		case *ssa.Function:
			for k, p := range fn.Params {
				if !pointerful(p.Type()) {
					continue
				}
				if !t.inView(fn) {
					if obj := objectOf(fn); obj != nil && obj.Pkg() != nil && trusted[obj.Pkg().Path()] && !keeping[obj.FullName()] {
						continue
					}
					t.fail(i.Pos(), "it is passed to %s, whose code is not in view", calleeName(fn))
				} else if f := t.fact(fn, k, region|holder); f == nil || f.escape != nil {
					t.fail(i.Pos(), "it is passed to %s, which may keep it", calleeName(fn))
				}
			}
		case *ssa.Const: // nil
		default:
			t.fail(i.Pos(), "the function value %s is called with it, and may keep it", funcValueName(arg))
		}
	}
}

func funcValueName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		return funcValueName(v.X)
	case *ssa.FieldAddr:
		return fieldName(v)
	}
	return v.Name()
}

// static looks at argument k, of class c, of a call of callee.
func (t *tracker) static(i ssa.CallInstruction, v, result ssa.Value, callee *ssa.Function, k int, c class) {
	obj := objectOf(callee)
	receiver := callee.Signature.Recv() != nil && k == 0
	if receiver && t.method != nil && c == region && obj != nil {
		if r, ok := t.method(obj); ok {
			if result != nil {
				t.spread(result, nil, r)
			}
			return
		}
	}
	if obj != nil {
		n := k
		if callee.Signature.Recv() != nil {
			n--
		}
		says := unknown
		if receiver {
			says = receiverContract(obj)
		} else {
			says = argumentContract(obj, n)
		}
		// A body tells more than the signature of a contract does.
		if says != unknown && (says != bySignature || !t.inView(callee)) {
			t.outcome(i, v, result, obj, says)
			return
		}
	}
	if !t.inView(callee) {
		t.fail(i.Pos(), "it is passed to %s, whose code is not in view", calleeName(callee))
		return
	}
	f := t.fact(callee, k, c)
	switch {
	case f == nil:
		t.fail(i.Pos(), "it is passed to %s, which calls itself or calls too deeply to be followed", calleeName(callee))
	case f.escape != nil:
		t.fail(i.Pos(), "it is passed to %s, where %s", calleeName(callee), f.escape.why)
	default:
		t.add(f.traits)
		if f.holds {
			t.hold(v)
		}
		if result != nil {
			t.spread(result, f.results, 0)
		}
	}
}

// hold marks the memory that v points into as a holder of a pointer to itself.
func (t *tracker) hold(v ssa.Value) {
	for {
		switch b := v.(type) {
		case *ssa.FieldAddr:
			v = b.X
			continue
		case *ssa.IndexAddr:
			v = b.X
			continue
		}
		break
	}
	t.mark(v, holder)
}

// inView reports whether the body of a function can be followed. The standard
// library is taken by its contracts.
func (t *tracker) inView(fn *ssa.Function) bool {
	if p := pkgOf(fn); p != nil && t.std(p.Path()) {
		return false
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg != nil {
		fn.Pkg.Build()
	}
	return len(fn.Blocks) > 0
}

// spread marks what a call gives: each result with its own class, or, by a
// contract, all of them but errors with c.
func (t *tracker) spread(result ssa.Value, each []class, c class) {
	tuple, ok := result.Type().(*types.Tuple)
	if !ok {
		if len(each) == 1 {
			c = each[0]
		} else if isError(result.Type()) {
			c = 0
		}
		t.derived(result, c)
		return
	}
	if tuple.Len() == 0 {
		return
	}
	for _, ref := range *result.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok {
			c := c
			if len(each) > x.Index {
				c = each[x.Index]
			} else if isError(x.Type()) {
				c = 0
			}
			t.derived(x, c)
		}
	}
}

// outcome acts on the verdict about a callee that is known by its contract.
func (t *tracker) outcome(i ssa.CallInstruction, v, result ssa.Value, obj *types.Func, says verdict) {
	switch says {
	case borrows, bySignature:
		if why := t.implicit(obj); why != "" {
			t.fail(i.Pos(), "%s", why)
			return
		}
		t.calledBack(i, v)
	case aliases:
		if why := t.implicit(obj); why != "" {
			t.fail(i.Pos(), "%s", why)
			return
		}
		t.calledBack(i, v)
		if _, slice := v.Type().Underlying().(*types.Slice); slice && result != nil {
			if _, slice := result.Type().Underlying().(*types.Slice); slice {
				t.appends = append(t.appends, i.Common().Pos()) // into the capacity, perhaps
			}
		}
		if result != nil {
			t.spread(result, nil, region|holder)
		}
	case keeps:
		t.fail(i.Pos(), "%s keeps it", obj.FullName())
	default:
		t.fail(i.Pos(), "it is passed to %s, whose implementation is chosen at run time and may keep it", obj.FullName())
	}
}

// invoked looks at a method that is called on an interface with the value in it.
func (t *tracker) invoked(i ssa.CallInstruction, m *types.Func, c class) {
	result, _ := i.(ssa.Value)
	if c == region && t.dynamic != nil {
		if sel := t.prog.MethodSets.MethodSet(t.dynamic).Lookup(m.Pkg(), m.Name()); sel != nil {
			if fn := t.prog.MethodValue(sel); fn != nil {
				t.static(i, i.Common().Value, result, fn, 0, c)
				return
			}
		}
	}
	switch receiverContract(m) {
	case borrows, bySignature:
	case aliases:
		t.calledBack(i, i.Common().Value)
		if result != nil {
			t.spread(result, nil, region|holder)
		}
	default:
		t.fail(i.Pos(), "its method %s is called through an interface and may keep it", m.Name())
	}
}

// implicit looks at the methods that encoders and formatters call on their own.
func (t *tracker) implicit(obj *types.Func) (why string) {
	if t.dynamic == nil || obj.Pkg() == nil || !callsMethods[obj.Pkg().Path()] {
		return ""
	}
	if strings.HasSuffix(obj.Pkg().Path(), "/template") && t.prog.MethodSets.MethodSet(t.dynamic).Len() > 0 {
		return obj.FullName() + " calls methods of it that the template names"
	}
	for _, typ := range within(t.dynamic.(*types.Pointer).Elem(), nil) {
		for _, name := range implicitMethods {
			sel := t.prog.MethodSets.MethodSet(types.NewPointer(typ)).Lookup(nil, name)
			if sel == nil || t.std(typ.Obj().Pkg().Path()) {
				continue
			}
			fn := t.prog.MethodValue(sel)
			if fn == nil || !t.inView(fn) {
				return fmt.Sprintf("%s calls its method %s, whose code is not in view", obj.FullName(), name)
			}
			f := t.fact(fn, 0, region)
			if f == nil || f.escape != nil {
				return fmt.Sprintf("%s calls its method %s, which may keep it", obj.FullName(), name)
			}
		}
	}
	return ""
}

// within returns the defined types of which a value of type t holds values,
// itself included: their memory is a part of its own.
func within(t types.Type, found []*types.Named) []*types.Named {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		if slices.Contains(found, n) {
			return found
		}
		found = append(found, n)
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		found = within(u.Elem(), found)
	case *types.Struct:
		for i := range u.NumFields() {
			found = within(u.Field(i).Type(), found)
		}
	}
	return found
}

func (t *tracker) builtin(i ssa.CallInstruction, name string, v ssa.Value, c class) {
	com := i.Common()
	result, _ := i.(ssa.Value)
	switch name {
	case "append":
		if com.Args[0] == v && result != nil {
			t.appends = append(t.appends, com.Pos())
			t.mark(result, c)
		}
		if len(com.Args) > 1 && com.Args[1] == v && c&holder != 0 && result != nil {
			t.store(com.Args[0], c, i.Pos())
			t.derived(result, holder)
		}
	case "copy":
		if com.Args[1] == v && c&holder != 0 {
			t.store(com.Args[0], c, i.Pos())
		}
	case "cap":
		t.capacity = true
	case "len", "clear", "delete", "print", "println", "ssa:wrapnilchk", "close":
		if name == "ssa:wrapnilchk" && result != nil {
			t.mark(result, c)
		}
	case "min", "max", "real", "imag", "complex", "recover":
	case "panic":
		t.fail(i.Pos(), "it is panicked with")
	default:
		t.fail(i.Pos(), "it is passed to the builtin %s", name)
	}
}

// fact returns what fn does with its parameter, or nil if that cannot be told.
func (t *tracker) fact(fn *ssa.Function, index int, c class) *fact {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	at := param{fn, index, c}
	if f, ok := t.facts[at]; ok {
		return f
	}
	if t.depth >= maxDepth || index >= len(fn.Params) {
		return nil
	}
	t.facts[at] = nil
	in := t.analysis.tracker(fn, t.depth+1)
	in.method, in.dynamic = t.method, t.dynamic
	f := &fact{escape: in.follow(fn.Params[index], c), results: in.results}
	f.traits = in.traits
	f.holds = in.classes[fn.Params[index]]&^c != 0
	t.facts[at] = f
	return f
}

// pointerful reports whether a value of this type can refer to memory that a
// pool reuses. Strings are copies.
func pointerful(t types.Type) bool { return refers(t, 0) }

func refers(t types.Type, depth int) bool {
	if depth > 8 {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if refers(u.Field(i).Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if refers(u.At(i).Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

func objectOf(fn *ssa.Function) *types.Func {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

func pkgOf(fn *ssa.Function) *types.Package {
	if obj := objectOf(fn); obj != nil {
		return obj.Pkg()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	return nil
}

func calleeName(fn *ssa.Function) string {
	if obj := objectOf(fn); obj != nil {
		return obj.FullName()
	}
	return fn.Name()
}

// reaches reports whether control can go from one instruction to another
// without passing the third, which may be nil. An instruction reaches itself
// only around a loop.
func reaches(from, to, avoid ssa.Instruction) bool {
	if from.Parent() != to.Parent() {
		return true // a closure runs when it is called
	}
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, start int) bool
	walk = func(b *ssa.BasicBlock, start int) bool {
		for _, instr := range b.Instrs[start:] {
			if instr == to {
				return true
			}
			if instr == avoid && avoid != nil {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if walk(s, 0) {
					return true
				}
			}
		}
		return false
	}
	b := from.Block()
	return walk(b, slices.Index(b.Instrs, from)+1)
}
