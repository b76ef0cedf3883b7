// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// content is what a path knows of the content of a pooled buffer.
type content uint8

const (
	fromPool content = iota // as the last user left it
	isReset                 // emptied
	isDirty                 // written since
)

// contents gathers, over all roots, how the values of each pool are emptied,
// filled and put: whether a reset is missing shows only when all of a pool's
// gets and puts are known.
type contents struct {
	events []contentEvent // of the current root
}

type contentEvent struct {
	pool  *pool
	put   *putSite
	get   *getSite
	grows bool
}

// A putSite is one Put, or the call of a wrapper around it.
type putSite struct {
	pos   token.Pos
	ev    event
	state content
	typ   types.Type
}

// A getSite is one use of what came out of a pool without a reset.
type getSite struct {
	get   token.Pos
	use   token.Pos
	fn    *ssa.Function
	what  string
	value *sym
}

func (c *contents) begin() { c.events = nil }

func (c *contents) commit(a *analysis) {
	for _, e := range c.events {
		if e.put != nil {
			e.pool.puts = append(e.pool.puts, e.put)
		}
		if e.get != nil {
			e.pool.gets = append(e.pool.gets, e.get)
		}
	}
}

func (a *analysis) noteWrite(st *state, i ssa.Instruction, x *sym, grows bool) {}
func (a *analysis) noteReset(st *state, i ssa.Instruction, x *sym)             {}
func (a *analysis) noteDrain(st *state, x *sym)                                {}
func (a *analysis) noteDrained(st *state, x *sym)                              {}
func (a *analysis) noteClear(st *state, x *sym)                                {}
func (a *analysis) noteCap(x *sym)                                             {}
func (a *analysis) noteAppend(st *state, i ssa.Instruction, x, s *sym, c *ssa.CallCommon) {
}
func (a *analysis) noteTruncate(st *state, i *ssa.Slice, x *sym)         {}
func (a *analysis) noteRead(st *state, i *ssa.UnOp, addr, v *sym)        {}
func (a *analysis) noteAssert(st *state, i *ssa.TypeAssert, x *sym)      {}
func (a *analysis) noteTokenType(st *state, x *sym)                      {}
func (a *analysis) noteFieldStore(st *state, i *ssa.Store, addr, v *sym) {}
func (a *analysis) noteWriter(st *state, i ssa.CallInstruction, x *sym, t types.Type, name string) {
}
func (a *analysis) notePut(st *state, i ssa.CallInstruction, x *sym, p *pool, pf poolFunc, argType types.Type, ev event) {
}
