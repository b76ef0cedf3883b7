package sizes

import (
	"encoding/json"
	"sync"
)

// A list of slices to give back has what the encoder made as well, of any capacity.

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
			s.of[k].Put(p) // want `a slice with a capacity of \d+ goes to a pool from which take takes slices for up to \d+`
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
	r.add(&b)
	return nil
}

func (r *records) reset() {
	for _, p := range r.all {
		perStep.back(p)
	}
	clear(r.all)
	r.all = r.all[:0]
}
