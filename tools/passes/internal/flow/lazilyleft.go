// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
)

// A field that is nil until something is needed there, and then has what one method takes, is nil again when another
// has put that: who finds it set takes nothing. Left as it was it is used, and put, once more.

// judgeLazilyLeft reports a Put of what a field holds, which is left there, where a field that is nil has a value taken for it
// and nothing ever sets it to nil.
func (c *custody) judgeLazilyLeft(f *types.Var, put *release) {
	at := put.stack[0]
	fn := at.Parent()
	recv := fn.Signature.Recv()
	if recv == nil || len(fn.Params) == 0 || c.a.inTest(fn) || !hasField(structOf(recv.Type()), f) || c.clearedElsewhere(f, nil) {
		return
	}
	if fn.Name() == "Close" && !c.a.closedByOthers(recv.Type()) || fn.Name() != "Close" && ends(fn.Name()) {
		return // the object ends with it, and callers may keep to that
	}
	if !c.takenLazily(f) {
		return
	}
	taken := c.taker(f)
	for _, i := range put.stack {
		if i.Parent() == taken.Parent() {
			return // taken and put in one use
		}
	}
	c.a.reportFound(finding{
		pattern: doublePut, pos: instrPos(at), fn: fn,
		message: fmt.Sprintf("what field %s holds is put in %s here and left in the field, where nil stands for none (%s): it is used again, and put a second time by the next %s", f.Name(), put.pool.label(), c.a.line(instrPos(taken)), fn.Name()),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(taken), Message: "taken here where there is none"}},
	})
}
