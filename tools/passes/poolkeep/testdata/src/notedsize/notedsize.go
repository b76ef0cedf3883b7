package notedsize

import (
	"io"
	"sync"
)

// Right: the struct notes how large its buffer has become, and who puts it asks for that.
type frame struct {
	buf  []byte
	max  int
	from int
}

func (f *frame) read(r io.Reader, n int) error {
	if n > cap(f.buf) {
		f.buf = make([]byte, n)
	}
	f.max = max(f.max, n)
	_, err := io.ReadFull(r, f.buf[:n])
	return err
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func copyFrame(r io.Reader, n int, use func([]byte)) error {
	f := frames.Get().(*frame)
	defer giveFrame(f)
	if err := f.read(r, n); err != nil {
		return err
	}
	use(f.buf[:n])
	return nil
}

func giveFrame(f *frame) {
	if f.max > 64<<10 {
		return
	}
	frames.Put(f)
}

// Wrong: where it stands in the buffer is no limit on the buffer.
type block struct {
	buf     []byte
	off, n  int
	retries int
}

func (b *block) read(r io.Reader, n int) error {
	if n > cap(b.buf) {
		b.buf = make([]byte, n)
	}
	b.off, b.n = 0, n
	_, err := io.ReadFull(r, b.buf[:n])
	return err
}

var blocks = sync.Pool{New: func() any { return new(block) }}

func copyBlock(r io.Reader, n int, use func([]byte)) error {
	b := blocks.Get().(*block)
	defer giveBlock(b)
	if err := b.read(r, n); err != nil {
		return err
	}
	use(b.buf[:n])
	return nil
}

func giveBlock(b *block) {
	if b.off < b.n || b.n > 0 {
		b.off, b.n = 0, 0
	}
	if b.retries > 3 {
		return
	}
	blocks.Put(b) // want `b, the pooled block, keeps buf of any size`
}
