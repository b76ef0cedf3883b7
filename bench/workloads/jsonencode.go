// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/spare-go/spare/codec/jsonpool"
)

// jsonEncode lends the JSON of r, without a newline, to use and returns what use
// returns. The bytes are valid only during that call.
type jsonEncode func(r *record, use func([]byte) error) error

func jsonEncodeNaive(r *record, use func([]byte) error) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return use(b)
}

var jsonBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func jsonEncodeSyncPool(r *record, use func([]byte) error) error {
	b := jsonBuffers.Get().(*bytes.Buffer)
	err := json.NewEncoder(b).Encode(r)
	if err == nil {
		err = use(bytes.TrimSuffix(b.Bytes(), newline))
	}
	if b.Cap() <= maxPooled {
		b.Reset()
		jsonBuffers.Put(b)
	}
	return err
}

func jsonEncodeSpare(r *record, use func([]byte) error) error {
	b, err := jsonpool.Append(spareBytes.Get(0), r)
	if err == nil {
		err = use(b)
	}
	spareBytes.Put(b)
	return err
}

// newline is what an Encoder writes behind each value.
var newline = []byte{'\n'}
