// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"golang.org/x/tools/go/ssa"
)

// What writes to a buffer may be out of view: a chain of writers, one over the other. That
// something was written shows when the buffer is read afterwards.

// noteReadFull sees the content of a buffer read. Where nothing was seen written to it, though it
// was given away as a writer, and to no one who could empty it, those who had it wrote.
func (a *analysis) noteReadFull(st *state, i ssa.Instruction, key string, args []*sym) {
	if key != "bytes.Buffer.String" && key != "bytes.Buffer.Bytes" || len(args) == 0 {
		return
	}
	c, ok := i.(*ssa.Call)
	if !ok || c.Call.IsInvoke() {
		return
	}
	x := plain(args[0])
	t := pooledBuffer(x)
	if t == nil || t.kind != kToken || t != x || !bufferType(t, x) || st.content[t] != fromPool || !lentAsWriter(c.Call.Args[0]) {
		return
	}
	a.touched(st, i, t, "read")
}

// lentAsWriter reports whether a buffer is given to calls as a writer, and in no other way.
func lentAsWriter(v ssa.Value) bool {
	lent := false
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			for _, q := range referrers(r) {
				c, ok := q.(ssa.CallInstruction)
				if !ok {
					if _, debug := q.(*ssa.DebugRef); !debug {
						return false
					}
					continue
				}
				switch {
				case isWriter(r.Type()):
					lent = true
				case !isPut(c):
					return false
				}
			}
		case ssa.CallInstruction:
			if isPut(r) {
				continue
			}
			if m := calledMethod(r); m == nil || m.Signature().Recv() == nil || recvOf(r) != v || namedPkg(m.Signature().Recv().Type()) != "bytes" {
				return false
			}
		case *ssa.DebugRef, *ssa.BinOp:
		default:
			return false
		}
	}
	return lent
}
