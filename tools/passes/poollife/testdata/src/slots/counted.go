// SPDX-License-Identifier: BSD-3-Clause

package slots

import "sync"

// Each holder of what is in a slot has a reference of its own.

type datagram struct {
	refs int
	seq  uint16
	data []byte
}

var datagrams = sync.Pool{New: func() any { return new(datagram) }}

func (d *datagram) retain() { d.refs++ }

type history struct {
	mu    sync.Mutex
	slots [32]*datagram
}

func (h *history) drop(d *datagram) {
	if d.refs--; d.refs == 0 {
		datagrams.Put(d)
	}
}

func (h *history) release(d *datagram) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(d)
}

func (h *history) add(seq uint16, data []byte) { // right
	d := datagrams.Get().(*datagram)
	d.refs, d.seq = 1, seq
	d.data = append(d.data[:0], data...)
	h.mu.Lock()
	defer h.mu.Unlock()
	if old := h.slots[seq%32]; old != nil {
		h.drop(old)
	}
	h.slots[seq%32] = d
}

func (h *history) get(seq uint16) *datagram {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.slots[seq%32]
	if d == nil || d.seq != seq {
		return nil
	}
	d.retain()
	return d
}

func (h *history) resend(seq uint16, write func([]byte) error) error {
	d := h.get(seq)
	if d == nil {
		return nil
	}
	defer h.release(d)
	return write(d.data)
}
