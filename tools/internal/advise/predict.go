// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"maps"
	"math"
	"slices"
)

// The model. A site has the share w of all bytes; reuse saves a share of the
// site. Collections follow allocation, so that the share of cycles saved is that
// of the bytes, and the collector's CPU time follows the cycles: its own work, and,
// where the program does not block, the runtime outside of the program's stacks, which
// starts and stops the collector's workers. With the time of making the values,
// that is what the profile shows:
//
//	seen = construction + w·collector
//
// The collector also slows down what is left of the program: it displaces the contents
// of caches, as fresh memory does. That is taken to be by the share of the time that the
// collector has. Against all this stands what taking a value from a pool, making it
// as new and putting it back costs, in units that are measured on the machine.
//
//	CPU = seen + (1 - seen)·w·collector - cost
//
// The range is this, give or take two standard errors of the profile, the doubt about
// the cost, that about the runtime's part, and the error of the model, as independent
// errors. Nearly all of the time, or next to none of it, is not far off what is predicted;
// a half may be: the error of the model is in proportion to sqrt(CPU·(1 - CPU)).
const (
	// modelError was set by what the ranges missed when they were tested: see
	// docs/advise.md.
	modelError = 0.3

	// certain keeps the error of the model from vanishing at 0 and 1.
	certain = 0.03

	// spread is how far the collections saved may differ from the bytes saved:
	// cycles also follow the size of the live heap, which a pool adds to.
	spread = 0.1

	// noisy is how much one run of a program that collects itself differs from the
	// next.
	noisy = 0.1
)

// predict returns what reuse saves of all traffic of a group, as fractions. pool is
// what Get and Put of a sync.Pool take, or 0.
func (s *site) predict(g *Group, pool [2]float64) *Prediction {
	if s.reuse.saved[1] == 0 {
		return nil
	}
	w := s.Share
	err := s.relativeError()
	p := new(Prediction)
	p.Bytes = [2]float64{clamp(w * s.reuse.saved[0] * (1 - err)), clamp(w * s.reuse.saved[1] * (1 + err))}
	p.GCs = [2]float64{clamp(p.Bytes[0] * (1 - spread)), clamp(p.Bytes[1] + spread*p.Bytes[1]*(1-p.Bytes[1]))}
	if g.Benchmark != nil && g.Benchmark.GCs == 0 {
		p.GCs = [2]float64{}
	}
	c := s.cpu
	if !c.known {
		p.NoCPU = true
		return p
	}
	cost := s.cost(g, pool)
	saved, doubt := middle(s.reuse.saved)
	around := c.runtime // the collector's, of the runtime outside of the program
	aroundDoubt := 0.0
	if c.blocks {
		// The scheduler may be at work for the program, or for the collector.
		around, aroundDoubt = c.runtime/2, w*c.runtime/2
	}
	collector := saved * w * (c.gc + around)
	other := 0.0
	if c.forced || g.collectsItself() {
		// Collections that the program asks for take place whatever it allocates; what
		// was not allocated need not be swept.
		p.GCs[0] = 0
		collector, aroundDoubt, other = saved*w*c.gc/20, w*c.gc/20, noisy
	}
	construct := saved * c.construct
	if s.reuse.only != nil {
		construct = c.mallocIn(s.reuse.only)
	}
	seen := clamp(construct + collector)
	mid := seen + (1-seen)*collector
	better, betterDoubt := middle(s.reuse.faster)
	// A faster implementation is one of what is left, which was sped up already.
	work := max(c.work-c.construct, 0) * max(0, 1-collector/max(w, 0.01))
	mid += better * work
	costMid, costDoubt := middle(cost)
	mid -= costMid
	share := min(1-certain, max(certain, mid))
	half := math.Sqrt(sum2(
		2*c.standardError(seen), doubt/max(saved, 0.01)*seen, betterDoubt*work, costDoubt, aroundDoubt, other,
		modelError*math.Sqrt(share*(1-share))))
	p.CPU = [2]float64{clampSigned(mid - half), clampSigned(mid + half)}
	return p
}

