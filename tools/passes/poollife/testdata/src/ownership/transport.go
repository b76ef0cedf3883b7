package ownership

import (
	"bytes"
	"net/http"
	"sync"
	"sync/atomic"
)

var payloads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func payload(p []byte) *bytes.Buffer {
	b := payloads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	return b
}

// The transport closes the body, and so does its owner.
type upload struct{ buf *bytes.Buffer }

func (u *upload) Read(p []byte) (int, error) { return u.buf.Read(p) }

func (u *upload) Close() error {
	payloads.Put(u.buf)
	return nil
}

func put(c *http.Client, p []byte) error {
	u := &upload{payload(p)}
	defer u.Close() // want `u is put in payloads a second time; the first Put, by the transport`
	req, err := http.NewRequest("PUT", "http://localhost/", u)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func putOnce(c *http.Client, p []byte) error {
	u := &upload{payload(p)}
	req, err := http.NewRequest("PUT", "http://localhost/", u)
	if err != nil {
		u.Close()
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The parts of a body, put by each Close.
type multi struct {
	parts []*bytes.Buffer
	at    int
}

func (m *multi) Read(p []byte) (int, error) { return m.parts[m.at].Read(p) }

func (m *multi) Close() error {
	for _, b := range m.parts {
		payloads.Put(b)
	}
	return nil
}

func postParts(p []byte) error {
	m := &multi{parts: []*bytes.Buffer{payload(p)}}
	resp, err := http.Post("http://localhost/", "text/plain", m)
	if err != nil {
		m.Close() // want `m is put in payloads a second time; the first Put, by the transport`
		return err
	}
	return resp.Body.Close()
}

// A body that is set to nil is put once, but may be read by the transport when it is.
type nilled struct{ parts []*bytes.Buffer }

func (n *nilled) Read(p []byte) (int, error) { return n.parts[0].Read(p) }

func (n *nilled) Close() error {
	for _, b := range n.parts {
		payloads.Put(b)
	}
	n.parts = nil
	return nil
}

func postNilled(p []byte) error {
	n := &nilled{parts: []*bytes.Buffer{payload(p)}}
	defer n.Close() // want `the body is closed here, which puts its memory in payloads`
	resp, err := http.Post("http://localhost/", "text/plain", n)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A body that bears it.
type flagged struct {
	buf    *bytes.Buffer
	closed atomic.Bool
	once   sync.Once
}

func (f *flagged) Read(p []byte) (int, error) { return f.buf.Read(p) }

func (f *flagged) Close() error {
	if f.closed.CompareAndSwap(false, true) {
		payloads.Put(f.buf)
	}
	return nil
}

func postFlagged(c *http.Client, p []byte) error {
	f := &flagged{buf: payload(p)}
	defer f.Close()
	resp, err := c.Post("http://localhost/", "text/plain", f)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
