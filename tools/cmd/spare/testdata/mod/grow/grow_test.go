package grow

import "testing"

func run(b *testing.B, f func(int) int, sizes ...int) {
	i := 0
	for b.Loop() {
		f(sizes[i%len(sizes)])
		i++
	}
}

func BenchmarkOutgrown(b *testing.B) { run(b, Outgrown, 1100) }
func BenchmarkTail(b *testing.B) {
	sizes := make([]int, 20)
	for i := range sizes {
		sizes[i] = 1100
	}
	sizes[10] = 64 << 10
	run(b, Tail, sizes...)
}
func BenchmarkMixed(b *testing.B)    { run(b, Mixed, 500, 1000, 1500, 2000, 3000) }
func BenchmarkLonger(b *testing.B)   { run(b, Longer, 1024) }
func BenchmarkFits(b *testing.B)     { run(b, Fits, 1100) }
func BenchmarkShown(b *testing.B)    { run(b, Shown, 1100) }
func BenchmarkReplaced(b *testing.B) { run(b, Replaced, 1100) }
