package lostvalues

import (
	"container/list"
	"io"
	"sync"
)

// Values gathered in a slice of the function's own are lost with it.

type part struct {
	b [512]byte
	n int
}

var parts = sync.Pool{New: func() any { return new(part) }}

func freeParts(l []*part) {
	for _, p := range l {
		parts.Put(p)
	}
}

func gatherLost(r io.Reader, n int) ([]*part, error) {
	var l []*part
	for range n {
		p := parts.Get().(*part) // want `p, taken from parts at line 27, is not put back on the path that ends here`
		m, err := r.Read(p.b[:])
		if err != nil {
			parts.Put(p)
			return nil, err
		}
		p.n = m
		l = append(l, p)
	}
	return l, nil
}

func gatherPut(r io.Reader, n int) ([]*part, error) {
	l := make([]*part, 0, n)
	for range n {
		p := parts.Get().(*part)
		m, err := r.Read(p.b[:])
		if err != nil {
			parts.Put(p)
			freeParts(l)
			return nil, err
		}
		p.n = m
		l = append(l, p)
	}
	return l, nil
}

func gatherByIndex(r io.Reader, n int) ([]*part, error) {
	var l []*part
	for range n {
		p := parts.Get().(*part)
		l = append(l, p)
		if _, err := r.Read(p.b[:]); err != nil {
			for i := 0; i < n && i < len(l); i++ {
				parts.Put(l[i])
			}
			return nil, err
		}
	}
	return l, nil
}

// Who gets the part that was read so far puts it.
func gatherSome(r io.Reader, n int) ([]*part, error) {
	var l []*part
	for range n {
		p := parts.Get().(*part)
		if _, err := r.Read(p.b[:]); err != nil {
			parts.Put(p)
			return l, err
		}
		l = append(l, p)
	}
	return l, nil
}

// A list keeps what is pushed.
type line struct{ l *list.List }

func (l *line) push(n int) {
	p := parts.Get().(*part)
	p.n = n
	l.l.PushBack(p)
}

func (l *line) pop() { parts.Put(l.l.Remove(l.l.Front()).(*part)) }
