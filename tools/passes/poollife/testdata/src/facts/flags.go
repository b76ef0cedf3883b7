package facts

import (
	"io"

	"facts/lib"
)

// Only who has something to match has something to close.
func matcher(shards int) *lib.Matcher {
	m := lib.NewMatcher(shards, &lib.Buffers)
	if !m.Sharded() {
		return nil
	}
	return m
}

func unmatched(shards int) bool {
	m := lib.NewMatcher(shards, &lib.Buffers) // want `m, taken from sync.Pool at line 19, is not put back`
	if m.Sharded() {
		return false
	}
	m.Close()
	return true
}

var slices = lib.NewSized(1<<20, func(n int) any { return make([]byte, 0, n) })

// What is put is a view of the value, by reflection.
func sized(r io.Reader, n int) ([]byte, error) {
	b := slices.Get(n).([]byte)[:n]
	if _, err := io.ReadFull(r, b); err != nil {
		slices.Put(b)
		return nil, err
	}
	return b, nil
}

func sizedAfter(r io.Reader, n int) (byte, error) {
	b := slices.Get(n).([]byte)[:n]
	_, err := r.Read(b)
	slices.Put(b)
	return b[0], err // want `b is read after it was put`
}

func sizedLost(r io.Reader, n int) error {
	b := slices.Get(n).([]byte)[:n] // want `not put back on the path`
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	slices.Put(b)
	return nil
}
