// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"github.com/spare-go/spare"
)

var c77pool spare.Pool[[8]int]

// The deferred Put reads the named result, which is nil by then. Put ignores
// it, and the collector frees the value.
func c77get(n int) (s *[8]int, err error) {
	s = c77pool.Get()
	defer func() {
		if err != nil {
			c77pool.Put(s)
		}
	}()
	if n < 0 {
		return nil, errors.New("negative")
	}
	return s, nil
}

func c77() {
	c77get(-1)
	must(c77pool.Get() != nil, "Get returned nil")
}
