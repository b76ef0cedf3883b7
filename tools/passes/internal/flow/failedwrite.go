// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// A buffer that writes itself to something keeps what that did not take. Who does not look at the
// error relies on there being none, which only what never fails grants.

// readToEnd reports whether a call that writes a buffer to another leaves it empty wherever the
// program goes on as if it did.
func readToEnd(i ssa.CallInstruction) bool {
	if !errorIgnored(i) {
		return true
	}
	args := i.Common().Args
	if len(args) < 2 {
		return false
	}
	to, ok := args[1].(*ssa.MakeInterface)
	if !ok {
		return false
	}
	n := pointee(to.X.Type())
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
	case "bytes.Buffer", "strings.Builder":
		return true
	}
	return false
}
