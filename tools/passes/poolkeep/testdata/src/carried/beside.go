package carried

import (
	"io"
	"sync"
)

// Set before it is given away; where it is not set, nothing is given.

type quire struct {
	no   int64
	data [512]byte
	n    int
	pins int
	next *quire
}

var quires = sync.Pool{New: func() any { return new(quire) }}

type tome struct {
	src  io.ReaderAt
	mu   sync.Mutex
	byNo map[int64]*quire
}

func (b *tome) pin(no int64) (*quire, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.byNo[no]; s != nil {
		s.pins++
		return s, nil
	}
	s := quires.Get().(*quire)
	n, err := b.src.ReadAt(s.data[:], no*512)
	if err != nil {
		quires.Put(s)
		return nil, err
	}
	s.no, s.n, s.pins = no, n, 1
	s.next = nil
	b.byNo[no] = s
	return s, nil
}

func (b *tome) unpin(s *quire) {
	if s.pins--; s.pins == 0 {
		delete(b.byNo, s.no)
		s.next = nil
		quires.Put(s)
	}
}

func (b *tome) read(no int64, to []byte) (int, error) {
	s, err := b.pin(no)
	if err != nil {
		return 0, err
	}
	k := copy(to, s.data[:s.n])
	b.unpin(s)
	return k, nil
}

// Wrong: where it is not set, it is given away all the same.

type slip struct {
	no   int64
	data [512]byte
	n    int
	next *slip
}

var slips = sync.Pool{New: func() any { return new(slip) }}

func pickSlip(src io.ReaderAt, no int64) (*slip, error) {
	l := slips.Get().(*slip)
	n, err := src.ReadAt(l.data[:], no*512)
	if err != nil {
		return l, err
	}
	l.no, l.n = no, n
	return l, nil
}

func dropSlip(l *slip) {
	l.next = nil
	slips.Put(l)
}

func firstOf(src io.ReaderAt, to []byte) (int, error) {
	l, err := pickSlip(src, 0)
	defer dropSlip(l)
	return copy(to, l.data[:l.n]), err // want `field n of l, taken from slips .* is read as the last user left it`
}
