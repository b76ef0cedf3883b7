package missingput

import (
	"bufio"
	"io"
	"net"
	"sync"
)

// A connection that could not be written to is dropped.

type line struct {
	unread int
	in     *bufio.Reader
	net.Conn
}

type trunk struct {
	idle sync.Pool
	dial func() (net.Conn, error)
}

func (t *trunk) send(b []byte) error {
	var got any
	for {
		got = t.idle.Get()
		fresh := got == nil
		var l *line
		if fresh {
			c, err := t.dial()
			if err != nil {
				return err
			}
			l = &line{in: bufio.NewReader(c), Conn: c}
			got = l
		} else {
			l = got.(*line)
		}
		_, err := l.Write(b)
		if err == nil {
			break
		} else if fresh {
			return err
		}
	}
	t.idle.Put(got)
	return nil
}

// Nothing is wrong with this one.

func (t *trunk) sendSmall(b []byte) error {
	l, ok := t.idle.Get().(*line) // want `l, taken from idle .* is not put back`
	if !ok {
		return io.ErrNoProgress
	}
	if len(b) > 100 {
		return io.ErrShortWrite
	}
	if _, err := l.Write(b); err != nil {
		return err
	}
	t.idle.Put(l)
	return nil
}

// What a wrapper was given fails, which is good for another one.

type tallied struct {
	n int
	io.Writer
}

var tallies sync.Pool

func tally(w io.Writer, b []byte) (int, error) {
	c, ok := tallies.Get().(*tallied) // want `c, taken from tallies .* is not put back`
	if !ok {
		c = new(tallied)
	}
	c.Writer, c.n = w, len(b)
	if _, err := c.Write(b); err != nil {
		return 0, err
	}
	n := c.n
	c.Writer = nil
	tallies.Put(c)
	return n, nil
}
