package storealias

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"unsafe"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type request struct {
	body []byte
	text string
	r    io.Reader
}

func setBody(r *request, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	r.body = b.Bytes() // want `field body keeps memory of b after the value was put in bufs`
	bufs.Put(b)
}

func setBodyRight(r *request, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	r.body = append(r.body[:0], b.Bytes()...)
	r.text = b.String()
	bufs.Put(b)
}

func setReader(r *request, s string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	r.r = bytes.NewReader(b.Bytes()) // want `field r keeps memory of b`
}

var last []byte

func global(s string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	last = b.Bytes() // want `variable last keeps memory of b`
}

var cache = map[string][]byte{}

func intoMap(k string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(k)
	cache[k] = b.Bytes() // want `an element of a slice or map keeps memory of b`
}

func intoMapRight(k string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(k)
	cache[k] = bytes.Clone(b.Bytes())
}

func handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := bufs.Get().(*bytes.Buffer)
		defer bufs.Put(b)
		b.Reset()
		b.ReadFrom(r.Body)
		r.Body = io.NopCloser(b) // want `field Body keeps memory of b`
		next.ServeHTTP(w, r)
	})
}

func handlerRestores(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := bufs.Get().(*bytes.Buffer)
		b.Reset()
		b.ReadFrom(r.Body)
		old := r.Body
		r.Body = io.NopCloser(b)
		next.ServeHTTP(w, r)
		r.Body = old
		bufs.Put(b)
	})
}

type decoder struct {
	buf *bytes.Buffer
	cur []byte
}

// The field is the value's home, and is named by the Put.
func (d *decoder) reset() {
	d.buf = bufs.Get().(*bytes.Buffer)
	d.buf.Reset()
	bufs.Put(d.buf)
}

func (d *decoder) release() {
	bufs.Put(d.buf)
	d.buf, d.cur = nil, nil
}

// The slots of a captured slice, or of one that is cleared, are filled again before
// they are read.
func rounds(n int) {
	var held [8]*bytes.Buffer
	round := func() {
		for i := range held {
			b := bufs.Get().(*bytes.Buffer)
			b.Reset()
			held[i] = b
		}
		for i := range held {
			bufs.Put(held[i])
		}
	}
	for range n {
		round()
	}
}

func roundCleared(held []*bytes.Buffer) {
	for i := range held {
		held[i] = bufs.Get().(*bytes.Buffer)
	}
	for _, b := range held {
		bufs.Put(b)
	}
	clear(held)
}

func roundKept(held []*bytes.Buffer) {
	b := bufs.Get().(*bytes.Buffer)
	held[0] = b // want `an element of a slice or map keeps memory of b`
	bufs.Put(b)
}

// A map keeps the memory of its keys.

var names = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func countNames(m map[string]int, r io.Reader) {
	b := names.Get().(*[]byte)
	n, _ := r.Read(*b)
	m[unsafe.String(&(*b)[0], n)]++ // want `an element of a slice or map keeps memory of b`
	names.Put(b)
}

func countKnown(m map[string]int, r io.Reader) {
	b := names.Get().(*[]byte)
	n, _ := r.Read(*b)
	key := unsafe.String(&(*b)[0], n)
	if c, ok := m[key]; ok {
		m[key] = c + 1
	} else {
		m[string((*b)[:n])] = 1
	}
	names.Put(b)
}
