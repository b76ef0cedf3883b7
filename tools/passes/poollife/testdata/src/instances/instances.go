// SPDX-License-Identifier: BSD-3-Clause

// Package instances puts objects that a pool asks for their pointers.
package instances

import (
	"errors"

	"instances/pools"
)

type Meta struct{ b []byte }

func (m *Meta) Instance() *Meta { return m }
func (m *Meta) Size() int       { return cap(m.b) }

func (m *Meta) Release() {
	m.b = m.b[:0]
	metas.Put(m)
}

var metas = pools.New(1<<20, func() *Meta { return new(Meta) })

func NewMeta() *Meta { return metas.Get() }

func count(list [][]byte) (n int) {
	m := NewMeta()
	defer m.Release()
	for _, p := range list {
		m.b = append(m.b, p...)
		n += len(m.b)
	}
	return n
}

func group() (*Meta, func()) {
	m := NewMeta()
	return m, m.Release
}

func first(p []byte) int {
	m, release := group()
	defer release()
	m.b = append(m.b, p...)
	return len(m.b)
}

func lost(p []byte) (int, error) {
	m := NewMeta() // want `m, taken from pool at line 49, is not put back on the path that ends here`
	if len(p) == 0 {
		return 0, errors.New("empty")
	}
	m.b = append(m.b, p...)
	n := len(m.b)
	m.Release()
	return n, nil
}
