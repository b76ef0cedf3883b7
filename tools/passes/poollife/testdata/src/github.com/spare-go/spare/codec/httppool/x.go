// Package httppool is a stub of the real package's interface.
package httppool

import (
	"io"
	"net/http"
)

type Body struct{ n int }

func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) (*Body, error) {
	return new(Body), nil
}
func NewJSONBody(v any) (*Body, error)                                      { return new(Body), nil }
func Do(c *http.Client, req *http.Request, b *Body) (*http.Response, error) { return nil, nil }
func (b *Body) Bytes() []byte                                               { return nil }
func (b *Body) Release()                                                    {}
func (b *Body) NewReader() (io.ReadCloser, error)                           { return nil, nil }

func NewBody(fill func(dst []byte) ([]byte, error)) (*Body, error) { return new(Body), nil }
func (b *Body) Write(p []byte) (int, error)                        { return len(p), nil }

type BufferPool struct{ n int }

func (p *BufferPool) Get() []byte  { return make([]byte, 32<<10) }
func (p *BufferPool) Put(b []byte) {}
