package facts

import (
	"bufio"
	"io"
	"sync"

	"facts/lib"
)

var inputs = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// What has the goroutine is closed before the Put.
func closedFirst(r io.Reader, w io.Writer) error {
	in := inputs.Get().(*bufio.Reader)
	in.Reset(r)
	defer inputs.Put(in)
	s, err := lib.Copied(in)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = io.Copy(w, s)
	return err
}

func closedLater(r io.Reader, w io.Writer) error {
	in := inputs.Get().(*bufio.Reader)
	in.Reset(r)
	s, err := lib.Copied(in)
	if err != nil {
		inputs.Put(in)
		return err
	}
	defer s.Close()
	_, err = io.Copy(w, s)
	inputs.Put(in) // want `while the goroutine started at line \d+ may still use it`
	return err
}
