// Package forgottenput has values that one end of an object puts and another forgets.
package forgottenput

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer { return pool.Get().(*bytes.Buffer) }

func put(b *bytes.Buffer) {
	if b == nil || b.Cap() > 1<<16 {
		return
	}
	b.Reset()
	pool.Put(b)
}
