// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
)

// Put and PutReader know where a codec is from.
func TestPutGoesHome(t *testing.T) {
	a, b := new(zstdpool.Pool), new(zstdpool.Pool)
	in := plainCompress(t, []byte("contents"), true)
	most := uint64(2 * runtime.GOMAXPROCS(0)) // each P may have its own
	for range 10 {
		x, y := a.Get(io.Discard), b.Get(io.Discard)
		zstdpool.Put(y)
		zstdpool.Put(x)
		r, err := b.GetReader(bytes.NewReader(in), 100)
		if err != nil {
			t.Fatal(err)
		}
		zstdpool.PutReader(r)
	}
	if s := a.Stats(); s.Gets != 10 || s.Puts != 10 || s.News > most && !codectest.Inexact {
		t.Errorf("%+v", s)
	}
	if s := b.Stats(); s.Gets != 20 || s.Puts != 20 || s.News > most && !codectest.Inexact {
		t.Errorf("%+v", s)
	}
}
