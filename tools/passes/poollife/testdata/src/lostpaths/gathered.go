package lostpaths

import (
	"io"
	"sync"
)

// What was gathered before an error is lost with the container, also where code chosen at run time
// worked on the bytes of each value, or the container is a map.

type segment struct{ data []byte }

var segments = sync.Pool{New: func() any { return &segment{data: make([]byte, 0, 512)} }}

func takeSegment() *segment {
	s := segments.Get().(*segment)
	s.data = s.data[:0]
	return s
}

func gatherSegments(n int, more func([]byte) ([]byte, error)) ([]*segment, error) {
	var all []*segment
	for range n {
		s := takeSegment() // want `not put back on the path that ends here`
		data, err := more(s.data)
		if err != nil {
			segments.Put(s)
			return nil, err
		}
		s.data = data
		all = append(all, s)
	}
	return all, nil
}

func gatherSegmentsRight(n int, more func([]byte) ([]byte, error)) ([]*segment, error) {
	var all []*segment
	for range n {
		s := takeSegment()
		data, err := more(s.data)
		if err != nil {
			segments.Put(s)
			for _, s := range all {
				segments.Put(s)
			}
			return nil, err
		}
		s.data = data
		all = append(all, s)
	}
	return all, nil
}

func segmentsByName(names []string, r io.Reader) (map[string]*segment, error) {
	m := map[string]*segment{}
	for _, name := range names {
		s := takeSegment() // want `not put back on the path that ends here`
		if _, err := io.ReadFull(r, s.data[:cap(s.data)]); err != nil {
			segments.Put(s)
			return nil, err
		}
		m[name] = s
	}
	return m, nil
}

func segmentsByNameRight(names []string, r io.Reader) (map[string]*segment, error) {
	m := map[string]*segment{}
	for _, name := range names {
		s := takeSegment()
		if _, err := io.ReadFull(r, s.data[:cap(s.data)]); err != nil {
			segments.Put(s)
			for _, s := range m {
				segments.Put(s)
			}
			return nil, err
		}
		m[name] = s
	}
	return m, nil
}

// Whoever is given the value itself may have put it.
func segmentsGiven(n int, more func(*segment) error) ([]*segment, error) {
	var all []*segment
	for range n {
		s := takeSegment()
		if err := more(s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
