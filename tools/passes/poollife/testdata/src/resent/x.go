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

// The same bytes for each try, by requests of its own that are done with when it returns.

type wire struct{ to io.Writer }

func (w wire) send(req *http.Request) error {
	defer req.Body.Close()
	_, err := io.Copy(w.to, req.Body)
	return err
}

func sendAll(r *http.Request, wires []wire) (err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		if b.Cap() <= 1<<16 {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	for _, w := range wires {
		next := r.Clone(r.Context())
		next.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
		if err = w.send(next); err == nil {
			break
		}
	}
	return err
}

// Wrong: who gets the request reads it later.
func later(r *http.Request, queue chan<- *http.Request) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `b is put in buffers while the receiver from the channel .* may still use it`
	b.Reset()
	if _, err := b.ReadFrom(io.LimitReader(r.Body, 1<<12)); err != nil {
		return err
	}
	next := r.Clone(r.Context())
	next.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
	queue <- next
	return nil
}

// Wrong: who gets the request from here reads it later.
func made(r *http.Request) *http.Request {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString("{}")
	next := r.Clone(r.Context())
	next.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
	return next // want `memory of b is returned while the deferred call puts it in buffers`
}

// A copy of it may be read at any time.
func madeOfCopy(r *http.Request, queue chan<- *http.Request) *http.Request {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString("{}")
	next := r.Clone(r.Context())
	next.Body = io.NopCloser(bytes.NewReader(bytes.Clone(b.Bytes())))
	queue <- next
	return next
}
