// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who sends a request a second time sends the body that the transport closed the first time. Where that Close puts
// the memory of the body, the second try reads what somebody else has by then, and puts it again.

// reportResent reports a second Put as what it comes of, if it is the transport that makes it.
func (a *analysis) reportResent(r *release, ev *event, p *pool) bool {
	again := sentBodyBy(ev)
	if again == nil || sentBodyBy(&r.event) == nil {
		return false
	}
	a.report(finding{
		pattern: useAfterPut, pos: instrPos(again), fn: again.Parent(), cause: r.pos(),
		message: fmt.Sprintf("the request is sent again after the transport closed its body, which puts memory of that in %s (%s): make a new body for each try", p.label(), a.line(r.pos())),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(sentBodyBy(&r.event)), Message: "sent before here"}, {Pos: r.pos(), Message: "the Put"}},
		whose:   p,
	})
	return true
}

// sentBodyBy is the call that gave a body to the transport, whose Close of it led to an event.
func sentBodyBy(ev *event) ssa.Instruction {
	for k := range len(ev.stack) - 1 {
		c, ok := ev.stack[k].(ssa.CallInstruction)
		closer := ev.stack[k+1].Parent()
		if ok && closer.Name() == "Close" && c.Common().StaticCallee() != closer && calledMethod(c) != nil && calledMethod(c).Name() != "Close" {
			return c
		}
	}
	return nil
}
