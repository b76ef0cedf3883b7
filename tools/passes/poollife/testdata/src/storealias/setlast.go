package storealias

import (
	"bufio"
	"io"
	"sync"
)

// A field that each reader sets first keeps nothing, unless the function sets it last of all: somebody
// else reads it then.

var lineReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

type lineBody struct {
	r    *bufio.Reader
	left int
}

func (b *lineBody) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

type countedBody struct {
	io.Reader
	n *int
}

type answer struct {
	streamed bool
	stream   io.Reader
	text     string
}

func (a *answer) parse(r *bufio.Reader) (err error) {
	if a.streamed {
		a.stream = &lineBody{r, 10}
		return nil
	}
	a.text, err = r.ReadString('\n')
	return err
}

func fetchAnswer(conn io.Reader, a *answer, n *int) error {
	r := lineReaders.Get().(*bufio.Reader)
	r.Reset(conn)
	err := a.parse(r)
	r.Reset(nil)
	lineReaders.Put(r)
	if err == nil && a.stream != nil {
		a.stream = countedBody{a.stream, n} // want `field stream keeps memory of r after the value was put`
	}
	return err
}

type copiedAnswer struct {
	line []byte
	size int
}

// The field is only read where it was set in the same call.
func (a *copiedAnswer) fetch(conn io.Reader) error {
	r := lineReaders.Get().(*bufio.Reader)
	defer lineReaders.Put(r)
	defer r.Reset(nil)
	r.Reset(conn)
	line, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	a.line = line
	a.size = len(a.line)
	return nil
}
