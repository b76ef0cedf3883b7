// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reader that puts what it reads through when that comes to its end, and whose Close does not, loses it when it is
// closed before the end: nobody has to read all.

// judgeEndOnly reports the fields of which only a reading method puts what they hold, behind a test of an error,
// where end, which closes the object, and what it calls do not.
func (c *custody) judgeEndOnly(end *ssa.Function, s *types.Struct, within map[*ssa.Function]bool) {
	for f := range s.Fields() {
		f := f.Origin()
		if f.Exported() || len(c.takesField[f]) == 0 || len(c.putsField[f]) == 0 || c.handlesElsewhere(within, f) {
			continue
		}
		put := c.otherEnd(end, f)
		if put == nil {
			continue
		}
		reading := c.leftInField(f)
		for fn := range c.takesField[f] {
			reading = reading || readsStream(fn) // it takes it for the first call, and has it until the last
		}
		for fn, i := range c.putsField[f] {
			reading = reading && readsStream(fn) && behindError(i)
		}
		if !reading {
			continue
		}
		c.a.reportFound(finding{
			pattern: missingPut, pos: end.Pos(), fn: end,
			message: fmt.Sprintf("%s leaves what %s holds, which only %s puts, at the end of what is read (%s): who closes before that loses it", end.Name(), f.Name(), put.Parent().Name(), c.a.line(instrPos(put))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "put here"}},
		})
	}
}

// readsStream reports whether a method is one that is called until it says that there is no more.
func readsStream(fn *ssa.Function) bool {
	switch fn.Name() {
	case "Read", "ReadByte", "WriteTo":
		return fn.Signature.Recv() != nil && fn.Parent() == nil
	}
	return false
}

// behindError reports whether an instruction stands behind a test of an error.
func behindError(i ssa.Instruction) bool {
	for b := i.Block(); b.Idom() != nil; b = b.Idom() {
		test, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		if o, ok := test.Cond.(*ssa.BinOp); ok && (isError(o.X.Type()) || isError(o.Y.Type())) {
			return true
		}
		if call, ok := test.Cond.(*ssa.Call); ok && funcKey(calledMethod(call)) == "errors.Is" {
			return true
		}
	}
	return false
}

// handlesElsewhere reports whether functions do more with a field than call methods of what it holds, or give the
// object as a whole to others, which may read it to its end.
func (c *custody) handlesElsewhere(fns map[*ssa.Function]bool, f *types.Var) bool {
	for fn := range fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.FieldAddr:
				if fieldAt(i) != f {
					continue
				}
				for _, r := range referrers(i) {
					l, ok := r.(*ssa.UnOp)
					if !ok || !onlyCalled(l) {
						return true
					}
				}
			case *ssa.MakeInterface:
				if len(fn.Params) > 0 && i.X == ssa.Value(fn.Params[0]) {
					return true
				}
			}
		}
	}
	return false
}

// onlyCalled reports whether nothing is done with a value but to call its methods, or to ask whether it is nil.
func onlyCalled(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Call:
			if r.Call.IsInvoke() && r.Call.Value == v && len(r.Call.Args) == 0 {
				continue
			}
			if !r.Call.IsInvoke() && r.Call.Signature().Recv() != nil && len(r.Call.Args) == 1 && r.Call.Args[0] == v {
				continue
			}
			return false
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
