// Package lentbeside has pooled writers that some functions reset to nothing before they put them, and others not.
package lentbeside

import (
	"bufio"
	"io"
	"net"
	"strings"
	"sync"
)

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 2048) }}

func giveBack(w *bufio.Writer) {
	w.Reset(nil)
	writers.Put(w)
}

// Right: the helper resets
func hello(c net.Conn) error {
	w := writers.Get().(*bufio.Writer)
	w.Reset(c)
	defer giveBack(w)
	w.WriteString("hello\n")
	return w.Flush()
}

// Right: reset here
func bye(c net.Conn) error {
	w := writers.Get().(*bufio.Writer)
	w.Reset(c)
	w.WriteString("bye\n")
	err := w.Flush()
	w.Reset(nil)
	writers.Put(w)
	return err
}

// Right: what is called at the end resets
func end(c net.Conn) {
	w := writers.Get().(*bufio.Writer)
	defer writers.Put(w)
	w.Reset(c)
	w.WriteString("end\n")
	finish(w)
}

func finish(w *bufio.Writer) {
	w.Flush()
	w.Reset(nil)
}

// Right: a target that may live as long as the program
func trace(to io.Writer) error {
	w := writers.Get().(*bufio.Writer)
	defer writers.Put(w)
	w.Reset(to)
	w.WriteString("trace\n")
	return w.Flush()
}

// Wrong: put as it is
func fail(c net.Conn) error {
	w := writers.Get().(*bufio.Writer)
	w.Reset(c)
	defer writers.Put(w) // want `w, the pooled bufio\.Writer, still leads to what it was given with Reset \(line 65\)`
	w.WriteString("fail\n")
	return w.Flush()
}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// Right: reset in the deferred function
func first(s string) (string, error) {
	r := readers.Get().(*bufio.Reader)
	defer func() {
		r.Reset(nil)
		readers.Put(r)
	}()
	r.Reset(strings.NewReader(s))
	return r.ReadString('\n')
}

// Wrong: the deferred function only puts
func second(s string) (string, error) {
	r := readers.Get().(*bufio.Reader)
	defer func() {
		readers.Put(r) // want `r, the pooled bufio\.Reader, still leads to what it was given with Reset \(line 90\)`
	}()
	r.Reset(strings.NewReader(s))
	if _, err := r.ReadString('\n'); err != nil {
		return "", err
	}
	return r.ReadString('\n')
}
