// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"io"
	"sync"
)

// What the field of an object holds is filed by a method of another object that it has, and put.

type rowSample struct{ vals []float64 }

var rowSamplePool = sync.Pool{New: func() any { return new(rowSample) }}

type rowArchive struct {
	w     io.Writer
	byKey map[int]*rowSample
	last  *rowSample
}

func (a *rowArchive) file(key int, s *rowSample) error {
	if _, err := io.WriteString(a.w, "s"); err != nil {
		return err
	}
	a.byKey[key] = s
	return nil
}

func (a *rowArchive) copyIn(key int, s *rowSample) {
	a.byKey[key] = &rowSample{append([]float64(nil), s.vals...)}
}

func (a *rowArchive) fileOnce(key int, s *rowSample) {
	a.byKey[key] = s
	println(len(s.vals))
	delete(a.byKey, key)
}

func (a *rowArchive) first(key int) float64 { return a.byKey[key].vals[0] }

type rowFiler interface{ file(int, *rowSample) error }

type rowMeter struct {
	head *rowSample
	to   rowFiler
	key  int
}

// Wrong: the archive has it still.
func (m *rowMeter) cut() error {
	if err := m.to.file(m.key, m.head); err != nil { // want `an element of a slice or map keeps memory of m\.head after the value was put in rowSamplePool`
		return err
	}
	m.key++
	rowSamplePool.Put(m.head)
	m.head = rowSamplePool.Get().(*rowSample)
	m.head.vals = m.head.vals[:0]
	return nil
}

type directRowMeter struct {
	head *rowSample
	to   *rowArchive
	key  int
}

// Wrong: the same without an interface.
func (m *directRowMeter) cut() {
	m.to.file(m.key, m.head) // want `an element of a slice or map keeps memory of m\.head after the value was put in rowSamplePool`
	rowSamplePool.Put(m.head)
	m.head = nil
}

func (m *directRowMeter) cutCopy() { // right: a copy is filed
	m.to.copyIn(m.key, m.head)
	rowSamplePool.Put(m.head)
	m.head = nil
}

func (m *directRowMeter) cutOnce() { // right: it is taken out again
	m.to.fileOnce(m.key, m.head)
	rowSamplePool.Put(m.head)
	m.head = nil
}

func (m *directRowMeter) hand() { // right: another one is put
	m.to.file(m.key, m.head)
	m.head = rowSamplePool.Get().(*rowSample)
	rowSamplePool.Put(m.head)
	m.head = nil
}

// Right: the container is the object's own.

type ownRowMeter struct {
	head  *rowSample
	byKey map[int]*rowSample
}

func (m *ownRowMeter) keep(key int) {
	m.byKey[key] = m.head
}

func (m *ownRowMeter) drop(key int) {
	m.keep(key)
	delete(m.byKey, key)
	rowSamplePool.Put(m.head)
	m.head = nil
}
