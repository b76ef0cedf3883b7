package setwheremade // Fields that only the maker of their object sets, on some of its paths.

import "sync"

type plane struct{ px []byte }

var planes = sync.Pool{New: func() any { return new(plane) }}

// An image without alpha never gets that plane, and the end of it puts all.

type image struct{ luma, alpha *plane }

func newImage(n int, alpha bool) *image {
	im := &image{luma: planes.Get().(*plane)}
	im.luma.px = append(im.luma.px[:0], make([]byte, n)...)
	if !alpha {
		return im
	}
	im.alpha = planes.Get().(*plane)
	im.alpha.px = append(im.alpha.px[:0], make([]byte, n)...)
	return im
}

func (im *image) free() {
	for _, p := range []*plane{im.luma, im.alpha} {
		planes.Put(p)
	}
	im.luma, im.alpha = nil, nil
}

func size(n int, alpha bool) int {
	im := newImage(n, alpha)
	defer im.free() // want `p, which is nil, is put in planes \(line 26\) on this path`
	return len(im.luma.px)
}

type mask struct{ on, off *plane }

func newMask(both bool) *mask {
	m := &mask{on: planes.Get().(*plane)}
	if both {
		m.off = planes.Get().(*plane)
	}
	return m
}

func (m *mask) free() {
	planes.Put(m.on)
	planes.Put(m.off)
	m.on, m.off = nil, nil
}

func sizeOfMask(both bool) int {
	m := newMask(both)
	n := len(m.on.px)
	m.free() // want `m\.off, which is nil, is put in planes \(line 49\) on this path`
	return n
}

// Asked for nil, and put where a flag of the object says that it is there.

type frame struct {
	luma, alpha *plane
	opaque      bool
}

func newFrame(alpha bool) *frame {
	f := &frame{luma: planes.Get().(*plane), opaque: !alpha}
	if alpha {
		f.alpha = planes.Get().(*plane)
	}
	return f
}

func (f *frame) free() {
	for _, p := range [...]*plane{f.luma, f.alpha} {
		if p != nil {
			planes.Put(p)
		}
	}
	f.luma, f.alpha = nil, nil
}

func (f *frame) freeByFlag() {
	planes.Put(f.luma)
	if !f.opaque {
		planes.Put(f.alpha)
	}
	f.luma, f.alpha = nil, nil
}

func sizes(alpha bool) int {
	f, g := newFrame(alpha), newFrame(alpha)
	defer f.free()
	defer g.freeByFlag()
	return len(f.luma.px) + len(g.luma.px)
}

// Here a loop sets it, and a method.

type strip struct{ first, last *plane }

func newStrip(n int) *strip {
	s := &strip{first: planes.Get().(*plane)}
	for range n {
		if s.last == nil {
			s.last = planes.Get().(*plane)
		}
	}
	return s
}

func (s *strip) free() {
	planes.Put(s.first)
	planes.Put(s.last)
	s.first, s.last = nil, nil
}

func sizeOfStrip() int {
	s := newStrip(5)
	defer s.free()
	return len(s.first.px)
}

type pair struct{ a, b *plane }

func newPair() *pair { return &pair{a: planes.Get().(*plane)} }

func (p *pair) second() { p.b = planes.Get().(*plane) }

func (p *pair) free() {
	planes.Put(p.a)
	planes.Put(p.b)
	p.a, p.b = nil, nil
}

func sizeOfPair(steps []func(*pair)) int {
	p := newPair()
	for _, f := range steps {
		f(p)
	}
	p.free()
	return 2
}

var steps = []func(*pair){(*pair).second}
