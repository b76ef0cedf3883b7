// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// errorTests are functions that ask what an error is. None is true of nil.
var errorTests = map[string]bool{
	"errors.Is": true, "errors.As": true, "os.IsNotExist": true, "os.IsExist": true, "os.IsPermission": true, "os.IsTimeout": true,
}

// errorTest follows a question what an error is: of nil the answer is no, and where it
// is yes there is an error.
func (a *analysis) errorTest(st *state, i ssa.CallInstruction, key string, args []*sym, c *ssa.CallCommon) ([]outcome, bool) {
	err := plain(args[0])
	isNil, known := a.known(st, a.syms.nilTest(err))
	switch {
	case known && isNil:
		return []outcome{{st, a.syms.boolean(false)}}, true
	case key == "errors.As":
		return nil, false // fills its target
	case known:
		return []outcome{{st, a.isError(st, i, key, err, args, c)}}, true
	}
	none := st.clone()
	a.assume(none, a.syms.nilTest(err), true)
	a.assume(st, a.syms.nilTest(err), false)
	return []outcome{{none, a.syms.boolean(false)}, {st, a.isError(st, i, key, err, args, c)}}, true
}

// isError is the answer for an error that is there.
func (a *analysis) isError(st *state, i ssa.CallInstruction, key string, err *sym, args []*sym, c *ssa.CallCommon) *sym {
	if key == "errors.Is" && (err.kind == kLoad || err.kind == kOpaque || err.kind == kParam) {
		return a.equalTest(err, plain(args[1]))
	}
	return a.opaqueResult(st, i, c)
}
