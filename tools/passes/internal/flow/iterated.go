// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A function over which a loop ranges calls the body with parts of what it was made of:
// bytes.Lines with views of the text, slices.Chunk with pieces of the slice, slices.Values with
// the elements. slices.Collect keeps the views.

// A seqOf marks the result of such a function of the standard library.
type seqOf struct {
	param int  // of the body, that is a part
	elems bool // the parts are elements, otherwise views
}

var seqs = map[string]seqOf{
	"bytes.Lines": {0, false}, "bytes.SplitSeq": {0, false}, "bytes.SplitAfterSeq": {0, false}, "bytes.FieldsSeq": {0, false}, "bytes.FieldsFuncSeq": {0, false},
	"strings.Lines": {0, false}, "strings.SplitSeq": {0, false}, "strings.SplitAfterSeq": {0, false}, "strings.FieldsSeq": {0, false}, "strings.FieldsFuncSeq": {0, false},
	"slices.Chunk":  {0, false},
	"slices.Values": {0, true}, "slices.All": {1, true}, "slices.Backward": {1, true}, "maps.Values": {0, true}, "maps.All": {1, true},
}

// tellSeqs replaces the results of functions to range over.
func (a *analysis) tellSeqs(target callee, args []*sym, outs []outcome) []outcome {
	if target.method == nil || len(args) == 0 || !fromPackage(target.method, "bytes", "strings", "slices", "maps") {
		return outs
	}
	how, ok := seqs[funcKey(target.method)]
	if from, kept := args[0].obj.(seqOf); kept && args[0].kind == kHold && !from.elems && funcKey(target.method) == "slices.Collect" {
		for n, o := range outs {
			outs[n].result = a.syms.view(args[0].list[0], o.result.typ)
		}
		return outs
	}
	if !ok {
		return outs
	}
	for n, o := range outs {
		s := a.syms.hold(o.result.typ, plain(args[0]))
		s.obj = how
		outs[n].result = s
	}
	return outs
}

// bodyParams are the parameters of a function that code out of view calls.
func (a *analysis) bodyParams(st *state, target callee, params []*sym) {
	of := target.of
	if of == nil || of.kind != kHold {
		return
	}
	how, ok := of.obj.(seqOf)
	if !ok || how.param >= len(params) {
		return
	}
	p := params[how.param]
	if how.elems {
		params[how.param] = a.readElem(st, of.list[0], a.syms.fresh(kOpaque, types.Typ[types.Int]), p.typ, false)
	} else if _, ok := types.Unalias(p.typ).Underlying().(*types.Slice); ok {
		params[how.param] = a.syms.view(of.list[0], p.typ)
	} else if released := of.list[0]; isString(p.typ) && released.kind == kView && released.idx == stringView {
		params[how.param] = released
	}
}
