package swaplost

import (
	"bufio"
	"net"
)

// A session has ended when it has no connection any more.

type session struct {
	conn net.Conn
	in   *bufio.Reader
}

func begin(c net.Conn) session {
	in := readers.Get().(*bufio.Reader)
	in.Reset(c)
	return session{conn: c, in: in}
}

func (s *session) end() error {
	if s.conn == nil {
		return nil
	}
	err := s.conn.Close()
	release(s.in)
	*s = session{}
	return err
}

func serve(c net.Conn, handle func(*session, byte) error) error {
	s := begin(c)
	defer s.end()
	for s.conn != nil {
		b, err := s.in.ReadByte()
		if err != nil {
			return err
		}
		if err := handle(&s, b); err != nil {
			return err
		}
	}
	return nil
}

// Wrong: it asks whether there is a connection, and forgets the reader where there is none.
func serveOne(c net.Conn) (byte, error) {
	s := begin(c) // want `s, taken from readers .* is not put back`
	if c == nil {
		return 0, errEmpty
	}
	defer s.end()
	return s.in.ReadByte()
}
