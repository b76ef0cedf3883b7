// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/format"
)

// Why the text of a report leaves a site out. JSON has all.
const (
	NoiseRuntime  = "runtime"  // made by the runtime, the testing package or the profiler
	NoiseForeign  = "foreign"  // made by a library, with no code of the program on the stack
	NoiseSampling = "sampling" // too few samples to tell
	NoiseSmall    = "small"    // next to nothing, and not worth it
)

const (
	// unsure is the standard error of a sampled site, as a fraction of its bytes, above
	// which it is noise, unless it has a share of visible.
	unsure  = 0.5
	visible = 0.05
)

// noiseOf returns why the text leaves the site out, or "".
func (s *site) noiseOf(g *Group) string {
	own, profiler := 0.0, 0.0
	for _, p := range s.parts {
		switch {
		case profiling(p.stack):
			profiler += p.bytes
		case !s.cut.Foreign:
		case background(p.stack):
			own += p.bytes
		}
	}
	switch {
	case profiler > s.Traffic.Bytes/2:
		s.Verdict, s.Advice, s.Predicted, s.Lines = NotWorth, "the profiler makes it, for the profile", nil, nil
		return NoiseRuntime
	case own+profiler > s.Traffic.Bytes/2:
		return NoiseRuntime
	case s.Share >= visible:
		return ""
	case s.samplingError(g) > unsure:
		return NoiseSampling
	case s.cut.Foreign:
		return NoiseForeign
	case s.Verdict == NotWorth && s.Share < worth/10:
		return NoiseSmall
	}
	return ""
}

// profiling reports whether a stack is that of writing or serving a profile.
func profiling(stack []allocsite.Frame) bool {
	return has(stack, []string{"runtime/pprof.", "net/http/pprof.", "runtime/trace."})
}

// background reports whether a stack is the runtime's or the testing package's own, or
// that of a server that takes a connection.
func background(stack []allocsite.Frame) bool {
	switch path := allocsite.PackagePath(stack[0].Func); {
	case path == "runtime", path == "testing", strings.HasPrefix(path, "internal/"):
		return true
	}
	for _, f := range stack {
		switch {
		case strings.HasPrefix(f.Func, "net/http.(*conn).serve"):
			return false // a request, which somebody sent
		case strings.HasPrefix(f.Func, "net/http.(*Server)."), strings.HasPrefix(f.Func, "testing."):
			return true
		}
	}
	return false
}

// samplingError is the standard error of the site's bytes, as a fraction of them. A
// byte in g.Rate is sampled: an object with a chance that depends on its size.
func (s *site) samplingError(g *Group) float64 {
	if s.exact || g.Rate <= 0 || s.Traffic.Bytes <= 0 {
		return 0
	}
	variance := 0.0
	for _, p := range s.parts {
		if p.size <= 0 {
			continue
		}
		chance := 1 - math.Exp(-float64(p.size)/g.Rate)
		variance += float64(p.size) * float64(p.size) * p.objects * g.count() * (1 - chance) / chance
	}
	return math.Sqrt(variance) / (s.Traffic.Bytes * g.count())
}

// sized notes whether the profile tells the sizes of the site's objects.
func (s *site) sized() {
	even := 0.0
	for _, p := range s.parts {
		s.mean = s.mean || p.mean
		if _, class := leastSize(p.size); class || !p.mean {
			even += p.bytes
		}
	}
	s.uneven = s.mean && even < s.Traffic.Bytes/2
}

// notes say what the source of a report cannot tell.
func (d *Data) notes() (out []string) {
	heap, mean := false, false
	for _, g := range d.Groups {
		heap = heap || g.CPU == nil && g.Benchmark == nil && len(g.Samples) > 0
		for _, x := range g.Samples {
			mean = mean || x.Mean
		}
	}
	if mean {
		out = append(out, "the source does not tell the sizes of objects: the sizes here are means")
	}
	if heap {
		out = append(out, "CPU time cannot be predicted from a heap profile alone: for that, run benchmarks of the same code, spare advise PACKAGES")
	}
	return out
}

// writeNoise says of which sites the list has none.
func (r *Report) writeNoise(w io.Writer) {
	type sum struct {
		sites      int
		bytes, top float64
		what       string
	}
	by := make(map[string]*sum)
	for i := range r.Sites {
		s := &r.Sites[i]
		if s.Noise == "" {
			continue
		}
		n := by[s.Noise]
		if n == nil {
			n = new(sum)
			by[s.Noise] = n
		}
		n.sites++
		n.bytes += s.Traffic.Bytes
		if s.Share > n.top || n.what == "" {
			n.top, n.what = s.Share, s.What
		}
	}
	for _, kind := range []struct{ name, text string }{
		{NoiseSampling, "of so few samples that their error is above 50%"},
		{NoiseRuntime, "of the runtime, the profiler and the like"},
		{NoiseForeign, "of libraries, with no code of the program on the stack"},
		{NoiseSmall, "that are not worth it"},
	} {
		n := by[kind.name]
		if n == nil {
			continue
		}
		share := 0.0
		if r.Total.Bytes > 0 {
			share = n.bytes / r.Total.Bytes
		}
		limit := format.Percent(n.top)
		if n.sites > 1 {
			limit = fmt.Sprintf("at most %s each, %s together", limit, format.Percent(share))
		}
		wrap(w, "", "  ", fmt.Sprintf("and %s %s: %s (%s); -json has all", format.Plural(n.sites, "more site"), kind.text, limit, oneLine(n.what, 30)))
	}
}
