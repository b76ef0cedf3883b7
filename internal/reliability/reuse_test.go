// SPDX-License-Identifier: BSD-3-Clause

//go:build !spare_checked

package reliability

// reuses reports whether Get hands out again what was put.
func reuses() bool { return true }

// eachReuse runs f for each setting that reuses depends on.
func eachReuse(f func(name string)) { f("callbacks") }
