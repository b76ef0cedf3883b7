package ownership

import (
	"bytes"
	"sync"
)

type note struct {
	text  string
	words []string
	read  bool
	cond  *sync.Cond
	wg    sync.WaitGroup
	done  chan struct{}
	mu    sync.Mutex
	refs  int
}

var (
	notes   = sync.Pool{New: func() any { return new(note) }}
	letters = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

type post struct {
	out  chan *note
	raw  chan []byte
	acks chan error
	stop chan struct{}
	all  []chan *note
}

// What a function was given, and queued, is not its own to put.
func (p *post) send(n *note) {
	p.out <- n
	notes.Put(n) // want `n is put in notes while the receiver from the channel .* may still use it`
}

func (p *post) sendOrPut(n *note) {
	select {
	case p.out <- n:
		return
	case <-p.stop:
	}
	notes.Put(n)
}

func (p *post) try(n *note) bool {
	select {
	case p.out <- n:
		return true
	default:
		return false
	}
}

func (p *post) tryOrPut(n *note) {
	if !p.try(n) {
		notes.Put(n)
	}
}

func (p *post) call(n *note) {
	p.out <- n
	<-n.done
	notes.Put(n)
}

func (p *post) callGroup(n *note) {
	n.wg.Add(1)
	p.out <- n
	n.wg.Wait()
	notes.Put(n)
}

func (p *post) callCond(n *note) {
	p.out <- n
	n.mu.Lock()
	for !n.read {
		n.cond.Wait()
	}
	n.mu.Unlock()
	notes.Put(n)
}

func (n *note) unref() {
	n.mu.Lock()
	n.refs--
	last := n.refs == 0
	n.mu.Unlock()
	if last {
		notes.Put(n)
	}
}

func (p *post) toAll(n *note) {
	for _, c := range p.all {
		n.mu.Lock()
		n.refs++
		n.mu.Unlock()
		c <- n
	}
	n.unref()
}

// A letter lends the bytes of a buffer that somebody may have put in it.
type letter struct{ buf *bytes.Buffer }

func (l *letter) bytes() []byte {
	if l.buf == nil {
		return nil
	}
	return l.buf.Bytes()
}

func (l *letter) free() {
	if l.buf != nil {
		letters.Put(l.buf)
		l.buf = nil
	}
}

func (p *post) enqueue(b []byte) { p.raw <- b }

func (p *post) mail(fill func(*letter)) {
	l := &letter{}
	defer l.free() // want `is put in letters while the receiver from the channel .* may still use it`
	fill(l)
	p.enqueue(l.bytes())
}

func (p *post) mailCopy(fill func(*letter)) {
	l := &letter{}
	defer l.free()
	fill(l)
	p.enqueue(bytes.Clone(l.bytes()))
}

func (p *post) mailAcked(b *bytes.Buffer) error {
	p.raw <- b.Bytes()
	err := <-p.acks
	letters.Put(b)
	return err
}

// An exporter may queue what it is given, as one in view does.
type exporter interface{ export(*note) }

type later struct{ queue chan *note }

func (l *later) export(n *note) {
	select {
	case l.queue <- n:
	default:
	}
}

type Desk struct{ ex exporter }

func (d *Desk) finish(n *note) {
	d.ex.export(n)
	notes.Put(n) // want `n is put in notes while the receiver from the channel .* may still use it`
}

func (d *Desk) finishCopy(n *note) {
	d.ex.export(&note{text: n.text})
	notes.Put(n)
}
