package fields

import (
	"io"
	"sync"
)

type audience struct {
	roles []string
	tags  []string
}

var audiences = sync.Pool{New: func() any { return new(audience) }}

// Wrong: a loop over all that is in the field is no test of how much of it is there.
func showRoles(w io.Writer, roles []string) {
	v := audiences.Get().(*audience)
	defer audiences.Put(v)              // want `audiences keeps v, put at line 18, whatever its size`
	v.roles = append(v.roles, roles...) // want `field roles of v, taken from audiences at line 17, is appended to as the last user left it`
	for _, r := range v.roles {
		io.WriteString(w, r)
	}
}

// Right: it is cut first.
func showTags(w io.Writer, tag string) {
	v := audiences.Get().(*audience)
	defer audiences.Put(v)
	v.tags = append(v.tags[:0], tag)
	for _, t := range v.tags {
		io.WriteString(w, t)
	}
}

type lineHeap struct{ lines []string }

var heaps = sync.Pool{New: func() any { return new(lineHeap) }}

// Right: it gathers for several users, and goes through all that is there when that is enough.
func gatherLine(w io.Writer, line string) {
	g := heaps.Get().(*lineHeap)
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
