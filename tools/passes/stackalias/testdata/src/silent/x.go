// Package silent has what is wrong with an affected toolchain, and nothing to
// report: it is for all others.
package silent

type elem struct {
	v   int
	arr [4]byte
}

type holder struct{ s []elem }

func fieldOf(n int) ([]elem, *int) {
	var s []elem
	for i := range n {
		s = append(s, elem{v: i})
	}
	p := &s[0].v
	return s, p
}

func arrayOf(n int) ([]elem, []byte) {
	var s []elem
	for i := range n {
		s = append(s, elem{v: i})
	}
	b := s[0].arr[:]
	return s, b
}

func stored(h *holder, n int) *int {
	s := []elem{}
	s = append(s, elem{v: n})
	p := &s[0].v
	h.s = s
	return p
}
