// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
)

// homeOf is the one other pool from which values of a type are taken, and of
// nothing else: a value of that type in p went to the wrong pool.
func homeOf(t types.Type, p *typedPool, all []*typedPool) *typedPool {
	var home *typedPool
	for _, q := range all {
		if q == p || q.mixed || len(q.taken) == 0 {
			continue
		}
		if slices.ContainsFunc(slices.Concat(q.made, q.taken), func(s typedSite) bool { return !types.Identical(s.typ, t) }) {
			continue
		}
		if home != nil {
			return nil
		}
		home = q
	}
	return home
}

// makerHome is the one other pool whose New makes a type, and to which nothing else is put: whoever asks p for a value of that
// type meant it.
func makerHome(t types.Type, p *typedPool, all []*typedPool) (home *typedPool) {
	for _, q := range all {
		if q == p || q.mixed || len(q.made) == 0 || slices.ContainsFunc(slices.Concat(q.made, q.puts), func(s typedSite) bool { return !types.Identical(s.typ, t) }) {
			continue
		}
		if home != nil {
			return nil
		}
		home = q
	}
	return home
}
