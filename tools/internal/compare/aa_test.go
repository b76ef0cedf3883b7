// SPDX-License-Identifier: BSD-3-Clause

package compare_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
)

// A weather gives how much slower the machine is, block after block.
type weather func() float64

// drifting is a machine with other tenants: its speed wanders, with the memory
// of some fifty blocks; now and then it is slow for a dozen blocks; and each
// process has luck of its own with the addresses it gets.
func drifting(rng *rand.Rand) weather {
	level, slow := 0.0, 0
	return func() float64 {
		level = 0.98*level + 0.03*rng.NormFloat64()
		if slow > 0 {
			slow--
		} else if rng.Float64() < 0.01 {
			slow = 12
		}
		x := level + 0.03*rng.NormFloat64()
		if slow > 0 {
			x += 0.4
		}
		return math.Exp(x)
	}
}

// recorded plays what testdata/noise.txt holds: the same benchmark in 1000
// fresh processes one after the other, on a shared machine. It begins anywhere.
func recorded(t *testing.T, column int) func(*rand.Rand) weather {
	t.Helper()
	f, err := os.Open("testdata/noise.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var vs []float64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		v, err := strconv.ParseFloat(strings.Fields(lines.Text())[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	if len(vs) != 1000 {
		t.Fatalf("%d blocks, want 1000", len(vs))
	}
	return func(rng *rand.Rand) weather {
		at := rng.IntN(len(vs))
		return func() float64 {
			at = (at + 1) % len(vs)
			return vs[at]
		}
	}
}

// play runs the rounds of a session: the blocks of each in random order, as a
// plan does. The second of each pair costs effect times the first.
func play(rng *rand.Rand, next weather, pairs, rounds int, effect float64) []*compare.Group {
	type block struct {
		s       *measure.Series
		cost    float64
		replica bool
	}
	var all []*measure.Series
	var blocks []block
	for i := range pairs {
		a, b := series(fmt.Sprintf("BenchmarkX%d/impl=a", i), 1, nil, nil), series(fmt.Sprintf("BenchmarkX%d/impl=b", i), 1, nil, nil)
		cost := math.Pow(10, 1+4*rng.Float64())
		all = append(all, a, b)
		blocks = append(blocks, block{a, cost, false}, block{b, cost * effect, false}, block{a, cost, true})
	}
	for range rounds {
		rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, b := range blocks {
			s := sample(b.cost * next())
			if b.replica {
				b.s.Replica = append(b.s.Replica, s)
			} else {
				b.s.Samples = append(b.s.Samples, s)
			}
		}
	}
	return compare.By(all, "impl")
}

// called counts the comparisons that are called a difference, and those that
// the test alone would reject at 5%, before the correction and the floor.
func called(groups []*compare.Group) (clear, rejected int) {
	for _, g := range groups {
		r := g.Members[1].Ratios[measure.NsPerOp]
		if r.Clear() {
			clear++
		}
		if r.P < compare.Alpha {
			rejected++
		}
	}
	return clear, rejected
}

// Equals must be called different in at most 5% of the comparisons, whether a
// session makes one comparison or a hundred, and what differs must be seen.
func TestEqualsAreRarelyCalledDifferent(t *testing.T) {
	for _, w := range []struct {
		name string
		new  func(*rand.Rand) weather
	}{
		{"simulated", drifting},
		{"recorded wall time", recorded(t, 0)},
		{"recorded CPU time", recorded(t, 1)},
	} {
		for _, size := range []struct{ pairs, sessions int }{{1, 1000}, {5, 200}, {100, 10}} {
			t.Run(fmt.Sprintf("%s, %d at once", w.name, size.pairs), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(7, uint64(size.pairs)))
				calls, rejections, families := 0, 0, 0
				for range size.sessions {
					clear, rejected := called(play(rng, w.new(rng), size.pairs, 12, 1))
					calls += clear
					rejections += rejected
					if clear > 0 {
						families++
					}
				}
				n := size.pairs * size.sessions
				t.Logf("%d comparisons of equals: %d called different in %d of %d sessions; %d rejected by the test alone", n, calls, families, size.sessions, rejections)
				if calls > n/20 {
					t.Errorf("%d of %d comparisons of equals are called different, more than 5%%", calls, n)
				}
				// Holm: in at most 5% of the sessions there is any call at all.
				if families > max(1, size.sessions/20) {
					t.Errorf("%d of %d sessions call a difference", families, size.sessions)
				}
				// The test keeps its level by itself: 5%, and three standard deviations.
				if limit := float64(n)*0.05 + 3*math.Sqrt(float64(n)*0.05*0.95); float64(rejections) > limit {
					t.Errorf("%d of %d rejected, want at most %.0f", rejections, n, limit)
				}
			})
		}
	}
}

// A test that never calls anything keeps every level.
func TestDifferencesAreSeen(t *testing.T) {
	for _, w := range []struct {
		name string
		new  func(*rand.Rand) weather
	}{{"simulated", drifting}, {"recorded CPU time", recorded(t, 1)}} {
		rng := rand.New(rand.NewPCG(8, 1))
		calls, n := 0, 0
		for range 40 {
			clear, _ := called(play(rng, w.new(rng), 5, 12, 0.5))
			calls += clear
			n += 5
		}
		t.Logf("%s: %d of %d halvings called", w.name, calls, n)
		if calls < n*9/10 {
			t.Errorf("%s: only %d of %d halvings are called", w.name, calls, n)
		}
	}
}
