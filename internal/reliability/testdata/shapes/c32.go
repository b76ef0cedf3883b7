// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

type c32block struct{ key []byte }

var c32pool spare.Pool[c32block]

type c32table struct {
	cur     *c32block
	largest []byte
	tasks   chan *c32block
	done    chan struct{}
}

func (w *c32table) loop() {
	for b := range w.tasks {
		c32release(b)
	}
	close(w.done)
}

func c32release(b *c32block) {
	arrays.Put(b.key)
	b.key = nil
	c32pool.Put(b)
}

func (w *c32table) add(key []byte) {
	w.cur.key = append(w.cur.key[:0], key...)
	w.largest = w.cur.key[:len(key)]
}

func (w *c32table) finish() []byte {
	w.tasks <- w.cur
	w.cur = nil
	close(w.tasks)
	<-w.done
	return w.largest
}

func c32() {
	w := &c32table{cur: c32pool.Get(), tasks: make(chan *c32block, 4), done: make(chan struct{})}
	w.cur.key = arrays.Get(200)
	go w.loop()
	w.add(make([]byte, 100))
	largest := w.finish()
	concurrently(func() { nextUser(200) }, func() { show(largest) })
}
