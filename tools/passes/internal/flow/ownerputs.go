// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"maps"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A field that keeps the memory of what was put is one thing where it is read later, and another where its object puts
// what the field holds at its own end: then nobody has to use the value for it to be in the pool twice.

// judgeOwnerPuts tells the stores in fields that are put later for what they are.
func (c *custody) judgeOwnerPuts() {
	for k, f := range c.a.found {
		if f.pattern != storeAlias || f.kept == nil {
			continue
		}
		again := findingKey{doublePut, f.pos}
		put := c.putAgain(f)
		if _, known := c.a.found[again]; known || put == nil {
			continue
		}
		delete(c.a.found, k)
		f.pattern = doublePut
		f.message += fmt.Sprintf(", and %s puts what the field holds again (%s)", put.Parent().Name(), c.a.line(instrPos(put)))
		f.related = append(f.related, goanalysis.RelatedInformation{Pos: instrPos(put), Message: "put again here"})
		c.a.found[again] = f
	}
}

// putAgain is a Put of what the field that keeps a value holds, other than the one after which it keeps that: what is
// known to put it, or a call of the method that put it there.
func (c *custody) putAgain(f finding) ssa.Instruction {
	puts := maps.Clone(c.putsField[f.kept])
	if puts == nil {
		puts = map[*ssa.Function]ssa.Instruction{}
	}
	for fn, i := range c.a.instrsBeyondTests() {
		call, ok := i.(ssa.CallInstruction)
		if !ok || !call.Common().IsInvoke() {
			continue
		}
		same := func(put ssa.Instruction) bool {
			p, ok := put.(ssa.CallInstruction)
			return ok && p.Common().IsInvoke() && p.Common().Method == call.Common().Method
		}
		if slices.ContainsFunc(f.put, same) && fieldOfValue(call.Common().Value) == f.kept {
			puts[fn] = i
		}
	}
	maps.DeleteFunc(puts, func(_ *ssa.Function, i ssa.Instruction) bool { return slices.Contains(f.put, i) })
	if len(puts) == 0 {
		return nil
	}
	return firstPut(puts)
}
