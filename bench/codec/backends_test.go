// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"bytes"
	"fmt"
	"sync"

	goccy "github.com/goccy/go-json"
	segmentio "github.com/segmentio/encoding/json"

	"github.com/spare-go/spare/codec/jsonpool"
)

// segmentioCodec is github.com/segmentio/encoding/json as a jsonpool.Codec.
type segmentioCodec struct{}

func (segmentioCodec) Append(dst []byte, v any) ([]byte, error) {
	out, err := segmentio.Append(dst, v, segmentio.EscapeHTML|segmentio.SortMapKeys)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (segmentioCodec) Unmarshal(data []byte, v any, flags jsonpool.Flags) error {
	var how segmentio.ParseFlags
	if flags&jsonpool.DisallowUnknownFields != 0 {
		how |= segmentio.DisallowUnknownFields
	}
	if flags&jsonpool.ZeroCopyStrings != 0 {
		how |= segmentio.DontCopyString
	}
	rest, err := segmentio.Parse(data, v, how)
	if err == nil && flags&jsonpool.AllowTrailingData == 0 {
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) > 0 {
			err = fmt.Errorf("invalid character %q after top-level value", rest[0])
		}
	}
	return err
}

// goccyCodec is github.com/goccy/go-json as a jsonpool.Codec.
type goccyCodec struct{ encoders sync.Pool }

type goccyEncoder struct {
	b   []byte
	enc *goccy.Encoder
}

func (e *goccyEncoder) Write(p []byte) (int, error) {
	e.b = append(e.b, p...)
	return len(p), nil
}

func (c *goccyCodec) Append(dst []byte, v any) ([]byte, error) {
	e, _ := c.encoders.Get().(*goccyEncoder)
	if e == nil {
		e = new(goccyEncoder)
		e.enc = goccy.NewEncoder(e)
	}
	e.b = dst
	err := e.enc.Encode(v)
	b := e.b
	e.b = nil
	c.encoders.Put(e)
	if err != nil {
		return dst, err
	}
	return b[:len(b)-1], nil
}

func (c *goccyCodec) Unmarshal(data []byte, v any, flags jsonpool.Flags) error {
	if flags != 0 {
		return fmt.Errorf("goccy/go-json: %w", jsonpool.ErrUnsupported)
	}
	return goccy.Unmarshal(data, v)
}
