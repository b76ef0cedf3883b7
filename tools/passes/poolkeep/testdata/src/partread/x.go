// Package partread has pooled buffers that are read into, and gone through.
package partread

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 65535); return &b }}

var errShort = errors.New("short")

func names(b []byte, to func(string)) error {
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n {
			return errShort
		}
		to(string(b[1 : 1+n]))
		b = b[1+n:]
	}
	return nil
}

// Wrong: what was not read is gone through as well.
func serve(c net.Conn, to func(string)) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := c.Read(b)
	if err != nil || n < 4 {
		return err
	}
	return names(b[4:], to) // want `all of \*p, a pooled buffer, is gone through here`
}

// Right: it is cut.
func serveCut(c net.Conn, to func(string)) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := c.Read(b)
	if err != nil || n < 4 {
		return err
	}
	return names(b[4:n], to)
}

// Right: all of it was read.
func serveFull(c net.Conn, to func(string)) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	n, err := io.ReadFull(c, *p)
	if err != nil || n < 4 {
		return err
	}
	return names(*p, to)
}

// Right: the callee is told how much there is.
func some(b []byte, n int, to func(string)) error {
	for len(b) > 0 && n > 0 {
		to(string(b[:1]))
		b = b[1:]
		n--
	}
	return nil
}

func serveSome(c net.Conn, to func(string)) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	n, err := c.Read(*p)
	if err != nil {
		return err
	}
	return some(*p, n, to)
}

// Right: only its head is looked at.
func headOf(b []byte) uint16 { return binary.BigEndian.Uint16(b) }

func serveHead(c net.Conn) (uint16, error) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	n, err := c.Read(*p)
	if err != nil || n < 2 {
		return 0, err
	}
	return headOf(*p), nil
}

// Wrong: how much there is of the control bytes is kept, and nobody asks.
type message struct {
	buf []byte
	ctl []byte
	n   int
	nn  int
}

var batches = sync.Pool{New: func() any {
	list := make([]message, 16)
	for k := range list {
		list[k].ctl = make([]byte, 24)
	}
	return &list
}}

func receive(c *net.UDPConn, to func([]byte), name func(string)) error {
	list := batches.Get().(*[]message)
	defer func() {
		clear(*list)
		batches.Put(list)
	}()
	m := &(*list)[0]
	m.buf = make([]byte, 1500)
	var err error
	m.n, m.nn, _, _, err = c.ReadMsgUDP(m.buf, m.ctl)
	if err != nil {
		return err
	}
	to(m.buf[:m.n])
	return names(m.ctl, name) // want `all of m\.ctl, a pooled buffer, is gone through here`
}
