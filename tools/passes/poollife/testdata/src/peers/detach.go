package peers

import (
	"errors"

	sbuf "github.com/spare-go/spare/buffer"
)

// Detach gives the bytes to its caller, and the Buffer goes on without them.

type message struct{ body []byte }

func detachedFirst(s string) []byte {
	b := sbuf.Get()
	b.WriteString(s)
	p := b.Detach()
	b.Release()
	return p
}

func (m *message) fill(s string) {
	b := sbuf.Get()
	b.WriteString(s)
	m.body = b.Detach()
	b.Release()
}

func detachedSent(s string, ch chan<- []byte) {
	b := sbuf.Get()
	b.WriteString(s)
	ch <- b.Detach()
	b.Release()
}

func detachedUsed(s string, use func([]byte)) {
	b := sbuf.Get()
	b.WriteString(s)
	p := b.Detach()
	b.Release()
	go use(p)
	use(p)
}

func (m *message) keep(s string) {
	b := sbuf.Get()
	b.WriteString(s)
	m.body = b.Bytes() // want `field body keeps memory of b after the value was put in buffer.Buffer`
	b.Release()
}

var errEmpty = errors.New("empty")

func lostBuffer(s string) (int, error) {
	b := sbuf.Get() // want `b, taken from buffer.Get at line .*, is not put back on the path that ends here`
	b.WriteString(s)
	if s == "" {
		return 0, errEmpty
	}
	n := len(b.Bytes())
	b.Release()
	return n, nil
}
