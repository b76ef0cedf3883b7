// SPDX-License-Identifier: BSD-3-Clause

// Package stackalias reports the shape of the compiler bug golang/go#81612: in
// Go 1.26, a local slice that append first builds in a buffer on the stack and
// that is moved to the heap when it is returned or stored, while a pointer to
// a field of an element, or a slice of an element's array, taken before, still
// points to the stack.
package stackalias
