package alone // Locks in values that were put, and references that a pooled value of the path's own holds.

import (
	"slices"
	"sync"
)

type item struct {
	key  string
	dead bool
}

var items = sync.Pool{New: func() any { return new(item) }}

func drop(i *item) {
	*i = item{}
	items.Put(i)
}

type shelf struct {
	mu   sync.Mutex
	by   map[string][]*item
	all  []*item
	free []*item
}

func (s *shelf) add(name, key string) {
	i := items.Get().(*item)
	i.key = key
	s.by[name] = append(s.by[name], i)
	s.all = append(s.all, i)
}

func (s *shelf) live(name string) []*item {
	list := s.by[name]
	for n := 0; n < len(list); n++ {
		if i := list[n]; i.dead {
			list = append(list[:n], list[n+1:]...)
			drop(i) // want `cut from a copy of the slice's header only: map by keeps the longer slice`
			n--
		}
	}
	return list
}

func (s *shelf) count(name string) int { return len(s.live(name)) }

func (s *shelf) sweep() (n int) {
	all := s.all
	for k := len(all) - 1; k >= 0; k-- {
		if all[k].dead {
			items.Put(all[k]) // want `cut from a copy of the slice's header only: field all keeps the longer slice`
			all = slices.Delete(all, k, k+1)
		}
	}
	return len(all)
}

func (s *shelf) compact() (n int) {
	kept := s.all[:0]
	for _, i := range s.all {
		if i.dead {
			drop(i) // want `cut from a copy of the slice's header only: field all keeps the longer slice`
			continue
		}
		kept = append(kept, i)
	}
	return len(kept)
}

func (s *shelf) compactLocal() (n int) {
	all := s.all
	kept := all[:0]
	for _, i := range all {
		if i.dead {
			drop(i) // want `cut from a copy of the slice's header only: field all keeps the longer slice`
			continue
		}
		kept = append(kept, i)
	}
	return len(kept)
}

func (s *shelf) trim(max int) {
	free := s.free
	for len(free) > max {
		drop(free[len(free)-1]) // want `cut from a copy of the slice's header only: field free keeps the longer slice`
		free = free[:len(free)-1]
	}
}

// The shorter slice goes back.
func (s *shelf) liveStored(name string) []*item {
	list := s.by[name]
	for n := 0; n < len(list); n++ {
		if i := list[n]; i.dead {
			list = append(list[:n], list[n+1:]...)
			drop(i)
			n--
		}
	}
	s.by[name] = list
	return list
}

func (s *shelf) trimStored(max int) {
	free := s.free
	for len(free) > max {
		drop(free[len(free)-1])
		free = free[:len(free)-1]
	}
	s.free = free
}

// The entry is deleted after.
func (s *shelf) clear(name string) {
	list := s.by[name]
	for len(list) > 0 {
		drop(list[len(list)-1])
		list = list[:len(list)-1]
	}
	delete(s.by, name)
}

// The caller stores it.
func (s *shelf) rest(max int) []*item {
	free := s.free
	for len(free) > max {
		drop(free[len(free)-1])
		free = free[:len(free)-1]
	}
	return free
}

func (s *shelf) shrink() { s.free = s.rest(3) }

// The slice is the function's own.
func batch(n int) {
	var list []*item
	for range n {
		list = append(list, items.Get().(*item))
	}
	for len(list) > 0 {
		drop(list[len(list)-1])
		list = list[:len(list)-1]
	}
}

// Compaction in place that is stored.
func (s *shelf) compactStored() (n int) {
	kept := s.all[:0]
	for _, i := range s.all {
		if i.dead {
			drop(i)
			continue
		}
		kept = append(kept, i)
	}
	s.all = kept
	return len(kept)
}

// The object ends.
type rack struct{ free []*item }

func (s *rack) add() { s.free = append(s.free, items.Get().(*item)) }

func (s *rack) Close() {
	free := s.free
	for len(free) > 0 {
		drop(free[len(free)-1])
		free = free[:len(free)-1]
	}
}
