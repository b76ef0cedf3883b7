// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import "sync"

// Pointers into a pooled value, in lists that are sent.

type entryCell struct{ text string }

type ledger struct {
	head  entryCell
	cells [16]entryCell
	used  []*entryCell
}

var ledgers = sync.Pool{New: func() any { return new(ledger) }}

type foundCells struct{ cells []*entryCell }

func sendCell(out chan *entryCell) {
	s := ledgers.Get().(*ledger)
	out <- &s.cells[0]
	ledgers.Put(s) // want `while the receiver from the channel \(line 23\) may still use it`
}

func sendCells(out chan []*entryCell) {
	s := ledgers.Get().(*ledger)
	out <- []*entryCell{&s.head}
	ledgers.Put(s) // want `while the receiver from the channel`
}

func sendCopied(texts []string, out chan *foundCells) {
	s := ledgers.Get().(*ledger)
	s.used = s.used[:0]
	for i, t := range texts {
		s.cells[i].text = t
		s.used = append(s.used, &s.cells[i])
	}
	f := &foundCells{cells: make([]*entryCell, len(s.used))}
	copy(f.cells, s.used)
	out <- f
	clear(s.used)
	ledgers.Put(s) // want `while the receiver from the channel`
}

// The cells are copied, not the pointers.
func sendClones(texts []string, out chan *foundCells) {
	s := ledgers.Get().(*ledger)
	f := &foundCells{}
	for i, t := range texts {
		s.cells[i].text = t
		c := s.cells[i]
		f.cells = append(f.cells, &c)
	}
	out <- f
	ledgers.Put(s)
}

// The receiver says when it is done.
func sendListAndWait(out chan []*entryCell, done chan struct{}) {
	s := ledgers.Get().(*ledger)
	out <- []*entryCell{&s.head, &s.cells[1]}
	<-done
	ledgers.Put(s)
}

// The receiver has the list, and puts what is in it.
type ledgerBatches struct{ in chan []*ledger }

func (b *ledgerBatches) fill(n int) {
	var list []*ledger
	for range n {
		list = append(list, ledgers.Get().(*ledger))
	}
	b.in <- list
}

func (b *ledgerBatches) work(use func(*ledger)) {
	for list := range b.in {
		for _, s := range list {
			use(s)
			ledgers.Put(s)
		}
	}
}
