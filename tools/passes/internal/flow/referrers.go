// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// referrers are the instructions that use a value: of constants, globals, functions and builtins, none are known.
func referrers(v ssa.Value) []ssa.Instruction {
	if list := v.Referrers(); list != nil {
		return *list
	}
	return nil
}
