package zeroassumed

import (
	"io"
	"sync"
)

// Cleared after Get.

type header [64]byte

var headers = sync.Pool{New: func() any { return new(header) }}

func clean(w io.Writer, name string) error {
	r := headers.Get().(*header)
	defer headers.Put(r)
	clear(r[:])
	copy(r[:32], name)
	_, err := w.Write(r[:])
	return err
}

// Cleared where it is put.

var cleared = sync.Pool{New: func() any { return new([16]byte) }}

func putCleared(b *[16]byte) {
	*b = [16]byte{}
	cleared.Put(b)
}

func tag(w io.Writer, s string) error {
	b := cleared.Get().(*[16]byte)
	defer putCleared(b)
	copy(b[:], s)
	_, err := w.Write(b[:])
	return err
}

// As much as was copied is passed on.

func some(w io.Writer, s string) error {
	b := pages.Get().(*[128]byte)
	defer pages.Put(b)
	n := copy(b[:], s)
	_, err := w.Write(b[:n])
	return err
}

// What is copied has the length.

func key(w io.Writer, k [128]byte, data []byte) error {
	b := pages.Get().(*[128]byte)
	defer pages.Put(b)
	copy(b[:], k[:])
	if _, err := w.Write(b[:]); err != nil {
		return err
	}
	if len(data) != 128 {
		return errLong
	}
	copy(b[:], data)
	_, err := w.Write(b[:])
	return err
}

// The rest is filled.

func padded(w io.Writer, s string) error {
	b := pages.Get().(*[128]byte)
	defer pages.Put(b)
	copy(b[:], s)
	for i := len(s); i < len(b); i++ {
		b[i] = ' '
	}
	_, err := w.Write(b[:])
	return err
}
