// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A request whose body was sent may have to send it again: after a redirect that keeps the
// method, or on another connection where the first one turned out to be dead. It then asks
// GetBody for another reader over the same bytes, after the transport has closed the first
// body. NewRequest sets GetBody itself where the body is a reader that it knows.

// A madeRequest is what made a request.
type madeRequest struct {
	event
	again *sym // what NewRequest's own GetBody reads; nil if it sets none
}

// noteRequest remembers how a request was made.
func (a *analysis) noteRequest(st *state, i ssa.Instruction, f *types.Func, h *sym, args []*sym) {
	if f.Pkg() == nil || f.Pkg().Path() != "net/http" || f.Name() != "NewRequest" && f.Name() != "NewRequestWithContext" || len(args) == 0 {
		return
	}
	m := &madeRequest{event: st.here(i)}
	if body := args[len(args)-1]; body.kind == kIface && body.typ != nil {
		switch types.TypeString(body.typ, nil) {
		case "*bytes.Buffer", "*bytes.Reader", "*strings.Reader":
			m.again = plain(body)
		}
	}
	if a.requests == nil {
		a.requests = map[*sym]*madeRequest{}
	}
	a.requests[h] = m
}

// readsAgain reports a request that would read, for its GetBody, memory that the Close of its
// body has put.
func (a *analysis) readsAgain(st *state, i ssa.CallInstruction, req *sym, closed map[*release]bool) {
	made := a.requests[req]
	var how event
	var r *release
	for _, k := range sortedKeys(st.mem) {
		f, ok := k.obj.(*types.Var)
		if !ok || k.kind != kField || k.a != req || f.Name() != "GetBody" {
			continue
		}
		fn, free := st.mem[k].function()
		e := st.stores[k]
		if fn == nil || e == nil || len(fn.Blocks) == 0 || len(fn.Params) != 0 || !a.inPackage(fn) {
			return
		}
		a.quiet++
		outs, followed := a.inline(st.clone(), i, fn, nil, free)
		a.quiet--
		if !followed {
			return
		}
		for _, o := range outs {
			body := o.result
			if body != nil && body.kind == kAgg && len(body.list) > 0 {
				body = body.list[0]
			}
			if x := a.released(o.st, plain(body)); closed[x] {
				how, r = *e, x
			}
		}
		made = nil
	}
	if made != nil && made.again != nil {
		how, r = made.event, a.released(st, made.again)
	}
	if !closed[r] {
		return
	}
	fn := how.stack[len(how.stack)-1].Parent()
	related := []goanalysis.RelatedInformation{{Pos: instrPos(i), Message: "sent here, which closes the body"}}
	a.report(finding{
		pattern: storeAlias, pos: how.pos(), fn: fn, cause: r.pos(),
		message: fmt.Sprintf("GetBody of this request reads memory that the Close of its body puts in %s (%s): a redirect or a second try sends what somebody else has by then", r.pool.label(), a.line(r.pos())),
		related: append(related, a.related(rel("the Put", &r.event))...),
	})
}
