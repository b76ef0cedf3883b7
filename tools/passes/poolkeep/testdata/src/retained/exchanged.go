// SPDX-License-Identifier: BSD-3-Clause

package retained

import (
	"net/http"
	"sync"
)

// What a box is for lies in the pool of the full ones; the empty ones have nothing.

type crate struct{ goods []string }

type crates struct{ full, empty sync.Pool }

func (c *crates) take() []string {
	x := c.full.Get()
	if x == nil {
		return nil
	}
	box := x.(*crate)
	goods := box.goods
	box.goods = nil
	c.empty.Put(x)
	return goods
}

func (c *crates) give(goods []string) {
	var box *crate
	if x := c.empty.Get(); x != nil {
		box = x.(*crate)
	} else {
		box = new(crate)
	}
	box.goods = goods
	c.full.Put(box)
}

// What a deferred call clears is cleared at the end, also where it stands before the use.

type visit struct {
	req    *http.Request
	w      http.ResponseWriter
	client string
	tries  int
}

func (v *visit) set(w http.ResponseWriter, r *http.Request) {
	v.tries = 0
	v.w = w
	v.req = r
	if r != nil {
		v.client = r.RemoteAddr
	}
}

type visits struct{ p sync.Pool }

func (p *visits) handler(h func(*visit)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, _ := p.p.Get().(*visit)
		if v == nil {
			v = new(visit)
		}
		defer p.p.Put(v)
		defer v.set(nil, nil)
		v.set(w, r)
		h(v)
	})
}

func hello(v *visit) { v.w.Write([]byte(v.client)) }
