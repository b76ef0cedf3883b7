// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A method that reads puts what a field holds when it comes to the end, and sets the field to
// nil. Read may be asked once more, for nothing but the same answer, and Close follows: where
// that Put does not ask, it puts nil.

// playNil runs such a method again, and those that end the object's life.
func (a *analysis) playNil(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 {
		return false
	}
	body := fn.Name() == "Close" && len(fn.Params) == 1 && a.bodies[recvName(fn.Signature.Recv().Type())]
	if !body && !hasPrefix(fn.Name(), streamNames) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if recv.typ == nil || !leavesNil(e.st, recv) {
		return false
	}
	played := false
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || !a.relevant[m] {
			continue
		}
		again := m == fn && (body || fn.Name() == "Read")
		if !again && (body || !strings.HasPrefix(m.Name(), "Close") || len(m.Params) != 1) {
			continue
		}
		played = true
		play(func() {
			a.nilFails = true
			defer func() { a.nilFails = false }()
			a.methodOn(e.st, m, recv, nil, func(k findingKey, f *finding) bool {
				if f.message += ", when " + m.Name() + " is called "; again {
					f.message += "again"
				} else {
					f.message += "after " + fn.Name()
				}
				return k.pattern == putNil
			})
		})
	}
	return played
}

// leavesNil reports whether a pointer field of an object is nil after what it held was put.
func leavesNil(st *state, obj *sym) bool {
	for x, r := range st.rel {
		if x.kind != kLoad || x.a.kind != kField || x.base() != obj || r.async || st.gone[x] || !isPtr(x.typ) {
			continue
		}
		if v := st.mem[x.a]; v != nil && v.kind == kNil && v.idx == 0 {
			return true
		}
	}
	return false
}

// failsOnNil reports whether an instruction asks a pointer that is nil for what it points to.
func (a *analysis) failsOnNil(st *state, i ssa.Instruction) bool {
	isNil := func(v ssa.Value) bool { return plain(a.val(st, v)).kind == kNil }
	switch i := i.(type) {
	case *ssa.FieldAddr:
		return isNil(i.X)
	case *ssa.IndexAddr:
		return isNil(i.X)
	case *ssa.Slice:
		return isPtr(i.X.Type()) && isNil(i.X) // an array's
	case *ssa.UnOp:
		return isPtr(i.X.Type()) && isNil(i.X)
	case *ssa.Call:
		if i.Call.IsInvoke() {
			return isNil(i.Call.Value)
		}
		fn := i.Call.StaticCallee()
		return fn != nil && fn.Pkg != a.pkg && fn.Signature.Recv() != nil && isPtr(i.Call.Args[0].Type()) && isNil(i.Call.Args[0])
	}
	return false
}
