// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"fmt"
	"io"
	"sync"
)

// What a value is not tells nothing of what else it may be: each case of a switch is followed.

var lineBufs = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

func readLine(r io.Reader, into any) error {
	b := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(b)
	n, err := r.Read((*b)[:cap(*b)])
	if err != nil {
		return err
	}
	switch out := into.(type) {
	case *string:
		*out = string((*b)[:n])
	case *int:
		*out = n
	case *[]byte:
		*out = (*b)[:n] // want `a variable keeps memory of b after the value was put in lineBufs`
	}
	return nil
}

func readLineCopied(r io.Reader, into any) error {
	b := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(b)
	n, err := r.Read((*b)[:cap(*b)])
	if err != nil {
		return err
	}
	switch out := into.(type) {
	case nil:
	case *string:
		*out = string((*b)[:n])
	case *[]byte:
		*out = append((*out)[:0], (*b)[:n]...)
	}
	return nil
}

type lineSink struct{ rest *[]byte }

// Each sink has its own way to let go of the buffer.
func deliver(sink any, text string) {
	b := lineBufs.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	if w, ok := sink.(io.Writer); ok {
		w.Write(*b)
		lineBufs.Put(b)
		return
	}
	if s, ok := sink.(*lineSink); ok {
		s.rest = b
		return
	}
	if s, ok := sink.(fmt.Stringer); ok {
		*b = append(*b, s.String()...)
	}
	lineBufs.Put(b)
}
