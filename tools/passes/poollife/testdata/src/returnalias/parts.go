package returnalias

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unsafe"
)

var lines = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

type part struct {
	name string
	data []byte
}

func parts(r io.Reader) ([]*part, error) {
	bp := lines.Get().(*[]byte)
	defer lines.Put(bp)
	n, err := r.Read((*bp)[:cap(*bp)])
	if err != nil {
		return nil, err
	}
	var out []*part
	for i := range n {
		out = append(out, &part{data: (*bp)[i : i+1]})
	}
	return out, nil // want `memory of bp is returned while the deferred call puts it in lines`
}

func partCopies(r io.Reader) ([]*part, error) {
	bp := lines.Get().(*[]byte)
	defer lines.Put(bp)
	n, err := r.Read((*bp)[:cap(*bp)])
	if err != nil {
		return nil, err
	}
	var out []*part
	for i := range n {
		out = append(out, &part{data: bytes.Clone((*bp)[i : i+1])})
	}
	return out, nil
}

func trimmedView(r io.Reader) (string, error) {
	bp := lines.Get().(*[]byte)
	defer lines.Put(bp)
	n, err := r.Read((*bp)[:cap(*bp)])
	if err != nil {
		return "", err
	}
	s := unsafe.String(unsafe.SliceData(*bp), n)
	return strings.TrimSpace(s), nil // want `memory of bp is returned while the deferred call puts it in lines`
}

func trimmedText(r io.Reader) (string, error) {
	bp := lines.Get().(*[]byte)
	defer lines.Put(bp)
	n, err := r.Read((*bp)[:cap(*bp)])
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string((*bp)[:n])), nil
}

// A chain of calls gives back what its caller had put before: the caller is at fault.
type event struct{ buf []byte }

var events = sync.Pool{New: func() any { return new(event) }}

func newEvent() *event {
	e := events.Get().(*event)
	e.buf = e.buf[:0]
	return e
}

func (e *event) str(s string) *event {
	e.buf = append(e.buf, s...)
	return e
}

func (e *event) send(w io.Writer) {
	w.Write(e.buf)
	if cap(e.buf) < 1<<16 {
		events.Put(e)
	}
}

func sendTwice(w io.Writer, failed bool) {
	e := newEvent()
	if failed {
		e.str("failed").send(w)
	}
	e.str("done").send(w) // want `e is read after it was put in events` `e is put in events a second time`
}

func sendOnce(w io.Writer, failed bool) {
	e := newEvent()
	if failed {
		e.str("failed").send(w)
		return
	}
	e.str("done").send(w)
}
