package missingput

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// A decompressor that could not be reset to its input is as good as before for the next one. Whoever closes the body
// that has one puts it, whatever was met on the way.

var (
	bodyReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}
	errBody     = errors.New("bad body")
)

type zippedBody struct {
	zr *gzip.Reader
	rc io.ReadCloser
}

func (b *zippedBody) Read(p []byte) (int, error) { return b.zr.Read(p) }

func (b *zippedBody) Close() error {
	if b.zr != nil {
		bodyReaders.Put(b.zr)
		b.zr = nil
	}
	return b.rc.Close()
}

func newZippedBody(rc io.ReadCloser) (io.ReadCloser, error) {
	zr := bodyReaders.Get().(*gzip.Reader) // want `[a-z]+r, taken from bodyReaders at line [0-9]+, is not put back on the path that ends here`
	if err := zr.Reset(rc); err != nil {
		return nil, err
	}
	return &zippedBody{zr, rc}, nil
}

func newZippedWrapped(rc io.ReadCloser) (b *zippedBody, err error) {
	zr := bodyReaders.Get().(*gzip.Reader) // want `[a-z]+r, taken from bodyReaders at line [0-9]+, is not put back on the path that ends here`
	if err = zr.Reset(rc); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	b = &zippedBody{rc: rc}
	b.zr = zr
	return b, nil
}

func unzipResponse(res *http.Response) (*http.Response, error) {
	zr := bodyReaders.Get().(*gzip.Reader) // want `[a-z]+r, taken from bodyReaders at line [0-9]+, is not put back on the path that ends here`
	err := zr.Reset(res.Body)
	if err != nil {
		return res, errBody
	}
	res.Body = &zippedBody{zr, res.Body}
	return res, nil
}

// The context is asked when the reader is taken.
func newZippedFor(ctx context.Context, rc io.ReadCloser) (io.ReadCloser, error) {
	zr := bodyReaders.Get().(*gzip.Reader) // want `[a-z]+r, taken from bodyReaders at line [0-9]+, is not put back on the path that ends here`
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := zr.Reset(rc); err != nil {
		bodyReaders.Put(zr)
		return nil, err
	}
	return &zippedBody{zr, rc}, nil
}

// As is whether anything is to be read any more.
type bodies struct {
	mu     sync.Mutex
	closed bool
}

func (s *bodies) open(rc io.ReadCloser) (io.ReadCloser, error) {
	zr := bodyReaders.Get().(*gzip.Reader) // want `[a-z]+r, taken from bodyReaders at line [0-9]+, is not put back on the path that ends here`
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errBody
	}
	if err := zr.Reset(rc); err != nil {
		bodyReaders.Put(zr)
		return nil, err
	}
	return &zippedBody{zr, rc}, nil
}

// Put where it failed.
func newZippedPut(rc io.ReadCloser) (io.ReadCloser, error) {
	zr := bodyReaders.Get().(*gzip.Reader)
	if err := zr.Reset(rc); err != nil {
		bodyReaders.Put(zr)
		return nil, err
	}
	return &zippedBody{zr, rc}, nil
}

// By a deferred call.
func newZippedDeferred(rc io.ReadCloser) (_ io.ReadCloser, err error) {
	zr := bodyReaders.Get().(*gzip.Reader)
	defer func() {
		if err != nil {
			bodyReaders.Put(zr)
		}
	}()
	if err := zr.Reset(rc); err != nil {
		return nil, err
	}
	return &zippedBody{zr, rc}, nil
}

// The body is made before, and closed where that failed.
func newZippedClosed(rc io.ReadCloser) (io.ReadCloser, error) {
	b := &zippedBody{bodyReaders.Get().(*gzip.Reader), rc}
	if err := b.zr.Reset(rc); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Another is made for it.
func newZippedAnew(rc io.ReadCloser) (io.ReadCloser, error) {
	zr := bodyReaders.Get().(*gzip.Reader)
	if err := zr.Reset(rc); err != nil {
		if zr, err = gzip.NewReader(rc); err != nil {
			return nil, err
		}
	}
	return &zippedBody{zr, rc}, nil
}

// One that gave an error is not put by whoever closes it either: somebody decided so.

var carefulReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

type carefulBody struct {
	zr *gzip.Reader
	rc io.ReadCloser
}

func (b *carefulBody) Read(p []byte) (int, error) { return b.zr.Read(p) }

func (b *carefulBody) Close() error {
	if err := b.zr.Close(); err == nil {
		carefulReaders.Put(b.zr)
	}
	return b.rc.Close()
}

func newCareful(rc io.ReadCloser) (io.ReadCloser, error) {
	zr := carefulReaders.Get().(*gzip.Reader)
	if err := zr.Reset(rc); err != nil {
		return nil, err
	}
	return &carefulBody{zr, rc}, nil
}

// What fails is no begin.

var inflating = sync.Pool{New: func() any { return flate.NewReader(nil) }}

type inflatedBody struct{ fr io.ReadCloser }

func (b *inflatedBody) Read(p []byte) (int, error) { return b.fr.Read(p) }

func (b *inflatedBody) Close() error {
	inflating.Put(b.fr)
	return nil
}

func newInflatedBody(r io.Reader) (io.ReadCloser, error) {
	fr := inflating.Get().(io.ReadCloser) // want `[a-z]+r, taken from inflating at line [0-9]+, is not put back on the path that ends here`
	if err := fr.(flate.Resetter).Reset(r, nil); err != nil {
		return nil, err
	}
	return &inflatedBody{fr}, nil
}

func newInflatedRead(r io.Reader) (io.ReadCloser, error) {
	fr := inflating.Get().(io.ReadCloser)
	if err := fr.(flate.Resetter).Reset(r, nil); err != nil {
		inflating.Put(fr)
		return nil, err
	}
	var head [4]byte
	if _, err := fr.Read(head[:]); err != nil {
		return nil, err
	}
	return &inflatedBody{fr}, nil
}

// Who only takes readers for others may drop one that gave an error: nothing tells what the pool is for.

var lentReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

func acquireReader(r io.Reader) (*gzip.Reader, error) {
	zr := lentReaders.Get().(*gzip.Reader)
	if err := zr.Reset(r); err != nil {
		return nil, err
	}
	return zr, nil
}

func releaseReader(zr *gzip.Reader) { lentReaders.Put(zr) }
