package a

type elem struct {
	v   int
	arr [4]byte
}

type big struct {
	v    int
	rest [40]byte
}

type holder struct{ s []elem }

func fieldOf(n int) ([]elem, *int) {
	var s []elem
	for i := range n {
		s = append(s, elem{v: i})
	}
	p := &s[0].v // want `&s\[0\].v may point to a dead stack frame`
	return s, p
}

func arrayOf(n int) ([]elem, []byte) {
	var s []elem
	for i := range n {
		s = append(s, elem{v: i})
	}
	b := s[0].arr[:] // want `s\[0\].arr\[:\] may point to a dead stack frame`
	return s, b
}

func stored(h *holder, n int) *int {
	s := []elem{}
	s = append(s, elem{v: n})
	p := &s[0].v // want `may point to a dead stack frame`
	h.s = s
	return p
}

func sized(n int) ([]elem, *int) {
	s := make([]elem, 0, n)
	s = append(s, elem{v: n})
	p := &s[0].v
	return s, p
}

func whole(n int) ([]elem, *int) {
	var s []elem
	s = append(s, elem{v: n})
	e := &s[0]
	return s, &e.v
}

func inReturn(n int) ([]elem, *int) {
	var s []elem
	s = append(s, elem{v: n})
	return s, &s[0].v
}

func large(n int) ([]big, *int) {
	var s []big
	s = append(s, big{v: n})
	p := &s[0].v
	return s, p
}

func stays(n int) int {
	var s []elem
	s = append(s, elem{v: n})
	p := &s[0].v
	return *p
}

func generic[T any](x T) []struct{ v T } {
	var s []struct{ v T }
	s = append(s, struct{ v T }{x})
	p := &s[0].v
	_ = p
	return s
}
