package resent

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type body struct {
	io.Reader
	buf *bytes.Buffer
}

func (b body) Close() error {
	if b.buf.Cap() <= 1<<16 {
		b.buf.Reset()
		buffers.Put(b.buf)
	}
	return nil
}

func bodyOf(text string) io.ReadCloser {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	return body{b, b}
}

// Wrong: the second try reads what the first one gave back.
func post(t http.RoundTripper, req *http.Request, text string) (res *http.Response, err error) {
	r := req.Clone(req.Context())
	r.Body = bodyOf(text)
	for range 3 {
		if res, err = t.RoundTrip(r); err == nil { // want `the request is sent again after the transport closed its body, which puts memory of that in buffers`
			return res, nil
		}
	}
	return nil, err
}

// A body for each try.
func postFresh(t http.RoundTripper, req *http.Request, text string) (res *http.Response, err error) {
	for range 3 {
		r := req.Clone(req.Context())
		r.Body = bodyOf(text)
		if res, err = t.RoundTrip(r); err == nil {
			return res, nil
		}
	}
	return nil, err
}

func postAgain(t http.RoundTripper, req *http.Request, text string) (res *http.Response, err error) {
	r := req.Clone(req.Context())
	for range 3 {
		r.Body = bodyOf(text)
		if res, err = t.RoundTrip(r); err == nil {
			return res, nil
		}
	}
	return nil, err
}

// A body that puts nothing.

type plain struct{ io.Reader }

func (plain) Close() error { return nil }

func postPlain(t http.RoundTripper, req *http.Request, text string) (res *http.Response, err error) {
	r := req.Clone(req.Context())
	r.Body = plain{bytes.NewReader([]byte(text))}
	for range 3 {
		if res, err = t.RoundTrip(r); err == nil {
			return res, nil
		}
	}
	return nil, err
}
