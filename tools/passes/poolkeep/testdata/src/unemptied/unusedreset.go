// SPDX-License-Identifier: BSD-3-Clause

package unemptied

import (
	"fmt"
	"sync"
)

// A method that would empty the map, and that nobody calls.

type basket struct {
	mu    sync.Mutex
	goods map[string]int
}

var baskets = sync.Pool{New: func() any { return &basket{goods: map[string]int{}} }}

func (b *basket) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.goods)
}

func (b *basket) lay(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.goods[name]++
}

func (b *basket) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprint(b.goods)
}

func filled(names []string) string {
	b := baskets.Get().(*basket)
	defer baskets.Put(b) // want `field goods of the pooled basket is filled in use`
	for _, n := range names {
		b.lay(n)
	}
	return b.String()
}

type hamper struct{ goods map[string]int }

var hampers = sync.Pool{New: func() any { return &hamper{goods: map[string]int{}} }}

func (h *hamper) Reset() { clear(h.goods) }

func packedUp(names []string) string { // right: emptied when taken
	h := hampers.Get().(*hamper)
	h.Reset()
	defer hampers.Put(h) // want `keeps h, put at line 55, whatever its size`
	for _, n := range names {
		h.goods[n]++
	}
	return fmt.Sprint(h.goods)
}
