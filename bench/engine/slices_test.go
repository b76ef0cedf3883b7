// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/spare-go/spare"
)

var payload [64]byte

// sizes returns capacities to ask for: n each time, or lognormal around 1 KiB.
func sizes(n int) []int {
	ns := make([]int, 4096)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range ns {
		ns[i] = n
		if n == 0 {
			ns[i] = min(max(int(math.Exp(math.Log(1024)+1.2*r.NormFloat64())), 16), 256<<10)
		}
	}
	return ns
}

// BenchmarkSlices takes a slice of n bytes, appends up to 64 and returns it.
// The rival is one sync.Pool of *[]byte whose pointer the caller keeps, for all
// sizes: the fastest there is, and the one that holds the most memory.
func BenchmarkSlices(b *testing.B) {
	for _, n := range []int{64, 1 << 10, 4 << 10, 64 << 10, 0} {
		name := "/n=" + strconv.Itoa(n)
		if n == 0 {
			name = "/n=lognormal"
		}
		ns := sizes(n)
		b.Run("impl=sync"+name, func(b *testing.B) {
			p := sync.Pool{New: func() any { return new([]byte) }}
			i := 0
			for b.Loop() {
				n := ns[i%len(ns)]
				i++
				h := p.Get().(*[]byte)
				s := *h
				if cap(s) < n {
					s = make([]byte, 0, n)
				}
				s = append(s[:0], payload[:min(n, 64)]...)
				*h = s
				p.Put(h)
			}
		})
		b.Run("impl=spare"+name, func(b *testing.B) {
			var p spare.Slices[byte]
			i := 0
			for b.Loop() {
				n := ns[i%len(ns)]
				i++
				s := p.Get(n)
				s = append(s, payload[:min(n, 64)]...)
				p.Put(s)
			}
		})
	}
}
