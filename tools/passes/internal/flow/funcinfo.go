// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// funcInfo is what the walk needs to know of a function, computed once.
type funcInfo struct {
	values []ssa.Value
	index  map[ssa.Value]int
	uses   [][]int32  // by value, the blocks that use it
	params []uint32   // which values are parameters, as a set
	reach  [][]uint64 // blocks reachable from a block
	lives  [][]uint32 // what liveAt found
}

func (a *analysis) info(fn *ssa.Function) *funcInfo {
	if i := a.infos[fn]; i != nil {
		return i
	}
	info := &funcInfo{index: map[ssa.Value]int{}}
	n := len(fn.Blocks)
	words := (n + 63) / 64
	info.lives = make([][]uint32, n)
	info.reach = make([][]uint64, n)
	for i := range info.reach {
		info.reach[i] = make([]uint64, words)
		info.reach[i][i/64] |= 1 << (i % 64)
	}
	add := func(v ssa.Value) {
		info.index[v] = len(info.values)
		info.values = append(info.values, v)
	}
	for _, p := range fn.Params {
		add(p)
	}
	for _, p := range fn.FreeVars {
		add(p)
	}
	for i := range instrsOf(fn) {
		if v, ok := i.(ssa.Value); ok {
			add(v)
		}
	}
	info.params = make([]uint32, (len(info.values)+31)/32)
	for i := range fn.Params {
		info.params[i/32] |= 1 << (i % 32)
	}
	info.uses = make([][]int32, len(info.values))
	use := func(v ssa.Value, b *ssa.BasicBlock) {
		if i, ok := info.index[v]; ok {
			if l := info.uses[i]; len(l) == 0 || l[len(l)-1] != int32(b.Index) {
				info.uses[i] = append(l, int32(b.Index))
			}
		}
	}
	var rands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if phi, ok := i.(*ssa.Phi); ok {
				for k, e := range phi.Edges {
					use(e, b.Preds[k])
				}
				continue
			}
			rands = i.Operands(rands[:0])
			for _, r := range rands {
				if *r != nil {
					use(*r, b)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for k := n - 1; k >= 0; k-- {
			r := info.reach[k]
			for _, s := range fn.Blocks[k].Succs {
				for w, bits := range info.reach[s.Index] {
					if r[w]|bits != r[w] {
						r[w] |= bits
						changed = true
					}
				}
			}
		}
	}
	a.infos[fn] = info
	return info
}

// liveAt is the set of the values that may be used in b or after it.
func (i *funcInfo) liveAt(b *ssa.BasicBlock) []uint32 {
	if l := i.lives[b.Index]; l != nil {
		return l
	}
	live := make([]uint32, (len(i.values)+31)/32)
	r := i.reach[b.Index]
	for v, blocks := range i.uses {
		for _, u := range blocks {
			if r[u/64]&(1<<(u%64)) != 0 {
				live[v/32] |= 1 << (v % 32)
				break
			}
		}
	}
	i.lives[b.Index] = live
	return live
}
