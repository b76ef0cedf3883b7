// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// An exported interface may have implementations anywhere. One that gives and takes back values of one type is that of
// a pool, whoever implements it; what the package has for it stands for all.

// ofPool reports whether an interface has a method that takes what another one gives.
func ofPool(it *types.Interface) bool {
	for get := range it.Methods() {
		results := get.Signature().Results()
		if !hasPrefix(get.Name(), []string{"Get", "Acquire", "Borrow"}) || results.Len() == 0 || !hasPointers(results.At(0).Type()) {
			continue
		}
		for put := range it.Methods() {
			params := put.Signature().Params()
			if hasPrefix(put.Name(), []string{"Put", "Release", "Return", "Recycle"}) && params.Len() == 1 && types.Identical(params.At(0).Type(), results.At(0).Type()) {
				return true
			}
		}
	}
	return false
}
