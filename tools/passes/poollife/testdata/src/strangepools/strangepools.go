// A package without a pool of its own, whose users choose one.
package strangepools

import "net"

type lines interface {
	Borrow(to string) (net.Conn, error)
	Return(c net.Conn) error
	Destroy(c net.Conn) error
}

type talk struct {
	from   lines
	line   net.Conn
	broken bool
}

// Wrong: what was destroyed is returned as well.
func (t *talk) end() {
	if t.broken {
		t.from.Destroy(t.line)
	}
	t.from.Return(t.line) // want `t\.line, which Destroy was given \(line 21\), is given to Return as well`
}

// Right: one of the two.
func (t *talk) endRight() {
	if t.broken {
		t.from.Destroy(t.line)
		return
	}
	t.from.Return(t.line)
}

// Right: the second test has the other outcome.
func (t *talk) endAsked() {
	broken := t.broken
	if broken {
		t.from.Destroy(t.line)
	}
	t.broken = false
	if !broken {
		t.from.Return(t.line)
	}
}

// Right: the same, by an error.
func send(l lines, c net.Conn, b []byte) error {
	_, err := c.Write(b)
	if err != nil {
		l.Destroy(c)
	}
	if err == nil {
		l.Return(c)
	}
	return err
}
