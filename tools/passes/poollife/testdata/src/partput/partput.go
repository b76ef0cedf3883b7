// SPDX-License-Identifier: BSD-3-Clause

// Package partput gives a value and its buffer to two pools by one call.
package partput

import "partput/work"

func once(in []byte) int {
	w := work.Get()
	w.Set(in)
	defer work.Put(w)
	return w.Decode()
}

func atEnd(in []byte) int {
	w := work.Get()
	w.Set(in)
	n := w.Decode()
	work.Put(w)
	return n
}

func twice(in []byte) int {
	w := work.Get()
	w.Set(in)
	n := w.Decode()
	work.Put(w)
	work.Put(w) // want `w is put in .* a second time`
	return n
}
