// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"encoding/json"
	"sync"

	"github.com/spare-go/spare/codec/jsonpool"
)

// jsonDecode decodes data, lends the record to use and returns what use returns.
// The record is valid only during that call; its strings may be kept.
type jsonDecode func(data []byte, use func(*record) error) error

func jsonDecodeNaive(data []byte, use func(*record) error) error {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	return use(&r)
}

var records = sync.Pool{New: func() any { return new(record) }}

func jsonDecodeSyncPool(data []byte, use func(*record) error) error {
	r := records.Get().(*record)
	err := json.Unmarshal(data, r)
	if err == nil {
		err = use(r)
	}
	if r.keep() {
		r.reset()
		records.Put(r)
	}
	return err
}

var spareRecords jsonpool.Pool[record]

func jsonDecodeSpare(data []byte, use func(*record) error) error {
	r, err := spareRecords.Unmarshal(data)
	if err != nil {
		return err
	}
	err = use(&r.V)
	spareRecords.Put(r)
	return err
}
