package earlyout

import "sync"

// Cleared in the defer.

type tally struct{ by map[string]int }

var tallies = sync.Pool{New: func() any { return &tally{map[string]int{}} }}

func count(keys []string, out func(string, int) error) error {
	t := tallies.Get().(*tally)
	defer func() {
		clear(t.by)
		tallies.Put(t) // want `tallies keeps t, put at line 15, whatever its size`
	}()
	for _, k := range keys {
		t.by[k]++
	}
	for k, n := range t.by {
		if err := out(k, n); err != nil {
			return err
		}
	}
	return nil
}

// Returns before anything is in it.

type words struct{ list map[string]int }

var wordses = sync.Pool{New: func() any { return &words{map[string]int{}} }}

func total(keys []string, ok func() error) (int, error) {
	w := wordses.Get().(*words)
	defer wordses.Put(w) // want `wordses keeps w, put at line 36, whatever its size`
	if err := ok(); err != nil {
		return 0, err
	}
	for _, k := range keys {
		w.list[k] = len(k)
	}
	n := len(w.list)
	clear(w.list)
	return n, nil
}

// Emptied where it is taken.

type marks struct{ at map[int]bool }

var markses = sync.Pool{New: func() any { return &marks{map[int]bool{}} }}

func takeMarks() *marks {
	m := markses.Get().(*marks)
	clear(m.at)
	return m
}

func mark(list []int, out func(int) error) error {
	m := takeMarks()
	defer markses.Put(m) // want `markses keeps m, put at line 62, whatever its size`
	for _, i := range list {
		m.at[i] = true
	}
	for i := range m.at {
		if err := out(i); err != nil {
			return err
		}
	}
	clear(m.at)
	return nil
}

// Dropped on the way of an error.

type part struct{ ids map[int]bool }

var parts = sync.Pool{New: func() any { return &part{map[int]bool{}} }}

func split(ids []int, out func(map[int]bool) error) error {
	p := parts.Get().(*part)
	for _, id := range ids {
		p.ids[id] = true
	}
	if err := out(p.ids); err != nil {
		return err
	}
	clear(p.ids)
	parts.Put(p) // want `parts keeps p, put at line 90, whatever its size`
	return nil
}
