// SPDX-License-Identifier: BSD-3-Clause

// Package lentout has values that code of others has for a while.
package lentout

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type pooledBody struct {
	io.Reader
	buf *bytes.Buffer
}

func (b *pooledBody) Close() error {
	if b.buf != nil {
		b.buf.Reset()
		bodies.Put(b.buf)
		b.buf = nil
	}
	return nil
}

func fill(p []byte) *bytes.Buffer {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	return b
}

// NewRequest's own GetBody reads the buffer again.
func post(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, b) // want `GetBody of this request reads memory that the Close of its body puts in bodies`
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	req.Body = &pooledBody{b, b}
	return c.Do(req)
}

func postReader(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(b.Bytes())) // want `GetBody of this request reads memory that the Close of its body puts in bodies`
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	req.Body = &pooledBody{req.Body, b}
	return c.Do(req)
}

func postOwn(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, &pooledBody{b, b})
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	req.GetBody = func() (io.ReadCloser, error) { // want `GetBody of this request reads memory that the Close of its body puts in bodies`
		return io.NopCloser(bytes.NewReader(b.Bytes())), nil
	}
	return c.Do(req)
}

// Without GetBody a request is not sent again.
func postOnce(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, b)
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	req.GetBody = nil
	req.Body = &pooledBody{b, b}
	return c.Do(req)
}

// A reader that NewRequest does not know.
func postUnknown(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, &pooledBody{b, b})
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	return c.Do(req)
}

// GetBody has bytes of its own.
func postCopy(c *http.Client, url string, p []byte) (*http.Response, error) {
	b := fill(p)
	req, err := http.NewRequest(http.MethodPost, url, b)
	if err != nil {
		bodies.Put(b)
		return nil, err
	}
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p)), nil }
	req.Body = &pooledBody{b, b}
	return c.Do(req)
}
