// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Write that sends the bytes that it is given on a channel, and returns, keeps what
// io.Writer says it must not keep: whoever writes from a pooled buffer puts it next.

// judgeQueuedWrites reports bytes of pooled buffers that are written to a field in which the
// package keeps such a writer.
func (c *custody) judgeQueuedWrites() {
	a := c.a
	sends := map[*types.TypeName]ssa.Instruction{}
	for _, fn := range a.fns {
		if fn.Name() != "Write" || fn.Signature.Recv() == nil || len(fn.Params) != 2 || !isBytes(fn.Params[1].Type()) || a.inTest(fn) {
			continue
		}
		if s := sendsItself(fn, fn.Params[1]); s != nil {
			if n := recvName(fn.Signature.Recv().Type()); n != nil {
				sends[n] = s
			}
		}
	}
	if len(sends) == 0 {
		return
	}
	// The fields that such writers are stored in, also by a function that is given one.
	fields := map[*types.Var]ssa.Instruction{}
	others := map[*types.Var]bool{}
	for _, fn := range a.fns {
		eachStore(fn, func(st *ssa.Store) {
			f := fieldAt(st.Addr)
			if f == nil || !isWriter(f.Type()) {
				return
			}
			v := st.Val
			if p, ok := v.(*ssa.Parameter); ok {
				k := slices.Index(fn.Params, p)
				calls := c.callsOf(fn)
				if len(calls) == 0 || exportedRoot(fn) {
					others[f] = true // whatever the callers have
				}
				for _, call := range calls {
					note(fields, others, f, call.Common().Args[k], sends)
				}
				return
			}
			note(fields, others, f, v, sends)
		})
	}
	for fn, i := range a.instrsBeyondTests() {
		call, ok := i.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() || call.Call.Method.Name() != "Write" || len(call.Call.Args) != 1 {
			continue
		}
		f := fieldOfValue(call.Call.Value)
		if f == nil || fields[f] == nil || others[f] || a.foundIn(goroutineUse, fn) || waitsInBody(fn) {
			continue
		}
		if put := c.putOf(fn, call.Call.Args[0]); put != nil {
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(call), fn: fn,
				message: fmt.Sprintf("the memory of %s is written to %s, whose Write sends it on a channel and returns (%s); it is put (%s) while the receiver may still read it", orElse(c.a.putNameAt(put), "a pooled value"), f.Name(), a.line(instrPos(fields[f])), a.line(instrPos(put))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(fields[f]), Message: "sent here"}, {Pos: instrPos(put), Message: "put here"}},
			})
		}
	}
}

// note sees what is stored in a field: a writer that sends on a channel, or another.
func note(fields map[*types.Var]ssa.Instruction, others map[*types.Var]bool, f *types.Var, v ssa.Value, sends map[*types.TypeName]ssa.Instruction) {
	m, ok := v.(*ssa.MakeInterface)
	if !ok {
		others[f] = others[f] || !isNilConst(v)
		return
	}
	n := recvName(m.X.Type())
	if n == nil || sends[n] == nil {
		others[f] = true
		return
	}
	fields[f] = sends[n]
}

// callsOf are the calls of a function in the package.
func (c *custody) callsOf(fn *ssa.Function) (list []ssa.CallInstruction) {
	for _, g := range c.a.fns {
		for i := range instrsOf(g) {
			if call, ok := i.(ssa.CallInstruction); ok && !call.Common().IsInvoke() && c.a.calledFunction(call) == fn && len(call.Common().Args) == len(fn.Params) {
				list = append(list, call)
			}
		}
	}
	return list
}

// sendsItself is the instruction with which a function sends a slice that it is given, or a
// part of it, on a channel. There is none where the function waits for anything.
func sendsItself(fn *ssa.Function, p *ssa.Parameter) (send ssa.Instruction) {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			if derivedFrom(i.X) == p {
				send = i
			}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.SendOnly && derivedFrom(s.Send) == p {
					send = i
				} else if s.Dir == types.RecvOnly && !isDone(s.Chan) {
					return nil
				}
			}
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				return nil
			}
		case *ssa.Call:
			if m := calledMethod(i); m != nil && m.Name() == "Wait" {
				return nil
			}
		case *ssa.Store:
			if i.Val == p {
				return nil // p in a variable
			}
		}
	}
	return send
}

// waitsInBody reports whether a function waits for somebody, or has a writer flushed.
func waitsInBody(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			return true
		case ssa.CallInstruction:
			if m := calledMethod(i); m != nil && slices.Contains([]string{"Wait", "Flush", "Sync", "Close"}, m.Name()) {
				return true
			}
		}
	}
	return false
}

// isDone reports whether a channel is one that is only closed: its elements are empty.
func isDone(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := t.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// putOf is where a function puts the value, taken from a pool there, whose memory a slice is.
func (c *custody) putOf(fn *ssa.Function, v ssa.Value) ssa.Instruction {
	from := map[ssa.Value]bool{}
	c.back(v, func(x ssa.Value) bool {
		from[x] = true
		if call, ok := x.(*ssa.Call); ok {
			if m := calledMethod(call); m != nil && m.Name() == "Bytes" && m.Pkg() != nil && m.Pkg().Path() == "bytes" {
				c.back(call.Call.Args[0], func(y ssa.Value) bool {
					from[y] = true
					return fieldOfValue(y) == nil
				})
			}
		}
		return fieldOfValue(x) == nil
	})
	taken := false
	for x := range from {
		taken = taken || c.takenBy(x)
	}
	if !taken {
		return nil
	}
	for i := range instrsOf(fn) {
		for _, p := range c.putBy(i) {
			same := false
			c.back(p, func(x ssa.Value) bool {
				_, isCall := x.(*ssa.Call)
				same = same || from[x] && (isCall || isPtr(x.Type()))
				return fieldOfValue(x) == nil
			})
			if same {
				return i
			}
		}
	}
	return nil
}
