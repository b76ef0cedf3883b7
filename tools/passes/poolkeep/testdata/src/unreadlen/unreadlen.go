// SPDX-License-Identifier: BSD-3-Clause

// Package unreadlen has limits on what is kept that ask a buffer for the length of what is unread.
package unreadlen

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

const most = 64 << 10

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Wrong: who puts it later has read it.
func putBuf(b *bytes.Buffer) {
	if b.Len() > most { // want `this limit on what is kept asks for the length of b, which is what is unread`
		return
	}
	b.Reset()
	bufs.Put(b)
}

func proxy(w http.ResponseWriter, r *http.Request) error {
	b := bufs.Get().(*bytes.Buffer)
	defer putBuf(b)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	_, err := io.Copy(w, b)
	return err
}

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Wrong: the deferred literal runs after WriteTo.
func encode(w io.Writer, v any) error {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b.Len() < 1<<16 { // want `this limit on what is kept asks for the length of b`
			texts.Put(b)
		}
	}()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// Wrong: the buffer is the struct's own, and read through a method of the struct.

type conn struct {
	in  bytes.Buffer
	max int
	id  int
}

var conns = sync.Pool{New: func() any { return &conn{max: 1 << 16} }}

func (c *conn) free() {
	if c.in.Len() > c.max { // want `this limit on what is kept asks for the length of c\.in`
		return
	}
	c.in.Reset()
	c.id = 0
	conns.Put(c)
}

func (c *conn) fill(p []byte) { c.in.Write(p) }

func (c *conn) Read(p []byte) (int, error) { return c.in.Read(p) }

func handle(id int, src io.Reader, dst io.Writer) error {
	c := conns.Get().(*conn)
	defer c.free()
	c.id = id
	p := make([]byte, 100)
	for {
		n, err := src.Read(p)
		c.fill(p[:n])
		if err != nil {
			break
		}
	}
	_, err := io.Copy(dst, c)
	return err
}

// Wrong: a new buffer takes the place of what is long, and others read it.

type part struct {
	name string
	data *bytes.Buffer
}

var parts = sync.Pool{New: func() any { return &part{data: new(bytes.Buffer)} }}

func (x *part) clean() {
	x.name = ""
	if x.data.Len() >= 8192 { // want `this limit on what is kept asks for the length of x\.data`
		x.data = bytes.NewBuffer(make([]byte, 0, 512))
	} else {
		x.data.Truncate(0)
	}
}

func give(x *part) {
	x.clean()
	parts.Put(x)
}

type sink func(name string, r io.Reader) error

func (s sink) all(names []string, src io.Reader) error {
	for _, n := range names {
		x := parts.Get().(*part)
		x.name = n
		if _, err := io.Copy(x.data, src); err != nil {
			give(x)
			return err
		}
		err := s(n, x.data)
		give(x)
		if err != nil {
			return err
		}
	}
	return nil
}

// Wrong: nil where it is long, behind a method that makes a new one when it is asked for.

type request struct {
	uri     string
	body    *bytes.Buffer
	maxKeep int
}

var requests sync.Pool

func acquire() *request {
	v := requests.Get()
	if v == nil {
		return &request{maxKeep: 4 << 20}
	}
	return v.(*request)
}

func release(r *request) {
	r.reset()
	requests.Put(r)
}

func (r *request) reset() {
	r.uri = ""
	r.resetBody()
}

func (r *request) resetBody() {
	if r.body == nil {
		return
	}
	if r.body.Len() <= r.maxKeep { // want `this limit on what is kept asks for the length of r\.body`
		r.body.Reset()
		return
	}
	r.body = nil
}

func (r *request) buffer() *bytes.Buffer {
	if r.body == nil {
		r.body = new(bytes.Buffer)
	}
	return r.body
}

func (r *request) load(src io.Reader, n int64) error {
	b := r.buffer()
	b.Reset()
	_, err := io.CopyN(b, src, n)
	return err
}

var errSize = errors.New("no size")

func serve(src io.Reader, sizes []int64, h func(*request, io.Reader) error) error {
	r := acquire()
	defer release(r)
	for _, n := range sizes {
		if n < 0 {
			return errSize
		}
		if err := r.load(src, n); err != nil {
			return err
		}
		if err := h(r, r.body); err != nil {
			return err
		}
	}
	return nil
}
