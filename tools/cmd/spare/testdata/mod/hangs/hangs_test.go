// SPDX-License-Identifier: BSD-3-Clause

package hangs

import (
	"testing"
	"time"
)

func BenchmarkHangs(b *testing.B) {
	b.TempDir()
	for {
		time.Sleep(time.Hour)
	}
}
