// SPDX-License-Identifier: BSD-3-Clause

package httppool

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/jsonpool"
)

// ErrReleased is returned for use of a Body after Release, and of one of its readers
// after Close.
var ErrReleased = errors.New("httppool: use of a released body")

// A Body holds bytes in pooled memory: of a request that was read, or to be sent. It
// is a handle of its own; the memory goes back when the Body was released and
// each reader of it was closed. Without a Release the memory is left to
// the collector.
//
// A Body and its readers may be used by several goroutines.
type Body struct {
	m   *memory
	gen uint64
}

// memory is what a Body and its readers share. It is itself reused; each use is a
// generation.
type memory struct {
	mu      sync.Mutex
	gen     uint64
	b       []byte
	readers int
	owned   bool // the Body was not released
	slot    *slot
}

// A slot is what the pool keeps. The memory lies outside of it because late users come
// as far as the lock, while nobody may touch what is in a pool.
type slot struct{ *memory }

func newSlot() *slot {
	m := new(memory)
	m.slot = &slot{m}
	return m.slot
}

var (
	memories = spare.Pool[slot]{New: newSlot, Name: "httppool"}
	bytes    = spare.Slices[byte]{Name: "httppool"}
)

// firstRead bounds the memory for a body of which nothing was read yet, whatever
// length it claims to have.
const firstRead = 64 << 10

// ReadBody reads the whole body of a request. The caller must Release it, best with
// defer, so that it happens also when the handler panics. Releasing twice does no harm.
//
// A body of more than limit bytes is an *http.MaxBytesError, for which Status gives
// 413; the connection is then closed after the response, as with
// http.MaxBytesReader, since the rest of the body is still coming. Other errors are
// those of the connection. ReadBody does not write a response.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) (*Body, error) {
	b := new(Body)
	return b, b.readFrom(w, r, limit)
}

// readFrom leaves b released if it fails.
func (b *Body) readFrom(w http.ResponseWriter, r *http.Request, limit int64) error {
	limit = max(limit, 0)
	if r.Body == nil {
		b.own(nil)
		return nil
	}
	if r.ContentLength > limit {
		return tooLarge(w, r, limit)
	}
	buf, err := readAll(bytes.Get(int(min(max(r.ContentLength, 0), limit, firstRead)+1)), r.Body, limit)
	if err == nil && int64(len(buf)) > limit {
		err = tooLarge(w, r, limit)
	}
	if err != nil {
		bytes.Put(buf)
		return err
	}
	b.own(buf)
	return nil
}

// readAll appends what r holds to b, until there is more than limit. What it returns
// takes b's place.
func readAll(b []byte, r io.Reader, limit int64) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = bytes.Grow(b, 512)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF || int64(len(b)) > limit {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// tooLarge has the connection closed where that is what ends a request. HTTP/2 resets
// the stream.
func tooLarge(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	return &http.MaxBytesError{Limit: limit}
}

// Status returns the status to answer with for an error of ReadBody: 413 if the body
// is too large, 400 otherwise.
func Status(err error) int {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// NewBody returns a Body with what fill appends to the empty slice that it gets. fill must
// not keep the slice, and may return one of its own, which then belongs to the
// pool.
func NewBody(fill func(dst []byte) ([]byte, error)) (*Body, error) {
	dst := bytes.Get(0)
	buf, err := fill(dst)
	if err != nil {
		bytes.Put(dst)
		return nil, err
	}
	b := new(Body)
	b.own(buf)
	return b, nil
}

// NewJSONBody returns a Body with the JSON of v.
func NewJSONBody(v any) (*Body, error) {
	return NewBody(func(dst []byte) ([]byte, error) { return jsonpool.Append(dst, v) })
}

// own makes b the owner of buf.
func (b *Body) own(buf []byte) {
	m := memories.Get().memory
	m.mu.Lock()
	m.b, m.owned = buf, true
	b.m, b.gen = m, m.gen
	m.mu.Unlock()
}

// lock locks the memory, if it is still b's.
func (b *Body) lock() (*memory, error) {
	if b.m == nil {
		return nil, ErrReleased
	}
	b.m.mu.Lock()
	if b.m.gen != b.gen || !b.m.owned {
		b.m.mu.Unlock()
		return nil, ErrReleased
	}
	return b.m, nil
}

// unlock unlocks the memory, and gives it back if nobody has it any more.
func (m *memory) unlock() {
	if m.owned || m.readers > 0 {
		m.mu.Unlock()
		return
	}
	buf := m.b
	m.b = nil
	m.gen++
	m.mu.Unlock()
	bytes.Put(buf)
	memories.Put(m.slot)
}

// Bytes returns the contents, which must not be used after Release. It returns nil if
// that was called.
func (b *Body) Bytes() []byte {
	m, err := b.lock()
	if err != nil {
		return nil
	}
	defer m.mu.Unlock()
	return m.b
}

// Release gives up b and what Bytes returned. Readers that were not closed go on.
func (b *Body) Release() {
	m, err := b.lock()
	if err != nil {
		return
	}
	m.owned = false
	m.unlock()
}

// NewReader returns a reader of the contents from the start, which holds on to them until it
// is closed. It is made to be the body of a request: Close may be called at any
// time, by any goroutine, and twice.
func (b *Body) NewReader() (io.ReadCloser, error) {
	m, err := b.lock()
	if err != nil {
		return nil, err
	}
	m.readers++
	m.mu.Unlock()
	return &reader{m: m}, nil
}

// A reader has no WriteTo, in which Close would have to wait for a network.
type reader struct {
	m      *memory
	off    int
	closed bool // guarded by m.mu, also when m serves others
}

func (r *reader) Read(p []byte) (int, error) {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	if r.closed {
		return 0, ErrReleased
	}
	if r.off == len(r.m.b) && len(p) > 0 {
		return 0, io.EOF
	}
	n := copy(p, r.m.b[r.off:])
	r.off += n
	return n, nil
}

func (r *reader) Close() error {
	r.m.mu.Lock()
	if r.closed {
		r.m.mu.Unlock()
		return nil
	}
	r.closed = true
	r.m.readers--
	r.m.unlock()
	return nil
}
