package returnalias

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

var scanBufs = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}

// The token lies in the memory that the scanner was lent.
func firstLine(r io.Reader) ([]byte, error) {
	bp := scanBufs.Get().(*[]byte)
	defer scanBufs.Put(bp)
	s := bufio.NewScanner(r)
	s.Buffer(*bp, cap(*bp))
	if !s.Scan() {
		return nil, s.Err()
	}
	return s.Bytes(), nil // want `memory of bp is returned while the deferred call puts it in scanBufs`
}

func firstLineCopy(r io.Reader) ([]byte, error) {
	bp := scanBufs.Get().(*[]byte)
	defer scanBufs.Put(bp)
	s := bufio.NewScanner(r)
	s.Buffer(*bp, cap(*bp))
	if !s.Scan() {
		return nil, s.Err()
	}
	return bytes.Clone(s.Bytes()), nil
}

func firstText(r io.Reader) (string, error) {
	bp := scanBufs.Get().(*[]byte)
	defer scanBufs.Put(bp)
	s := bufio.NewScanner(r)
	s.Buffer(*bp, cap(*bp))
	if !s.Scan() {
		return "", s.Err()
	}
	return s.Text(), nil
}
