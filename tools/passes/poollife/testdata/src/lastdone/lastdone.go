// Pieces that are given back when the next one is fetched.
package lastdone

import (
	"io"
	"sync"
)

type page struct{ text []byte }

var pages = sync.Pool{New: func() any { return new(page) }}

func (p *page) shred() { pages.Put(p) }

type pile struct {
	texts [][]byte
	after []func()
}

func (p *pile) add(text string) {
	g := pages.Get().(*page)
	g.text = append(g.text[:0], text...)
	p.texts, p.after = append(p.texts, g.text), append(p.after, g.shred)
}

func (p *pile) top() ([]byte, func()) {
	if len(p.texts) == 0 {
		return nil, nil
	}
	t, f := p.texts[0], p.after[0]
	p.texts, p.after = p.texts[1:], p.after[1:]
	return t, f
}

// Wrong: the last page is not shredded.
type reader struct {
	pile
	text  []byte
	shred func()
	left  int
}

func (r *reader) turn() {
	if r.shred != nil {
		r.shred()
	}
	r.text, r.shred = r.top()
}

func (r *reader) Read(b []byte) (int, error) {
	if len(r.text) == 0 {
		r.turn()
	}
	if r.text == nil {
		return 0, nil
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	if r.left -= n; r.left == 0 {
		return n, io.EOF // want `this says that there is no more when the last of text was read, and what shred is to give back is given back only when the next is fetched \(line 45\)`
	}
	return n, nil
}

// Right: the end shows when there is no next page.
type calmReader struct {
	pile
	text  []byte
	shred func()
}

func (r *calmReader) turn() {
	if r.shred != nil {
		r.shred()
	}
	r.text, r.shred = r.top()
}

func (r *calmReader) Read(b []byte) (int, error) {
	if len(r.text) == 0 {
		r.turn()
	}
	if r.text == nil {
		return 0, io.EOF
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	return n, nil
}

// Right: who closes the reader turns the last page.
type closedReader struct {
	pile
	text  []byte
	shred func()
	left  int
}

func (r *closedReader) turn() {
	if r.shred != nil {
		r.shred()
	}
	r.text, r.shred = r.top()
}

func (r *closedReader) Read(b []byte) (int, error) {
	if len(r.text) == 0 {
		r.turn()
	}
	if r.text == nil {
		return 0, nil
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	if r.left -= n; r.left == 0 {
		return n, io.EOF
	}
	return n, nil
}

func (r *closedReader) Close() error {
	for r.text != nil {
		r.turn()
	}
	r.turn()
	return nil
}
