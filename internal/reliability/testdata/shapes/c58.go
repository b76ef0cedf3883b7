// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"io"
	"net/http"
)

// A c58transport goes on to read the request's body after it has returned the
// response, as http.RoundTripper allows, and as http.Transport does where the
// server answers early.
type c58transport struct{ wait, done chan struct{} }

func (c *c58transport) RoundTrip(r *http.Request) (*http.Response, error) {
	go func() {
		defer close(c.done)
		<-c.wait
		io.Copy(io.Discard, struct{ io.Reader }{r.Body})
	}()
	return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
}

// The arrays are small: the race detector says nothing of an access so long ago
// that it has forgotten where, as the first of a million writes is.
func c58() {
	t := &c58transport{make(chan struct{}), make(chan struct{})}
	c58call(&http.Client{Transport: t})
	close(t.wait)
	concurrently(func() { nextUser(4 << 10) }, func() { <-t.done })
}

func c58call(client *http.Client) error {
	buf := arrays.Get(4 << 10)
	defer func() { arrays.Put(buf) }()
	buf = append(buf, make([]byte, 4<<10)...)
	req, err := http.NewRequest("POST", "http://localhost/", bytes.NewReader(buf))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
