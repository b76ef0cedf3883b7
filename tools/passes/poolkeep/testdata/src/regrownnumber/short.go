package regrownnumber

import (
	"io"
	"sync"
)

// A length of one byte.

type label struct{ text []byte }

var labels = sync.Pool{New: func() any { return new(label) }}

func (l *label) read(size uint8, r io.Reader) error {
	if cap(l.text) <= int(size) {
		l.text = make([]byte, 2*(int(size)+1))
	}
	l.text = l.text[:size]
	_, err := io.ReadFull(r, l.text)
	return err
}

func sumLabel(size uint8, r io.Reader) (s int, err error) {
	l := labels.Get().(*label)
	defer labels.Put(l)
	if err := l.read(size, r); err != nil {
		return 0, err
	}
	for _, b := range l.text {
		s += int(b)
	}
	return s, nil
}

// A length of one byte that counts pages.

type page struct{ text []byte }

var pages = sync.Pool{New: func() any { return new(page) }}

func (p *page) read(size uint8, r io.Reader) error {
	n := int(size) << 16
	if cap(p.text) < n {
		p.text = make([]byte, n)
	}
	p.text = p.text[:n]
	_, err := io.ReadFull(r, p.text)
	return err
}

func sumPage(size uint8, r io.Reader) (s int, err error) {
	p := pages.Get().(*page)
	defer pages.Put(p) // want `keeps`
	if err := p.read(size, r); err != nil {
		return 0, err
	}
	for _, b := range p.text {
		s += int(b)
	}
	return s, nil
}

// A length of one byte, kept in a field.

type word struct {
	size int
	text []byte
}

var words = sync.Pool{New: func() any { return new(word) }}

func (w *word) read(head string, r io.Reader) error {
	w.size = int(head[0])
	if cap(w.text) <= w.size {
		w.text = make([]byte, w.size+1)
	}
	w.text = w.text[:w.size]
	_, err := io.ReadFull(r, w.text)
	return err
}

func sumWord(head string, r io.Reader) (s int, err error) {
	w := words.Get().(*word)
	defer words.Put(w)
	if err := w.read(head, r); err != nil {
		return 0, err
	}
	for _, b := range w.text {
		s += int(b)
	}
	return s, nil
}

// A length in a field that is sometimes that of the head.

type verse struct {
	size int
	text []byte
}

var verses = sync.Pool{New: func() any { return new(verse) }}

func (v *verse) read(head string, r io.Reader) error {
	v.size = int(head[0])
	if v.size == 0 {
		v.size = len(head)
	}
	if cap(v.text) <= v.size {
		v.text = make([]byte, v.size+1)
	}
	v.text = v.text[:v.size]
	_, err := io.ReadFull(r, v.text)
	return err
}

func sumVerse(head string, r io.Reader) (s int, err error) {
	v := verses.Get().(*verse)
	defer verses.Put(v) // want `keeps`
	if err := v.read(head, r); err != nil {
		return 0, err
	}
	for _, b := range v.text {
		s += int(b)
	}
	return s, nil
}

// A length in a field of another object, which is set when that is made.

type form struct{ width int }

func newForm(head string) *form { return &form{width: len(head)} }

func (f *form) set(g *form) { *f = *g }

type row struct{ text []byte }

var rows = sync.Pool{New: func() any { return new(row) }}

func (f *form) read(r io.Reader) (s int, err error) {
	w := rows.Get().(*row)
	defer rows.Put(w) // want `keeps`
	if cap(w.text) <= f.width {
		w.text = make([]byte, f.width+1)
	}
	w.text = w.text[:f.width]
	if _, err := io.ReadFull(r, w.text); err != nil {
		return 0, err
	}
	for _, b := range w.text {
		s += int(b)
	}
	return s, nil
}
