package records // What a pooled value remembers of the inputs of all its users, and records that it gathers.

import "sync"

type sample struct {
	at    int64
	value float64
}

type series struct{ samples []sample }

var pool sync.Pool

func get() *series {
	if s, ok := pool.Get().(*series); ok {
		return s
	}
	return &series{samples: make([]sample, 0, 16)}
}

func put(s *series) {
	s.samples = s.samples[:0]
	pool.Put(s) // want `pool keeps s, put at line 23, whatever its size`
}

type source interface{ Next() (int64, float64, bool) }

func average(src source) float64 {
	s := get()
	defer put(s)
	for {
		at, v, ok := src.Next()
		if !ok {
			break
		}
		s.samples = append(s.samples, sample{at, v})
	}
	sum := 0.0
	for _, x := range s.samples {
		sum += x.value
	}
	return sum / float64(len(s.samples))
}

// Above a limit it is dropped.

type track struct{ points []sample }

var tracks = sync.Pool{New: func() any { return new(track) }}

func length(src source) int {
	t := tracks.Get().(*track)
	for {
		at, v, ok := src.Next()
		if !ok {
			break
		}
		t.points = append(t.points, sample{at, v})
	}
	n := len(t.points)
	if cap(t.points) <= 4096 {
		t.points = t.points[:0]
		tracks.Put(t)
	}
	return n
}
