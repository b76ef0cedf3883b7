package facts

import (
	"bytes"
	"facts/lib"
	"io"
)

func leased(w io.Writer, text string) {
	b, done := lib.Lease()
	defer done()
	b.WriteString(text)
	w.Write(b.Bytes())
}

func leasedEarly(w io.Writer, text string) {
	b, done := lib.Lease()
	b.WriteString(text)
	done()
	w.Write(b.Bytes()) // want `after it was put`
}

func leasedBack(text string) []byte {
	b, done := lib.Lease()
	defer done()
	b.WriteString(text)
	return b.Bytes() // want `memory of .* is returned`
}

func leasedTwice(w io.Writer, text string) {
	b, done := lib.Lease()
	defer done() // want `a second time`
	b.WriteString(text)
	if _, err := w.Write(b.Bytes()); err != nil {
		done()
	}
}

func leasedLost(w io.Writer, text string) {
	b, done := lib.Lease() // want `is not put back on the path that ends here`
	if text == "" {
		return
	}
	b.WriteString(text)
	w.Write(b.Bytes())
	done()
}

func leasedOnce(w io.Writer, text string) {
	b, done := lib.LeaseOnce()
	defer done()
	b.WriteString(text)
	if _, err := w.Write(b.Bytes()); err != nil {
		done()
	}
}

func leasedOnceEarly(w io.Writer, text string) {
	b, done := lib.LeaseOnce()
	defer done()
	b.WriteString(text)
	done()
	w.Write(b.Bytes()) // want `after it was put`
}

func leasedOnceFunc(w io.Writer, text string) {
	b, done := lib.LeaseOnceFunc()
	defer done()
	b.WriteString(text)
	w.Write(b.Bytes())
}

func leasedRoom(r io.Reader, n int) ([]byte, error) {
	room, done, err := lib.LeaseRoom(n)
	if err != nil {
		return nil, err
	}
	defer done()
	k, err := r.Read(room)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(room[:k]), nil
}

func leasedRoomBack(r io.Reader, n int) ([]byte, error) {
	room, done, err := lib.LeaseRoom(n)
	if err != nil {
		return nil, err
	}
	defer done()
	k, err := r.Read(room)
	return room[:k], err // want `memory of .* is returned`
}

func leasedOrKept(w io.Writer, text string) (*bytes.Buffer, error) {
	b, done := lib.LeaseOrKeep()
	b.WriteString(text)
	if _, err := w.Write(b.Bytes()); err != nil {
		done(false)
		return nil, err
	}
	done(true)
	return b, nil
}

func leasedSlate(lines []string) int {
	s, wipe := lib.LeaseSlate()
	for _, l := range lines {
		s.Add(l)
	}
	n := s.Lines()
	wipe()
	return n
}

func leasedSlateEarly(lines []string) int {
	s, wipe := lib.LeaseSlate()
	for _, l := range lines {
		s.Add(l)
	}
	wipe()
	return s.Lines() // want `after it was put`
}

// lessee gives back when it is closed.
type lessee struct {
	b    *bytes.Buffer
	done func()
}

func newLessee() *lessee {
	b, done := lib.Lease()
	return &lessee{b, done}
}

func (l *lessee) Close() error {
	l.done()
	return nil
}
