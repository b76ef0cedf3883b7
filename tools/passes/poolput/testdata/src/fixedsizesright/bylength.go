package fixedsizesright

import (
	"io"
	"sync"
)

// What has another length is dropped.

const cell = 1 << 10

var cells = sync.Pool{New: func() any { b := make([]byte, cell); return &b }}

func lendCell() *[]byte { return cells.Get().(*[]byte) }

func backCell(b *[]byte) {
	if len(*b) == cell {
		cells.Put(b)
	}
}

func transferCell(w io.Writer, r io.Reader, left int) error {
	var b *[]byte
	if left < cell {
		own := make([]byte, left)
		b = &own
	} else {
		b = lendCell()
	}
	defer backCell(b)
	n, err := io.ReadFull(r, *b)
	if err == nil {
		_, err = w.Write((*b)[:n])
	}
	return err
}
