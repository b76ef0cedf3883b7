// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/gzippool"
)

// gunzip decompresses data, lends the bytes to use and returns what use returns.
// The bytes are valid only during that call.
type gunzip func(data []byte, use func([]byte) error) error

func gunzipNaive(data []byte, use func([]byte) error) error {
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	out, err := io.ReadAll(zr)
	if err != nil {
		return err
	}
	return use(out)
}

// decompressor is a gzip.Reader with the reader that it reads from.
type decompressor struct {
	src bytes.Reader
	zr  gzip.Reader
}

func (d *decompressor) start(data []byte) (io.Reader, error) {
	d.src.Reset(data)
	return &d.zr, d.zr.Reset(&d.src)
}

func (d *decompressor) reset() { d.src.Reset(nil) }

// bufferedDecompressor adds the buffer for what comes out.
type bufferedDecompressor struct {
	decompressor
	out bytes.Buffer
}

func (d *bufferedDecompressor) decompress(data []byte, use func([]byte) error) error {
	r, err := d.start(data)
	if err != nil {
		return err
	}
	if _, err := d.out.ReadFrom(r); err != nil {
		return err
	}
	return use(d.out.Bytes())
}

var decompressors = sync.Pool{New: func() any { return new(bufferedDecompressor) }}

func gunzipSyncPool(data []byte, use func([]byte) error) error {
	d := decompressors.Get().(*bufferedDecompressor)
	err := d.decompress(data, use)
	d.reset()
	if d.out.Cap() > maxPooled {
		d.out = bytes.Buffer{} // the reader is worth keeping
	}
	d.out.Reset()
	decompressors.Put(d)
	return err
}

// spareBytes holds what the jobs make in memory.
var spareBytes spare.Slices[byte]

// mostGunzipped is a limit, which decompression must have.
const mostGunzipped = 64 << 20

func gunzipSpare(data []byte, use func([]byte) error) error {
	out, err := gzippool.AppendDecompress(spareBytes.Get(0), data, mostGunzipped)
	if err == nil {
		err = use(out)
	}
	spareBytes.Put(out)
	return err
}
