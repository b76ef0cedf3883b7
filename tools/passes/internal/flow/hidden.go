// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A constructor often returns an interface, and the type behind it is not exported: to other packages, whose view of a
// package is what it exports, there is no such type. A fact about the package tells of those of its types that get out in this
// way, and of what their methods do with pools. A call through such an interface is one of the type's method where it
// is known what made the value.

// Hidden is the fact about a package: the types that are not exported and that other packages have behind interfaces.
type Hidden struct {
	Types []HiddenType
	// Vars are the exported variables of an interface type that are set once, in their package.
	Vars []HiddenVar `json:",omitempty"`
	// Ifaces are the exported interfaces that the package has one type for, or none, and Impls those of its imports that it has types
	// for (onlybehind.go).
	Ifaces, Impls []HiddenImpl `json:",omitempty"`
}

// A HiddenType has a name, as in an Expr, and the methods that are worth telling of.
type HiddenType struct {
	Name    string
	Methods []HiddenMethod
}

// A HiddenMethod is a method's name and what it does.
type HiddenMethod struct {
	Name string
	Does Summary
}

// A HiddenVar is a variable's name, and that of the type behind it.
type HiddenVar struct{ Name, Type string }

// A HiddenImpl is the name of an interface, and that of a type that implements it.
type HiddenImpl struct {
	Name, Type string
	// Deals is set where the type's methods have to do with pools.
	Deals bool `json:",omitempty"`
}

// AFact marks Hidden as a fact.
func (*Hidden) AFact() {}

func (h *Hidden) String() string {
	var names []string
	for _, t := range h.Types {
		for _, m := range t.Methods {
			names = append(names, "("+t.Name+")."+m.Name)
		}
	}
	for _, v := range h.Vars {
		names = append(names, v.Name+" "+v.Type)
	}
	return "hidden " + strings.Join(names, ", ")
}

// exportHidden exports the fact about the package, when all that other packages are told of functions is known, and notes
// which of the functions that nothing is known of yet give one type as an interface.
func (a *analysis) exportHidden() {
	if a.pass.ExportPackageFact == nil {
		return
	}
	var h Hidden
	worth := map[*types.TypeName]bool{}
	tell := func(name string) bool {
		n := a.localType(name)
		if n == nil {
			return name != "" && (a.hiddenNamed(name) != nil || a.lookupType(name) != nil)
		}
		known, ok := worth[n]
		if ok {
			return known
		}
		list := a.toldMethods(n)
		worth[n] = len(list) > 0
		if len(list) > 0 && !n.Exported() {
			h.Types = append(h.Types, HiddenType{n.Pkg().Path() + "." + n.Name(), list})
		}
		return len(list) > 0
	}
	for _, fn := range a.fns {
		obj := a.toldOthers(fn)
		if obj == nil || a.inTest(fn) || !slices.ContainsFunc(slices.Collect(fn.Signature.Results().Variables()), func(v *types.Var) bool { return types.IsInterface(v.Type()) }) {
			continue
		}
		s := new(Summary)
		followed := a.pass.ImportObjectFact(obj, s)
		if followed && len(s.Outcomes) > 0 && !s.Plain {
			for _, o := range s.Outcomes {
				for _, r := range o.Results {
					if r.Kind == "iface" {
						tell(r.Text)
					}
				}
			}
			continue
		}
		gives, some := make([]string, fn.Signature.Results().Len()), false
		for k := range gives {
			if t := a.givenAs1(fn, k, 0); tell(t) {
				gives[k], some = t, true
			}
		}
		if some {
			s.Gives = gives
			a.pass.ExportObjectFact(obj, s)
		}
	}
	scope := a.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !v.Exported() || !types.IsInterface(v.Type()) {
			continue
		}
		if t := a.onlySet(v); tell(t) {
			h.Vars = append(h.Vars, HiddenVar{name, t})
		}
	}
	a.onlyIfaces(&h)
	for k := range h.Ifaces {
		h.Ifaces[k].Deals = tell(h.Ifaces[k].Type)
	}
	for k := range h.Impls {
		h.Impls[k].Deals = tell(h.Impls[k].Type)
	}
	if len(h.Types)+len(h.Vars)+len(h.Ifaces)+len(h.Impls) == 0 {
		return
	}
	slices.SortFunc(h.Types, func(x, y HiddenType) int { return cmp.Compare(x.Name, y.Name) })
	a.pass.ExportPackageFact(&h)
}

