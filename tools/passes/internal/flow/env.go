// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"math/bits"

	"golang.org/x/tools/go/ssa"
)

// An environment binds the SSA values of one activation to symbols. Every fork of a path
// copies it, and each copy goes on to bind the few values of some blocks: it is kept in
// chunks of values that follow one another, which copies share until one writes there.
type environment struct {
	info   *funcInfo
	chunks []*envChunk
	own    []uint64           // a bit for each chunk that no copy shares
	other  map[ssa.Value]*sym // values that are not of the function
}

const chunkBits = 5

type envChunk struct {
	set  uint32 // which values are bound
	syms [1 << chunkBits]*sym
}

func newEnvironment(info *funcInfo) environment {
	n := (len(info.values) + 1<<chunkBits - 1) >> chunkBits
	return environment{info: info, chunks: make([]*envChunk, n), own: make([]uint64, (n+63)/64)}
}

// clone returns a copy. Both lose what they owned alone.
func (e *environment) clone() environment {
	c := *e
	c.chunks = append([]*envChunk(nil), e.chunks...)
	c.own = make([]uint64, len(e.own))
	clear(e.own)
	if e.other != nil {
		c.other = make(map[ssa.Value]*sym, len(e.other))
		for v, s := range e.other {
			c.other[v] = s
		}
	}
	return c
}

// get returns the symbol of a value, or nil.
func (e *environment) get(v ssa.Value) *sym {
	i, ok := e.info.index[v]
	if !ok {
		return e.other[v]
	}
	if c := e.chunks[i>>chunkBits]; c != nil {
		return c.syms[i&(1<<chunkBits-1)]
	}
	return nil
}

func (e *environment) set(v ssa.Value, s *sym) {
	i, ok := e.info.index[v]
	if !ok {
		if e.other == nil {
			e.other = map[ssa.Value]*sym{}
		}
		e.other[v] = s
		return
	}
	c := e.writable(i >> chunkBits)
	k := i & (1<<chunkBits - 1)
	if c.syms[k] = s; s != nil {
		c.set |= 1 << k
	} else {
		c.set &^= 1 << k
	}
}

// writable returns a chunk that is this environment's alone.
func (e *environment) writable(n int) *envChunk {
	c := e.chunks[n]
	if e.own[n/64]&(1<<(n%64)) != 0 {
		return c
	}
	own := new(envChunk)
	if c != nil {
		*own = *c
	}
	e.chunks[n] = own
	e.own[n/64] |= 1 << (n % 64)
	return own
}

// all visits the symbols of the values that are bound.
func (e *environment) all(visit func(*sym)) {
	for _, c := range e.chunks {
		if c == nil {
			continue
		}
		for set := c.set; set != 0; set &= set - 1 {
			visit(c.syms[bits.TrailingZeros32(set)])
		}
	}
	for _, s := range e.other {
		visit(s)
	}
}

// live visits the symbols of the values that may be used in a block or after it,
// with the values' numbers, in their order.
func (e *environment) live(b *ssa.BasicBlock, visit func(index int, s *sym)) {
	live := e.info.liveAt(b)
	for n, c := range e.chunks {
		if c == nil {
			continue
		}
		for set := c.set & live[n]; set != 0; set &= set - 1 {
			k := bits.TrailingZeros32(set)
			visit(n<<chunkBits+k, c.syms[k])
		}
	}
}

// drop forgets the values that are not used in a block or after it; parameters stay.
func (e *environment) drop(b *ssa.BasicBlock) {
	live := e.info.liveAt(b)
	for n, c := range e.chunks {
		if c == nil {
			continue
		}
		dead := c.set &^ live[n] &^ e.info.params[n]
		if dead == 0 {
			continue
		}
		c = e.writable(n)
		c.set &^= dead
		for ; dead != 0; dead &= dead - 1 {
			c.syms[bits.TrailingZeros32(dead)] = nil
		}
	}
}
