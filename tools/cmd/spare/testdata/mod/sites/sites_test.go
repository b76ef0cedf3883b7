package sites

import (
	"io"
	"testing"
)

var (
	useBytes = func([]byte) {}
	useInts  = func([]int) {}
	useThing = func(*thing) {}
	noPrint  = func(...any) {}
)

func BenchmarkSlice(b *testing.B) {
	for b.Loop() {
		Slice(1000, useBytes)
	}
}

// The set-up is timed, and not part of the operation.
func BenchmarkSetup(b *testing.B) {
	data := make([]byte, 1<<20)
	useBytes(data)
	for range b.N {
		Slice(1000, useBytes)
	}
}

func BenchmarkReset(b *testing.B) {
	Slice(1<<20, useBytes)
	b.ResetTimer()
	for i := range b.N {
		if i%2 == 0 {
			b.StopTimer()
			Slice(1<<16, useBytes)
			b.StartTimer()
		}
		Slice(1000, useBytes)
	}
}

func BenchmarkCompress(b *testing.B) {
	data := make([]byte, 100)
	for b.Loop() {
		Compress(io.Discard, data)
	}
}

func BenchmarkFormat(b *testing.B) {
	for b.Loop() {
		Format(io.Discard, 20)
	}
}

func BenchmarkThings(b *testing.B) {
	for b.Loop() {
		Things(useThing)
	}
}

func BenchmarkKeep(b *testing.B) {
	kept = nil
	for b.Loop() {
		Keep()
	}
}

func BenchmarkOnStack(b *testing.B) {
	for b.Loop() {
		OnStack(1)
	}
}

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		Count(1, noPrint)
	}
}

func BenchmarkGrow(b *testing.B) {
	for b.Loop() {
		Grow(1000, useInts)
	}
}

func BenchmarkJoin(b *testing.B) {
	parts := []string{"a string of some length, ", "another one of some length, ", "and one more that makes it grow"}
	for b.Loop() {
		Join(parts)
	}
}
