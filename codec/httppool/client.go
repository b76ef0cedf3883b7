// SPDX-License-Identifier: BSD-3-Clause

package httppool

import (
	"io"
	"net/http"
)

// SetBody makes b the body of a request: Body, GetBody and ContentLength. b must not
// be released before the Client's Do has returned, which may ask GetBody for the
// contents again. After that it may be, even if the transport is still
// reading them.
func SetBody(req *http.Request, b *Body) error {
	m, err := b.lock()
	if err != nil {
		return err
	}
	n := len(m.b)
	m.mu.Unlock()
	req.ContentLength = int64(n)
	if n == 0 {
		req.Body = http.NoBody
		req.GetBody = func() (io.ReadCloser, error) { return http.NoBody, nil }
		return nil
	}
	if req.Body, err = b.NewReader(); err != nil {
		return err
	}
	req.GetBody = b.NewReader
	return nil
}

// Do sends a request with b as its body, and releases b, whatever the outcome: the
// memory is reused when the transport has closed each of the readers that it got. A
// nil c is http.DefaultClient.
func Do(c *http.Client, req *http.Request, b *Body) (*http.Response, error) {
	defer b.Release()
	if err := SetBody(req, b); err != nil {
		return nil, err
	}
	if c == nil {
		c = http.DefaultClient
	}
	return c.Do(req)
}
