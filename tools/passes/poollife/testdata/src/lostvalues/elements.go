package lostvalues

import "sync"

type series struct {
	labels []string
	values []float64
}

var seriesPool = sync.Pool{New: func() any { return new(series) }}

// An element of a list has a series when it is filled, one way or the other.
type element struct{ *series }

func (e *element) Decode(data []float64) {
	e.series = seriesPool.Get().(*series)
	e.values = append(e.values[:0], data...)
}

func decodeAll(rows [][]float64) []element {
	var list []element
	for _, r := range rows {
		list = append(list, element{})
		list[len(list)-1].Decode(r)
	}
	return list
}

func convertAll(names []string) []element {
	list := make([]element, 0, len(names))
	for _, n := range names {
		s := seriesPool.Get().(*series)
		s.labels = append(s.labels[:0], n)
		list = append(list, element{series: s})
	}
	return list
}

func release(list []element) {
	for i := range list {
		s := list[i].series
		s.labels, s.values = s.labels[:0], s.values[:0]
		seriesPool.Put(s)
		list[i].series = nil
	}
}
