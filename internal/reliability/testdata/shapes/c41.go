// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"github.com/spare-go/spare/buffer"
)

// A buffer goes back with bytes in it. Get returns an empty one all the same.
func c41() {
	for range 3 {
		c41write()
	}
}

func c41write() error {
	buf := buffer.Get()
	defer buf.Release()
	must(buf.Len() == 0, "the buffer of another use")
	buf.WriteString("> ")
	return errors.New("no event")
}
