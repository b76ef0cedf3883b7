// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/spare-go/spare/codec/jsonpool"
)

// jsonDecodeStream decodes the first JSON value of src, lends the record to use
// and returns what use returns. The record is valid only during that call; its
// strings may be kept.
//
// With sync.Pool only the record is reused. A json.Decoder reads ahead and has no Reset: a
// pooled one would hand what it read behind one client's value to the next client.
// The decoder is most of what this job allocates, so pooling the record saves
// little. jsonpool does without one: it reads src to its end into reused memory.
type jsonDecodeStream func(src io.Reader, use func(*record) error) error

func jsonDecodeStreamNaive(src io.Reader, use func(*record) error) error {
	var r record
	if err := json.NewDecoder(src).Decode(&r); err != nil {
		return err
	}
	return use(&r)
}

var streamRecords = sync.Pool{New: func() any { return new(record) }}

func jsonDecodeStreamSyncPool(src io.Reader, use func(*record) error) error {
	r := streamRecords.Get().(*record)
	err := json.NewDecoder(src).Decode(r)
	if err == nil {
		err = use(r)
	}
	if r.keep() {
		r.reset()
		streamRecords.Put(r)
	}
	return err
}

var spareStreamRecords = jsonpool.Pool[record]{Config: jsonpool.Config{Flags: jsonpool.AllowTrailingData}}

func jsonDecodeStreamSpare(src io.Reader, use func(*record) error) error {
	r, err := spareStreamRecords.Decode(src)
	if err != nil {
		return err
	}
	err = use(&r.V)
	spareStreamRecords.Put(r)
	return err
}
