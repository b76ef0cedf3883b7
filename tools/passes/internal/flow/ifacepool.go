// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"
)

// An interface with the methods of a pool, and no others, is one: packages let their users
// choose the pool so, and *sync.Pool itself is often what is given.

// poolInterface tells what a method of such an interface does.
func poolInterface(f *types.Func) (poolFunc, bool) {
	recv := f.Signature().Recv()
	if recv == nil {
		return poolFunc{}, false
	}
	n, ok := types.Unalias(recv.Type()).(*types.Named)
	if !ok {
		return poolFunc{}, false
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok || it.NumMethods() != 2 {
		return poolFunc{}, false
	}
	taker, putter, slicesOnly := poolMethods(it)
	if taker == nil {
		return poolFunc{}, false
	}
	get, put := taker.Signature(), putter.Signature()
	if get.Params().Len() > 1 || get.Params().Len() == 1 && !isInteger(get.Params().At(0).Type()) || get.Results().Len() != 1 ||
		put.Params().Len() != 1 || put.Results().Len() != 0 || !types.Identical(get.Results().At(0).Type(), put.Params().At(0).Type()) {
		return poolFunc{}, false
	}
	switch get.Results().At(0).Type().Underlying().(type) {
	case *types.Slice:
	case *types.Pointer, *types.Interface, *types.Map:
		if slicesOnly {
			return poolFunc{}, false // a lease of something else
		}
	default:
		return poolFunc{}, false // of numbers, say
	}
	if f.Name() == taker.Name() {
		return poolFunc{acquire: true, release: -1, fresh: true, sized: get.Params().Len() == 1, api: n.Obj().Name()}, true
	}
	return poolFunc{release: 1, bounded: true, api: n.Obj().Name()}, true
}

// poolMethods tells which of an interface's two methods gives and which takes back: they
// are named Get and Put, or so and then what for. Other verbs are only used for
// slices.
func poolMethods(it *types.Interface) (get, put *types.Func, slicesOnly bool) {
	for n, verbs := range [][2]string{{"Get", "Put"}, {"Alloc", "Free"}, {"Malloc", "Free"}, {"Acquire", "Release"}} {
		for k := range 2 {
			x, y := it.Method(k), it.Method(1-k)
			what, ok := strings.CutPrefix(x.Name(), verbs[0])
			if ok && y.Name() == verbs[1]+what {
				return x, y, n > 0
			}
		}
	}
	return nil, nil, false
}