// localType finds a type of the package by the name that typeName gave it.
func (a *analysis) localType(name string) *types.TypeName {
	name, ok := strings.CutPrefix(strings.TrimPrefix(name, "*"), a.pkg.Pkg.Path()+".")
	if !ok {
		return nil
	}
	n, _ := a.pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
	return n
}

// toldMethods are the methods of a type of the package's that have to do with pools, by name.
func (a *analysis) toldMethods(n *types.TypeName) []HiddenMethod {
	var list []HiddenMethod
	deals := false
	for sel := range types.NewMethodSet(types.NewPointer(n.Type())).Methods() {
		m, ok := sel.Obj().(*types.Func)
		if !ok || len(sel.Index()) > 1 || m.Pkg() != a.pkg.Pkg || !m.Exported() {
			continue // one that is promoted is of another type
		}
		s := new(Summary)
		if a.pass.ImportObjectFact(m, s) {
			deals = deals || s.pools() || s.Unfollowed
			list = append(list, HiddenMethod{m.Name(), *s})
		}
	}
	if !deals {
		return nil
	}
	return list
}

// givenAs1 names the one type that result k of a function has behind its interface; "" where there are others, or one of which it is not
// known. Nil is none.
func (a *analysis) givenAs1(fn *ssa.Function, k, depth int) string {
	if depth > 3 || len(fn.Blocks) == 0 || !types.IsInterface(fn.Signature.Results().At(k).Type()) || isError(fn.Signature.Results().At(k).Type()) {
		return ""
	}
	var list []ssa.Value
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok {
			list = append(list, r.Results[k])
		}
	}
	return a.behindAll(list, depth)
}

// behindAll names the one type behind several interfaces.
func (a *analysis) behindAll(list []ssa.Value, depth int) string {
	found := ""
	for _, v := range list {
		if isNilConst(v) {
			continue
		}
		t := a.behindValue(v, depth)
		if t == "" || found != "" && found != t {
			return ""
		}
		found = t
	}
	return found
}

// behindValue names the type behind an interface, where that shows in what made it.
func (a *analysis) behindValue(v ssa.Value, depth int) string {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return typeName(v.X.Type())
	case *ssa.ChangeInterface:
		return a.behindValue(v.X, depth)
	case *ssa.Phi:
		if slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { _, again := e.(*ssa.Phi); return again }) {
			return ""
		}
		return a.behindAll(v.Edges, depth)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return a.behindCallOf(c, v.Index, depth)
		}
	case *ssa.Call:
		return a.behindCallOf(v, 0, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL && depth < 3 {
			if g, ok := v.X.(*ssa.Global); ok && g.Object() != nil {
				return a.behindVar(g)
			}
		}
	}
	return ""
}

// behindCallOf names the type behind result k of a call.
func (a *analysis) behindCallOf(c *ssa.Call, k, depth int) string {
	callee := c.Call.StaticCallee()
	if callee == nil || callee.Origin() != nil || c.Call.IsInvoke() {
		return ""
	}
	if a.inPackage(callee) {
		return a.givenAs1(callee, k, depth+1)
	}
	f, ok := callee.Object().(*types.Func)
	if !ok {
		return ""
	}
	s := a.summaryOf(f)
	if s == nil {
		return ""
	}
	if k < len(s.Gives) {
		return s.Gives[k]
	}
	found := ""
	for _, o := range s.Outcomes {
		switch r := o.Results[k]; {
		case r.Kind == "nil":
		case r.Kind != "iface" || r.Text == "" || found != "" && found != r.Text:
			return ""
		default:
			found = r.Text
		}
	}
	return found
}

