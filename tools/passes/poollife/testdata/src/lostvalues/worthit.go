package lostvalues

import (
	"errors"
	"io"
	"sync"
)

// A method that puts what is worth it, by the size of something else, and sets the field to nil in any case has decided,
// also where it is called for an error.

var frames = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type framed struct {
	conn  io.ReadWriteCloser
	ptr   *[]byte
	data  []byte
	close sync.Once
}

func newFramed(c io.ReadWriteCloser) *framed {
	f := &framed{conn: c, ptr: frames.Get().(*[]byte)}
	f.data = *f.ptr
	return f
}

func (f *framed) exchange(q []byte, handle func([]byte) error) error {
	if f.data == nil {
		return errors.New("closed")
	}
	n := copy(f.data, q)
	if _, err := f.conn.Write(f.data[:n]); err != nil {
		f.Close()
		return err
	}
	return handle(f.data[:n])
}

func (f *framed) Close() {
	f.close.Do(func() {
		if f.conn != nil {
			f.conn.Close()
			f.conn = nil
			if n := len(f.data); n >= 4096 && n <= 1<<20 {
				*f.ptr = f.data
				frames.Put(f.ptr)
			}
			f.data, f.ptr = nil, nil
		}
	})
}
