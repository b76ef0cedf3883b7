// SPDX-License-Identifier: BSD-3-Clause

package exits

import (
	"os"
	"testing"
)

func BenchmarkExits(b *testing.B) { os.Exit(3) }