// behindVar names the type behind a variable of an interface type, of this package or of another one.
func (a *analysis) behindVar(g *ssa.Global) string {
	if g.Pkg == a.pkg {
		return a.onlySet(g.Object())
	}
	if g.Pkg != nil {
		for _, v := range a.hiddenOf(g.Pkg.Pkg).Vars {
			if v.Name == g.Name() {
				return v.Type
			}
		}
	}
	return ""
}

// onlySet names the type behind a variable of the package, of an interface type, or an unexported field of a struct of the package's,
// that all that is stored there has, and whose address goes nowhere else; "" if it is not known.
func (a *analysis) onlySet(v types.Object) string {
	if a.setTypes == nil {
		a.setTypes = map[types.Object]string{}
		bad, stores := map[types.Object]bool{}, map[types.Object][]ssa.Value{}
		var order []types.Object
		for fn, i := range a.instrs() {
			for _, op := range i.Operands(nil) {
				obj := a.setPlace(*op)
				if obj == nil {
					continue
				}
				switch i := i.(type) {
				case *ssa.DebugRef, *ssa.UnOp:
				case *ssa.Store:
					switch {
					case i.Addr != *op:
						bad[obj] = true
					case !a.inTest(fn):
						if stores[obj] == nil {
							order = append(order, obj)
						}
						stores[obj] = append(stores[obj], i.Val)
					}
				default:
					bad[obj] = true
				}
			}
		}
		for _, obj := range order {
			if !bad[obj] {
				a.setTypes[obj] = a.behindAll(stores[obj], 0)
			}
		}
	}
	return a.setTypes[v]
}

// setPlace is the variable or field of an interface type that onlySet answers for and whose address a value is.
func (a *analysis) setPlace(addr ssa.Value) types.Object {
	var obj types.Object
	switch x := addr.(type) {
	case *ssa.Global:
		if x.Pkg == a.pkg {
			obj = x.Object()
		}
	case *ssa.FieldAddr:
		if f := fieldAt(x); f != nil && !f.Exported() && f.Pkg() == a.pkg.Pkg {
			obj = f
		}
	}
	if obj == nil || !types.IsInterface(obj.Type()) || isError(obj.Type()) {
		return nil
	}
	return obj
}

// A hiddenType is a type of another package that is not in view.
type hiddenType struct {
	name    *types.TypeName
	does    map[string]*Summary
	methods map[string]*ssa.Function
}

// hiddenNamed finds what is told of a type of another package that is not in view, by the name that typeName gave it.
func (a *analysis) hiddenNamed(name string) *hiddenType {
	name = strings.TrimPrefix(name, "*")
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || token.IsExported(name[dot+1:]) {
		return nil
	}
	if h, ok := a.hiddenTypes[name]; ok {
		return h
	}
	var found *hiddenType
	if p := a.prog.ImportedPackage(name[:dot]); p != nil && p != a.pkg {
		for _, t := range a.hiddenOf(p.Pkg).Types {
			if t.Name != name {
				continue
			}
			of := types.NewPackage(p.Pkg.Path(), p.Pkg.Name())
			found = &hiddenType{types.NewTypeName(token.NoPos, of, name[dot+1:], nil), map[string]*Summary{}, map[string]*ssa.Function{}}
			types.NewNamed(found.name, types.NewStruct(nil, nil), nil)
			for k := range t.Methods {
				found.does[t.Methods[k].Name] = &t.Methods[k].Does
			}
		}
	}
	set(&a.hiddenTypes, name, found)
	return found
}

// hiddenOf is the fact about a package.
func (a *analysis) hiddenOf(p *types.Package) *Hidden {
	h, ok := a.hiddenFacts[p]
	if !ok {
		h = new(Hidden)
		if a.pass.ImportPackageFact == nil || isStdPath(p.Path()) || !a.pass.ImportPackageFact(p, h) {
			h = new(Hidden)
		}
		set(&a.hiddenFacts, p, h)
	}
	return h
}

