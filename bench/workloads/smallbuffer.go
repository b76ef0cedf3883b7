// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"sync"

	"github.com/spare-go/spare/buffer"
)

// smallBuffer joins parts into one string by way of a buffer of its own. The
// string belongs to the caller, so that each version allocates it.
type smallBuffer func(parts []string) string

func smallBufferNaive(parts []string) string {
	var b bytes.Buffer
	for _, part := range parts {
		b.WriteString(part)
	}
	return b.String()
}

var smallBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func smallBufferSyncPool(parts []string) string {
	b := smallBuffers.Get().(*bytes.Buffer)
	for _, part := range parts {
		b.WriteString(part)
	}
	s := b.String()
	if b.Cap() <= maxPooled {
		b.Reset()
		smallBuffers.Put(b)
	}
	return s
}

// The first 64 bytes are on the stack.
func smallBufferSpare(parts []string) string {
	b := buffer.New()
	for _, part := range parts {
		b.WriteString(part)
	}
	s := b.String()
	b.Release()
	return s
}
