// Package digestbeside has pooled structs with a digest that some functions reset, and others not.
package digestbeside

import (
	"crypto/sha256"
	"hash"
	"sync"
)

type sealer struct {
	digest hash.Hash
	out    [sha256.Size]byte
}

var sealers = sync.Pool{New: func() any { return &sealer{digest: sha256.New()} }}

// Right: reset before it is written to
func seal(b []byte) [sha256.Size]byte {
	s := sealers.Get().(*sealer)
	defer sealers.Put(s)
	s.digest.Reset()
	s.digest.Write(b)
	s.digest.Sum(s.out[:0])
	return s.out
}

// Wrong: it has what seal left
func opened(b []byte, want [sha256.Size]byte) bool {
	s := sealers.Get().(*sealer)
	defer sealers.Put(s)
	s.digest.Write(b) // want `field digest of the pooled sealer is written and summed here without a reset before, as others have it \(line 21\)`
	s.digest.Sum(s.out[:0])
	return s.out == want
}

type marker struct {
	digest hash.Hash
	out    [sha256.Size]byte
}

var markers = sync.Pool{New: func() any { return &marker{digest: sha256.New()} }}

// Right: reset for the next one
func mark(b []byte) [sha256.Size]byte {
	m := markers.Get().(*marker)
	m.digest.Write(b)
	m.digest.Sum(m.out[:0])
	out := m.out
	m.digest.Reset()
	markers.Put(m)
	return out
}

// Right: reset for the next one, and to be sure
func markTwo(a, b []byte) [sha256.Size]byte {
	m := markers.Get().(*marker)
	defer markers.Put(m)
	defer m.digest.Reset()
	m.digest.Reset()
	m.digest.Write(a)
	m.digest.Write(b)
	m.digest.Sum(m.out[:0])
	return m.out
}

type stamper struct {
	digest hash.Hash
	out    [sha256.Size]byte
}

var stampers = sync.Pool{New: func() any { return &stamper{digest: sha256.New()} }}

func (s *stamper) begin() { s.digest.Reset() }

// Right: the helper resets
func stamp(b []byte) [sha256.Size]byte {
	s := stampers.Get().(*stamper)
	defer stampers.Put(s)
	s.begin()
	s.digest.Write(b)
	s.digest.Sum(s.out[:0])
	return s.out
}

// Right: reset here
func stampTwo(a, b []byte) [sha256.Size]byte {
	s := stampers.Get().(*stamper)
	defer stampers.Put(s)
	s.digest.Reset()
	s.digest.Write(a)
	s.digest.Write(b)
	s.digest.Sum(s.out[:0])
	return s.out
}
