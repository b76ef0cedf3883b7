// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// What a receiver gets from a channel that its function made is its own to put.

var letters = sync.Pool{New: func() any { return new([]byte) }}

func fetchLetter(r io.Reader) (*[]byte, error) {
	p := letters.Get().(*[]byte)
	*p = (*p)[:0]
	var head [1]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		letters.Put(p)
		return nil, err
	}
	*p = append(*p, head[0])
	return p, nil
}

func giveLetter(p *[]byte) { letters.Put(p) }

type letter struct {
	text *[]byte
	n    int
}

func readLetters(r io.Reader, into any) (errs []error) {
	in := make(chan *letter)
	go func() {
		defer close(in)
		for n := 0; ; n++ {
			p, err := fetchLetter(r)
			if err != nil {
				return
			}
			in <- &letter{p, n}
		}
	}()
	for l := range in { // want `what is received from the channel was taken from letters; it is read here and not put back`
		errs = append(errs, decodeLetter(l, into))
	}
	return errs
}

func decodeLetter(l *letter, into any) error {
	if len(*l.text) == 0 {
		return errors.New("empty")
	}
	return json.Unmarshal(*l.text, into)
}

func readAndGive(r io.Reader, into any) (errs []error) { // right
	in := make(chan *letter)
	go func() {
		defer close(in)
		for n := 0; ; n++ {
			p, err := fetchLetter(r)
			if err != nil {
				return
			}
			in <- &letter{p, n}
		}
	}()
	for l := range in {
		errs = append(errs, decodeLetter(l, into))
		giveLetter(l.text)
	}
	return errs
}

func readAndKeep(r io.Reader, keep func(*letter)) { // right: somebody else has them
	in := make(chan *letter)
	go func() {
		defer close(in)
		for n := 0; ; n++ {
			p, err := fetchLetter(r)
			if err != nil {
				return
			}
			in <- &letter{p, n}
		}
	}()
	for l := range in {
		keep(l)
	}
}

// right: the sender waits until a letter was read, and puts it
func readInTurn(r io.Reader, into any) {
	in, done := make(chan *letter), make(chan struct{})
	go func() {
		defer close(in)
		for n := 0; ; n++ {
			p, err := fetchLetter(r)
			if err != nil {
				return
			}
			in <- &letter{p, n}
			<-done
			giveLetter(p)
		}
	}()
	for l := range in {
		decodeLetter(l, into)
		done <- struct{}{}
	}
}

var outgoing = make(chan *[]byte, 8)

func queueLetter(r io.Reader) error {
	p, err := fetchLetter(r)
	if err != nil {
		return err
	}
	outgoing <- p
	return nil
}

func writeLetters(w io.Writer) {
	for p := range outgoing { // want `what is received from outgoing was taken from letters; it is read here and not put back`
		io.WriteString(w, string(*p))
	}
}

func relayLetters(w io.Writer) {
	in := make(chan *[]byte)
	go func() {
		for n := byte(0); ; n++ {
			p := letters.Get().(*[]byte)
			*p = append((*p)[:0], n)
			in <- p
		}
	}()
	for p := range in { // want `what is received from the channel was taken from letters; it is read here and not put back`
		io.WriteString(w, string(*p))
	}
}
