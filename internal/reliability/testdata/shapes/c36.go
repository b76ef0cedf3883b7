// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"github.com/spare-go/spare"
)

type c36msg struct {
	subj string
	buf  []byte
}

var c36pool spare.Pool[c36msg]

func (m *c36msg) returnToPool() {
	if m == nil {
		return
	}
	m.subj, m.buf = "", m.buf[:0]
	c36pool.Put(m)
}

func c36next() (*c36msg, error) {
	m := c36pool.Get()
	err := errors.New("load")
	if err != nil {
		m.returnToPool()
	}
	return m, err
}

func c36() {
	m, err := c36next()
	if err != nil {
		m.returnToPool()
	}
}
