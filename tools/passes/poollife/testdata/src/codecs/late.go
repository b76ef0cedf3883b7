package codecs

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/zstdpool"
)

func writeLate(w io.Writer, p []byte) error {
	z := gzippool.Get(w)
	gzippool.Put(z)
	_, err := z.Write(p) // want `z is used by Write after it was put in gzippool`
	return err
}

func flushClosed(w io.Writer, p []byte) error {
	z := gzippool.Get(w)
	if err := z.Close(); err != nil {
		return err
	}
	return z.Flush() // want `z is used by Flush after it was put in gzippool`
}

func copyLate(w io.Writer, r io.Reader) error {
	z, err := gzippool.GetReader(r, 1<<20)
	if err != nil {
		return err
	}
	gzippool.PutReader(z)
	_, err = io.Copy(w, z) // want `z is passed to Copy after it was put in gzippool`
	return err
}

func encodeLate(p *zstdpool.Pool, w io.Writer, v any) error {
	z := p.Get(w)
	enc := json.NewEncoder(z)
	zstdpool.Put(z)
	return enc.Encode(v) // want `z is passed to Encode after it was put in zstdpool`
}

func closedReader(r io.Reader) (io.Reader, error) {
	z, err := zstdpool.GetReader(r, 1<<20)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z, nil // want `z is returned while the deferred call puts it in zstdpool`
}

func closedByInterface(w io.Writer, p []byte) error {
	var wc io.WriteCloser = gzippool.Get(w) // want `wc, taken from gzippool at line 56, is not put back on the path that ends here`
	if _, err := wc.Write(p); err != nil {
		return err
	}
	return wc.Close()
}

func readerOfReleased(v any) (io.ReadCloser, error) {
	b, err := httppool.NewJSONBody(v)
	if err != nil {
		return nil, err
	}
	b.Release()
	return b.NewReader() // want `b is used by NewReader after it was put in httppool`
}

// Reset takes a new codec.
func twoStreams(w io.Writer, p []byte) error {
	z := gzippool.Get(w)
	defer gzippool.Put(z)
	if _, err := z.Write(p); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	z.Reset(w)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

// The stream is dropped on one path and written on the other.
func eitherWay(w io.Writer, p []byte, drop bool) error {
	z := gzippool.Get(w)
	if drop {
		gzippool.Put(z)
		return errors.New("dropped")
	}
	defer z.Close()
	_, err := z.Write(p)
	return err
}

func deferredByInterface(w io.Writer, p []byte) error {
	var wc io.WriteCloser = gzippool.Get(w)
	defer wc.Close()
	_, err := wc.Write(p)
	return err
}

// A reader holds on to the contents after the release.
func readerThenRelease(req *http.Request, v any) error {
	b, err := httppool.NewJSONBody(v)
	if err != nil {
		return err
	}
	defer b.Release()
	req.Body, err = b.NewReader()
	return err
}
