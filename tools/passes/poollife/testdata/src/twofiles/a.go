// Package twofiles has what is put in one file, and what is wrong of it in another.
package twofiles

import "sync"

type card struct{ n int }

var cards = sync.Pool{New: func() any { return new(card) }}

func give(c *card) {
	cards.Put(c)
}

func watch(c *card, note func(int)) {
	go note(c.n)
	go func() { note(c.n) }()
}

func here(c *card) int {
	give(c)
	return c.n // want `^c is read after it was put in cards \(line 20\)$`
}
