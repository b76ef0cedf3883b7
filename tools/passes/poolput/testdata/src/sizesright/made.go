package sizesright

import (
	"encoding/json"
	"sync"
)

// What the encoder made is copied: all in the list came from the pools.

type steps struct {
	most []int
	of   []sync.Pool
}

var perStep = &steps{most: []int{256, 2048}, of: make([]sync.Pool, 2)}

func (s *steps) take(n int) *[]byte {
	for k, most := range s.most {
		if n <= most {
			if p, ok := s.of[k].Get().(*[]byte); ok {
				return p
			}
			b := make([]byte, 0, most)
			return &b
		}
	}
	b := make([]byte, 0, n)
	return &b
}

func (s *steps) back(p *[]byte) {
	for k, most := range s.most {
		if cap(*p) <= most {
			s.of[k].Put(p)
			return
		}
	}
}

type records struct{ all []*[]byte }

func (r *records) add(p *[]byte) { r.all = append(r.all, p) }

func (r *records) copyOf(text string) {
	p := perStep.take(len(text))
	*p = (*p)[:len(text)]
	copy(*p, text)
	r.add(p)
}

func (r *records) encode(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r.copyOf(string(b))
	return nil
}

func (r *records) reset() {
	for _, p := range r.all {
		perStep.back(p)
	}
	clear(r.all)
	r.all = r.all[:0]
}

// Here the encoder's slices are in the list, and who takes one asks for its capacity.

var asked = &floors{most: []int{256, 2048}, of: make([]sync.Pool, 2)}

type floors struct {
	most []int
	of   []sync.Pool
}

func (f *floors) take(n int) *[]byte {
	for k, most := range f.most {
		if n <= most {
			if p, ok := f.of[k].Get().(*[]byte); ok {
				return p
			}
			b := make([]byte, 0, most)
			return &b
		}
	}
	b := make([]byte, 0, n)
	return &b
}

func (f *floors) back(p *[]byte) {
	for k, most := range f.most {
		if cap(*p) <= most {
			f.of[k].Put(p)
			return
		}
	}
}

type lines struct{ all []*[]byte }

func (l *lines) copyOf(text string) {
	p := asked.take(len(text))
	if cap(*p) < len(text) {
		*p = make([]byte, 0, len(text))
	}
	*p = (*p)[:len(text)]
	copy(*p, text)
	l.all = append(l.all, p)
}

func (l *lines) encode(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.all = append(l.all, &b)
	return nil
}

func (l *lines) reset() {
	for _, p := range l.all {
		asked.back(p)
	}
	clear(l.all)
	l.all = l.all[:0]
}
