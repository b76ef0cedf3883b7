package goroutineuse

import (
	"log"
	"net"
	"sync"
)

// A packet has the bytes of the buffer that is beside them.

type datagram struct{ raw []byte }

var datagrams = sync.Pool{New: func() any { return &datagram{raw: make([]byte, 0, 1500)} }}

func (d *datagram) release() {
	d.raw = d.raw[:0]
	datagrams.Put(d)
}

type incoming struct {
	from net.Addr
	data []byte
	buf  *datagram
}

type listener struct {
	conn    net.PacketConn
	packets chan *incoming
	accept  func(net.Addr, []byte) bool
}

func (l *listener) run() {
	for p := range l.packets {
		if !l.handle(p) {
			p.buf.release() // want `p.buf is put in datagrams while the goroutine started at line \d+ may still use it`
		}
	}
}

func (l *listener) handle(p *incoming) bool {
	if l.accept(p.from, p.data) {
		return true
	}
	go func() {
		if err := l.refuse(p); err != nil {
			log.Print(err)
		}
	}()
	return false
}

func (l *listener) refuse(p *incoming) error {
	_, err := l.conn.WriteTo(p.data[len(p.data)-8:], p.from)
	return err
}

// This goroutine only asks where it came from.
func (l *listener) runNamed() {
	for p := range l.packets {
		go func() { log.Print(p.from) }()
		p.buf.release()
	}
}

func (l *listener) runLate(use func([]byte)) {
	for p := range l.packets {
		n := len(p.data)
		p.buf.release()
		if n > 8 {
			use(p.data) // want `p.buf is passed to a function after it was put in datagrams`
		}
		log.Print(len(p.data))
	}
}

// The bytes are not the buffer's where somebody says so.

type parsed struct {
	body []byte
	buf  *datagram
}

func parse(d *datagram) *parsed { return &parsed{body: append([]byte(nil), d.raw...), buf: d} }

func consume(in chan *parsed, use func([]byte)) {
	for p := range in {
		p.buf.release()
		use(p.body)
	}
}

// Nor where there are others: which is it?

type framed struct {
	head, body []byte
	buf        *datagram
}

func consumeBody(in chan *framed, use func([]byte)) {
	for f := range in {
		f.buf.release()
		use(f.head)
	}
}
