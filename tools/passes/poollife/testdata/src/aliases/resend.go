// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

type chunk struct{ b []byte }

func (c *chunk) Write(p []byte) (int, error) {
	c.b = append(c.b, p...)
	return len(p), nil
}

type chunkPool struct{ p sync.Pool }

func (cp *chunkPool) get() *chunk {
	if v := cp.p.Get(); v != nil {
		return v.(*chunk)
	}
	return &chunk{}
}

func (cp *chunkPool) put(c *chunk) {
	c.b = c.b[:0]
	cp.p.Put(c)
}

var plainChunks, packedChunks chunkPool

type sender struct {
	hc   *http.Client
	url  string
	lost int
}

func (s *sender) post(ctx context.Context, data []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("request: %w", err)
	}
	resp, err := s.hc.Do(req)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

// Two calls that can end in many ways, in a loop after another one, are still followed.
func (s *sender) flush(ctx context.Context, rows []string) {
	in := plainChunks.get()
	for _, r := range rows {
		in.b = append(in.b, r...)
	}
	out := packedChunks.get()
	defer packedChunks.put(out) // want `out is put in packedChunks while the HTTP transport that sends the request`
	zw, _ := flate.NewWriter(out, 1)
	_, _ = zw.Write(in.b)
	_ = zw.Close()
	plainChunks.put(in)
	for range 3 {
		err := s.post(ctx, out.b)
		if err != nil && errors.Is(err, io.EOF) {
			err = s.post(ctx, out.b)
		}
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			break
		}
	}
	s.lost += len(rows)
}

// What a failed request may still read is not put.
func (s *sender) flushRight(ctx context.Context, rows []string) {
	in := plainChunks.get()
	for _, r := range rows {
		in.b = append(in.b, r...)
	}
	out := packedChunks.get()
	zw, _ := flate.NewWriter(out, 1)
	_, _ = zw.Write(in.b)
	_ = zw.Close()
	plainChunks.put(in)
	if err := s.post(ctx, bytes.Clone(out.b)); err != nil && errors.Is(err, io.EOF) {
		_ = s.post(ctx, bytes.Clone(out.b))
	}
	packedChunks.put(out)
}
