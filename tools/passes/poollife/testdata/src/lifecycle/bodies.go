package lifecycle

import (
	"bufio"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func reader(r io.Reader) *bufio.Reader {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	return br
}

type body struct {
	br   *bufio.Reader
	orig io.Closer
}

func (b *body) Read(p []byte) (int, error) { return b.br.Read(p) }

func (b *body) Close() error {
	b.br.Reset(nil)
	readers.Put(b.br) // want `each call of Close puts it in the pool again`
	return b.orig.Close()
}

// The handler closes the body, as the middleware does.
func middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := &body{reader(r.Body), r.Body}
		r.Body = b // want `field Body keeps memory of b after the value was put in readers`
		defer b.Close()
		next.ServeHTTP(w, r)
	})
}

type nilBody struct {
	br   *bufio.Reader
	orig io.Closer
}

func (b *nilBody) Read(p []byte) (int, error) {
	if b.br == nil {
		return 0, io.EOF
	}
	return b.br.Read(p)
}

func (b *nilBody) Close() error {
	if b.br == nil {
		return nil
	}
	b.br.Reset(nil)
	readers.Put(b.br)
	b.br = nil
	return b.orig.Close()
}

type flagBody struct {
	br     *bufio.Reader
	orig   io.Closer
	closed bool
}

func (b *flagBody) Read(p []byte) (int, error) { return b.br.Read(p) }

func (b *flagBody) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	readers.Put(b.br)
	return b.orig.Close()
}

type onceBody struct {
	br   *bufio.Reader
	orig io.Closer
	once sync.Once
}

func (b *onceBody) Read(p []byte) (int, error) { return b.br.Read(p) }

func (b *onceBody) Close() error {
	b.once.Do(func() { readers.Put(b.br) })
	return b.orig.Close()
}

type swapBody struct {
	br   atomic.Pointer[bufio.Reader]
	orig io.Closer
}

func (b *swapBody) Read(p []byte) (int, error) { return b.br.Load().Read(p) }

func (b *swapBody) Close() error {
	if br := b.br.Swap(nil); br != nil {
		readers.Put(br)
	}
	return b.orig.Close()
}

type lockedBody struct {
	mu   sync.Mutex
	br   *bufio.Reader
	orig io.Closer
}

func (b *lockedBody) Read(p []byte) (int, error) { return b.br.Read(p) }

func (b *lockedBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	br := b.br
	b.br = nil
	if br == nil {
		return nil
	}
	readers.Put(br)
	return b.orig.Close()
}

// No body of a request or response: closed once by who opened it.
type input struct{ br *bufio.Reader }

func (i *input) Read(p []byte) (int, error) { return i.br.Read(p) }

func (i *input) Close() error {
	readers.Put(i.br)
	return nil
}

func open(r io.Reader) io.ReadCloser { return &input{reader(r)} }

type transport struct{ base http.RoundTripper }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch br := reader(resp.Body); resp.Header.Get("X") {
	case "nil":
		resp.Body = &nilBody{br, resp.Body}
	case "flag":
		resp.Body = &flagBody{br: br, orig: resp.Body}
	case "once":
		resp.Body = &onceBody{br: br, orig: resp.Body}
	case "swap":
		b := &swapBody{orig: resp.Body}
		b.br.Store(br)
		resp.Body = b
	default:
		resp.Body = &lockedBody{br: br, orig: resp.Body}
	}
	return resp, nil
}
