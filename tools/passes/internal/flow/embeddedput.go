// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A method of an embedded struct that puts its receiver puts the part, not the whole that
// came from the pool. And where all users of a pool assert an interface, what is put has to
// implement it.

// checkParts reports Puts of what is only embedded in what a pool's New makes, and of what
// lacks the methods that all users of the pool assert.
func (a *analysis) checkParts(p *typedPool) {
	qual := types.RelativeTo(a.pkg.Pkg)
	name := func(t types.Type) string { return types.TypeString(t, qual) }
	for _, s := range slices.Concat(p.puts, p.viaHelper) {
		if generic(s.typ) || types.IsInterface(s.typ) ||
			slices.ContainsFunc(slices.Concat(p.made, p.taken), func(o typedSite) bool { return types.Identical(o.typ, s.typ) }) {
			continue
		}
		part := len(p.made) > 0
		for _, m := range p.made {
			part = part && embeds(m.typ, s.typ)
		}
		if part {
			a.reportFound(finding{
				pattern: wrongType, pos: s.pos,
				message: fmt.Sprintf("%s is put in %s, but its New makes %s, in which it is embedded: the pool's users get the part for the whole", a.putSaid(s.pos, "a "+name(s.typ)), p.name, name(p.made[0].typ)),
				related: whereMade(p),
			})
			continue
		}
		lacks := len(p.taken) > 0 && !p.handedOn
		for _, t := range p.taken {
			it, ok := t.typ.Underlying().(*types.Interface)
			lacks = lacks && ok && !t.loose && !generic(t.typ) && !types.Implements(s.typ, it)
		}
		if lacks {
			a.reportFound(finding{
				pattern: wrongType, pos: s.pos,
				message: fmt.Sprintf("%s is put in %s, whose users assert %s, which it does not implement", a.putSaid(s.pos, "a "+name(s.typ)), p.name, name(p.taken[0].typ)),
				related: whereAsserted(p),
			})
		}
	}
}

// embeds reports whether outer is a pointer to a struct that embeds what inner points to.
func embeds(outer, inner types.Type) bool {
	o, i := pointee(outer), pointee(inner)
	if o == nil || i == nil {
		return false
	}
	s, ok := o.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Embedded() {
			continue
		}
		if types.Identical(f.Type(), i) || types.Identical(f.Type(), inner) || embeds(types.NewPointer(f.Type()), inner) {
			return true
		}
	}
	return false
}

// helperPuts finds what goes to pools through functions of the package that put a parameter
// of interface type in one pool, or in one that is a parameter, too.
func (a *analysis) helperPuts(at func(ssa.Value) *typedPool) {
	for c := range a.productCalls() {
		if c.Common().IsInvoke() || funcKey(calledMethod(c)) != "sync.Pool.Put" {
			continue
		}
		fn := c.Parent()
		v, ok := unboxed(c.Common().Args[1]).(*ssa.Parameter)
		if !ok || !types.IsInterface(v.Type()) {
			continue
		}
		pool := c.Common().Args[0]
		for _, site := range a.sites[fn] {
			args := site.Common().Args
			k := slices.Index(fn.Params, v)
			mi, ok := args[min(k, len(args)-1)].(*ssa.MakeInterface)
			if !ok || a.inTest(site.Parent()) {
				continue
			}
			of := pool
			if prm, ok := pool.(*ssa.Parameter); ok {
				if n := slices.Index(fn.Params, prm); n < len(args) {
					of = args[n]
				}
			}
			if p := at(of); p != nil {
				p.viaHelper = append(p.viaHelper, typedSite{instrPos(site), mi.X.Type(), false})
			}
		}
	}
}
