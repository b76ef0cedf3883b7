// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package reliability

import "github.com/spare-go/spare/internal/checked"

var reusing bool

// reuses reports whether Get hands out again what was put.
func reuses() bool { return reusing }

// eachReuse runs f for each setting that reuses depends on. The tests put
// values of their own at any time.
func eachReuse(f func(name string)) {
	checked.SetStrangers(true)
	defer checked.SetStrangers(false)
	f("callbacks")
	reusing = true
	checked.SetReuse(true)
	defer func() {
		reusing = false
		checked.SetReuse(false)
	}()
	f("callbacks, with reuse")
}
