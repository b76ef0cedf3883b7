// SPDX-License-Identifier: BSD-3-Clause

package httppool

import (
	"net/http/httputil"

	"github.com/spare-go/spare"
)

// A BufferPool is an httputil.BufferPool for a ReverseProxy. Get and Put make no
// allocations, where putting slices into a sync.Pool makes one each. The zero
// BufferPool is ready for use and must not be copied after first use.
type BufferPool struct {
	// Size is the length of the buffers in bytes. If it is 0, that is 32 KiB, as
	// a ReverseProxy without a pool has it.
	Size int

	bufs spare.Slices[byte]
}

var _ httputil.BufferPool = (*BufferPool)(nil)

func (p *BufferPool) size() int {
	if p.Size > 0 {
		return p.Size
	}
	return 32 << 10
}

// Get returns a buffer. Its contents are left from earlier use.
func (p *BufferPool) Get() []byte { return p.bufs.Get(p.size())[:p.size()] }

// Put takes back a buffer. The caller must not use it any more. Buffers of less than
// Size are not kept.
func (p *BufferPool) Put(b []byte) {
	if cap(b) >= p.size() {
		p.bufs.Put(b)
	}
}

// Stats returns what the pool did since its first use.
func (p *BufferPool) Stats() spare.Stats { return p.bufs.Stats() }
