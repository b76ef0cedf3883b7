package returnalias

import (
	"bytes"
	"io"
	"sync"
)

// An encoder writes to the memory of its caller.
type encoder struct {
	output bytes.Buffer
	w      io.Writer
	tmp    []byte
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// The deferred closure replaces the buffer before the Put: its memory stays
// with the caller.
func encodeRight(dst, src []byte) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.output = *bytes.NewBuffer(dst[:0])
	e.w = &e.output
	defer func() {
		e.output = *bytes.NewBuffer(nil)
		encoders.Put(e)
	}()
	if _, err := e.w.Write(src); err != nil {
		return e.output.Bytes(), err
	}
	return e.output.Bytes(), nil
}

func encodeZeroRight(src []byte) []byte {
	e := encoders.Get().(*encoder)
	e.output = bytes.Buffer{}
	e.output.Write(src)
	b := e.output.Bytes()
	e.output = bytes.Buffer{}
	encoders.Put(e)
	b[0] = 'x'
	return b
}

func encodeSliceRight(src []byte) []byte {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.tmp = append(e.tmp[:0], src...)
	b := e.tmp
	e.tmp = nil
	return b
}

// The buffer was replaced first and lent then.
func encodeLate(src []byte) []byte {
	e := encoders.Get().(*encoder)
	old := e.output.Bytes()
	e.output = bytes.Buffer{}
	e.output.Write(src)
	b := e.output.Bytes()
	encoders.Put(e)
	_ = old
	return b // want `memory of e is returned after it was put in encoders`
}

// The new buffer has the old one's memory.
func encodeSame(src []byte) []byte {
	e := encoders.Get().(*encoder)
	e.output.Write(src)
	b := e.output.Bytes()
	e.output = *bytes.NewBuffer(e.output.Bytes()[:0])
	encoders.Put(e)
	return b // want `memory of e is returned after it was put in encoders`
}
