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

// A pooled reader or writer works over what its user gave it with Reset. When
// it goes to the pool as it is, the pool keeps that alive: a buffer with the whole
// message, a request's body, a connection. Reset(nil), or over io.Discard, lets
// go of it.
//
// A target that is only known to be an io.Writer may be small, or live as long as the
// program. A report needs one whose type is known in the package.

// keepers are types of other packages that hold on to what their Reset was given
// until the next Reset.
var keepers = map[string]bool{
	"bufio.Reader": true, "bufio.Writer": true,
	"compress/gzip.Reader": true, "compress/gzip.Writer": true, "compress/flate.Writer": true, "compress/zlib.Writer": true,
	"bytes.Reader": true, "strings.Reader": true,
	"github.com/klauspost/compress/gzip.Reader": true, "github.com/klauspost/compress/gzip.Writer": true,
	"github.com/klauspost/compress/flate.Writer": true, "github.com/klauspost/compress/zlib.Writer": true,
	"github.com/klauspost/compress/zstd.Decoder": true, "github.com/klauspost/compress/zstd.Encoder": true,
	"github.com/klauspost/compress/s2.Reader": true, "github.com/klauspost/compress/s2.Writer": true,
	"github.com/golang/snappy.Reader": true, "github.com/golang/snappy.Writer": true,
}

// perUseTargets are types of what is read from or written to that belong to one use.
var perUseTargets = map[string]bool{
	"*bytes.Buffer": true, "*bytes.Reader": true, "*strings.Reader": true, "*strings.Builder": true,
	"*io.LimitedReader": true, "*io.SectionReader": true, "*io.PipeReader": true, "*io.PipeWriter": true,
	"net.Conn": true, "*net.TCPConn": true, "*crypto/tls.Conn": true, "net/http.ResponseWriter": true,
}

// targetMakers are functions that wrap a source for one use.
var targetMakers = map[string]bool{
	"io.LimitReader": true, "io.TeeReader": true, "io.MultiReader": true, "io.NewSectionReader": true,
	"bytes.NewReader": true, "bytes.NewBuffer": true, "bytes.NewBufferString": true, "strings.NewReader": true,
}

// lentTo judges what pooled readers and writers were given to work on.
type lentTo struct {
	*forgotten
	resets map[*types.Named][]ssa.CallInstruction
	clears bool // an interface's Reset is given nothing somewhere
}

// judgeLent reports pooled readers and writers that keep what they were given.
func (a *analysis) judgeLent() {
	l := &lentTo{forgotten: a.uses(), resets: map[*types.Named][]ssa.CallInstruction{}}
	if len(l.puts) == 0 {
		return
	}
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		m := calledMethod(c)
		if m == nil || m.Name() != "Reset" && m.Name() != "reset" {
			continue
		}
		if c.Common().IsInvoke() {
			l.clears = l.clears || len(c.Common().Args) > 0 && givesNothing(c.Common().Args[0])
			continue
		}
		if len(c.Common().Args) < 2 {
			continue
		}
		if n := pointee(c.Common().Args[0].Type()); n != nil {
			l.resets[n.Origin()] = append(l.resets[n.Origin()], c)
		}
	}
	done := map[*types.Named]bool{}
	for _, p := range l.puts {
		if done[p.typ] || a.inTest(p.fn) {
			continue
		}
		done[p.typ] = true
		if at := l.putOf(p.typ); at != nil {
			l.judge(p.typ, at)
		}
	}
}

func (l *lentTo) judge(t *types.Named, put ssa.CallInstruction) {
	if l.clears || !l.keeps(t) || l.a.foundIn(retainedRefs, put.Parent()) {
		return
	}
	var lent ssa.CallInstruction
	for _, c := range l.resetsOf(t) {
		if givesNothing(c.Common().Args[1]) {
			l.judgeBeside(t)
			return
		}
		if lent == nil && l.ofUse(c.Common().Args[1], 0) {
			lent = c
		}
	}
	if lent == nil {
		return
	}
	l.a.reportFound(finding{
		pattern: retainedRefs, pos: instrPos(put), fn: put.Parent(),
		message: fmt.Sprintf("%s still leads to what it was given with %s (%s): the pool keeps that alive; call Reset(nil), or with io.Discard, before the Put", l.a.putSaid(instrPos(put), "the pooled "+l.a.shortName(t)), lent.Common().StaticCallee().Name(), l.a.line(instrPos(lent))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(lent), Message: "given here"}},
		more:    l.a.usersOfStatic(put),
	})
}

// shortName names a type with its package, unless that is the one at hand.
func (a *analysis) shortName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == a.pkg.Pkg {
			return ""
		}
		return p.Name()
	})
}

// resetsOf are the calls of Reset on values of a type, or on one that is a field of it.
func (l *lentTo) resetsOf(t *types.Named) []ssa.CallInstruction {
	list := l.resets[t]
	if s := structOf(t); s != nil && t.Obj().Pkg() == l.a.pkg.Pkg {
		for v := range s.Fields() {
			if n := heldType(v); n != nil {
				for _, c := range l.resets[n.Origin()] {
					if recv := c.Common().Args[0]; fieldRead(recv) == v.Origin() {
						list = append(slices.Clip(list), c)
					}
				}
			}
		}
	}
	return list
}

