package fields

import (
	"io"
	"sync"
)

type visit struct {
	roles []string
	sizes []int
	tags  []string
}

var visits = sync.Pool{New: func() any { return new(visit) }}

// Wrong: a loop over all that is in the field is no test of how much of it is there.
func showRoles(w io.Writer, roles []string) {
	v := visits.Get().(*visit)
	defer visits.Put(v)                 // want `visits keeps v, put at line 18, whatever its size`
	v.roles = append(v.roles, roles...) // want `field roles of v, taken from visits at line 17, is appended to as the last user left it`
	for _, r := range v.roles {
		io.WriteString(w, r)
	}
}

func total(n int) (sum int) {
	v := visits.Get().(*visit)
	defer visits.Put(v)
	v.sizes = append(v.sizes, n) // want `field sizes of v, taken from visits at line 27, is appended to as the last user left it`
	for k := 0; k < len(v.sizes); k++ {
		sum += v.sizes[k]
	}
	return sum
}

// Right: it is cut first.
func showTags(w io.Writer, tag string) {
	v := visits.Get().(*visit)
	defer visits.Put(v)
	v.tags = append(v.tags[:0], tag)
	for _, t := range v.tags {
		io.WriteString(w, t)
	}
}

type heap struct{ lines []string }

var heaps = sync.Pool{New: func() any { return new(heap) }}

// Right: it gathers for several users, and goes through all that is there when that is enough.
func gatherLine(w io.Writer, line string) {
	g := heaps.Get().(*heap)
	g.lines = append(g.lines, line)
	if len(g.lines) >= 64 {
		for _, l := range g.lines {
			io.WriteString(w, l)
		}
		clear(g.lines)
		g.lines = g.lines[:0]
	}
	heaps.Put(g)
}
