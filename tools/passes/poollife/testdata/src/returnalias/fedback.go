// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"strings"
	"sync"
	"unsafe"
)

// What a function gives back for the pooled slice that it was given goes to the pool in the header that it is
// stored in.

var textPages = sync.Pool{New: func() any {
	b := make([]byte, 0, 4096)
	return &b
}}

type label struct{ name string }

type page struct {
	labels []label
	text   *[]byte
}

type pageReader struct {
	next func(into []byte) ([]byte, error)
}

func (p *page) free() {
	if p.text != nil {
		textPages.Put(p.text)
		p.text = nil
	}
}

func inPlace(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (p *page) parse(text []byte) {
	for len(text) > 2 {
		p.labels = append(p.labels, label{inPlace(text[:2])})
		text = text[2:]
	}
}

func (p *page) parseCopies(text []byte) {
	for len(text) > 2 {
		p.labels = append(p.labels, label{string(text[:2])})
		text = text[2:]
	}
}

func (r *pageReader) read() (*page, []byte, error) {
	h := textPages.Get().(*[]byte)
	text, err := r.next((*h)[:0])
	*h = text
	if err != nil {
		textPages.Put(h)
		return nil, nil, err
	}
	return &page{text: h}, text, nil
}

func labelsOf(r *pageReader) ([]label, error) {
	p, text, err := r.read()
	if err != nil {
		return nil, err
	}
	p.parse(text)
	list := append([]label(nil), p.labels...)
	p.free()
	return list, nil // want `memory of p is returned after it was put in textPages`
}

func rest(r *pageReader) []byte {
	h := textPages.Get().(*[]byte)
	text, _ := r.next((*h)[:0])
	*h = text
	textPages.Put(h)
	return text[1:] // want `memory of h is returned after it was put in textPages`
}

// labelsCopied has copies only.
func labelsCopied(r *pageReader) ([]label, error) {
	p, text, err := r.read()
	if err != nil {
		return nil, err
	}
	p.parseCopies(text)
	list := append([]label(nil), p.labels...)
	p.free()
	return list, nil
}

// labelsKept leaves the page to the collector.
func labelsKept(r *pageReader) ([]label, error) {
	p, text, err := r.read()
	if err != nil {
		return nil, err
	}
	p.parse(text)
	return append([]label(nil), p.labels...), nil
}

// first returns a clone.
func first(r *pageReader) (string, error) {
	p, text, err := r.read()
	if err != nil {
		return "", err
	}
	p.parse(text)
	s := strings.Clone(p.labels[0].name)
	p.free()
	return s, nil
}

// another puts the header with the memory that it had: what the function gave is the caller's.
func another(r *pageReader) []byte {
	h := textPages.Get().(*[]byte)
	defer textPages.Put(h)
	text, _ := r.next(nil)
	return text
}
