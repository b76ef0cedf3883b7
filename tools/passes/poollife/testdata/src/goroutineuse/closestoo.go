package goroutineuse

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// The transport may read a body until it closes it, which it does when it likes: who closes it as
// well puts what may still be read.

var sentBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type sentBody struct {
	*bytes.Reader
	buf *bytes.Buffer
}

func (b *sentBody) Close() error {
	if b.buf != nil {
		b.buf.Reset()
		sentBufs.Put(b.buf)
		b.buf = nil
	}
	return nil
}

func postText(rt http.RoundTripper, url, text string) (int, error) {
	buf := sentBufs.Get().(*bytes.Buffer)
	buf.WriteString(text)
	body := &sentBody{bytes.NewReader(buf.Bytes()), buf}
	defer body.Close() // want `the body is closed here, which puts its memory in sentBufs`
	req, err := http.NewRequest("POST", url, body)
	if err != nil {
		return 0, err
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

// Closed here only where the transport never got it.
func postTextRight(rt http.RoundTripper, url, text string) (int, error) {
	buf := sentBufs.Get().(*bytes.Buffer)
	buf.WriteString(text)
	body := &sentBody{bytes.NewReader(buf.Bytes()), buf}
	req, err := http.NewRequest("POST", url, body)
	if err != nil {
		body.Close()
		return 0, err
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

// A Close that lets one in at a time, with a Read that does.
type lockedBody struct {
	mu  sync.Mutex
	buf *bytes.Buffer
}

func (b *lockedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.buf == nil {
		return 0, io.EOF
	}
	return b.buf.Read(p)
}

func (b *lockedBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.buf != nil {
		b.buf.Reset()
		sentBufs.Put(b.buf)
		b.buf = nil
	}
	return nil
}

func postLocked(rt http.RoundTripper, url, text string) (int, error) {
	buf := sentBufs.Get().(*bytes.Buffer)
	buf.WriteString(text)
	body := &lockedBody{buf: buf}
	defer body.Close()
	req, err := http.NewRequest("POST", url, body)
	if err != nil {
		return 0, err
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}
