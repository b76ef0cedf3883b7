// SPDX-License-Identifier: BSD-3-Clause

package hangs

import "testing"

func BenchmarkHangs(b *testing.B) {
	b.TempDir()
	<-make(chan bool)
}
