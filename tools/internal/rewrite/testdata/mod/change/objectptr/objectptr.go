package objectptr

type state struct {
	in    []byte
	stack [64]int
	depth int
}

func depth(in []byte) int {
	s := &state{in: in} // site
	for len(s.in) > 0 {
		step(s)
	}
	return s.depth
}

func step(s *state) {
	if s.in[0] == '(' {
		s.stack[s.depth%64] = len(s.in)
		s.depth++
	}
	s.in = s.in[1:]
}
