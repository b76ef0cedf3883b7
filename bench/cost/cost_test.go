// SPDX-License-Identifier: BSD-3-Clause

package cost

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/jsonpool"
)

type words struct{ a [8]uint64 }

type record struct {
	ID   int
	Name string
	Data []int
}

var (
	syncPool     = sync.Pool{New: func() any { return new(words) }}
	pool         = spare.Pool[words]{Reset: func(w *words) { *w = words{} }}
	byteSlices   spare.Slices[byte]
	stringSlices spare.Slices[string]
	records      jsonpool.Pool[record]
	standard     = gzippool.Pool{Backend: gzippool.Standard}
	text         = strings.Repeat("0123456789", 20)
	one          = record{ID: 1, Name: "one", Data: []int{1, 2, 3}}
)

func BenchmarkSyncPool(b *testing.B) {
	for b.Loop() {
		w := syncPool.Get().(*words)
		w.a[0]++
		syncPool.Put(w)
	}
}

func BenchmarkPool(b *testing.B) {
	for b.Loop() {
		w := pool.Get()
		w.a[0]++
		pool.Put(w)
	}
}

//go:noinline
func deferred() {
	w := pool.Get()
	defer pool.Put(w)
	w.a[0]++
}

func BenchmarkPoolDefer(b *testing.B) {
	for b.Loop() {
		deferred()
	}
}

func BenchmarkSlices(b *testing.B) {
	b.Run("of=byte/n=100", func(b *testing.B) {
		for b.Loop() {
			s := byteSlices.Get(100)
			byteSlices.Put(s)
		}
	})
	for _, n := range []int{5, 100} {
		b.Run("of=string/n="+map[int]string{5: "5", 100: "100"}[n], func(b *testing.B) {
			for b.Loop() {
				s := stringSlices.Get(n)[:n]
				s[0] = "a"
				stringSlices.Put(s)
			}
		})
	}
}

func BenchmarkBuffer(b *testing.B) {
	for _, n := range []string{"20", "200"} {
		s := text[:map[string]int{"20": 20, "200": 200}[n]]
		b.Run("from=New/n="+n, func(b *testing.B) {
			for b.Loop() {
				buf := buffer.New()
				buf.WriteString(s)
				buf.Release()
			}
		})
		b.Run("from=Get/n="+n, func(b *testing.B) {
			for b.Loop() {
				buf := buffer.Get()
				buf.WriteString(s)
				buf.Release()
			}
		})
		b.Run("impl=kept/n="+n, func(b *testing.B) {
			var buf bytes.Buffer
			for b.Loop() {
				buf.Reset()
				buf.WriteString(s)
			}
		})
	}
}

// Marshal allocates its result, which Append does not: the cost is what Append
// takes beyond Marshal without that.
func BenchmarkJSONAppend(b *testing.B) {
	b.Run("impl=kept", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(&one); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		for b.Loop() {
			out, err := jsonpool.Append(byteSlices.Get(0), &one)
			if err != nil {
				b.Fatal(err)
			}
			byteSlices.Put(out)
		}
	})
}

func BenchmarkJSONUnmarshal(b *testing.B) {
	data := []byte(`{"ID":1}`)
	b.Run("impl=kept", func(b *testing.B) {
		r := new(record)
		for b.Loop() {
			*r = record{}
			if err := json.Unmarshal(data, r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		for b.Loop() {
			r, err := records.Unmarshal(data)
			if err != nil {
				b.Fatal(err)
			}
			records.Put(r)
		}
	})
}

func BenchmarkGzip(b *testing.B) {
	write := func(z io.WriteCloser) {
		io.WriteString(z, text[:10])
		z.Close()
	}
	b.Run("impl=kept", func(b *testing.B) {
		z := gzip.NewWriter(io.Discard)
		for b.Loop() {
			z.Reset(io.Discard)
			write(z)
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		for b.Loop() {
			z := standard.Get(io.Discard)
			write(z)
			gzippool.Put(z)
		}
	})
}

func BenchmarkGunzip(b *testing.B) {
	data := gzippool.AppendCompress(nil, []byte(text))
	src := bytes.NewReader(nil)
	b.Run("impl=kept", func(b *testing.B) {
		src.Reset(data)
		z, err := gzip.NewReader(src)
		for b.Loop() {
			src.Reset(data)
			if err == nil {
				err = z.Reset(src)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, z)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		for b.Loop() {
			src.Reset(data)
			z, err := standard.GetReader(src, 1<<20)
			if err == nil {
				_, err = io.Copy(io.Discard, z)
			}
			if err != nil {
				b.Fatal(err)
			}
			gzippool.PutReader(z)
		}
	})
}
