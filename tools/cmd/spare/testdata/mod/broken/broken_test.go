// SPDX-License-Identifier: BSD-3-Clause

package broken

import "testing"

func BenchmarkBroken(b *testing.B) { undefined(b) }
