// SPDX-License-Identifier: BSD-3-Clause

package carried

import (
	"io"
	"sync"
)

// A field that is set from the same field of what the function was given: that is not what the pool gave.

type posting struct {
	rank int
	text []byte
}

var postings = sync.Pool{New: func() any { return new(posting) }}

func putPosting(p *posting) {
	if cap(p.text) <= 1<<12 {
		postings.Put(p)
	}
}

type poster struct{ queue chan *posting }

func (q *poster) run(out io.Writer) {
	for p := range q.queue {
		out.Write(p.text)
		putPosting(p)
	}
}

func (q *poster) post(from *posting) bool { // right
	p := postings.Get().(*posting)
	p.rank = from.rank
	p.text, from.text = from.text, p.text[:0]
	select {
	case q.queue <- p:
		return true
	default:
		putPosting(p)
		return false
	}
}
