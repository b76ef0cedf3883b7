// SPDX-License-Identifier: BSD-3-Clause

// Package partput gives a value and its buffer to two pools by one call.
package partput

import "partput/units"

func once(in []byte) int {
	w := units.Get()
	w.Set(in)
	defer units.Put(w)
	return w.Decode()
}

func atEnd(in []byte) int {
	w := units.Get()
	w.Set(in)
	n := w.Decode()
	units.Put(w)
	return n
}

func twice(in []byte) int {
	w := units.Get()
	w.Set(in)
	n := w.Decode()
	units.Put(w)
	units.Put(w) // want `w is put in .* a second time`
	return n
}
