// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// judgeErrLater reports Puts, mostly deferred ones, of what a function gave beside an
// error, where the error is looked at only later: with an error there is no value.
func (a *analysis) judgeErrLater() {
	for c := range a.poolCalls("Put") {
		put := unboxed(c.Common().Args[1])
		if t := a.through[c]; !isPtr(put.Type()) || t != nil && t.NilSafe {
			continue
		}
		vs := []ssa.Value{put}
		if p, ok := put.(*ssa.Phi); ok {
			vs = append(vs, p.Edges...)
		}
		for _, v := range vs {
			x, ok := v.(*ssa.Extract)
			if !ok || x.Index != 0 {
				continue
			}
			call, ok := x.Tuple.(*ssa.Call)
			if !ok || !a.nilOnError(call) {
				continue
			}
			test := errTestedAfter(call, c)
			if test == nil || nilTestBefore(c, put) {
				continue
			}
			a.reportFound(finding{
				pattern: putNil, pos: instrPos(c), fn: c.Parent(),
				message: fmt.Sprintf("%s is nil when %s fails, and the error is looked at only later (%s): a later Get returns nil", apposed(a.putNameAt(c), "put here", "what is put"), calledName(call), a.line(instrPos(test))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(call), Message: "made here"}, {Pos: instrPos(test), Message: "the error is looked at here"}},
				more:    a.usersOfStatic(c),
			})
		}
	}
}

func calledName(c *ssa.Call) string {
	if f := calledMethod(c); f != nil {
		return f.Name()
	}
	return "the call"
}

// errTestedAfter finds the test of a call's error that an instruction precedes, unless
// there is one before the instruction.
func errTestedAfter(call *ssa.Call, at ssa.Instruction) ssa.Instruction {
	var late ssa.Instruction
	early := false
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		if depth > 2 {
			return
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.Phi:
				follow(r, depth+1)
			case *ssa.BinOp:
				if (r.Op == token.EQL || r.Op == token.NEQ) && isNilConst(r.Y) {
					if precedes(at, r) {
						late = r
					} else {
						early = true
					}
				}
			case *ssa.Return, *ssa.DebugRef:
			case *ssa.Store:
				// A result with a name.
				al, ok := r.Addr.(*ssa.Alloc)
				if !ok || r.Val != v {
					early = true
					continue
				}
				for _, q := range referrers(al) {
					switch q := q.(type) {
					case *ssa.UnOp:
						follow(q, depth+1)
					case *ssa.Store, *ssa.DebugRef:
					default:
						early = true
					}
				}
			default:
				early = true // somebody else may look at it
			}
		}
	}
	for _, r := range referrers(call) {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 1 {
			follow(x, 0)
		}
	}
	if early {
		return nil
	}
	return late
}

// nilOnError reports whether a call gives a pointer and an error, and no pointer with an
// error: one can see it, or a constructor of the standard library is called.
func (a *analysis) nilOnError(c *ssa.Call) bool {
	res := c.Call.Signature().Results()
	if res.Len() != 2 || !isPtr(res.At(0).Type()) || !isError(res.At(1).Type()) {
		return false
	}
	fn := a.calledFunction(c)
	if fn == nil {
		f := calledMethod(c)
		return f != nil && f.Pkg() != nil && isStdPath(f.Pkg().Path()) && f.Signature().Recv() == nil && strings.HasPrefix(f.Name(), "New")
	}
	n := 0
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || isNilConst(r.Results[1]) {
			continue
		}
		if n++; !isNilConst(r.Results[0]) {
			return false
		}
	}
	return n > 0 && fn.Recover == nil
}
