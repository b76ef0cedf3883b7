// SPDX-License-Identifier: BSD-3-Clause

package none

import "testing"

func TestNothing(t *testing.T) {}

// Benchmarker is no benchmark: go test wants no lower-case letter there.
func Benchmarker(b *testing.B) {}
