package goroutineuse

import (
	"bytes"
	"io"
	"sync"
)

type page struct {
	body []byte
	n    int
}

type answer struct {
	page *page
	err  error
}

var pagePool = sync.Pool{New: func() any { return make([]byte, 4096) }}

func (p *page) parse(b []byte) error {
	p.body = b
	p.n = bytes.Count(b, []byte{'\n'})
	return nil
}

// The page that is sent keeps the trimmed part of the block that the goroutine puts.
func pages(r io.Reader, answers chan<- answer) error {
	for {
		block := pagePool.Get().([]byte)
		n, err := r.Read(block)
		if err != nil {
			pagePool.Put(block)
			return err
		}
		text := bytes.TrimSpace(block[:n])
		go func() {
			defer pagePool.Put(block) // want `block is put in pagePool while the receiver from the channel`
			var p page
			if err := p.parse(text); err != nil {
				answers <- answer{err: err}
				return
			}
			answers <- answer{page: &p}
		}()
	}
}

// A copy is sent.
func pagesCopied(r io.Reader, answers chan<- answer) error {
	for {
		block := pagePool.Get().([]byte)
		n, err := r.Read(block)
		if err != nil {
			pagePool.Put(block)
			return err
		}
		text := bytes.TrimSpace(block[:n])
		go func() {
			defer pagePool.Put(block)
			var p page
			if err := p.parse(bytes.Clone(text)); err != nil {
				answers <- answer{err: err}
				return
			}
			answers <- answer{page: &p}
		}()
	}
}

// Only the count is sent.
func counts(r io.Reader, answers chan<- answer) {
	block := pagePool.Get().([]byte)
	n, err := r.Read(block)
	if err != nil {
		pagePool.Put(block)
		return
	}
	text := bytes.TrimSpace(block[:n])
	go func() {
		defer pagePool.Put(block)
		answers <- answer{page: &page{n: len(text)}}
	}()
}

// The goroutine waits until the receiver is done.
func pagesDone(r io.Reader, answers chan<- answer, done <-chan struct{}) {
	block := pagePool.Get().([]byte)
	n, err := r.Read(block)
	if err != nil {
		pagePool.Put(block)
		return
	}
	text := bytes.TrimSpace(block[:n])
	go func() {
		var p page
		if err := p.parse(text); err != nil {
			answers <- answer{err: err}
		} else {
			answers <- answer{page: &p}
			<-done
		}
		pagePool.Put(block)
	}()
}
