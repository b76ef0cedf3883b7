// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
)

func c58() {
	// The server answers before it has read the body.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		io.CopyN(io.Discard, r.Body, 100<<10)
	}))
	defer server.Close()
	for range 5 {
		c58call(server.URL)
		nextUser(8 << 20)
	}
}

func c58call(url string) error {
	buf := arrays.Get(8 << 20)
	defer func() { arrays.Put(buf) }()
	buf = append(buf, make([]byte, 8<<20)...)
	req, err := http.NewRequest("POST", url, io.NopCloser(bytes.NewReader(buf)))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
