// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
)

// An interface of one of the module's packages may have one type behind it, as far as is in view from another: in the package that
// declares it, or in one that implements it. Packages tell of their interfaces that have one such type or none, and
// of their types that implement those of others. A call through the interface is then one of that type's method. One of the standard
// library or of another module is made to be implemented by anybody.

// maxImplPairs bounds how many types of a package are compared with how many interfaces.
const maxImplPairs = 20_000

// onlyIfaces lists the exported interfaces of the package that one of its types implements at most, and of its imports those that it
// implements.
func (a *analysis) onlyIfaces(h *Hidden) {
	pairs := 0
	own := func(it *types.Interface) []types.Type {
		pairs += a.pkg.Pkg.Scope().Len()
		if pairs > maxImplPairs {
			return nil
		}
		return a.implementers(it)
	}
	for _, n := range exportedIfaces(a.pkg.Pkg) {
		list := own(n.Type().Underlying().(*types.Interface))
		if len(list) > 1 || pairs > maxImplPairs {
			continue
		}
		i := HiddenImpl{Name: n.Pkg().Path() + "." + n.Name()}
		if len(list) == 1 {
			i.Type = typeName(list[0])
		}
		h.Ifaces = append(h.Ifaces, i)
	}
	for _, p := range a.pkg.Pkg.Imports() {
		if !sameModule(a.pass, p) {
			continue
		}
		for _, i := range a.hiddenOf(p).Ifaces {
			it := ifaceNamed(p, i.Name)
			if it == nil {
				continue
			}
			for _, t := range own(it) {
				h.Impls = append(h.Impls, HiddenImpl{Name: i.Name, Type: typeName(t)})
			}
			if pairs > maxImplPairs {
				h.Impls = append(h.Impls, HiddenImpl{Name: i.Name}) // perhaps
			}
		}
	}
	slices.SortFunc(h.Impls, func(x, y HiddenImpl) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Type, y.Type)) })
}

// exportedIfaces are the exported interfaces of a package that have methods and stand for one type each.
func exportedIfaces(p *types.Package) []*types.TypeName {
	var list []*types.TypeName
	scope := p.Scope()
	for _, name := range scope.Names() {
		n, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !n.Exported() || n.IsAlias() {
			continue
		}
		it, ok := n.Type().Underlying().(*types.Interface)
		if nt, isNamed := n.Type().(*types.Named); ok && isNamed && nt.TypeParams().Len() == 0 && it.IsMethodSet() && it.NumMethods() > 0 {
			list = append(list, n)
		}
	}
	return list
}

// ifaceNamed is the interface of a package that has a qualified name.
func ifaceNamed(p *types.Package, name string) *types.Interface {
	name, ok := strings.CutPrefix(name, p.Path()+".")
	if !ok {
		return nil
	}
	n, ok := p.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	it, _ := n.Type().Underlying().(*types.Interface)
	return it
}

// sameModule reports whether another package is of the module that is analysed.
func sameModule(pass *goanalysis.Pass, p *types.Package) bool {
	if p == pass.Pkg || isStdPath(p.Path()) {
		return false
	}
	if pass.Module == nil || pass.Module.Path == "" {
		first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
		return p.Path() == first || strings.HasPrefix(p.Path(), first+"/")
	}
	return p.Path() == pass.Module.Path || strings.HasPrefix(p.Path(), pass.Module.Path+"/")
}

// onlyFar names the one type in view behind an interface of another package of the module; "" if there is none, or another one.
func (a *analysis) onlyFar(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !sameModule(a.pass, n.Obj().Pkg()) {
		return ""
	}
	found, ok := a.farTypes[n.Obj()]
	if !ok {
		it, isIface := n.Underlying().(*types.Interface)
		if a.farImpls == nil {
			a.farImpls = implsTold(a.pass)
		}
		impl := a.farImpls[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
		if isIface && impl.Deals && len(a.implementers(it)) == 0 && !a.implementedElsewhere(it) {
			found = impl.Type
		}
		set(&a.farTypes, n.Obj(), found)
	}
	return found
}

// implementedElsewhere reports whether a package that is imported, and of which nothing is told, shows a type that implements an interface.
func (a *analysis) implementedElsewhere(it *types.Interface) bool {
	for _, p := range a.pkg.Pkg.Imports() {
		if !sameModule(a.pass, p) || a.pass.ImportPackageFact(p, new(Hidden)) {
			continue
		}
		for _, name := range p.Scope().Names() {
			if tn, ok := p.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(tn.Type()) && types.Implements(types.NewPointer(tn.Type()), it) {
				return true
			}
		}
	}
	return false
}

// implsTold gives for each interface of which that is told the one type behind it, and nothing where there are several.
func implsTold(pass *goanalysis.Pass) map[string]HiddenImpl {
	told := map[string]HiddenImpl{}
	if pass.AllPackageFacts == nil {
		return told
	}
	facts := pass.AllPackageFacts()
	listed := map[string]bool{}
	for _, f := range facts {
		if h, ok := f.Fact.(*Hidden); ok && f.Package != pass.Pkg {
			for _, i := range h.Ifaces {
				listed[i.Name] = true
			}
		}
	}
	for _, f := range facts {
		h, ok := f.Fact.(*Hidden)
		if !ok || f.Package == pass.Pkg {
			continue
		}
		for _, i := range slices.Concat(h.Ifaces, h.Impls) {
			old, seen := told[i.Name]
			switch {
			case !listed[i.Name] || !h.declares(i) && i.Type == "" || seen && old.Type != i.Type && i.Type != "" && old.Type != "":
				told[i.Name] = HiddenImpl{Type: "?"}
			case i.Type != "":
				told[i.Name] = i
			}
		}
	}
	return told
}

// declares reports whether the package has an interface itself.
func (h *Hidden) declares(i HiddenImpl) bool {
	return slices.Contains(h.Ifaces, i)
}

// callsOneImpl reports whether a method is one of another package's interface that has one type behind it, which deals with pools.
func callsOneImpl(pass *goanalysis.Pass, f *types.Func, told *map[string]HiddenImpl) bool {
	r := f.Signature().Recv()
	if r == nil || f.Pkg() == nil || !types.IsInterface(r.Type()) || !sameModule(pass, f.Pkg()) {
		return false
	}
	n, ok := types.Unalias(r.Type()).(*types.Named)
	if !ok {
		return false
	}
	if *told == nil {
		*told = implsTold(pass)
	}
	return (*told)[f.Pkg().Path()+"."+n.Obj().Name()].Deals
}
