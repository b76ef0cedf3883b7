package zeroassumed

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"
)

var errLong = errors.New("too long")

// A record with a name of at most 32 bytes.

type record [64]byte

var records = sync.Pool{New: func() any { return new(record) }}

func write(w io.Writer, name string, n uint64) error {
	r := records.Get().(*record)
	defer records.Put(r)
	copy(r[:32], name) // want `what is copied here may be shorter than the part of r, the array from the pool,`
	binary.BigEndian.PutUint64(r[32:], n)
	binary.BigEndian.PutUint32(r[60:], crc32.ChecksumIEEE(r[:60]))
	_, err := w.Write(r[:])
	return err
}

// Bytes, with a test that they are not too many; the pool's wrapper.

var pages = sync.Pool{New: func() any { return new([128]byte) }}

func takePage() *[128]byte { return pages.Get().(*[128]byte) }

func flush(w io.WriterAt, data []byte, at int64) error {
	if len(data) > 128 {
		return errLong
	}
	p := takePage()
	copy(p[:], data) // want `what is copied here may be shorter than the part`
	_, err := w.WriteAt(p[:], at)
	pages.Put(p)
	return err
}
