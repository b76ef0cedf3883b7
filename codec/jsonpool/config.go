// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"errors"
	"fmt"
	"io"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
)

// ErrTooLarge is wrapped by the error for a document that is larger than MaxSize.
var ErrTooLarge = errors.New("jsonpool: the document exceeds the limit")

// A Config says how to encode and decode. The zero Config is ready for use and
// does as encoding/json. It is safe for concurrent use; its fields must not
// change after first use.
type Config struct {
	// Codec does the work. If it is nil, that is encoding/json.
	Codec Codec

	// MaxSize bounds the bytes of a document that is decoded. If it is 0, there
	// is no bound.
	MaxSize int

	// Flags change the decoding.
	Flags Flags
}

// standard is the Codec of a Config that has none.
var standard Standard

// buffers hold documents from a Codec that cannot write itself. Those that are read
// have package buffer.
var buffers = spare.Slices[byte]{Name: "jsonpool"}

// Append appends the JSON of v to dst, as json.Marshal gives it, and returns the
// extended slice. On error it returns dst with its old length.
func Append(dst []byte, v any) ([]byte, error) { return standard.Append(dst, v) }

// Encode writes the JSON of v and a newline to w with a single call of Write, as
// json.Encoder does. If v cannot be encoded, it writes nothing.
func Encode(w io.Writer, v any) error { return standard.Encode(w, v) }

// Decode reads r to its end and decodes the one JSON value in it into what v points
// to. Unlike a json.Decoder, it refuses anything else behind the value. If
// there is no value, the error is io.EOF. The document lies in pooled memory: an
// UnmarshalJSON method must copy what it keeps of its argument.
func Decode(r io.Reader, v any) error { return new(Config).Decode(r, v) }

func (c *Config) codec() Codec {
	if c.Codec == nil {
		return &standard
	}
	return c.Codec
}

// Append is like the function [Append].
func (c *Config) Append(dst []byte, v any) ([]byte, error) { return c.codec().Append(dst, v) }

// Encode is like the function [Encode].
func (c *Config) Encode(w io.Writer, v any) error {
	codec := c.codec()
	if s, ok := codec.(StreamCodec); ok {
		return s.Encode(w, v)
	}
	b, err := codec.Append(buffers.Get(0), v)
	if err == nil {
		b = append(b, '\n')
		_, err = w.Write(b)
	}
	buffers.Put(b)
	return err
}

// Unmarshal decodes the JSON value in data into what v points to. data remains the
// caller's, and the result does not refer to it unless ZeroCopyStrings is set or a method of a type
// keeps what it is given.
func (c *Config) Unmarshal(data []byte, v any) error {
	if c.MaxSize > 0 && len(data) > c.MaxSize {
		return c.tooLarge()
	}
	return c.codec().Unmarshal(data, v, c.Flags)
}

func (c *Config) tooLarge() error {
	return fmt.Errorf("%w of %d bytes", ErrTooLarge, c.MaxSize)
}

// Decode is like the function [Decode]. If MaxSize is set, it reads at most one byte
// more than that, and returns an error that wraps ErrTooLarge if there is one.
func (c *Config) Decode(r io.Reader, v any) error {
	if c.Flags&ZeroCopyStrings != 0 {
		// The strings are going to own the memory.
		return c.decodeThrough(new(buffer.Buffer), r, v)
	}
	b := buffer.Get()
	err := c.decodeThrough(b, r, v)
	b.Release()
	return err
}

func (c *Config) decodeThrough(b *buffer.Buffer, r io.Reader, v any) error {
	if err := c.read(b, r); err != nil {
		return err
	}
	if blank(b.Bytes()) {
		return io.EOF
	}
	return c.codec().Unmarshal(b.Bytes(), v, c.Flags)
}

// limited are the readers of documents with a MaxSize.
var limited = spare.Pool[io.LimitedReader]{Reset: func(l *io.LimitedReader) { l.R = nil }, Name: "jsonpool"}

func (c *Config) read(b *buffer.Buffer, r io.Reader) error {
	if known, ok := r.(interface{ Len() int }); ok {
		n := known.Len()
		if c.MaxSize > 0 {
			n = min(n, c.MaxSize)
		}
		b.Grow(n + buffer.MinRead) // which ReadFrom wants to have at its end
	}
	if c.MaxSize <= 0 {
		_, err := b.ReadFrom(r)
		return err
	}
	l := limited.Get()
	l.R, l.N = r, int64(c.MaxSize)+1
	_, err := b.ReadFrom(l)
	limited.Put(l)
	if b.Len() > c.MaxSize {
		return c.tooLarge()
	}
	return err
}

// blank reports whether there is nothing but white space.
func blank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