// heldType is the type of the object that a field holds, or points to.
func heldType(v *types.Var) *types.Named {
	if n := pointee(v.Type()); n != nil {
		return n
	}
	n, _ := types.Unalias(v.Type()).(*types.Named)
	return n
}

// fieldRead is the field that a value was read from, or is the address of.
func fieldRead(v ssa.Value) *types.Var {
	if l, ok := v.(*ssa.UnOp); ok {
		v = l.X
	}
	if fa, ok := v.(*ssa.FieldAddr); ok {
		if s := structOf(fa.X.Type()); s != nil {
			return s.Field(fa.Field).Origin()
		}
	}
	return nil
}

// keeps reports whether a type holds on to what its Reset was given.
func (l *lentTo) keeps(t *types.Named) bool {
	if p := t.Obj().Pkg(); p == nil {
		return false
	} else if p != l.a.pkg.Pkg {
		return keepers[strings.TrimPrefix(p.Path(), "vendor/")+"."+t.Obj().Name()]
	}
	// Of the package: Reset stores its parameter in a field that nothing else clears, or
	// there is a field of such a type.
	for _, c := range l.resetsOf(t) {
		n := pointee(c.Common().Args[0].Type()).Origin()
		if n.Obj().Pkg() != l.a.pkg.Pkg {
			if keepers[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
				return true
			}
			continue
		}
		fn := l.a.calledFunction(c)
		if fn == nil {
			continue
		}
		if fn = l.a.behindHop(fn); len(fn.Params) != 2 || !streamType(fn.Params[1].Type()) {
			continue
		}
		for _, v := range l.writes[fn] {
			ff := l.facts[v]
			stored := slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
				st, ok := s.instr.(*ssa.Store)
				return ok && s.instr.Parent() == fn && unboxed(st.Val) == fn.Params[1]
			})
			if stored && !ff.open && !slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what == wZero }) {
				return true
			}
		}
	}
	return false
}

// streamType reports whether a type is that of a source or target of bytes.
func streamType(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if m.Name() == "Read" || m.Name() == "Write" {
			return true
		}
	}
	return false
}

// givesNothing reports whether what a Reset is given holds nothing of a user's: nil, a
// variable of the package, or an object without content.
func givesNothing(v ssa.Value) bool {
	switch x := unboxed(v).(type) {
	case *ssa.Const, *ssa.Global:
		return true
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.Global)
		if al, isLocal := x.X.(*ssa.Alloc); isLocal {
			return emptyStruct(al.Type())
		}
		return ok
	case *ssa.Alloc:
		if emptyStruct(x.Type()) {
			return true
		}
		// new(bytes.Buffer) that is used for nothing else
		return len(referrers(x)) == 1
	case *ssa.Call:
		if len(x.Call.Args) == 0 {
			return packageFunc(x.Call.Value)
		}
		// bytes.NewReader(nil), strings.NewReader("")
		return len(x.Call.Args) == 1 && givesNothing(x.Call.Args[0])
	}
	return emptyStruct(v.Type())
}

// packageFunc reports whether a function without parameters is one that a package has, or a variable
// of it: what that gives is no user's.
func packageFunc(fn ssa.Value) bool {
	switch x := fn.(type) {
	case *ssa.Function:
		return x.Parent() == nil
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.Global)
		return ok
	}
	return false
}

func emptyStruct(t types.Type) bool {
	s := structOf(t)
	return s != nil && s.NumFields() == 0
}

// ofUse reports whether what a Reset is given is known to belong to one use.
func (l *lentTo) ofUse(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return l.ofUse(x.X, depth+1)
	case *ssa.ChangeInterface:
		return l.ofUse(x.X, depth+1)
	case *ssa.Alloc:
		return x.Heap && perUseTargets[types.TypeString(x.Type(), nil)]
	case *ssa.Call:
		return targetMakers[funcKey(calledMethod(x))]
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return l.ofUse(e, depth+2) })
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		if s := structOf(fa.X.Type()); s != nil && s.Field(fa.Field).Name() == "Body" && namedPkg(fa.X.Type()) == "net/http" {
			return true
		}
		switch types.TypeString(x.Type(), nil) {
		case "net.Conn", "*net.TCPConn", "*crypto/tls.Conn", "net/http.ResponseWriter":
			return true
		}
	case *ssa.Parameter:
		if perUseTargets[types.TypeString(x.Type(), nil)] {
			return true
		}
		fn := x.Parent()
		k := slices.Index(fn.Params, x)
		for _, c := range l.callers[fn] {
			if !l.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && l.ofUse(c.Common().Args[k], depth+1) {
				return true
			}
		}
		for _, c := range l.invokesOf(fn) {
			if k > 0 && k <= len(c.Common().Args) && l.ofUse(c.Common().Args[k-1], depth+1) {
				return true
			}
		}
	}
	return false
}
