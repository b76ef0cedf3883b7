// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package spare_test

import "github.com/spare-go/spare/internal/checked"

// The tests of the pools look at which value comes back, and put values of
// their own at any time.
func init() {
	checked.SetReuse(true)
	checked.SetStrangers(true)
}
