// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spare-go/spare/buffer"
	"github.com/valyala/bytebufferpool"
)

// chunks is n bytes in writes of a usual size: 5 = 1x5, 64 = 1x64, 128 = 2x64,
// 1024 = 16x64, 65536 = 64x1024.
func chunks(n int) (chunk []byte, k int) {
	size := 64
	if n < size {
		size = n
	} else if n >= 64<<10 {
		size = 1024
	}
	return bytes.Repeat([]byte("x"), size), n / size
}

var pooledSizes = []int{5, 64, 128, 1024, 64 << 10}

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// BenchmarkPooled takes a Buffer, writes, writes it out and gives it back.
// Targets: at most 0.75 of a pooled bytes.Buffer up to 1024 bytes, 1.00 at 64
// KiB.
func BenchmarkPooled(b *testing.B) {
	for _, n := range pooledSizes {
		chunk, k := chunks(n)
		b.Run("impl=bytes/n="+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				buf := pool.Get().(*bytes.Buffer)
				for range k {
					buf.Write(chunk)
				}
				buf.WriteTo(io.Discard)
				buf.Reset()
				pool.Put(buf)
			}
		})
		b.Run("impl=bbp/n="+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				buf := bytebufferpool.Get()
				for range k {
					buf.Write(chunk)
				}
				buf.WriteTo(io.Discard)
				bytebufferpool.Put(buf)
			}
		})
		b.Run("impl=spare/n="+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				buf := buffer.Get()
				for range k {
					buf.Write(chunk)
				}
				buf.WriteTo(io.Discard)
				buf.Release()
			}
		})
	}
}

var sink string

// BenchmarkLocal builds a string in a local Buffer. Targets: at most 1.00 of a
// bytes.Buffer at 0 bytes, 0.35 at 5, 0.70 at 64, 0.85 at 128, 0.80 at 1024.
func BenchmarkLocal(b *testing.B) {
	for _, n := range []int{0, 5, 64, 128, 1024} {
		s := strings.Repeat("x", n)
		b.Run("impl=bytes/n="+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var buf bytes.Buffer
				buf.WriteString(s)
				sink = buf.String()
			}
		})
		b.Run("impl=spare/n="+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf := buffer.New()
				buf.WriteString(s)
				sink = buf.String()
				buf.Release()
			}
		})
	}
}
