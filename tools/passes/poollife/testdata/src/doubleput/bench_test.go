package doubleput

import "testing"

// What only a test repeats is reported in the test.
func BenchmarkKept(b *testing.B) {
	l := make([]int, 16)
	for range b.N {
		keepLine(l) // want `l is put in lines a second time`
	}
}
