// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"

	"github.com/spare-go/spare/codec/jsonpool"
)

// jsonEncodeStream writes the JSON of r and a newline to w with a single Write.
type jsonEncodeStream func(w io.Writer, r *record) error

func jsonEncodeStreamNaive(w io.Writer, r *record) error {
	return json.NewEncoder(w).Encode(r)
}

// jsonStream is an encoder that can be used for one writer after another. A
// json.Encoder can neither be given another writer nor used on after a failed
// Write, whose error it returns for ever; one that writes into memory never fails.
type jsonStream struct {
	buf bytes.Buffer
	enc *json.Encoder // writes to buf
}

func newJSONStream() *jsonStream {
	s := new(jsonStream)
	s.enc = json.NewEncoder(&s.buf)
	return s
}

func (s *jsonStream) encode(w io.Writer, r *record) error {
	if err := s.enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(s.buf.Bytes())
	return err
}

func (s *jsonStream) reset()     { s.buf.Reset() }
func (s *jsonStream) keep() bool { return s.buf.Cap() <= maxPooled }

var jsonStreams = sync.Pool{New: func() any { return newJSONStream() }}

func jsonEncodeStreamSyncPool(w io.Writer, r *record) error {
	s := jsonStreams.Get().(*jsonStream)
	err := s.encode(w, r)
	if s.keep() {
		s.reset()
		jsonStreams.Put(s)
	}
	return err
}

func jsonEncodeStreamSpare(w io.Writer, r *record) error { return jsonpool.Encode(w, r) }
