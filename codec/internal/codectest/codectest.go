// SPDX-License-Identifier: BSD-3-Clause

// Package codectest is what the tests of the codecs have in common.
package codectest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/spare-go/spare"
)

// Text returns n bytes that compress well, and differ for each seed.
func Text(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = fmt.Appendf(b, "%d item %d; ", seed, r.IntN(5000))
	}
	return b[:n]
}

// Kinds returns contents of n bytes each that make codecs hold unlike things: literals,
// codes of unlike length, matches, nothing.
func Kinds(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise, skewed, matches := make([]byte, n), make([]byte, n), make([]byte, 0, n+8)
	for i := range noise {
		noise[i] = byte(r.Uint32())
		skewed[i] = byte(r.ExpFloat64() * 8)
	}
	words := make([]byte, 2048) // matches that are as short and as many as can be
	for i := range words {
		words[i] = byte(r.Uint32())
	}
	for len(matches) < n {
		i := r.IntN(len(words)/8) * 8
		matches = append(matches, words[i:i+8]...)
	}
	return map[string][]byte{"text": Text(1, n), "noise": noise, "skewed": skewed, "matches": matches[:n], "zeros": make([]byte, n)}
}

// ErrBroken is what broken writers and readers return or panic with.
var ErrBroken = errors.New("connection reset")

// A BrokenWriter fails or panics after N bytes.
type BrokenWriter struct {
	N     int
	Panic bool
}

func (w *BrokenWriter) Write(p []byte) (int, error) {
	if w.N -= len(p); w.N >= 0 {
		return len(p), nil
	}
	if w.Panic {
		panic(ErrBroken)
	}
	return 0, ErrBroken
}

// A PanicReader panics at the end of R.
type PanicReader struct{ R io.Reader }

func (p PanicReader) Read(b []byte) (int, error) {
	if n, err := p.R.Read(b); err == nil {
		return n, nil
	}
	panic(ErrBroken)
}

// Caught returns what f panics with.
func Caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// Collect lets the pools of earlier tests let go of what they hold.
func Collect() {
	for range 20 {
		runtime.GC()
	}
}

// Held returns the bytes that live until drain lets go of them.
func Held(drain func()) int {
	with := live()
	drain()
	return with - live()
}

func live() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// AllocsAfterGC returns how many objects a call of f makes after three collections, the least of
// several rounds, when it was called before.
func AllocsAfterGC(f func()) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	least := math.MaxInt
	for range 7 {
		runtime.GC()
		runtime.GC()
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, int(after.Mallocs-before.Mallocs))
	}
	return least
}

// EngineAllocsAfterGC returns how many objects of its own a pool of values of unlike size makes
// after three collections without use. They are small.
func EngineAllocsAfterGC() int {
	p := spare.Pool[[100]int]{Size: func(*[100]int) int { return 800 }}
	return AllocsAfterGC(func() { p.Put(p.Get()) })
}

// Alive collects garbage and returns the names of what is still there, by functions that ask weak pointers.
// What a codec holds stays as long as the codec is idle, which is for several collections; one alone may still
// find on a stack what was used last.
func Alive(refs map[string]func() bool) map[string]func() bool {
	left := maps.Clone(refs)
	for range 3 {
		runtime.GC()
		maps.DeleteFunc(left, func(_ string, alive func() bool) bool { return !alive() })
	}
	return left
}
