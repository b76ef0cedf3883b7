package storealias

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

var replies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The response is not returned where its buffer is put back.
func buffered(next http.RoundTripper, r *http.Request) (res *http.Response, err error) {
	res, err = next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	b := replies.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if err != nil {
			replies.Put(b)
		}
	}()
	_, readErr := io.Copy(b, res.Body)
	closeErr := res.Body.Close()
	res.Body = &reply{bytes.NewReader(b.Bytes()), b}
	if err := errors.Join(readErr, closeErr); err != nil {
		return nil, err
	}
	return res, nil
}

type reply struct {
	*bytes.Reader
	b *bytes.Buffer
}

func (r *reply) Close() error {
	if r.b != nil {
		replies.Put(r.b)
		r.b = nil
	}
	return nil
}

// It is, when nothing failed: the joined error may be nil.
func early(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	res, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	b := replies.Get().(*bytes.Buffer)
	b.Reset()
	defer replies.Put(b)
	_, readErr := io.Copy(b, res.Body)
	closeErr := res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(b.Bytes())) // want `field Body keeps memory of b after the value was put in replies`
	if err := errors.Join(readErr, closeErr); err != nil {
		return nil, err
	}
	return res, nil
}
