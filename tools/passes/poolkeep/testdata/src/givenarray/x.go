// SPDX-License-Identifier: BSD-3-Clause

// Package givenarray has pooled structs with slices that callers gave.
package givenarray

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Wrong: the reset keeps the array that set was given, and count appends to it.
type cell struct {
	full bool
	data []byte
}

var cells = sync.Pool{New: func() any { return new(cell) }}

func filled(data []byte) *cell {
	c := cells.Get().(*cell)
	c.full, c.data = true, data
	return c
}

func blank() *cell {
	c := cells.Get().(*cell)
	c.full = false
	return c
}

func (c *cell) count(n uint64) {
	c.data = binary.AppendUvarint(c.data, n)
	c.data = append(c.data, 0)
}

func (c *cell) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *cell) empty() {
	c.full, c.data = false, nil
}

func (c *cell) release() {
	c.data = c.data[:0] // want `field data of the pooled cell may have the array of what a caller gave`
	if cap(c.data) <= 1024 {
		cells.Put(c)
	}
}

// Right: set to nil.
type seat struct {
	full bool
	data []byte
}

var seats = sync.Pool{New: func() any { return new(seat) }}

func filledSeat(data []byte) *seat {
	c := seats.Get().(*seat)
	c.full, c.data = true, data
	return c
}

func blankSeat() *seat {
	c := seats.Get().(*seat)
	c.full = false
	return c
}

func (c *seat) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *seat) empty() {
	c.full, c.data = false, nil
}

func (c *seat) release() {
	c.data = nil
	seats.Put(c)
}

// Right: callers give it up; only what is too large is let go of.
type crate struct {
	full bool
	data []byte
}

var crates = sync.Pool{New: func() any { return new(crate) }}

func filledCrate(data []byte) *crate {
	c := crates.Get().(*crate)
	c.full, c.data = true, data
	return c
}

func blankCrate() *crate {
	c := crates.Get().(*crate)
	c.full = false
	return c
}

func (c *crate) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *crate) release() {
	if cap(c.data) > 1024 {
		c.data = nil
	} else {
		c.data = c.data[:0]
	}
	crates.Put(c)
}

// Right: a copy.
type shelf struct {
	full bool
	data []byte
}

var shelves = sync.Pool{New: func() any { return new(shelf) }}

func Fill(data []byte) int {
	c := filledShelf(slices.Clone(data))
	c.mark(1)
	n := len(c.data)
	c.release()
	return n
}

func filledShelf(data []byte) *shelf {
	c := shelves.Get().(*shelf)
	c.full, c.data = true, data
	return c
}

func blankShelf() *shelf {
	c := shelves.Get().(*shelf)
	c.full = false
	return c
}

func (c *shelf) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *shelf) empty() {
	c.full, c.data = false, nil
}

func (c *shelf) release() {
	c.data = c.data[:0]
	if cap(c.data) <= 1024 {
		shelves.Put(c)
	}
}

// Right: all takers set it.
type drawer struct {
	full bool
	data []byte
}

var drawers = sync.Pool{New: func() any { return new(drawer) }}

func filledDrawer(data []byte) *drawer {
	c := drawers.Get().(*drawer)
	c.full, c.data = true, data
	return c
}

func blankDrawer() *drawer {
	c := drawers.Get().(*drawer)
	c.full, c.data = false, nil
	return c
}

func (c *drawer) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *drawer) release() {
	c.data = c.data[:0]
	if cap(c.data) <= 1024 {
		drawers.Put(c)
	}
}

// Right: callers give it up, and others get it.
type chest struct {
	full bool
	data []byte
}

var chests = sync.Pool{New: func() any { return new(chest) }}

func filledChest(data []byte) *chest {
	c := chests.Get().(*chest)
	c.full, c.data = true, data
	return c
}

func blankChest() *chest {
	c := chests.Get().(*chest)
	c.full = false
	return c
}

func (c *chest) mark(n byte) {
	c.data = append(c.data, n)
}

func (c *chest) detach() []byte {
	b := c.data
	c.data = nil
	return b
}

func (c *chest) release() {
	c.data = c.data[:0]
	if cap(c.data) <= 1024 {
		chests.Put(c)
	}
}
