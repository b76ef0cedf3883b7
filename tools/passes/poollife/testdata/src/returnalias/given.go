package returnalias

import (
	"bytes"
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

// The object is made by a function that only makes it, and filled by code out of view.
type reply struct{ buf *bytes.Buffer }

func newReply() *reply { return &reply{} }

func (r *reply) Write(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = replyBuffers.Get().(*bytes.Buffer)
		r.buf.Reset()
	}
	return r.buf.Write(p)
}

func (r *reply) Bytes() []byte {
	if r.buf == nil {
		return nil
	}
	return r.buf.Bytes()
}

func (r *reply) Close() {
	if r.buf != nil {
		if r.buf.Cap() < 1<<16 {
			replyBuffers.Put(r.buf)
		}
	}
	r.buf = nil
}

var replyBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func answerTo(req []byte, serve func(req []byte, w io.Writer) error) ([]byte, error) {
	r := newReply()
	defer r.Close()
	if err := serve(req, r); err != nil {
		return nil, err
	}
	return r.Bytes(), nil // want `memory of r is returned while the deferred call puts it in replyBuffers`
}

func copiedAnswerTo(req []byte, serve func(req []byte, w io.Writer) error) ([]byte, error) {
	r := newReply()
	defer r.Close()
	if err := serve(req, r); err != nil {
		return nil, err
	}
	return bytes.Clone(r.Bytes()), nil
}
