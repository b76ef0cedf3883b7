package lostvalues

import (
	"io"
	"sync"
)

var segments8k = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

type payload interface{ end() }

type plainPayload []byte

func (p plainPayload) end() {}

type lentPayload struct{ bytes *[]byte }

func (l *lentPayload) end() {
	*l.bytes = (*l.bytes)[:cap(*l.bytes)]
	segments8k.Put(l.bytes)
}

func byLength(b *[]byte) payload {
	if len(*b) < 512 { // want `the length of b tells here whether it is put, and readPayload gives what it took from a pool and cut`
		return plainPayload(*b)
	}
	return &lentPayload{b}
}

func readPayload(r io.Reader) (payload, error) {
	b := segments8k.Get().(*[]byte)
	n, err := r.Read(*b)
	if err != nil {
		segments8k.Put(b)
		return nil, err
	}
	*b = (*b)[:n]
	return byLength(b), nil
}

// The capacity is what it was.
func byCapacity(b *[]byte) payload {
	if cap(*b) > 512 {
		return &lentPayload{b}
	}
	return plainPayload(*b)
}

func readByCapacity(r io.Reader) (payload, error) {
	b := segments8k.Get().(*[]byte)
	n, err := r.Read(*b)
	if err != nil {
		segments8k.Put(b)
		return nil, err
	}
	*b = (*b)[:n]
	return byCapacity(b), nil
}

// Only what is as long as it was made is given on, or what no pool made.
func whole(b *[]byte) payload {
	if len(*b) > 512 {
		return &lentPayload{b}
	}
	return plainPayload(*b)
}

func readWhole(r io.Reader) (payload, error) {
	b := segments8k.Get().(*[]byte)
	if _, err := io.ReadFull(r, *b); err != nil {
		segments8k.Put(b)
		return nil, err
	}
	return whole(b), nil
}

func readOwn(r io.Reader) (payload, error) {
	b := make([]byte, 4096)
	n, err := r.Read(b)
	b = b[:n]
	return whole(&b), err
}

// Small ones are copied before the slice goes back.
func copied(b *[]byte) payload {
	if len(*b) < 512 {
		small := append([]byte(nil), *b...)
		*b = (*b)[:cap(*b)]
		segments8k.Put(b)
		return plainPayload(small)
	}
	return &lentPayload{b}
}

func readCopied(r io.Reader) (payload, error) {
	b := segments8k.Get().(*[]byte)
	n, err := r.Read(*b)
	if err != nil {
		segments8k.Put(b)
		return nil, err
	}
	*b = (*b)[:n]
	return copied(b), nil
}
