// SPDX-License-Identifier: BSD-3-Clause

package aliases

import "sync"

type sized struct {
	sizes   []int
	buckets []sync.Pool
}

func (p *sized) get(n int) []byte {
	for k, size := range p.sizes {
		if n <= size {
			if v, ok := p.buckets[k].Get().(*[]byte); ok {
				return (*v)[:n]
			}
			return make([]byte, n, size)
		}
	}
	return make([]byte, n)
}

// One class fits: the header is only asked for its capacity after that.
func (p *sized) put(b []byte) {
	for k, size := range p.sizes {
		if cap(b) == size {
			p.buckets[k].Put(&b)
		}
	}
}

// More than one may be large enough.
func (p *sized) putEach(b []byte) {
	for k, size := range p.sizes {
		if cap(b) <= size {
			p.buckets[k].Put(&b) // want `&b is put in buckets a second time`
		}
	}
}

func (p *sized) putAndLook(b []byte) byte {
	p.buckets[0].Put(&b)
	return b[0] // want `&b is read after it was put in buckets`
}
