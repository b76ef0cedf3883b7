package missingput

import "sync"

// Fields that other packages can set, and such that only look so.

type grain struct{ text []byte }

var grains = sync.Pool{New: func() any { return new(grain) }}

func giveGrain(g *grain) { grains.Put(g) }

type mill struct{ out chan *grain }

func (m *mill) grind(lines []string) {
	for _, l := range lines {
		g := grains.Get().(*grain)
		g.text = append(g.text[:0], l...)
		m.out <- g
	}
}

type scale struct {
	In  chan *grain
	sum int
}

func (s *scale) weigh() {
	for g := range s.In { // want `g, received here, as what is sent on out, was taken from grains \(line 17\); it is read here and not put back`
		s.sum += len(g.text)
	}
}

type bean struct{ text []byte }

var beans = sync.Pool{New: func() any { return new(bean) }}

func giveBean(b *bean) { beans.Put(b) }

type Roaster struct{ out chan *bean }

func (m *Roaster) Roast(lines []string) {
	for _, l := range lines {
		b := beans.Get().(*bean)
		b.text = append(b.text[:0], l...)
		m.out <- b
	}
}

type Scale struct {
	In  chan *bean
	sum int
}

// right: who connects the two may have what gives the beans back between them
func (s *Scale) Weigh() {
	for b := range s.In {
		s.sum += len(b.text)
	}
}
