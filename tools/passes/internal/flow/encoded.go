// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What is given to an encoder, or to a template, has all its exported fields read: no code of
// the package does that.

// encodedBy is a call that has a field of a type read by reflection, or nil.
func (a *analysis) encodedBy(v *types.Var, of *types.Struct) ssa.Instruction {
	if !v.Exported() || leftOut(v, of) {
		return nil
	}
	if a.encodings == nil {
		a.encodings = map[*types.Var]ssa.Instruction{}
		for c := range a.productCalls() {
			if !encodes(c) {
				continue
			}
			for _, x := range c.Common().Args {
				if mi, ok := x.(*ssa.MakeInterface); ok {
					a.noteEncoded(mi.X.Type(), c, map[types.Type]bool{})
				}
			}
		}
	}
	return a.encodings[v.Origin()]
}

// noteEncoded notes the fields of what a type leads to.
func (a *analysis) noteEncoded(t types.Type, by ssa.Instruction, seen map[types.Type]bool) {
	if seen[t] || len(seen) > 200 {
		return
	}
	seen[t] = true
	if ownEncoding(t) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		a.noteEncoded(u.Elem(), by, seen)
	case *types.Slice:
		a.noteEncoded(u.Elem(), by, seen)
	case *types.Array:
		a.noteEncoded(u.Elem(), by, seen)
	case *types.Map:
		a.noteEncoded(u.Elem(), by, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if (f.Exported() || f.Embedded()) && !leftOut(f, u) {
				if a.encodings[f.Origin()] == nil {
					a.encodings[f.Origin()] = by
				}
				a.noteEncoded(f.Type(), by, seen)
			}
		}
	}
}

// encodes reports whether a call encodes what it is given as anything at all.
func encodes(c ssa.CallInstruction) bool {
	m := calledMethod(c)
	if m == nil || m.Pkg() == nil {
		return false
	}
	if !strings.HasPrefix(m.Name(), "Marshal") && m.Name() != "Encode" && m.Name() != "EncodeElement" && m.Name() != "Execute" && m.Name() != "ExecuteTemplate" {
		return false
	}
	if m.Name() == "Execute" || m.Name() == "ExecuteTemplate" {
		return m.Pkg().Path() == "text/template" || m.Pkg().Path() == "html/template"
	}
	return true
}

// ownEncoding reports whether values of a type encode themselves.
func ownEncoding(t types.Type) bool {
	if types.IsInterface(t) {
		return false
	}
	for _, name := range []string{"MarshalJSON", "MarshalText", "MarshalXML", "MarshalYAML", "GobEncode", "MarshalBinary", "EncodeMsgpack"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, nil, name); m != nil {
			if _, ok := m.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}

// leftOut reports whether a field's tag keeps it from encoders.
func leftOut(v *types.Var, of *types.Struct) bool {
	for n := range of.NumFields() {
		if of.Field(n).Origin() != v.Origin() {
			continue
		}
		for _, key := range []string{"json", "xml", "yaml", "msgpack"} {
			if reflect.StructTag(of.Tag(n)).Get(key) == "-" {
				return true
			}
		}
	}
	return false
}

// decoded reports whether a pooled value goes as an interface to code other than encoders and
// pools, which may set any of its exported fields.
func (f *forgotten) decoded(bases []ssa.Value) bool {
	for _, v := range bases {
		for _, r := range referrers(v) {
			mi, ok := r.(*ssa.MakeInterface)
			if !ok {
				continue
			}
			for _, u := range referrers(mi) {
				c, ok := u.(ssa.CallInstruction)
				if ok && !encodes(c) && len(f.putArgs(f.a, c)) == 0 {
					return true
				}
			}
		}
	}
	return false
}
