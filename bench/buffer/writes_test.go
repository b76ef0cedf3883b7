// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/spare-go/spare/buffer"
	"github.com/valyala/bytebufferpool"
)

// BenchmarkWrites takes a Buffer, writes to it some times and gives it back.
// Target: at most 0.95 of a pooled bytes.Buffer in every cell. bytebufferpool is
// warm first, for it grows its buffers anew until it has calibrated itself.
func BenchmarkWrites(b *testing.B) {
	for _, n := range []int{1, 2, 3, 10, 100} {
		for _, size := range []int{10, 100, 500} {
			p := bytes.Repeat([]byte("x"), size)
			cell := fmt.Sprintf("/writes=%d/size=%d", n, size)
			b.Run("impl=bytes"+cell, func(b *testing.B) {
				for b.Loop() {
					buf := pool.Get().(*bytes.Buffer)
					for range n {
						buf.Write(p)
					}
					buf.Reset()
					pool.Put(buf)
				}
			})
			b.Run("impl=bbp"+cell, func(b *testing.B) {
				var pool bytebufferpool.Pool
				use := func() {
					buf := pool.Get()
					for range n {
						buf.Write(p)
					}
					pool.Put(buf)
				}
				for range warm {
					use()
				}
				for b.Loop() {
					use()
				}
			})
			b.Run("impl=spare"+cell, func(b *testing.B) {
				for b.Loop() {
					buf := buffer.Get()
					for range n {
						buf.Write(p)
					}
					buf.Release()
				}
			})
		}
	}
}
