package alone

import (
	"bytes"
	"fmt"
	"sync"
)

type sink interface {
	save(key string, b []byte) error
}

type memSink struct{ by map[string][]byte }

func (m *memSink) save(key string, b []byte) error {
	m.by[key] = b
	return nil
}

type lineSink struct{ n int }

func (l *lineSink) save(key string, b []byte) error {
	n, err := fmt.Println(key, string(b))
	l.n += n
	return err
}

type report struct {
	key string
	to  sink
	buf *bytes.Buffer
}

var reports = sync.Pool{New: func() any { return &report{buf: new(bytes.Buffer)} }}

func newReport(to sink, key string) *report {
	r := reports.Get().(*report)
	r.to, r.key = to, key
	return r
}

func (r *report) free() {
	r.to = nil
	r.buf.Reset()
	reports.Put(r)
}

func (r *report) send(text string) error {
	r.buf.WriteString(text)
	err := r.to.save(r.key, r.buf.Bytes()) // want `memory of r after the value was put in reports`
	r.free()
	return err
}

// The sink gets a copy.
func (r *report) sendCopy(text string) error {
	r.buf.WriteString(text)
	err := r.to.save(r.key, bytes.Clone(r.buf.Bytes()))
	r.free()
	return err
}

// Whoever implements this copies what it keeps.
type archive interface {
	add(key string, b []byte)
}

type memArchive struct{ by map[string][]byte }

func (m *memArchive) add(key string, b []byte) { m.by[key] = append([]byte(nil), b...) }

func (r *report) archive(to archive, text string) {
	r.buf.WriteString(text)
	to.add(r.key, r.buf.Bytes())
	r.free()
}
