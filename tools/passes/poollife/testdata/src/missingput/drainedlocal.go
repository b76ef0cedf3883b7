// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"bytes"
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
	for l := range in { // want `l, received from the channel, was taken from letters \(line 41\); it is read here and not put back`
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
	for p := range outgoing { // want `p, received from outgoing, was taken from letters \(line 121\); it is read here and not put back`
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
	for p := range in { // want `p, received from the channel, was taken from letters \(line 139\); it is read here and not put back`
		io.WriteString(w, string(*p))
	}
}

// The two ends of a channel that somebody else connects.

type parcelBox struct {
	text []byte
	room []byte
}

var parcelBoxes = sync.Pool{New: func() any { return &parcelBox{room: make([]byte, 512)} }}

type collector struct {
	in  io.Reader
	out chan []*parcelBox
}

func (c *collector) collect() {
	for {
		p := parcelBoxes.Get().(*parcelBox)
		n, err := c.in.Read(p.room)
		if err != nil {
			parcelBoxes.Put(p)
			continue
		}
		p.text = p.room[:n]
		c.out <- []*parcelBox{p}
	}
}

type sorter struct {
	in     chan []*parcelBox
	counts map[string]int
}

func (s *sorter) sort(list []*parcelBox) {
	for _, p := range list {
		for _, w := range bytes.Fields(p.text) {
			s.counts[string(w)]++
		}
	}
}

func (s *sorter) run() {
	for list := range s.in { // want `list, received here, as what is sent on out, was taken from parcelBoxes \(line 165\); it is read here and not put back`
		s.sort(list)
	}
}

type crateBox struct{ text []byte }

var crateBoxes = sync.Pool{New: func() any { return new(crateBox) }}

type crateSource struct{ out chan *crateBox }

func (c *crateSource) run(lines []string) {
	for _, l := range lines {
		b := crateBoxes.Get().(*crateBox)
		b.text = append(b.text[:0], l...)
		c.out <- b
	}
}

type crateCounter struct {
	in chan *crateBox
	n  int
}

func (c *crateCounter) run() { // right: somebody connects the source with the one that gives them back
	for b := range c.in {
		c.n += len(b.text)
	}
}

type crateReturner struct{ in chan *crateBox }

func (c *crateReturner) run() {
	for b := range c.in {
		if cap(b.text) < 1<<10 {
			crateBoxes.Put(b)
		}
	}
}
