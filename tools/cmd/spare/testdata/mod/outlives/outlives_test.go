// SPDX-License-Identifier: BSD-3-Clause

package outlives

import (
	"os"
	"testing"
)

var ended = make(chan struct{})

// BenchmarkOutlives leaves a goroutine behind, which panics when the testing
// package has done with every benchmark.
func BenchmarkOutlives(b *testing.B) {
	go func() {
		<-ended
		panic("the reason of the late panic")
	}()
}

func TestMain(m *testing.M) {
	code := m.Run()
	close(ended)
	if code == 0 {
		select {} // until the panic ends the process
	}
	os.Exit(code)
}
