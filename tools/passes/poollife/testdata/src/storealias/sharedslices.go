package storealias

import "sync"

type rowV1 struct {
	Labels []string
	Vals   []float64
}

type rowV2 struct {
	Refs []uint32
	Vals []float64
}

type rowV3 struct{ Vals []float64 }

type tableV1 struct{ Rows []*rowV1 }

type tableV2 struct{ Rows2 []*rowV2 }

type tableV3 struct{ Rows3 []*rowV3 }

var (
	rowsV1 = sync.Pool{New: func() any { return new(rowV1) }}
	rowsV2 = sync.Pool{New: func() any { return new(rowV2) }}
)

func (t *tableV1) release() {
	for _, r := range t.Rows {
		clear(r.Labels)
		r.Labels = r.Labels[:0]
		r.Vals = r.Vals[:0]
		rowsV1.Put(r)
	}
	t.Rows = nil
}

func releaseRows(rows []*rowV2) {
	for _, r := range rows {
		r.Refs = r.Refs[:0]
		r.Vals = r.Vals[:0]
		rowsV2.Put(r)
	}
}

func (t *tableV2) release() {
	releaseRows(t.Rows2)
	t.Rows2 = nil
}

func (t *tableV1) grow() *rowV1 {
	r := rowsV1.Get().(*rowV1)
	t.Rows = append(t.Rows, r)
	return r
}

func (t *tableV2) grow() *rowV2 {
	r := rowsV2.Get().(*rowV2)
	t.Rows2 = append(t.Rows2, r)
	return r
}

func convert(t *tableV2) *tableV1 {
	to := &tableV1{}
	for _, r := range t.Rows2 {
		n := &rowV1{Vals: r.Vals} // want `field Vals is given the slice in field Vals of another struct`
		to.Rows = append(to.Rows, n)
	}
	return to
}

func convertCopied(t *tableV2) *tableV1 {
	to := &tableV1{}
	for _, r := range t.Rows2 {
		n := &rowV1{Vals: append([]float64(nil), r.Vals...)}
		to.Rows = append(to.Rows, n)
	}
	return to
}

// The row has another slice then.
func convertMoved(t *tableV2) *tableV1 {
	to := &tableV1{}
	for _, r := range t.Rows2 {
		n := &rowV1{Vals: r.Vals}
		r.Vals = nil
		to.Rows = append(to.Rows, n)
	}
	return to
}

// Nobody puts what is in this list.
func view(t *tableV2) *tableV3 {
	to := &tableV3{}
	for _, r := range t.Rows2 {
		to.Rows3 = append(to.Rows3, &rowV3{Vals: r.Vals})
	}
	return to
}
