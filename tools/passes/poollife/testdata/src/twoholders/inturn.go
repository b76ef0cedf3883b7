package twoholders

import "sync"

// Somebody who runs both in turn.

type bale struct {
	mu      sync.Mutex
	parcels []*parcel
}

func (b *bale) unload() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.parcels {
		p.recycle()
	}
	b.parcels = nil
}

type barn struct {
	mu  sync.Mutex
	now *bale
}

func (b *barn) cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		b.now = nil
	}
}

func (b *barn) gather(in chan []string) {
	c := &bale{}
	b.mu.Lock()
	b.now = c
	b.mu.Unlock()
	for lines := range in {
		p := parcels.Get().(*parcel)
		p.lines = lines
		c.mu.Lock()
		c.parcels = append(c.parcels, p)
		c.mu.Unlock()
	}
	c.unload()
}

// right: only when all was gathered
func (b *barn) work(in chan []string) {
	b.gather(in)
	b.cancel()
}

type stack struct {
	mu      sync.Mutex
	parcels []*parcel
}

func (s *stack) unload() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parcels {
		p.recycle()
	}
	s.parcels = nil
}

type yard struct {
	mu  sync.Mutex
	now *stack
}

func (y *yard) cancel() {
	y.mu.Lock()
	defer y.mu.Unlock()
	if s := y.now; s != nil {
		for _, p := range s.parcels {
			p.recycle() // want `the elements of parcels are put but stay in it: gather, which set now to their object and still has it, puts them again`
		}
		y.now = nil
	}
}

func (y *yard) gather(in chan []string) {
	s := &stack{}
	y.mu.Lock()
	y.now = s
	y.mu.Unlock()
	for lines := range in {
		p := parcels.Get().(*parcel)
		p.lines = lines
		s.mu.Lock()
		s.parcels = append(s.parcels, p)
		s.mu.Unlock()
	}
	s.unload()
}

func (y *yard) work(in chan []string, late func() bool) {
	go y.gather(in)
	if late() {
		y.cancel()
	}
}
