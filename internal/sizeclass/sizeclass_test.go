// SPDX-License-Identifier: BSD-3-Clause

package sizeclass

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/spare-go/spare/internal/race"
)

func TestClassesAscend(t *testing.T) {
	for c := 1; c < Count; c++ {
		if Size(c) <= Size(c-1) {
			t.Fatalf("Size(%d) = %d is not above Size(%d) = %d", c, Size(c), c-1, Size(c-1))
		}
	}
	if Size(0) != 1 || Size(Count-1) != Max {
		t.Fatalf("classes run from %d to %d, want 1 to %d", Size(0), Size(Count-1), Max)
	}
	if c := Ceil(Max); c != Count-1 {
		t.Fatalf("Ceil(Max) = %d, want %d", c, Count-1)
	}
}

// check states the whole contract for one capacity.
func check(t *testing.T, n int) {
	t.Helper()
	c, f := Ceil(n), Floor(n)
	if c < 0 || c >= Count || Size(c) < n || c > 0 && Size(c-1) >= n {
		t.Fatalf("Ceil(%d) = %d (capacity %d) is not the smallest class that holds it", n, c, Size(c))
	}
	if f < 0 || f >= Count || Size(f) > n || f+1 < Count && Size(f+1) <= n {
		t.Fatalf("Floor(%d) = %d (capacity %d) is not the largest class within it", n, f, Size(f))
	}
	if n >= 4 && Size(c)-n > n/4 { // n*5 may not fit an int of 32 bits
		t.Fatalf("Ceil(%d) wastes more than a quarter: %d", n, Size(c))
	}
}

// TestEveryCapacity checks every capacity that there is: between two sizes Ceil has to
// be the class of the upper one, and Floor that of the lower. Where time matters it
// stops at 2^20.
func TestEveryCapacity(t *testing.T) {
	last := Max
	if testing.Short() || race.Enabled {
		last = 1 << 20
	}
	n := 1
	for c := range Count {
		for ; n < Size(c) && n <= last; n++ {
			if Ceil(n) != c || Floor(n) != c-1 {
				t.Fatalf("Ceil(%d) = %d, Floor = %d, want %d and %d", n, Ceil(n), Floor(n), c, c-1)
			}
		}
		if n > last {
			break
		}
		check(t, n) // the size of a class
		n++
	}
	if n != last+1 {
		t.Errorf("%d capacities were checked, want %d", n-1, last)
	}
}

func TestAroundEveryClass(t *testing.T) {
	for c := range Count {
		for _, n := range []int{Size(c) - 1, Size(c), Size(c) + 1} {
			if n >= 1 && n <= Max {
				check(t, n)
			}
		}
	}
}

// FuzzClasses states the contract of the classes for one capacity.
func FuzzClasses(f *testing.F) {
	for _, n := range []int{1, 4, 5, 63, 64, 65, 1<<20 - 1, Max} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int) {
		if n >= 1 && n <= Max {
			check(t, n)
		}
	})
}

// TestWaste measures what the package comment claims, on the load of mixed
// sizes that pools are compared with: lognormal around 1 KiB.
func TestWaste(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var asked, classes, powers float64
	for range 100_000 {
		n := int(math.Exp(math.Log(1024) + 1.2*r.NormFloat64()))
		n = min(max(n, 16), 256<<10)
		asked += float64(n)
		classes += float64(Size(Ceil(n)))
		p := 1
		for p < n {
			p *= 2
		}
		powers += float64(p)
	}
	waste, wastePowers := classes/asked, powers/asked
	t.Logf("capacity handed out per capacity asked for: %.3f; powers of two: %.3f", waste, wastePowers)
	if waste < 1.08 || waste > 1.13 {
		t.Errorf("four classes per doubling waste %.3f, want about 1.10", waste)
	}
	if wastePowers < 1.35 {
		t.Errorf("powers of two waste %.3f: the comparison in the package comment does not hold", wastePowers)
	}
}
