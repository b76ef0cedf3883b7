// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An encoder, a decoder or a logger keeps what it was told: SetIndent, UseNumber, SetPrefix.
// In a pooled struct, or pooled itself, what one user tells it under some condition holds for
// all that come after, unless somebody takes it back.

// A toldSite is a call that tells an object of a pooled struct, or a pooled object, something.
type toldSite struct {
	call   *ssa.Call
	method *types.Func
	field  *types.Var   // that holds the object, or nil
	of     *types.Named // the pooled type
}

// judgeSticky reports settings that are made under a condition, or by some users only, and
// never taken back.
func (a *analysis) judgeSticky() {
	f := a.uses()
	if len(f.puts) == 0 {
		return
	}
	type key struct {
		method *types.Func
		field  *types.Var
		of     *types.Named
	}
	told := map[key][]toldSite{}
	var order []key
	var uses []toldSite
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		s, ok := a.toldSite(f, call)
		if !ok {
			continue
		}
		if !keepsTold(s.method) {
			uses = append(uses, s)
			continue
		}
		k := key{s.method, s.field, s.of}
		if told[k] == nil {
			order = append(order, k)
		}
		told[k] = append(told[k], s)
	}
	for _, k := range order {
		sites := told[k]
		if slices.ContainsFunc(sites, func(s toldSite) bool { return takesBack(s.call, len(sites)) }) || f.renewed(k.field, k.of) ||
			slices.ContainsFunc(uses, func(u toldSite) bool {
				return u.field == k.field && u.of == k.of && (strings.HasPrefix(u.method.Name(), "Reset") || u.method.Name() == "Init")
			}) {
			continue
		}
		for _, s := range sites {
			missed := a.missesTold(f, s, uses, sites)
			if missed == nil {
				continue
			}
			what := "the pooled " + k.of.Obj().Name()
			if k.field != nil {
				what = "field " + k.field.Name() + " of " + what
			}
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(s.call), fn: s.call.Parent(),
				message: fmt.Sprintf("%s is told with %s here, not for each use, and nothing takes it back: it holds for those that take the value later (%s)", what, s.method.Name(), a.line(instrPos(missed))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(missed), Message: "used here, with or without"}},
			})
			break
		}
	}
}

// toldSite sees a method of another package called on a pooled object, or one in a field of a
// pooled struct, that was not made on the spot.
func (a *analysis) toldSite(f *forgotten, c *ssa.Call) (toldSite, bool) {
	m := calledMethod(c)
	if m == nil || c.Call.IsInvoke() || m.Signature().Recv() == nil || m.Pkg() == nil || m.Pkg() == a.pkg.Pkg || len(c.Call.Args) == 0 {
		return toldSite{}, false
	}
	recv := c.Call.Args[0]
	pooled := func(t types.Type) *types.Named {
		n := pointee(t)
		if n == nil || !slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == n.Origin() }) || !slices.ContainsFunc(f.gets, func(p poolSite) bool { return p.typ == n.Origin() }) {
			return nil
		}
		// Its own package takes it back, and may set it back then.
		if n.Obj().Pkg() != a.pkg.Pkg && slices.ContainsFunc(f.puts, func(p poolSite) bool {
			c, ok := p.instr.(ssa.CallInstruction)
			return ok && p.typ == n.Origin() && calledMethod(c) != nil && calledMethod(c).Pkg() == n.Obj().Pkg()
		}) {
			return nil
		}
		return n.Origin()
	}
	v, base := fieldLoad(recv)
	if fa, ok := recv.(*ssa.FieldAddr); ok {
		v, base = fieldAt(fa), fa.X
	}
	if v != nil {
		if t := pooled(base.Type()); t != nil && !f.isFresh(base) {
			return toldSite{c, m, v, t}, true
		}
		return toldSite{}, false
	}
	if t := pooled(recv.Type()); t != nil && f.takenFromPool(recv) {
		return toldSite{c, m, nil, t}, true
	}
	return toldSite{}, false
}

