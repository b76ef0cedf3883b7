package lostpaths

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// What a helper finds in a block, in one round of its loop or another, leads to the next block.

type leaf struct{ b []byte }

var leaves = sync.Pool{New: func() any { return &leaf{make([]byte, 4096)} }}

type place struct{ at, n uint32 }

func find(b []byte, key uint32) (place, bool) {
	for ; len(b) >= 12; b = b[12:] {
		if binary.LittleEndian.Uint32(b) >= key {
			return place{binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}, true
		}
	}
	return place{}, false
}

func load(r io.ReaderAt, p place) (*leaf, error) {
	l := leaves.Get().(*leaf)
	if cap(l.b) < int(p.n) {
		l.b = make([]byte, p.n)
	}
	l.b = l.b[:p.n]
	if _, err := r.ReadAt(l.b, int64(p.at)); err != nil {
		leaves.Put(l)
		return nil, err
	}
	return l, nil
}

func between(r io.ReaderAt, top []byte, from, to uint32) (uint32, error) {
	p, ok := find(top, from)
	if !ok {
		return 0, nil
	}
	first, err := load(r, p) // want `not put back`
	if err != nil {
		return 0, err
	}
	lo, ok := find(first.b, from)
	if !ok {
		return 0, errors.New("corrupt")
	}
	if p, ok = find(top, to); !ok {
		return 0, nil
	}
	last, err := load(r, p) // want `not put back`
	if err != nil {
		return 0, err
	}
	hi, ok := find(last.b, to)
	if !ok {
		return 0, errors.New("corrupt")
	}
	return hi.at - lo.at, nil
}

func betweenAll(r io.ReaderAt, top []byte, from, to uint32) (uint32, error) {
	p, ok := find(top, from)
	if !ok {
		return 0, nil
	}
	first, err := load(r, p)
	if err != nil {
		return 0, err
	}
	defer leaves.Put(first)
	lo, ok := find(first.b, from)
	if !ok {
		return 0, errors.New("corrupt")
	}
	if p, ok = find(top, to); !ok {
		return 0, nil
	}
	last, err := load(r, p)
	if err != nil {
		return 0, err
	}
	defer leaves.Put(last)
	hi, ok := find(last.b, to)
	if !ok {
		return 0, errors.New("corrupt")
	}
	return hi.at - lo.at, nil
}
