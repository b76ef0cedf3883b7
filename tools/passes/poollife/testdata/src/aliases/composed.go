// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"bytes"
	"io"
	"sync"
)

var heads = sync.Pool{New: func() any { return new([512]byte) }}

type pair struct {
	io.Reader
	io.Closer
}

func open(f io.ReadCloser, head []byte) (io.ReadCloser, error) {
	n, err := f.Read(head)
	if err != nil {
		return nil, err
	}
	return pair{io.MultiReader(bytes.NewReader(head[:n]), f), f}, nil
}

func openPtr(f io.ReadCloser, head []byte) io.ReadCloser {
	return &pair{bytes.NewReader(head), f}
}

func copyEarly(w io.Writer, f io.ReadCloser) error {
	head := heads.Get().(*[512]byte)
	s, err := open(f, head[:])
	heads.Put(head)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = io.Copy(w, s) // want `head is passed to Copy after it was put in heads`
	return err
}

func copyEarlyPtr(w io.Writer, f io.ReadCloser) error {
	head := heads.Get().(*[512]byte)
	s := openPtr(f, head[:])
	heads.Put(head)
	_, err := io.Copy(w, s) // want `head is passed to Copy after it was put in heads`
	return err
}

func readEarly(f io.ReadCloser) ([]byte, error) {
	head := heads.Get().(*[512]byte)
	s := openPtr(f, head[:])
	heads.Put(head)
	return io.ReadAll(s) // want `head is passed to ReadAll after it was put in heads|head is used by ReadAll after it was put in heads`
}

func copyRight(w io.Writer, f io.ReadCloser) error {
	head := heads.Get().(*[512]byte)
	defer heads.Put(head)
	s, err := open(f, head[:])
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = io.Copy(w, s)
	return err
}

// Nothing of the buffer is in the stream.
func copyRest(w io.Writer, f io.ReadCloser) error {
	head := heads.Get().(*[512]byte)
	n, err := f.Read(head[:])
	if n > 0 {
		_, err = w.Write(head[:n])
	}
	heads.Put(head)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, pair{f, f})
	return err
}

// A copy is over the stream.
func copyClone(w io.Writer, f io.ReadCloser) error {
	head := heads.Get().(*[512]byte)
	s := pair{bytes.NewReader(bytes.Clone(head[:])), f}
	heads.Put(head)
	_, err := io.Copy(w, s)
	return err
}
