// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/spare-go/spare/buffer"
)

// logLine writes one line of a log to w with a single Write: the time as
// RFC 3339, a space, key=value. The line is valid only during that Write.
type logLine func(w io.Writer, at time.Time, key, value string) error

func logLineNaive(w io.Writer, at time.Time, key, value string) error {
	var b bytes.Buffer
	b.WriteString(at.Format(time.RFC3339))
	b.WriteByte(' ')
	b.WriteString(key)
	b.WriteByte('=')
	b.WriteString(value)
	_, err := w.Write(b.Bytes())
	return err
}

var logBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func logLineSyncPool(w io.Writer, at time.Time, key, value string) error {
	b := logBuffers.Get().(*bytes.Buffer)
	// Articles write at.Format here, whose string is the one allocation left.
	b.Write(at.AppendFormat(b.AvailableBuffer(), time.RFC3339))
	b.WriteByte(' ')
	b.WriteString(key)
	b.WriteByte('=')
	b.WriteString(value)
	_, err := w.Write(b.Bytes())
	if b.Cap() <= maxPooled {
		b.Reset()
		logBuffers.Put(b)
	}
	return err
}

// The line is shown to an io.Writer, so that a Buffer from New would be on the heap.
func logLineSpare(w io.Writer, at time.Time, key, value string) error {
	b := buffer.Get()
	b.Write(at.AppendFormat(b.AvailableBuffer(), time.RFC3339))
	b.WriteByte(' ')
	b.WriteString(key)
	b.WriteByte('=')
	b.WriteString(value)
	_, err := w.Write(b.Bytes())
	b.Release()
	return err
}
