package generated

import "sync"

// The type is of the generated file.
func copied(s *store) store { return *s } // want `store, which holds a sync.Pool, is returned by value`

func given(s store) int { return s.n } // want `parameter s, a store, which holds a sync\.Pool, is copied for each call`

func own(p *sync.Pool) {
	q := *p // want `\*p, a sync\.Pool, is assigned by value`
	_ = &q
}

func right(s *store) int { return s.n }
