// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
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
	if !ok || it.NumMethods() != 2 || it.Method(0).Name() != "Get" || it.Method(1).Name() != "Put" {
		return poolFunc{}, false
	}
	get, put := it.Method(0).Signature(), it.Method(1).Signature()
	if get.Params().Len() > 1 || get.Params().Len() == 1 && !isInteger(get.Params().At(0).Type()) || get.Results().Len() != 1 ||
		put.Params().Len() != 1 || put.Results().Len() != 0 || !types.Identical(get.Results().At(0).Type(), put.Params().At(0).Type()) {
		return poolFunc{}, false
	}
	switch get.Results().At(0).Type().Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Interface, *types.Map:
	default:
		return poolFunc{}, false // of numbers, say
	}
	if f.Name() == "Get" {
		return poolFunc{acquire: true, release: -1, fresh: true, sized: get.Params().Len() == 1, api: n.Obj().Name()}, true
	}
	return poolFunc{release: 1, bounded: true, api: n.Obj().Name()}, true
}
