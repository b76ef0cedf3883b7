package onewaybound

// Put drops what is large, but what goes back by the function in its field does not come by.

type page struct {
	text []byte
	done func([]byte)
}

func (p page) release() { p.done(p.text) }

type pages struct {
	most int
	free chan []byte
}

func (s *pages) get() page {
	p := page{done: s.back}
	select {
	case p.text = <-s.free:
	default:
		p.text = make([]byte, 0, 512)
	}
	return p
}

func (s *pages) back(b []byte) {
	select {
	case s.free <- b[:0]: // only a cut of it: not followed
	default:
	}
}

func (s *pages) put(p page) {
	if cap(p.text) <= s.most {
		s.back(p.text)
	}
}

type notes struct {
	most int
	free chan []byte
}

type note struct {
	text []byte
	done func([]byte)
}

func (n note) release() { n.done(n.text) }

func (s *notes) get() note {
	n := note{done: s.back}
	select {
	case n.text = <-s.free:
	default:
		n.text = make([]byte, 512)
	}
	return n
}

func (s *notes) back(b []byte) {
	select { // want `released by back itself`
	case s.free <- b:
	default:
	}
}

func (s *notes) put(n note) {
	if cap(n.text) > s.most {
		return
	}
	s.back(n.text)
}

// The limit is where all ways lead.

type cards struct {
	most int
	free chan []byte
}

type card struct {
	text []byte
	done func([]byte)
}

func (c card) release() { c.done(c.text) }

func (s *cards) get() card {
	c := card{done: s.back}
	select {
	case c.text = <-s.free:
	default:
		c.text = make([]byte, 512)
	}
	return c
}

func (s *cards) back(b []byte) {
	if cap(b) > s.most {
		return
	}
	select {
	case s.free <- b:
	default:
	}
}

func (s *cards) put(c card) { s.back(c.text) }
