// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// What a handler is given leads it to the bytes of a buffer that was put.

var bodyBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type order struct {
	Item string
	raw  []byte
}

func (o *order) keepRaw(b []byte) { o.raw = b }

type settings struct{ raw, log bool }

func orderOf(r io.Reader, handle func(*order)) {
	var o order
	buf := bodyBuffers.Get().(*bytes.Buffer)
	buf.Reset()
	io.Copy(buf, r)
	o.raw = buf.Bytes()
	if cap(o.raw) < 1<<16 {
		bodyBuffers.Put(buf)
	}
	handle(&o) // want `buf is passed to a function after it was put`
}

func orderBySetter(r io.Reader, s settings, handle func(*order)) {
	var o order
	buf := bodyBuffers.Get().(*bytes.Buffer)
	buf.Reset()
	io.Copy(buf, r)
	if s.raw {
		o.keepRaw(buf.Bytes())
	}
	err := json.Unmarshal(buf.Bytes(), &o)
	bodyBuffers.Put(buf)
	if err == nil {
		handle(&o) // want `buf is passed to a function after it was put`
	}
}

func orderCopied(r io.Reader, handle func(*order)) {
	var o order
	buf := bodyBuffers.Get().(*bytes.Buffer)
	buf.Reset()
	io.Copy(buf, r)
	o.raw = bytes.Clone(buf.Bytes())
	bodyBuffers.Put(buf)
	handle(&o)
}

// Put later where the bytes are kept: the field of a struct that was passed by value is the
// same each time it is asked.
func orderPutLater(r io.Reader, s settings, handle func(*order)) {
	var o order
	buf := bodyBuffers.Get().(*bytes.Buffer)
	buf.Reset()
	io.Copy(buf, r)
	if s.raw {
		o.raw = buf.Bytes()
	}
	if s.raw {
		defer bodyBuffers.Put(buf)
	} else {
		bodyBuffers.Put(buf)
	}
	handle(&o)
}

func orderPutLaterInLiteral(s settings) func(r io.Reader, handle func(*order)) {
	return func(r io.Reader, handle func(*order)) {
		var o order
		buf := bodyBuffers.Get().(*bytes.Buffer)
		buf.Reset()
		io.Copy(buf, r)
		if s.raw {
			o.raw = buf.Bytes()
		}
		if !s.raw {
			bodyBuffers.Put(buf)
		}
		handle(&o)
		if s.raw {
			bodyBuffers.Put(buf)
		}
	}
}

func firstIfRaw(s settings) byte {
	buf := bodyBuffers.Get().(*bytes.Buffer)
	var b []byte
	if s.raw {
		b = buf.Bytes()
	}
	if !s.raw {
		bodyBuffers.Put(buf)
		return 0
	}
	c := b[0]
	bodyBuffers.Put(buf)
	return c
}

func firstIfLogged(s settings) byte {
	buf := bodyBuffers.Get().(*bytes.Buffer)
	var b []byte
	if s.raw {
		b = buf.Bytes()
	}
	if s.log {
		bodyBuffers.Put(buf)
	}
	c := b[0] // want `buf is read after it was put`
	if !s.log {
		bodyBuffers.Put(buf)
	}
	return c
}

// A place for a buffer, which the handler fills anew.
type slot struct{ buf []byte }

var slotBufs = sync.Pool{New: func() any { s := make([]byte, 0, 512); return &s }}

func emptySlot(handle func(*slot)) {
	p := slotBufs.Get().(*[]byte)
	s := &slot{buf: (*p)[:0]}
	slotBufs.Put(p)
	s.buf = nil
	handle(s)
}