// leastCycle is less than any program allocates from one collection to the next that
// the runtime starts by itself: the heap's goal is 4 MiB at least, with GOGC=100.
const leastCycle = 2 << 20

// collectsItself reports whether there are more collections than what is allocated
// can be the reason of: the program asks for them.
func (g *Group) collectsItself() bool {
	b := g.Benchmark
	return b != nil && b.GCs*leastCycle > b.Measured.Bytes && b.Measured.Bytes > 0
}

// cost returns what reuse costs, as fractions of the CPU time of an operation.
func (s *site) cost(g *Group, pool [2]float64) (cost [2]float64) {
	if g.Benchmark == nil || g.Benchmark.CPU <= 0 {
		return cost
	}
	if pool[0] == 0 {
		pool = usualPool
	}
	least, most := s.bounds()
	values := (least + most) / 2
	if s.reuse.once {
		values = least // whatever it is made of, it is taken and put back as one
	}
	for i := range cost {
		cost[i] = values * (s.reuse.handle[i]*pool[i] + s.reuse.reset[i]) / g.Benchmark.CPU
	}
	return cost
}

// middle returns the middle of a range, and half its width.
func middle(v [2]float64) (mid, half float64) { return (v[0] + v[1]) / 2, (v[1] - v[0]) / 2 }

func sum2(v ...float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// standardError is that of a share of the CPU time, from the number of samples.
func (c *cpuShare) standardError(share float64) float64 {
	n := float64(c.samples)
	share = (share*n + 1) / (n + 2) // nothing seen in a few samples is not nothing
	return math.Sqrt(share * (1 - share) / max(1, n))
}

// values returns how often the site makes a value: what a pool would be asked
// for. A value that grows allocates several times; the rarest of its sizes and
// the most frequent one are the bounds, of which this is the mean.
func (s *site) values() float64 {
	least, most := s.bounds()
	return (least + most) / 2
}

// bounds returns how often the rarest and the most frequent of the site's sizes
// are made.
func (s *site) bounds() (least, most float64) {
	type both struct{ bytes, objects float64 }
	bySize := make(map[int64]both)
	for _, p := range s.parts {
		b := bySize[p.size]
		bySize[p.size] = both{b.bytes + p.bytes, b.objects + p.objects}
	}
	least = s.Traffic.Objects
	for _, b := range bySize {
		if b.bytes >= 0.01*s.Traffic.Bytes { // the rest is the runtime's, on the way
			least, most = min(least, b.objects), max(most, b.objects)
		}
	}
	return least, most
}

// rare returns the share of a grown slice's bytes that are in arrays which less than
// a sixteenth of the slices need: Get(0) of a spare.Slices gives the others what they
// need, while those may grow as before.
func (s *site) rare() float64 {
	objects, bytes := make(map[int64]float64), make(map[int64]float64)
	for _, p := range s.parts {
		objects[p.size], bytes[p.size] = objects[p.size]+p.objects, bytes[p.size]+p.bytes
	}
	if s.Traffic.Bytes == 0 {
		return 0
	}
	most := slices.Max(slices.Collect(maps.Values(objects)))
	rare := 0.0
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(objects))) {
		// A slice that grows to this size has passed the smaller ones.
		if objects[size] >= most/16 {
			break
		}
		rare += bytes[size]
	}
	return rare / s.Traffic.Bytes
}

// most returns how often the most frequent part of the site is made.
func (s *site) most() float64 {
	most := 0.0
	for _, p := range s.parts {
		most = max(most, p.objects)
	}
	return most
}

// relativeError is the standard error of a sampled site's traffic, as a
// fraction.
func (s *site) relativeError() float64 {
	if s.exact {
		return 0
	}
	if s.n <= 1 {
		return 1
	}
	return min(1, 1/math.Sqrt(s.n))
}

func clamp(v float64) float64 { return max(0, min(1, v)) }

func clampSigned(v float64) float64 { return max(-1, min(1, v)) }
