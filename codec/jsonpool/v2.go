// SPDX-License-Identifier: BSD-3-Clause

//go:build goexperiment.jsonv2

package jsonpool

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"

	"github.com/spare-go/spare"
)

// V2 is encoding/json/v2 as a Codec. It exists where the toolchain has that
// package. The zero V2 is ready for use. Its field must not change after first
// use. ZeroCopyStrings is not supported.
type V2 struct {
	// Options are those of encoding/json/v2 for both directions, nil for none.
	Options json.Options

	sinks spare.Pool[sink]
}

var _ Codec = (*V2)(nil)

// A sink appends what is written to it.
type sink struct{ b []byte }

func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

// Append implements Codec.
func (c *V2) Append(dst []byte, v any) ([]byte, error) {
	s := c.sinks.Get()
	s.b = dst
	var err error
	if c.Options == nil {
		err = json.MarshalWrite(s, v)
	} else {
		err = json.MarshalWrite(s, v, c.Options)
	}
	b := s.b
	s.b = nil
	c.sinks.Put(s)
	if err != nil {
		return dst, err
	}
	return b, nil
}

// Unmarshal implements Codec.
func (c *V2) Unmarshal(data []byte, v any, flags Flags) error {
	if flags == 0 && c.Options == nil {
		return json.Unmarshal(data, v)
	}
	if flags&^(DisallowUnknownFields|AllowTrailingData) != 0 {
		return fmt.Errorf("encoding/json/v2: %w", ErrUnsupported)
	}
	opts := json.JoinOptions(c.Options, json.RejectUnknownMembers(flags&DisallowUnknownFields != 0))
	if flags&AllowTrailingData != 0 {
		return json.UnmarshalDecode(jsontext.NewDecoder(bytes.NewBuffer(data)), v, opts)
	}
	return json.Unmarshal(data, v, opts)
}
