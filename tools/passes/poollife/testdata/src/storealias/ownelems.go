package storealias

import "sync"

// The elements of a pooled slice have objects of their own, which the next user fills again.

type histo struct{ count, sum float64 }

type hpoint struct {
	at int64
	h  *histo
}

var hpoints = sync.Pool{New: func() any { return new([]hpoint) }}

func takePoints() []hpoint { return (*hpoints.Get().(*[]hpoint))[:0] }

func givePoints(s []hpoint) {
	s = s[:0]
	hpoints.Put(&s)
}

func morePoint(s []hpoint) ([]hpoint, *hpoint) {
	if len(s) < cap(s) {
		s = s[:len(s)+1]
	} else {
		s = append(s, hpoint{})
	}
	p := &s[len(s)-1]
	if p.h == nil {
		p.h = &histo{}
	}
	return s, p
}

type sums struct {
	first []*histo
	total []histo
}

func (g *sums) add(s []hpoint) {
	for _, p := range s {
		if g.first[p.at] == nil {
			g.first[p.at] = p.h // want `an element of a slice or map keeps memory of s after the value was put in hpoints`
		} else {
			g.first[p.at].sum += p.h.sum
		}
	}
	givePoints(s)
}

func (g *sums) addCopy(s []hpoint) {
	for _, p := range s {
		g.total[p.at] = *p.h
	}
	givePoints(s)
}

// Others make new ones for each use.

type tpoint struct {
	at int64
	t  *histo
}

var tpoints = sync.Pool{New: func() any { return new([]tpoint) }}

func newPoints(n int) []tpoint {
	s := (*tpoints.Get().(*[]tpoint))[:0]
	for k := range n {
		s = append(s, tpoint{at: int64(k), t: &histo{}})
	}
	return s
}

func (g *sums) addNew(s []tpoint) {
	for _, p := range s {
		g.first[p.at] = p.t
	}
	s = s[:0]
	tpoints.Put(&s)
}
