package returnalias

import (
	"io"
	"sync"
)

// A docWriter appends to memory that its user gives it.
type docWriter struct {
	w     io.Writer
	buf   []byte
	stack []int
}

var docs = sync.Pool{New: func() any { return new(docWriter) }}

func (w *docWriter) reset(buf []byte) {
	w.buf = buf
	w.w = nil
}

func putDoc(w *docWriter) {
	w.w = nil
	docs.Put(w)
}

type document interface{ copyTo(w *docWriter) error }

func appendDocRight(dst []byte, d document) ([]byte, error) {
	w := docs.Get().(*docWriter)
	defer putDoc(w)
	w.reset(dst)
	err := d.copyTo(w)
	dst = w.buf
	return dst, err
}

func docStack(d document) []int {
	w := docs.Get().(*docWriter)
	defer putDoc(w)
	w.reset(nil)
	d.copyTo(w)
	return w.stack // want `memory of w is returned`
}

// A lineWriter is used as it comes by some of its users.
type lineWriter struct{ buf []byte }

var rows = sync.Pool{New: func() any { return new(lineWriter) }}

type line interface{ copyTo(w *lineWriter) }

func appendLine(dst []byte, d line) []byte {
	w := rows.Get().(*lineWriter)
	defer rows.Put(w)
	w.buf = dst
	d.copyTo(w)
	return w.buf // want `memory of w is returned`
}

func printLine(out io.Writer, d line) {
	w := rows.Get().(*lineWriter)
	defer rows.Put(w)
	w.buf = w.buf[:0]
	d.copyTo(w)
	out.Write(w.buf)
}