// method stands for a method of the hidden type that implements one of an interface, or is nil where nothing is told of it.
func (h *hiddenType) method(a *analysis, m *types.Func) *ssa.Function {
	s := h.does[m.Name()]
	if s == nil || !m.Exported() {
		return nil
	}
	fn, ok := h.methods[m.Name()]
	if !ok {
		t := types.NewPointer(h.name.Type())
		sig := m.Signature()
		f := types.NewFunc(token.NoPos, h.name.Pkg(), m.Name(), types.NewSignatureType(types.NewVar(token.NoPos, h.name.Pkg(), "", t), nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		h.name.Type().(*types.Named).AddMethod(f)
		a.facts[f] = s
		if sel := types.NewMethodSet(t).Lookup(h.name.Pkg(), m.Name()); sel != nil {
			fn = a.prog.MethodValue(sel)
		}
		h.methods[m.Name()] = fn
	}
	return fn
}

// behindForeign is what is told of the type, of another package, that is behind an interface: what a call gave, or what a variable or a
// field has.
func (a *analysis) behindForeign(v ssa.Value) (*hiddenType, types.Type) {
	name := ""
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		switch x := l.X.(type) {
		case *ssa.Global:
			name = a.behindVar(x)
		case *ssa.FieldAddr:
			if f := a.setPlace(x); f != nil {
				name = a.onlySet(f)
			}
		}
	}
	if name == "" {
		name = a.onlyFar(v.Type())
	}
	if name == "" || a.localType(name) != nil {
		return nil, nil
	}
	if h := a.hiddenNamed(name); h != nil {
		return h, nil
	}
	return nil, a.lookupType(name)
}

// usesHiddenVar reports whether a variable of another package is known to hold a type that deals with pools, as an interface.
func usesHiddenVar(pass *goanalysis.Pass, v *types.Var) bool {
	if v.Pkg() == nil || v.Pkg() == pass.Pkg || v.IsField() || !types.IsInterface(v.Type()) || isStdPath(v.Pkg().Path()) || pass.ImportPackageFact == nil {
		return false
	}
	h := new(Hidden)
	return pass.ImportPackageFact(v.Pkg(), h) && slices.ContainsFunc(h.Vars, func(x HiddenVar) bool { return x.Name == v.Name() })
}

// callsHidden reports whether a call gives what another package has a type of behind an interface, or calls such a type's method.
func (a *analysis) callsHidden(c *ssa.CallCommon, f *types.Func) bool {
	if c.IsInvoke() {
		h, t := a.behindForeign(c.Value)
		return h != nil || t != nil
	}
	s := a.summaryOf(f)
	return s != nil && len(s.Gives) > 0
}

// givesHidden notes what is told of the types behind the results of a call.
func (a *analysis) givesHidden(outs []outcome, f *types.Func) {
	if f == nil || f.Pkg() == a.pkg.Pkg {
		return
	}
	s := a.summaryOf(f)
	if s == nil || len(s.Gives) == 0 {
		return
	}
	for _, o := range outs {
		list := []*sym{o.result}
		if len(s.Gives) > 1 {
			list = o.result.list
		}
		for k, r := range list {
			if k < len(s.Gives) && s.Gives[k] != "" && r.kind == kOpaque {
				r.setBehind(a, s.Gives[k])
			}
		}
	}
}

// withBehind adds to what is told of an object of another package the type that it has behind an interface.
func (x *sym) withBehind(e *Expr) *Expr {
	switch {
	case x.behind != nil:
		return &Expr{Kind: "iface", A: e, Text: "*" + x.behind.name.Pkg().Path() + "." + x.behind.name.Name()}
	case x.behindType != nil:
		return &Expr{Kind: "iface", A: e, Text: typeName(x.behindType)}
	}
	return e
}

// setBehind notes the type of what an object of another package is.
func (x *sym) setBehind(a *analysis, name string) {
	switch x.kind {
	case kToken, kAlloc, kOpaque:
		if x.behind = a.hiddenNamed(name); x.behind == nil {
			x.behindType = a.lookupType(name)
		}
	}
}
