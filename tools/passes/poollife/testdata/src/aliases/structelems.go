// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"bytes"
	"sync"
)

var pageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type page struct {
	key  string
	body []byte
	wire []byte
}

func (p *page) encode(b *bytes.Buffer) {
	b.WriteString(p.key)
	b.Write(p.body)
	p.wire = b.Bytes()
}

type batch struct {
	keys []string
	bufs [][]byte
}

type writer struct {
	queue chan batch
	sizes chan int
}

func (w *writer) store(pages []page) {
	var b batch
	for _, p := range pages {
		b.keys, b.bufs = append(b.keys, p.key), append(b.bufs, p.wire)
	}
	w.queue <- b
}

// What the queue's reader gets is memory of the buffers.
func (w *writer) flush(in []page) {
	out := make([]page, len(in))
	buffers := make([]*bytes.Buffer, len(in))
	defer func() {
		for k := range buffers {
			pageBuffers.Put(buffers[k]) // want `buffers\[k\] is put in pageBuffers while the receiver from the channel`
		}
	}()
	for k, p := range in {
		b := pageBuffers.Get().(*bytes.Buffer)
		b.Reset()
		p.encode(b)
		buffers[k], out[k] = b, p
	}
	w.store(out)
}

func (w *writer) storeCopies(pages []page) {
	var b batch
	for _, p := range pages {
		b.keys, b.bufs = append(b.keys, p.key), append(b.bufs, bytes.Clone(p.wire))
	}
	w.queue <- b
}

func (w *writer) flushCopies(in []page) {
	out := make([]page, len(in))
	buffers := make([]*bytes.Buffer, len(in))
	defer func() {
		for k := range buffers {
			pageBuffers.Put(buffers[k])
		}
	}()
	for k, p := range in {
		b := pageBuffers.Get().(*bytes.Buffer)
		b.Reset()
		p.encode(b)
		buffers[k], out[k] = b, p
	}
	w.storeCopies(out)
}

// Only numbers go to the reader.
func (w *writer) measure(in []page) {
	out := make([]page, len(in))
	for k, p := range in {
		b := pageBuffers.Get().(*bytes.Buffer)
		b.Reset()
		p.encode(b)
		out[k] = p
		pageBuffers.Put(b)
	}
	for _, p := range out {
		w.sizes <- len(p.key)
	}
}

// Here the bytes do, one page after the other.
func (w *writer) scan(in []page, see func([]byte)) {
	out := make([]page, len(in))
	for k, p := range in {
		b := pageBuffers.Get().(*bytes.Buffer)
		b.Reset()
		p.encode(b)
		out[k] = p
		pageBuffers.Put(b)
	}
	for k := range out {
		see(out[k].wire) // want `b is passed to a function after it was put in pageBuffers`
	}
}
