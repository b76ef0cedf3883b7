// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"sync"

	"github.com/spare-go/spare"
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

var smallBytes spare.Slices[byte]

// Package buffer is to offer this as buffer.New, which keeps small contents on
// the stack and takes a slice from a pool only when they grow.
func smallBufferSpare(parts []string) string {
	b := smallBytes.Get(0)
	for _, part := range parts {
		b = append(b, part...)
	}
	s := string(b)
	smallBytes.Put(b)
	return s
}
