// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"bytes"
	"io"
	"sync"
)

// A list that is sent was made with room, and got its elements by appending: they are parts of the frame that is
// put after.

type textFrame struct {
	raw  []byte
	cuts []int
}

type textWord struct {
	at   int
	text []byte
}

type textLine struct {
	words []textWord
	err   error
}

type paragraph struct {
	first textLine
	n     int
}

var textFrames = sync.Pool{New: func() any { return new(textFrame) }}

func (f *textFrame) fill(r io.Reader) error {
	f.raw = append(f.raw[:0], make([]byte, 512)...)
	n, err := r.Read(f.raw)
	f.raw, f.cuts = f.raw[:n], append(f.cuts[:0], n/2, n)
	return err
}

func split(r io.Reader, f *textFrame) ([]textWord, error) {
	if err := f.fill(r); err != nil {
		return nil, err
	}
	words := make([]textWord, 0, len(f.cuts))
	from := 0
	for n, to := range f.cuts {
		words = append(words, textWord{at: n, text: f.raw[from:to]})
		from = to
	}
	return words, nil
}

func splitCopies(r io.Reader, f *textFrame) ([]textWord, error) {
	if err := f.fill(r); err != nil {
		return nil, err
	}
	words := make([]textWord, 0, len(f.cuts))
	from := 0
	for n, to := range f.cuts {
		words = append(words, textWord{at: n, text: bytes.Clone(f.raw[from:to])})
		from = to
	}
	return words, nil
}

func textLines(r io.Reader, to chan<- textLine) {
	for {
		f := textFrames.Get().(*textFrame)
		words, err := split(r, f)
		to <- textLine{words: words, err: err}
		textFrames.Put(f) // want `f is put in textFrames while the receiver from the channel`
		if err != nil {
			return
		}
	}
}

func paragraphs(r io.Reader, to chan<- paragraph) {
	f := textFrames.Get().(*textFrame)
	words, err := split(r, f)
	to <- paragraph{textLine{words, err}, 1}
	textFrames.Put(f) // want `f is put in textFrames while the receiver from the channel`
}

// Copies are sent.
func linesCopied(r io.Reader, to chan<- textLine) {
	f := textFrames.Get().(*textFrame)
	words, err := splitCopies(r, f)
	to <- textLine{words: words, err: err}
	textFrames.Put(f)
}

// Only the error is sent.
func check(r io.Reader, to chan<- textLine) {
	f := textFrames.Get().(*textFrame)
	words, err := split(r, f)
	if err == nil && len(words) == 0 {
		err = io.ErrUnexpectedEOF
	}
	to <- textLine{err: err}
	textFrames.Put(f)
}

// The answer is waited for.
func linesAnswered(r io.Reader, to chan<- textLine, answer <-chan bool) {
	f := textFrames.Get().(*textFrame)
	words, err := split(r, f)
	to <- textLine{words: words, err: err}
	<-answer
	textFrames.Put(f)
}
