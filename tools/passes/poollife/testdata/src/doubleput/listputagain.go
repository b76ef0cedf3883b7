// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
)

// Lists whose entries a method puts, which is called again.

type record struct{ text []byte }

var records = sync.Pool{New: func() any { return &record{text: make([]byte, 0, 128)} }}

func newRecord(s string) *record {
	r := records.Get().(*record)
	r.text = append(r.text[:0], s...)
	return r
}

func dropRecord(r *record) {
	if cap(r.text) <= 4096 {
		records.Put(r)
	}
}

// Nobody empties the list.
type Journal struct {
	queue []*record
	w     io.Writer
}

func (j *Journal) Add(s string) { j.queue = append(j.queue, newRecord(s)) }

func (j *Journal) Flush() {
	for _, r := range j.queue {
		j.w.Write(r.text)
		dropRecord(r) // want `what Flush puts stays in the list queue: the next call of Flush puts it again`
	}
}

// Somebody does.
type JournalCut struct {
	queue []*record
	w     io.Writer
}

func (j *JournalCut) Add(s string) { j.queue = append(j.queue, newRecord(s)) }

func (j *JournalCut) Flush() {
	for _, r := range j.queue {
		j.w.Write(r.text)
		dropRecord(r)
	}
	j.begin()
}

func (j *JournalCut) begin() { j.queue = j.queue[:0] }

type JournalBegun struct {
	queue []*record
	w     io.Writer
}

func (j *JournalBegun) Begin()       { j.queue = j.queue[:0] }
func (j *JournalBegun) Add(s string) { j.queue = append(j.queue, newRecord(s)) }

func (j *JournalBegun) Flush() {
	for _, r := range j.queue {
		j.w.Write(r.text)
		dropRecord(r)
	}
}

// The entries are nil, and passed over.
type JournalNil struct {
	queue []*record
	w     io.Writer
}

func (j *JournalNil) Add(s string) { j.queue = append(j.queue, newRecord(s)) }

func (j *JournalNil) Flush() {
	for i, r := range j.queue {
		if r == nil {
			continue
		}
		j.w.Write(r.text)
		dropRecord(r)
		j.queue[i] = nil
	}
}

// It is the last call, as another batch takes the place of this one.
type batchOnce struct{ queue []*record }

func (b *batchOnce) Add(s string) { b.queue = append(b.queue, newRecord(s)) }

func (b *batchOnce) Flush(w io.Writer) {
	for _, r := range b.queue {
		w.Write(r.text)
		dropRecord(r)
	}
}

type JournalOfBatches struct {
	cur *batchOnce
	w   io.Writer
}

func (j *JournalOfBatches) Add(s string) { j.cur.Add(s) }

func (j *JournalOfBatches) Flush() {
	j.cur.Flush(j.w)
	j.cur = new(batchOnce)
}

type Report struct{ queue []*record }

func (p *Report) Add(s string) { p.queue = append(p.queue, newRecord(s)) }

func (p *Report) Build() (out []byte) {
	for _, r := range p.queue {
		out = append(out, r.text...)
		dropRecord(r)
	}
	return out
}

// On the way of an error the list keeps what was put.
type Spool struct {
	queue []*record
	w     io.Writer
	err   error
}

func (s *Spool) Add(text string) {
	if len(s.queue) == 16 {
		s.flush()
	}
	s.queue = append(s.queue, newRecord(text))
}

func (s *Spool) flush() error {
	for _, r := range s.queue {
		_, err := s.w.Write(r.text)
		dropRecord(r) // want `what flush puts stays in the list queue: the next call of flush puts it again`
		if err != nil {
			return err
		}
	}
	s.queue = s.queue[:0]
	return nil
}

func (s *Spool) FlushRest() error {
	for i, r := range s.queue {
		_, err := s.w.Write(r.text)
		dropRecord(r) // want `what FlushRest puts stays in the list queue: the next call of FlushRest puts it again`
		if err != nil {
			s.queue = s.queue[i:]
			return err
		}
	}
	s.queue = s.queue[:0]
	return nil
}

func (s *Spool) FlushAfter() error {
	for i, r := range s.queue {
		_, err := s.w.Write(r.text)
		dropRecord(r)
		if err != nil {
			s.queue = s.queue[i+1:]
			return err
		}
	}
	s.queue = s.queue[:0]
	return nil
}

// What was not written is not put.
func (s *Spool) FlushUnwritten() error {
	for i, r := range s.queue {
		if _, err := s.w.Write(r.text); err != nil {
			s.queue = s.queue[i:]
			return err
		}
		dropRecord(r)
	}
	s.queue = s.queue[:0]
	return nil
}

func (s *Spool) FlushMoved() error {
	for i, r := range s.queue {
		if _, err := s.w.Write(r.text); err != nil {
			n := copy(s.queue, s.queue[i:])
			s.queue = s.queue[:n]
			return err
		}
		dropRecord(r)
	}
	s.queue = s.queue[:0]
	return nil
}

func (s *Spool) FlushAll() (err error) {
	defer func() { s.queue = s.queue[:0] }()
	for _, r := range s.queue {
		_, err = s.w.Write(r.text)
		dropRecord(r)
		if err != nil {
			return err
		}
	}
	return err
}

// The error stays.
func (s *Spool) FlushOnce() error {
	if s.err != nil {
		return s.err
	}
	for _, r := range s.queue {
		_, err := s.w.Write(r.text)
		dropRecord(r)
		if err != nil {
			s.err = err
			return err
		}
	}
	s.queue = s.queue[:0]
	return nil
}

// Only the end of the object asks for it.
type SpoolEnded struct {
	queue []*record
	w     io.Writer
}

func (s *SpoolEnded) Add(text string) { s.queue = append(s.queue, newRecord(text)) }

func (s *SpoolEnded) flush() {
	for _, r := range s.queue {
		s.w.Write(r.text)
		dropRecord(r)
	}
}

func (s *SpoolEnded) Close() { s.flush() }

// Who asks for it ends the object where it fails.
type SpoolGivenUp struct {
	queue []*record
	w     io.Writer
}

func (s *SpoolGivenUp) Add(text string) error {
	if len(s.queue) == 16 {
		if err := s.flush(); err != nil {
			s.queue = nil
			return err
		}
	}
	s.queue = append(s.queue, newRecord(text))
	return nil
}

func (s *SpoolGivenUp) flush() error {
	for _, r := range s.queue {
		_, err := s.w.Write(r.text)
		dropRecord(r)
		if err != nil {
			return err
		}
	}
	s.queue = s.queue[:0]
	return nil
}
