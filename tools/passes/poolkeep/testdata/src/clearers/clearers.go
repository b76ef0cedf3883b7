// SPDX-License-Identifier: BSD-3-Clause

// Package clearers has slices cleared by functions of another package.
package clearers

import (
	"sync"

	"clearers/tags"
)

type cleaned struct{ list []tags.Tag }

var cleanPool, blankPool, zeroPool, countPool sync.Pool

func (c *cleaned) reset() {
	tags.Clean(c.list)
	c.list = c.list[:0]
}

func putCleaned(c *cleaned) {
	c.reset()
	cleanPool.Put(c)
}

type blanked struct{ list []tags.Tag }

func putBlanked(c *blanked) {
	tags.Blank(c.list)
	c.list = c.list[:0]
	blankPool.Put(c)
}

type zeroed struct{ list []tags.Tag }

func putZeroed(c *zeroed) {
	tags.Zero(c.list, len(c.list))
	c.list = c.list[:0]
	zeroPool.Put(c)
}

type counted struct{ list []tags.Tag }

func putCounted(c *counted) int {
	n := tags.Count(c.list)
	c.list = c.list[:0]
	countPool.Put(c) // want `c\.list is cut to length 0 \(line 46\) but not cleared before it goes to countPool \(line 47\)`
	return n
}
