// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

var c29pool spare.Pool[c29iter]

type c29iter struct{ err error }

func (i *c29iter) Close() error {
	err := i.err
	i.err = nil
	c29pool.Put(i)
	return err
}

type c29closer interface{ Close() error }

type c29outer struct{ iter, pointIter c29closer }

func (o *c29outer) Close() error {
	err := o.iter.Close()
	if o.pointIter != nil {
		if err2 := o.pointIter.Close(); err == nil {
			err = err2
		}
	}
	return err
}

func c29() {
	p := c29pool.Get()
	o := &c29outer{iter: p, pointIter: p}
	o.Close()
}
