package leftover

import (
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"sync"
)

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// Wrong: nothing says where the bytes go.
func zipNowhere(p []byte) error {
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	_, err := z.Write(p) // want `z, the pooled gzip\.Writer taken at line 17, is used without a Reset since it was taken`
	return err
}

func zipTo(w io.Writer, p []byte) error {
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(w)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

// Wrong: not for those that are quiet.
func say(w io.Writer, quiet bool, s string) error {
	b := writers.Get().(*bufio.Writer)
	defer writers.Put(b)
	if !quiet {
		b.Reset(w)
	}
	fmt.Fprintf(b, "%s\n", s) // want `b, the pooled bufio\.Writer taken at line 37, is used without a Reset`
	return b.Flush()
}

var readers sync.Pool

// Wrong: one that was used before reads from what it read from.
func oldReader(r io.Reader) *bufio.Reader {
	if v := readers.Get(); v != nil {
		return v.(*bufio.Reader)
	}
	return bufio.NewReader(r)
}

func firstLine(r io.Reader) (string, error) {
	b := oldReader(r)
	defer readers.Put(b)
	return b.ReadString('\n') // want `b, the pooled bufio\.Reader taken at line 57, is used without a Reset`
}

var readersToo sync.Pool

func newReader(r io.Reader) *bufio.Reader {
	if v := readersToo.Get(); v != nil {
		b := v.(*bufio.Reader)
		b.Reset(r)
		return b
	}
	return bufio.NewReader(r)
}

func firstLineToo(r io.Reader) (string, error) {
	b := newReader(r)
	defer func() {
		b.Reset(nil)
		readersToo.Put(b)
	}()
	return b.ReadString('\n')
}

// Wrong: what is short goes through as it is, and Close asks only whether there is a writer.
type zipped struct {
	io.Writer
	z       *gzip.Writer
	started bool
}

func (w *zipped) Write(p []byte) (int, error) {
	if !w.started {
		w.started = true
		if len(p) < 100 {
			return w.Writer.Write(p)
		}
		w.z.Reset(w.Writer)
	}
	return w.z.Write(p) // want `z is used here also where the pooled writer or reader in it was not reset`
}

func zipBody(to io.Writer, body func(io.Writer) error) error {
	w := &zipped{Writer: to, z: zippers.Get().(*gzip.Writer)}
	defer zippers.Put(w.z)
	return body(w)
}

type zippedRight struct {
	io.Writer
	z           *gzip.Writer
	started, on bool
}

func (w *zippedRight) Write(p []byte) (int, error) {
	if !w.started {
		w.started = true
		if len(p) >= 100 {
			w.z.Reset(w.Writer)
			w.on = true
		}
	}
	if w.on {
		return w.z.Write(p)
	}
	return w.Writer.Write(p)
}

func zipBodyRight(to io.Writer, body func(io.Writer) error) error {
	w := &zippedRight{Writer: to, z: zippers.Get().(*gzip.Writer)}
	defer zippers.Put(w.z)
	return body(w)
}

var noise = sync.Pool{New: func() any { return bufio.NewReader(rand.Reader) }}

// token reads on where its last user stopped, on purpose.
func token(n int) ([]byte, error) {
	r := noise.Get().(*bufio.Reader)
	defer noise.Put(r)
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// Without a file there is nothing to write.

var fileWriters = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func fileWriter(f *os.File) *bufio.Writer {
	w := fileWriters.Get().(*bufio.Writer)
	if f != nil {
		w.Reset(f)
	}
	return w
}

type lazyFile struct {
	w *bufio.Writer
	f *os.File
}

func (l *lazyFile) Write(p []byte) (int, error) {
	if l.w == nil {
		l.w = fileWriter(l.f)
	}
	return l.w.Write(p)
}

func (l *lazyFile) Release() {
	if l.w != nil {
		l.w.Reset(nil)
		fileWriters.Put(l.w)
		l.w = nil
	}
}

// Here it depends on something else.
func (l *lazyFile) copyOf(p []byte, again bool) (int, error) {
	w := fileWriters.Get().(*bufio.Writer)
	if again {
		w.Reset(l.f)
	}
	n, err := w.Write(p) // want `w, the pooled bufio\.Writer taken at line 177, is used without a Reset since it was taken`
	w.Reset(nil)
	fileWriters.Put(w)
	return n, err
}
