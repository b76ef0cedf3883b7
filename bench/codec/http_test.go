// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/spare-go/spare/codec/httppool"
)

const mostBody = 1 << 20

// echoes read a JSON body and answer with its number of bytes as JSON.
var echoes = []struct {
	name  string
	serve func(w http.ResponseWriter, r *http.Request) error
}{
	{"naive", func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(&echoed{len(body)})
	}},
	{"syncpool", func(w http.ResponseWriter, r *http.Request) error {
		body := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(body)
		body.Reset()
		if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, mostBody)); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(&echoed{body.Len()})
	}},
	{"spare", func(w http.ResponseWriter, r *http.Request) error {
		body, err := httppool.ReadBody(w, r, mostBody)
		if err != nil {
			return err
		}
		defer body.Release()
		return httppool.WriteJSON(w, http.StatusOK, &echoed{len(body.Bytes())})
	}},
}

type echoed struct{ Bytes int }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// nobody is a ResponseWriter that keeps nothing.
type nobody struct{ header http.Header }

func (n *nobody) Header() http.Header         { return n.header }
func (n *nobody) WriteHeader(int)             {}
func (n *nobody) Write(p []byte) (int, error) { return len(p), nil }

func BenchmarkEcho(b *testing.B) {
	for _, in := range inputs {
		for _, e := range echoes {
			b.Run("input="+in.name+"/impl="+e.name, func(b *testing.B) {
				src := bytes.NewReader(in.data)
				r, err := http.NewRequest("POST", "/", src)
				if err != nil {
					b.Fatal(err)
				}
				w := &nobody{make(http.Header)}
				b.ReportAllocs()
				for b.Loop() {
					src.Reset(in.data)
					if err := e.serve(w, r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
