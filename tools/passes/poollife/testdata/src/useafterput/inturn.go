// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"io"
	"sync"
)

// Pieces of a pooled page that a loop writes and puts one by one.

const pageSize = 8192

var ledgerPages = sync.Pool{New: func() any { return new([pageSize]byte) }}

func newPage() []byte { return ledgerPages.Get().(*[pageSize]byte)[:0] }

func endPage(b []byte) {
	if cap(b) == pageSize {
		ledgerPages.Put((*[pageSize]byte)(b[:pageSize]))
	}
}

type ledger struct {
	tape    [][]byte
	apart   [][]byte
	late    [][]byte
	copied  [][]byte
	chosen  [][]byte
	limited [][]byte
	whole   [][]byte
}

// keep has a page whose pieces are elsewhere.
func (l *ledger) keep(page []byte) { l.whole = append(l.whole, page) }

func (l *ledger) cut(text []byte, each int) {
	page := append(newPage(), text...)
	l.keep(page[len(page):])
	for len(page) > 0 {
		n := len(page)
		if n > each {
			n = each
		}
		l.tape = append(l.tape, []byte{byte(n)}, page[:n])
		page = page[n:]
	}
}

func (l *ledger) drain(w io.Writer) error {
	for i, b := range l.tape {
		if _, err := w.Write(b); err != nil {
			l.tape = l.tape[i:]
			return err
		}
		endPage(b) // want `the slices \(b\) that this loop uses and puts one by one are cut from one buffer \(line 45\)`
	}
	l.tape = nil
	return nil
}

// Each piece has the capacity that it needs and no more: nobody takes it for a page.
func (l *ledger) cutApart(text []byte, each int) {
	page := append(newPage(), text...)
	l.keep(page)
	for rest := page; len(rest) > 0; {
		n := min(each, len(rest))
		l.apart = append(l.apart, rest[:n:n])
		rest = rest[n:]
	}
}

func (l *ledger) drainApart(w io.Writer) error {
	for _, b := range l.apart {
		if _, err := w.Write(b); err != nil {
			return err
		}
		endPage(b)
	}
	return nil
}

// All are written before the first is put.
func (l *ledger) cutLate(text []byte, each int) {
	page := append(newPage(), text...)
	l.keep(page)
	for len(page) > 0 {
		n := min(each, len(page))
		l.late = append(l.late, page[:n])
		page = page[n:]
	}
}

func (l *ledger) drainLate(w io.Writer) {
	for len(l.late) > 0 {
		for _, b := range l.late {
			w.Write(b)
		}
		for _, b := range l.late {
			endPage(b)
		}
		l.late = nil
	}
}

// Copies are kept, each in a page of its own.
func (l *ledger) cutCopies(text []byte, each int) {
	page := append(newPage(), text...)
	rest := page
	for len(rest) > 0 {
		n := min(each, len(rest))
		l.copied = append(l.copied, append(newPage(), rest[:n]...))
		rest = rest[n:]
	}
	endPage(page)
}

func (l *ledger) drainCopies(w io.Writer) {
	for _, b := range l.copied {
		w.Write(b)
		endPage(b)
	}
	l.copied = nil
}

// The first is put when all are written.
func (l *ledger) cutChosen(text []byte, each int) {
	page := append(newPage(), text...)
	l.keep(page)
	for len(page) > 0 {
		n := min(each, len(page))
		l.chosen = append(l.chosen, page[:n])
		page = page[n:]
	}
}

func (l *ledger) drainChosen(w io.Writer) {
	for _, b := range l.chosen {
		w.Write(b)
	}
	endPage(l.chosen[0])
	l.chosen = nil
}

// The pieces are not of a page.
func (l *ledger) cutGiven(text []byte, each int) {
	for len(text) > 0 {
		n := min(each, len(text))
		l.limited = append(l.limited, text[:n])
		text = text[n:]
	}
}

func (l *ledger) drainGiven(w io.Writer) {
	for _, b := range l.limited {
		w.Write(b)
		endPage(b)
	}
	l.limited = nil
}
