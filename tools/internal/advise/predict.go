// SPDX-License-Identifier: BSD-3-Clause

package advise

import "math"

// The model. A site has the share w of all bytes; reuse saves a share of the
// site. Collections follow allocation, so that the share of cycles saved is that
// of the bytes, and the collector's CPU time follows the cycles. What a program
// saves beyond the collector is the allocator's time, and at most all the time of
// making the values. Against that stands what taking a value from a pool, making
// it as new and putting it back costs.
//
// CPU, low: malloc + w·GC - cost. High: construction + w·(GC + the runtime
// outside of the program's stacks) - cost. Fresh memory has costs that no profile
// shows at the site: page faults, and the contents of caches that it displaces.
// They are what the high end is widened for. A CPU profile is a sample: both ends
// allow for two standard errors.
const (
	// hidden widens the high end: in experiments, what was measured lay up to 22%
	// above it.
	hidden = 1.25

	// spread is how far the collections saved may differ from the bytes saved:
	// cycles also follow the size of the live heap, which a pool adds to.
	spread = 0.1
)

// predict returns what reuse saves of all traffic of a group, as fractions.
func (s *site) predict(g *Group) *Prediction {
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
	// Costs as fractions of the CPU time of an operation.
	values := s.values()
	var low, high float64 // costs
	if g.Benchmark != nil && g.Benchmark.CPU > 0 {
		low = values * (s.reuse.handle[0] + s.reuse.reset[0]) / g.Benchmark.CPU
		high = values * (s.reuse.handle[1] + s.reuse.reset[1]) / g.Benchmark.CPU
	}
	saved := s.reuse.saved
	work := max(c.work-c.construct, 0)
	noise := c.noise()
	collector := c.gc
	if c.forced {
		// Collections that the program asks for take place whatever it allocates.
		p.GCs[0], collector = 0, 0
	}
	p.CPU[0] = saved[0]*(c.malloc+w*collector)*max(0, 1-2*noise) - high
	seen := c.construct + w*(c.gc+c.runtime)
	p.CPU[1] = saved[1]*(seen*(1+min(1, 2*noise))*hidden+2*w/max(1, float64(c.samples))) - low
	p.CPU[0] = clampSigned(p.CPU[0] + s.reuse.faster[0]*work)
	p.CPU[1] = clampSigned(max(p.CPU[1]+s.reuse.faster[1]*work, p.CPU[0]))
	return p
}

// values returns how often the site makes a value: what a pool would be asked
// for. A value that grows allocates several times; the rarest of its sizes and
// the most frequent one are the bounds, of which this is the mean.
func (s *site) values() float64 {
	type both struct{ bytes, objects float64 }
	bySize := make(map[int64]both)
	for _, p := range s.parts {
		b := bySize[p.size]
		bySize[p.size] = both{b.bytes + p.bytes, b.objects + p.objects}
	}
	least, most := s.Traffic.Objects, 0.0
	for _, b := range bySize {
		if b.bytes >= 0.01*s.Traffic.Bytes { // the rest is the runtime's, on the way
			least, most = min(least, b.objects), max(most, b.objects)
		}
	}
	return (least + most) / 2
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

// noise is the standard error of the site's CPU share, as a fraction of it.
func (c *cpuShare) noise() float64 {
	n := float64(c.samples) * max(c.malloc, c.construct, c.gc)
	if n < 1 {
		return 1
	}
	return min(1, 1/math.Sqrt(n))
}

func clamp(v float64) float64 { return max(0, min(1, v)) }

func clampSigned(v float64) float64 { return max(-1, min(1, v)) }
