package lostpaths

import (
	"context"
	"io"
	"log"
	"net"
	"sync"
)

// A goroutine that only uses a value does not put it.

type datagram struct {
	raw []byte
	n   int
}

func (d *datagram) data() []byte { return d.raw[:d.n] }

var datagrams = sync.Pool{New: func() any { return &datagram{raw: make([]byte, 1500)} }}

func (d *datagram) release() { datagrams.Put(d) }

type listener struct {
	conn net.PacketConn
	full bool
}

func (l *listener) serve() error {
	for {
		d := datagrams.Get().(*datagram) // want `not put back on the path that ends here .*, nor by the goroutine that has it then`
		n, addr, err := l.conn.ReadFrom(d.raw)
		if err != nil {
			d.release()
			return err
		}
		d.n = n
		if l.full {
			go func() {
				if _, err := l.conn.WriteTo(d.data()[:1], addr); err != nil {
					log.Print(err)
				}
			}()
			return nil
		}
		l.conn.WriteTo(d.data(), addr)
		d.release()
	}
}

func (l *listener) serveRight() error {
	for {
		d := datagrams.Get().(*datagram)
		n, addr, err := l.conn.ReadFrom(d.raw)
		if err != nil {
			d.release()
			return err
		}
		d.n = n
		if l.full {
			go func() {
				defer d.release()
				if _, err := l.conn.WriteTo(d.data()[:1], addr); err != nil {
					log.Print(err)
				}
			}()
			return nil
		}
		l.conn.WriteTo(d.data(), addr)
		d.release()
	}
}

// A helper, and arguments instead of captured variables.
func (l *listener) refuse(d *datagram, addr net.Addr) { l.conn.WriteTo(d.data()[:1], addr) }

func (l *listener) serveOne() error {
	d := datagrams.Get().(*datagram) // want `nor by the goroutine that has it then`
	n, addr, err := l.conn.ReadFrom(d.raw)
	if err != nil {
		d.release()
		return err
	}
	d.n = n
	if l.full {
		go l.refuse(d, addr)
		return nil
	}
	_, err = l.conn.WriteTo(d.data(), addr)
	d.release()
	return err
}

func (l *listener) refuseAndPut(d *datagram, addr net.Addr) {
	l.refuse(d, addr)
	d.release()
}

func (l *listener) serveOneRight() error {
	d := datagrams.Get().(*datagram)
	n, addr, err := l.conn.ReadFrom(d.raw)
	if err != nil {
		d.release()
		return err
	}
	d.n = n
	if l.full {
		go l.refuseAndPut(d, addr)
		return nil
	}
	_, err = l.conn.WriteTo(d.data(), addr)
	d.release()
	return err
}

// Who does not wait for the goroutine any longer cannot put what that still uses: the value
// is left to the collector, on purpose.

type query struct{ text string }

var queries = sync.Pool{New: func() any { return new(query) }}

type backend interface {
	Ask(q *query) (string, error)
}

func ask(ctx context.Context, b backend, text string) (string, error) {
	q := queries.Get().(*query)
	q.text = text
	done := make(chan string, 1)
	go func() {
		s, err := b.Ask(q)
		if err != nil {
			s = err.Error()
		}
		done <- s
	}()
	select {
	case s := <-done:
		queries.Put(q)
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func askRight(ctx context.Context, b backend, text string) (string, error) {
	q := queries.Get().(*query)
	q.text = text
	done := make(chan string, 1)
	go func() {
		s, err := b.Ask(q)
		if err != nil {
			s = err.Error()
		}
		queries.Put(q)
		done <- s
	}()
	select {
	case s := <-done:
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// The goroutine is told, and puts what nobody waits for.
func askTold(ctx context.Context, b backend, text string) (string, error) {
	q := queries.Get().(*query)
	q.text = text
	done, gone := make(chan string), make(chan struct{})
	go func() {
		s, _ := b.Ask(q)
		select {
		case done <- s:
		case <-gone:
			queries.Put(q)
		}
	}()
	select {
	case s := <-done:
		queries.Put(q)
		return s, nil
	case <-ctx.Done():
		close(gone)
		return "", ctx.Err()
	}
}

// The goroutine keeps it for somebody else.
type keeper struct {
	mu   sync.Mutex
	last *datagram
}

func (k *keeper) keep(d *datagram) {
	k.mu.Lock()
	k.last = d
	k.mu.Unlock()
}

func (k *keeper) take(r io.Reader, later bool) {
	d := datagrams.Get().(*datagram)
	d.n, _ = r.Read(d.raw)
	if later {
		go k.keep(d)
		return
	}
	d.release()
}

// It serves as long as it lives.
func (l *listener) poll() {
	d := datagrams.Get().(*datagram)
	if l.full {
		go func() {
			for {
				l.conn.ReadFrom(d.raw)
			}
		}()
		return
	}
	d.release()
}
