package a

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"sync"
)

// missing-reset: slices that come as long as they were put

var whole = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func overWhole(v any) (int, error) {
	p := whole.Get().(*[]byte)
	buf := bytes.NewBuffer(*p)
	err := json.NewEncoder(buf).Encode(v) // want `p, taken from whole at line 16, is appended to without a reset`
	n := buf.Len()
	if cap(buf.Bytes()) < 1<<16 {
		*p = buf.Bytes()
		whole.Put(p)
	}
	return n, err
}

var cut = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func overCut(v any) (int, error) {
	p := cut.Get().(*[]byte)
	buf := bytes.NewBuffer((*p)[:0])
	err := json.NewEncoder(buf).Encode(v)
	n := buf.Len()
	if cap(buf.Bytes()) < 1<<16 {
		*p = buf.Bytes()
		cut.Put(p)
	}
	return n, err
}

var cutOnPut = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func overEmpty(s string) int {
	p := cutOnPut.Get().(*[]byte)
	buf := bytes.NewBuffer(*p)
	buf.WriteString(s)
	n := buf.Len()
	if cap(buf.Bytes()) < 1<<16 {
		*p = buf.Bytes()[:0]
		cutOnPut.Put(p)
	}
	return n
}

var full = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func afterZeros(s string) string {
	p := full.Get().(*[]byte)
	defer full.Put(p)
	b := append(*p, s...) // want `p, taken from full at line 58, is appended to without a cut to length 0, and New makes it full`
	return string(b)
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func fillScratch(s string) string {
	p := scratch.Get().(*[]byte)
	defer scratch.Put(p)
	return string((*p)[:copy(*p, s)])
}

var byValue = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func appendByValue(s string) int {
	b := byValue.Get().([]byte)
	b = append(b, s...) // want `b, taken from byValue at line 75, is appended to without a reset`
	n := len(b)
	if cap(b) < 1<<16 {
		byValue.Put(b)
	}
	return n
}

var byValueCut = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func appendByValueCut(s string) int {
	b := byValueCut.Get().([]byte)
	b = append(b, s...)
	n := len(b)
	if cap(b) < 1<<16 {
		byValueCut.Put(b[:0])
	}
	return n
}

// A digest goes on from what was written before.

var digests = sync.Pool{New: func() any { return sha256.New() }}

func digest(p []byte) []byte {
	h := digests.Get().(hash.Hash)
	defer digests.Put(h)
	h.Write(p) // want `h, taken from digests at line 101, is written to without a reset`
	return h.Sum(nil)
}

var freshDigests = sync.Pool{New: func() any { return sha256.New() }}

func freshDigest(p []byte) []byte {
	h := freshDigests.Get().(hash.Hash)
	defer freshDigests.Put(h)
	h.Reset()
	h.Write(p)
	return h.Sum(nil)
}
