package rebound

import "sync"

type slabs struct{ p sync.Pool }

func (s *slabs) get() []int {
	if v, ok := s.p.Get().(*[]int); ok {
		return (*v)[:0]
	}
	return make([]int, 0, 16)
}

func (s *slabs) put(v []int) { s.p.Put(&v) } // want `by value|local variable`

var found slabs

type job struct {
	in   []int
	hits []int
}

// Wrong: the job comes back with more hits, the Put gives back those of before.
func search(in []int, workers chan<- job, back <-chan job) int {
	j := job{in: in}
	j.hits = found.get()
	defer found.put(j.hits) // want `the deferred call puts field hits as it is here, but the variable is set anew later`
	workers <- j
	j = <-back
	return len(j.hits)
}

func work(jobs <-chan job, back chan<- job) {
	for j := range jobs {
		for _, n := range j.in {
			if n > 0 {
				j.hits = append(j.hits, n)
			}
		}
		back <- j
	}
}

// Right: read when the function ends.
func search2(in []int, workers chan<- job, back <-chan job) int {
	j := job{in: in}
	j.hits = found.get()
	defer func() { found.put(j.hits) }()
	workers <- j
	j = <-back
	return len(j.hits)
}

// Right: another variable.
func search3(in []int, workers chan<- job, back <-chan job) int {
	j := job{in: in}
	j.hits = found.get()
	defer found.put(j.hits)
	k := <-back
	return len(k.hits) + len(j.in)
}

// Right: nobody appends to that field.
type sum struct{ parts []int }

func total(in []int, back <-chan sum) int {
	s := sum{parts: found.get()[:len(in)]}
	defer found.put(s.parts)
	s = <-back
	return s.parts[0]
}

// Right: what was appended before is in the slice that the defer binds.
func fill(in []int) []int {
	v := found.get()
	for _, n := range in {
		if len(v) == cap(v) {
			v = append(v, 0)[:len(v)]
		}
		v = append(v, n)
	}
	return v
}

func largest(in []int) (most int) {
	v := fill(in)
	if len(v) > 0 && cap(v) < 1<<12 {
		defer found.put(v)
	}
	for _, n := range v {
		most = max(most, n)
	}
	return most
}
