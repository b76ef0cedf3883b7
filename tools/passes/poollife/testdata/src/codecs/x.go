package codecs

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/jsonpool"
	"github.com/spare-go/spare/codec/zstdpool"
)

func compress(w io.Writer, p []byte) error {
	z := gzippool.Get(w)
	if _, err := z.Write(p); err != nil {
		gzippool.Put(z)
		return err
	}
	return z.Close()
}

// A handle that was closed may be closed and put once more.
func compressTwice(w io.Writer, p []byte) error {
	z := gzippool.Get(w)
	defer gzippool.Put(z)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

func compressLeaks(w io.Writer, p []byte) error {
	z := gzippool.Get(w) // want `z, taken from gzippool at line 35, is not put back on the path that ends here`
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

func decompress(p *zstdpool.Pool, r io.Reader) ([]byte, error) {
	z, err := p.GetReader(r, 1<<20)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

func decompressLeaks(p *zstdpool.Pool, r io.Reader) (n int, err error) {
	z, err := p.GetReader(r, 1<<20) // want `z, taken from zstdpool at line 52, is not put back on any path`
	if err != nil {
		return 0, err
	}
	var b [1]byte
	return z.Read(b[:])
}

type order struct {
	Items []string
	Total int
}

var orders jsonpool.Pool[order]

func total(data []byte) (int, error) {
	v, err := orders.Unmarshal(data)
	if err != nil {
		return 0, err
	}
	n := v.V.Total
	orders.Put(v)
	return n, nil
}

func totalLate(data []byte) (int, error) {
	v, err := orders.Unmarshal(data)
	if err != nil {
		return 0, err
	}
	orders.Put(v)
	return v.V.Total, nil // want `v is read after it was put in orders`
}

func items(r io.Reader) ([]string, error) {
	v, err := orders.Decode(r)
	if err != nil {
		return nil, err
	}
	defer orders.Put(v)
	return v.V.Items, nil // want `memory of v is returned while the deferred call puts it in orders`
}

func itemsTwice(r io.Reader) error {
	v, err := orders.Decode(r)
	if err != nil {
		return err
	}
	defer orders.Put(v) // want `v is put in orders a second time`
	if len(v.V.Items) == 0 {
		orders.Put(v)
		return errors.New("no items")
	}
	return nil
}

func body(w http.ResponseWriter, r *http.Request) []byte {
	b, err := httppool.ReadBody(w, r, 1<<20)
	if err != nil {
		return nil
	}
	defer b.Release()
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in httppool`
}

func bodyCopy(w http.ResponseWriter, r *http.Request) []byte {
	b, err := httppool.ReadBody(w, r, 1<<20)
	if err != nil {
		return nil
	}
	defer b.Release()
	return bytes.Clone(b.Bytes())
}

// Do releases the body; a second release does no harm.
func post(c *http.Client, req *http.Request, v any) (*http.Response, error) {
	b, err := httppool.NewJSONBody(v)
	if err != nil {
		return nil, err
	}
	defer b.Release()
	return httppool.Do(c, req, b)
}
