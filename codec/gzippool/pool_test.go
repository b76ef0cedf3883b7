// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/internal/codectest"
)

// Put and PutReader know where a codec is from.
func TestPutGoesHome(t *testing.T) {
	a, b := new(gzippool.Pool), new(gzippool.Pool)
	in := gzipped([]byte("contents"))
	most := uint64(2 * runtime.GOMAXPROCS(0)) // each P may have its own
	for range 10 {
		x, y := a.Get(io.Discard), b.Get(io.Discard)
		gzippool.Put(y)
		gzippool.Put(x)
		fast, err := a.GetLevel(io.Discard, gzippool.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		gzippool.Put(fast)
		r, err := b.GetReader(bytes.NewReader(in), 100)
		if err != nil {
			t.Fatal(err)
		}
		gzippool.PutReader(r)
	}
	for _, p := range []*gzippool.Pool{a, b} {
		if s := p.Stats(); s.Gets != 20 || s.Puts != 20 || s.News > most && !codectest.Inexact {
			t.Errorf("%+v", s)
		}
	}
}

// roundabout has the methods by which io.Copy would go round a buffer.
type roundabout struct {
	t *testing.T
	bytes.Buffer
}

func (r *roundabout) WriteTo(io.Writer) (int64, error) {
	r.t.Error("WriteTo was called")
	return 0, io.EOF
}

func (r *roundabout) ReadFrom(io.Reader) (int64, error) {
	r.t.Error("ReadFrom was called")
	return 0, io.EOF
}

func TestCopiesKeepTheirBuffer(t *testing.T) {
	var plain, packed, back = &roundabout{t: t}, &roundabout{t: t}, &roundabout{t: t}
	data := codectest.Text(1, 100000)
	plain.Write(data)
	if n, err := gzippool.Compress(packed, plain); err != nil || n != int64(len(data)) {
		t.Fatal(n, err)
	}
	if n, err := gzippool.Decompress(back, packed, gzippool.NoLimit); err != nil || n != int64(len(data)) || !bytes.Equal(back.Bytes(), data) {
		t.Fatal(n, err)
	}
}