// takenFromPool reports whether a value comes from a pool in the function.
func (f *forgotten) takenFromPool(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			return f.gets0(f.a, x)
		default:
			return false
		}
	}
}

// sticky settings are methods of the standard library that change what an object does until
// they are called again; those of types that forget it when they are reset are left out.
var stickySettings = map[string]bool{
	"encoding/json.Encoder.SetIndent": true, "encoding/json.Encoder.SetEscapeHTML": true,
	"encoding/json.Decoder.UseNumber": true, "encoding/json.Decoder.DisallowUnknownFields": true,
	"encoding/xml.Encoder.Indent": true,
	"log.Logger.SetPrefix":        true, "log.Logger.SetFlags": true,
	"math/big.Float.SetPrec": true, "math/big.Float.SetMode": true,
	"text/template.Template.Option": true, "html/template.Template.Option": true,
}

// keepsTold reports whether a method changes what its object does from now on.
func keepsTold(m *types.Func) bool {
	if isStdPath(m.Pkg().Path()) {
		return stickySettings[funcKey(m)]
	}
	name := m.Name()
	if m.Signature().Params().Len() > 2 || m.Signature().Results().Len() > 0 {
		return false
	}
	if strings.HasPrefix(name, "Disallow") || name == "UseNumber" {
		return true
	}
	if m.Signature().Params().Len() == 0 {
		return false
	}
	return name == "SetIndent" || name == "SetEscapeHTML" || name == "SetPrefix" || name == "SetFlags" || name == "SetLevel" || name == "SetStrict" || strings.HasPrefix(name, "SetMax")
}

// takesBack reports whether a call tells an object what it does by itself, or, being one of
// several, what its caller worked out, which may be that.
func takesBack(c *ssa.Call, of int) bool {
	args := c.Call.Args[1:]
	if len(args) == 0 {
		return false
	}
	zero := true
	for _, x := range args {
		k, ok := x.(*ssa.Const)
		if !ok {
			return of > 1
		}
		zero = zero && (k.Value == nil || isZero(k.Value))
	}
	if calledMethod(c).Name() == "SetEscapeHTML" {
		return !zero
	}
	return zero
}

// renewed reports whether a field is set anew in use.
func (f *forgotten) renewed(v *types.Var, t *types.Named) bool {
	if v == nil {
		return false
	}
	ff := f.facts[v]
	return ff != nil && len(ff.stores) > 0
}

// missesTold finds a use of an object that the setting at s does not come before: in the same
// function on a path around it, or in another function that takes the object itself.
func (a *analysis) missesTold(f *forgotten, s toldSite, uses, sites []toldSite) ssa.Instruction {
	fn := s.call.Parent()
	takes := func(fn *ssa.Function) bool {
		return slices.ContainsFunc(f.gets, func(p poolSite) bool { return p.typ == s.of && p.fn == fn })
	}
	if !takes(fn) {
		return nil
	}
	for _, u := range uses {
		if u.field != s.field || u.of != s.of || strings.HasPrefix(u.method.Name(), "Set") {
			continue // what sets something else asks nothing yet
		}
		in := u.call.Parent()
		switch {
		case in == fn:
			if reachesAround(fn, u.call, sites) {
				return u.call
			}
		case takes(in) && !f.getter[in] && !slices.ContainsFunc(sites, func(o toldSite) bool { return o.call.Parent() == in }):
			return u.call
		}
	}
	return nil
}

// reachesAround reports whether a function may come to a call without any of some others.
func reachesAround(fn *ssa.Function, to *ssa.Call, sites []toldSite) bool {
	stop := map[*ssa.BasicBlock]bool{}
	for _, s := range sites {
		if s.call.Block() == to.Block() {
			if precedes(s.call, to) {
				return false
			}
			continue
		}
		stop[s.call.Block()] = true
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || stop[b] {
			continue
		}
		seen[b] = true
		if b == to.Block() {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}
