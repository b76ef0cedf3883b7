// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spare-go/spare"
)

// Standard is encoding/json as a Codec, with encoders that are reused where making
// one costs something. The zero Standard is ready for use. It must not be copied after first use, nor its
// fields changed.
//
// Encoding, and decoding without flags, makes no allocations of its own. With
// AllowTrailingData a document with such data is scanned three times; with
// DisallowUnknownFields each decoding makes a json.Decoder, which cannot be
// reused. ZeroCopyStrings is not supported.
type Standard struct {
	// NoEscapeHTML leaves <, > and & in strings as they are.
	NoEscapeHTML bool

	// Prefix and Indent are as for json.Encoder.SetIndent.
	Prefix, Indent string

	encoders spare.Pool[encoder]
}

var _ StreamCodec = (*Standard)(nil)

// An encoder is a json.Encoder that writes to w or, if that is nil, appends to b. A
// json.Encoder can neither be given another writer nor be used after an error of
// its writer, which it returns for ever.
type encoder struct {
	enc *json.Encoder // writes to the encoder itself
	w   io.Writer
	b   []byte
	err error // of w
}

func (e *encoder) Write(p []byte) (int, error) {
	if e.w == nil {
		e.b = append(e.b, p...)
		return len(p), nil
	}
	n, err := e.w.Write(p)
	if err != nil {
		e.err = err
	}
	return n, err
}

func (c *Standard) get() *encoder {
	e := c.encoders.Get()
	if e.enc == nil {
		e.enc = json.NewEncoder(e)
		if c.NoEscapeHTML {
			e.enc.SetEscapeHTML(false)
		}
		if c.Prefix != "" || c.Indent != "" {
			e.enc.SetIndent(c.Prefix, c.Indent)
		}
	}
	return e
}

// Append implements Codec.
func (c *Standard) Append(dst []byte, v any) ([]byte, error) {
	e := c.get()
	e.b = dst
	err := e.enc.Encode(v)
	b := e.b
	e.b = nil
	c.encoders.Put(e)
	if err != nil {
		return dst, err
	}
	return b[:len(b)-1], nil // without the newline
}

// Encode implements StreamCodec. It calls w.Write once.
func (c *Standard) Encode(w io.Writer, v any) error {
	if stackEncoders && c.Prefix == "" && c.Indent == "" {
		enc := json.NewEncoder(w)
		if c.NoEscapeHTML {
			enc.SetEscapeHTML(false)
		}
		return enc.Encode(v)
	}
	e := c.get()
	e.w = w
	err := e.enc.Encode(v)
	e.w = nil
	if e.err == nil {
		c.encoders.Put(e)
	}
	return err
}

// Unmarshal implements Codec.
func (c *Standard) Unmarshal(data []byte, v any, flags Flags) error {
	if flags == 0 {
		return json.Unmarshal(data, v)
	}
	if flags&^(DisallowUnknownFields|AllowTrailingData) != 0 {
		return fmt.Errorf("encoding/json: %w", ErrUnsupported)
	}
	if flags == AllowTrailingData {
		err := json.Unmarshal(data, v)
		var syntax *json.SyntaxError
		if err == nil || !errors.As(err, &syntax) {
			return err
		}
		// Nothing was decoded. If all is well up to the first byte that is wrong, that
		// is where the value ends. Whether Offset counts that byte depends on the Go
		// version.
		for _, n := range []int64{syntax.Offset, syntax.Offset - 1} {
			if n > 0 && n < int64(len(data)) && json.Valid(data[:n]) {
				return json.Unmarshal(data[:n], v)
			}
		}
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if flags&DisallowUnknownFields != 0 {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return json.Unmarshal(data, v) // which says it in one way
		}
		return err
	}
	if flags&AllowTrailingData == 0 {
		if rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
			return fmt.Errorf("jsonpool: invalid character %q after top-level value", rest[0])
		}
	}
	return nil
}
