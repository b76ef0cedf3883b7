package fixedsizes

import (
	"io"
	"sync"
)

// A test of another slice's length.

const cell = 1 << 10

var cells = sync.Pool{New: func() any { b := make([]byte, cell); return &b }}

func lendCell() *[]byte { return cells.Get().(*[]byte) }

func backCell(b *[]byte, unread []byte) {
	if len(unread) > 0 {
		return
	}
	cells.Put(b)
}

func transferCell(w io.Writer, r io.Reader, left int) error {
	var b *[]byte
	if left < cell {
		own := make([]byte, left)
		b = &own
	} else {
		b = lendCell()
	}
	n, err := io.ReadFull(r, *b)
	rest := (*b)[n:]
	if err == nil {
		_, err = w.Write((*b)[:n])
		rest = nil
	}
	backCell(b, rest) // want `memory that was made elsewhere \(line \d+\) goes to cells`
	return err
}
