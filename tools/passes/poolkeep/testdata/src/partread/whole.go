// SPDX-License-Identifier: BSD-3-Clause

package partread

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
)

type query struct {
	id   uint16
	name string
}

func (q *query) decode(b []byte) error {
	if len(b) < 4 {
		return errShort
	}
	q.id = binary.BigEndian.Uint16(b)
	n := int(binary.BigEndian.Uint16(b[2:]))
	if len(b) < 4+n {
		return errShort
	}
	q.name = string(b[4 : 4+n])
	return nil
}

func (q *query) encode(b []byte) int {
	binary.BigEndian.PutUint16(b, q.id)
	return 2 + copy(b[2:], q.name)
}

// Wrong: the input may end early, and the rest is an older query's.
func ask(r io.Reader) (*query, error) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := io.ReadFull(r, b)
	if err != nil && err != io.ErrUnexpectedEOF || n < 4 {
		return nil, errShort
	}
	q := new(query)
	return q, q.decode(b[2:]) // want `all of \*p, a pooled buffer, is gone through here`
}

// Right: it is cut.
func askCut(r io.Reader) (*query, error) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := io.ReadFull(r, b)
	if err != nil && err != io.ErrUnexpectedEOF || n < 4 {
		return nil, errShort
	}
	q := new(query)
	return q, q.decode(b[2:n])
}

// Right: an input that ends early is an error.
func askFull(r io.Reader) (*query, error) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	if _, err := io.ReadFull(r, *p); err != nil {
		return nil, err
	}
	q := new(query)
	return q, q.decode(*p)
}

// Wrong: how much was read, nobody asks.
func askJSON(c net.Conn, to any) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	if _, err := c.Read(*p); err != nil {
		return err
	}
	return json.Unmarshal(*p, to) // want `all of \*p, a pooled buffer, is gone through here`
}

// Right: all of it was read.
func askAll(c net.Conn, to any) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	n, err := c.Read(*p)
	if err != nil {
		return err
	}
	if n != len(*p) {
		return errShort
	}
	return json.Unmarshal(*p, to)
}

// Wrong: a handler gets what it was not sent.
func each(c net.Conn, handle func([]byte)) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	for {
		n, err := c.Read(b)
		if n > 0 {
			handle(b) // want `all of \*p, a pooled buffer, is gone through here`
		}
		if err != nil {
			return err
		}
	}
}

// Wrong: more goes back than came.
func echo(c *net.UDPConn) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	_, from, err := c.ReadFrom(*p)
	if err != nil {
		return err
	}
	_, err = c.WriteTo(*p, from) // want `all of \*p, a pooled buffer, is gone through here`
	return err
}

// Right: the buffer is written over for the answer.
func answer(c *net.UDPConn, q *query) error {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	_, from, err := c.ReadFrom(b)
	if err != nil {
		return err
	}
	_, err = c.WriteTo(b[:q.encode(b)], from)
	return err
}

// By way of a method that passes the bytes on.

type lookup struct{ Name string }

func (l *lookup) parse(b []byte) error { return json.Unmarshal(b, l) }

func (l *lookup) parseN(b []byte, n int) error { return json.Unmarshal(b[:n], l) }

// Wrong: what came may be short.
func lookups(r io.Reader) (*lookup, error) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := io.ReadFull(r, b)
	if err != nil && err != io.ErrUnexpectedEOF || n < 8 {
		return nil, errShort
	}
	l := &lookup{}
	err = l.parse(b[2:]) // want `all of \*p, a pooled buffer, is gone through here`
	return l, err
}

func lookupsFull(r io.Reader) (*lookup, error) { // right: none is short
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, errShort
	}
	l := &lookup{}
	return l, l.parse(b[2:])
}

func lookupsCut(r io.Reader) (*lookup, error) { // right
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := io.ReadFull(r, b)
	if err != nil && err != io.ErrUnexpectedEOF || n < 8 {
		return nil, errShort
	}
	l := &lookup{}
	return l, l.parse(b[2:n])
}

func lookupsTold(r io.Reader) (*lookup, error) { // right: the method cuts
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := *p
	n, err := io.ReadFull(r, b)
	if err != nil && err != io.ErrUnexpectedEOF || n < 8 {
		return nil, errShort
	}
	l := &lookup{}
	return l, l.parseN(b, n)
}
