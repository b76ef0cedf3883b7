// SPDX-License-Identifier: BSD-3-Clause

package lifecycle

import "io"

// A queue's Read takes off what it puts; Close leaves the rest on the list.
type queue struct {
	pages []*page
	at    int
}

func (q *queue) Read(p []byte) (int, error) {
	if len(q.pages) == 0 {
		return 0, io.EOF
	}
	first := q.pages[0]
	n := copy(p, first.b[q.at:first.n])
	if q.at += n; q.at == first.n {
		q.pages, q.at = q.pages[1:], 0
		pages.Put(first)
	}
	return n, nil
}

func (q *queue) Close() error {
	for _, p := range q.pages {
		pages.Put(p) // want `each call of Close puts what pages has in the pool again: Read lets go of what it puts, Close does not`
	}
	return nil
}

func newQueue(n int) io.ReadCloser {
	q := &queue{}
	for range n {
		q.pages = append(q.pages, pages.Get().(*page))
	}
	return q
}

// The same with helpers on both ways.
type helped struct{ pages []*page }

func (h *helped) pop() {
	pages.Put(h.pages[len(h.pages)-1])
	h.pages = h.pages[:len(h.pages)-1]
}

func (h *helped) Write(p []byte) (int, error) {
	if len(h.pages) > 8 {
		h.pop()
	}
	next := pages.Get().(*page)
	n := copy(next.b[:], p)
	h.pages = append(h.pages, next)
	return n, nil
}

func (h *helped) drop() {
	for i := 0; i < len(h.pages); i++ {
		pages.Put(h.pages[i])
	}
}

func (h *helped) Close() error {
	h.drop() // want `each call of Close puts what pages has in the pool again: Write lets go of what it puts, Close does not`
	return nil
}

func newHelped() io.WriteCloser { return &helped{} }

// One page, that Read gives back at the end.
type OnePage struct {
	page *page
	at   int
}

func NewOnePage() *OnePage { return &OnePage{page: pages.Get().(*page)} }

func (o *OnePage) Read(p []byte) (int, error) {
	if o.page == nil {
		return 0, io.EOF
	}
	n := copy(p, o.page.b[o.at:])
	if o.at += n; o.at == len(o.page.b) {
		pages.Put(o.page)
		o.page = nil
		return n, io.EOF
	}
	return n, nil
}

func (o *OnePage) Close() error {
	if o.page != nil {
		pages.Put(o.page) // want `each call of Close puts what page has in the pool again`
	}
	return nil
}

// Close ends the list.
type endedQueue struct{ pages []*page }

func (q *endedQueue) Read(p []byte) (int, error) {
	if len(q.pages) == 0 {
		return 0, io.EOF
	}
	first := q.pages[0]
	q.pages = q.pages[1:]
	n := copy(p, first.b[:])
	pages.Put(first)
	return n, nil
}

func (q *endedQueue) Close() error {
	for _, p := range q.pages {
		pages.Put(p)
	}
	q.pages = nil
	return nil
}

func newEndedQueue() io.ReadCloser { return &endedQueue{} }

// Close asks a flag.
type flagged struct {
	pages  []*page
	closed bool
}

func (q *flagged) Read(p []byte) (int, error) {
	if q.closed || len(q.pages) == 0 {
		return 0, io.EOF
	}
	first := q.pages[0]
	q.pages = q.pages[1:]
	n := copy(p, first.b[:])
	pages.Put(first)
	return n, nil
}

func (q *flagged) Close() error {
	if q.closed {
		return nil
	}
	q.closed = true
	for _, p := range q.pages {
		pages.Put(p)
	}
	return nil
}

func newFlagged() io.ReadCloser { return &flagged{} }

// Who closes it is in view, and does so once.
type inView struct{ pages []*page }

func (q *inView) next() {
	pages.Put(q.pages[0])
	q.pages = q.pages[1:]
}

func (q *inView) Close() error {
	for _, p := range q.pages {
		pages.Put(p)
	}
	return nil
}

func useInView(n int) {
	q := &inView{}
	for range n {
		q.pages = append(q.pages, pages.Get().(*page))
	}
	if n > 4 {
		q.next()
	}
	q.Close()
}

// Nothing takes pages off before the end: to close it once is its caller's affair.
type whole struct{ pages []*page }

func (w *whole) Read(p []byte) (int, error) { return copy(p, w.pages[0].b[:]), io.EOF }

func (w *whole) Close() error {
	for _, p := range w.pages {
		pages.Put(p)
	}
	return nil
}

func newWhole() io.ReadCloser { return &whole{pages: []*page{pages.Get().(*page)}} }
