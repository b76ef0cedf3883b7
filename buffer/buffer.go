// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// A Buffer is a variable-sized buffer of bytes with [Buffer.Read] and
// [Buffer.Write] methods, as is [bytes.Buffer].
//
// The zero Buffer is empty and ready for use. New, NewBuffer and
// NewBufferString return others; Get returns one from a pool. Release gives up
// the memory of any of them. A Buffer is not safe for concurrent use.
//
// A Buffer may be copied as a bytes.Buffer may: before use, or to use but one
// of the two from then on. A Buffer from Get must not be copied. See the
// package comment for what happens then.
type Buffer struct {
	buf      []byte // contents are buf[off:]
	off      int
	lastRead readOp
	most     uint32 // the largest len(buf) that was cut off; see need

	// The memory that buf lies in, if it belongs to the pool, and the store's
	// generation. noStore if there was none to lend.
	store *store
	gen   uint64
}

// readOp is what UnreadByte and UnreadRune may undo: if positive, a rune of as
// many bytes.
type readOp int32

const (
	opRead     readOp = -1 // some bytes
	opInvalid  readOp = 0  // nothing
	opReleased readOp = -2 // checked build: nothing, ever again
)

// MinRead is the room that [Buffer.ReadFrom] makes at least for each call of
// the reader. A Buffer with MinRead bytes of room beyond what the reader holds
// does not grow.
const MinRead = bytes.MinRead

// ErrTooLarge is passed to panic if the memory for the contents of a Buffer
// cannot be allocated. It is [bytes.ErrTooLarge].
var ErrTooLarge = bytes.ErrTooLarge

var (
	errNegativeRead = errors.New("bytes.Buffer: reader returned negative count from Read")
	errUnreadByte   = errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")
	errUnreadRune   = errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
)

var (
	_ io.ReadWriter   = (*Buffer)(nil)
	_ io.ReaderFrom   = (*Buffer)(nil)
	_ io.WriterTo     = (*Buffer)(nil)
	_ io.ByteScanner  = (*Buffer)(nil)
	_ io.ByteWriter   = (*Buffer)(nil)
	_ io.RuneScanner  = (*Buffer)(nil)
	_ io.StringWriter = (*Buffer)(nil)
	_ fmt.Stringer    = (*Buffer)(nil)
)

// New returns an empty Buffer with room for 64 bytes. New is inlined, and where
// the Buffer does not escape the room is on the stack, like the Buffer:
//
//	b := buffer.New()
//	defer b.Release()
//
// The room moves to the heap, in one allocation, if the compiler cannot see
// that the contents stay in the function: through WriteTo, ReadFrom, an
// io.Writer, or what is done with the result of Bytes, Next, Peek or
// AvailableBuffer.
func New() Buffer {
	return Buffer{buf: make([]byte, 0, minSize)}
}

// NewBuffer returns a Buffer with the contents of buf, to read them or to write
// behind them. The Buffer owns buf's array from then on; it does not become a
// part of the pool, not even by Release.
func NewBuffer(buf []byte) *Buffer { return &Buffer{buf: buf} }

// NewBufferString returns a Buffer with the contents of s.
func NewBufferString(s string) *Buffer { return &Buffer{buf: []byte(s)} }

// Get returns an empty Buffer from the pool. The caller owns it until Release,
// and must not copy it. A Buffer that is not released is no leak.
func Get() *Buffer {
	// Sound: getStores holds nothing but *store.
	if !race.Enabled && !checked.Enabled {
		if p, pid := getStores, magazine.Pin(); p.Has(pid) {
			shard := p.At(pid)
			if n := shard.Len(); n > shard.Floor() {
				s := (*store)(shard.Pop(n))
				magazine.Unpin()
				s.pid, s.at = uint16(pid), uint8(n-1)
				return s.start()
			}
			if s := (*store)(shard.PopFull()); s != nil {
				n := shard.Len()
				magazine.Unpin()
				s.pid, s.at = uint16(pid), uint8(n)
				return s.start()
			}
		}
		magazine.Unpin()
	}
	return getSlow().start()
}

// Release gives the memory of the Buffer to the pool. The caller must not use
// the Buffer any more, nor a copy of it, nor a slice that a method returned,
// except for Detach. A second Release does nothing, unless Get returned the
// Buffer to somebody else in between.
//
// What a Buffer grew into becomes a part of the pool, with the Buffer itself if
// it is from Get; the memory that New, NewBuffer or NewBufferString gave it
// does not.
func (b *Buffer) Release() {
	if b.store != nil {
		b.store.release(b)
	} else if checked.Enabled {
		b.lastRead = opReleased
	}
}

// release is Release of a Buffer with the store s.
//
// Sound: what it puts into getStores is a *store.
func (s *store) release(b *Buffer) {
	if b != &s.b {
		b.takeBack()
		*b = Buffer{}
		if checked.Enabled {
			b.lastRead = opReleased
		}
		return
	}
	if !s.out {
		if checked.Enabled && s.again {
			s.misuse("Release of a Buffer that was released and that somebody else may have by now")
		}
		return
	}
	s.out = false
	if need := b.need(); need < int(s.least) || unsafe.SliceData(b.buf) != s.base || checked.Enabled {
		s.settle(need)
		s.rewind()
	} else {
		s.recent = recent{}
	}
	x := s.self
	if !race.Enabled && !checked.Enabled {
		if p, pid := getStores, magazine.Pin(); p.Has(pid) {
			shard := p.At(pid)
			n := shard.Len()
			if int(n)*cap(b.buf) > maxShard && (int(n) > int(s.at) || uint16(pid) != s.pid) {
				magazine.Unpin()
				s.dropArray()
				s.rewind()
				putSlow(x)
				return
			}
			if n < shard.Limit() {
				shard.Push(n, unsafe.Pointer(x))
				magazine.Unpin()
				return
			}
			if shard.PushFull(unsafe.Pointer(x)) {
				magazine.Unpin()
				return
			}
		}
		magazine.Unpin()
	}
	putSlow(x)
}

// ReleaseFrom releases *b, if it is not nil, and sets *b to nil. So a later use
// of the variable dereferences nil, at the line that is wrong. Other variables
// that point to the Buffer remain as they are.
func ReleaseFrom(b **Buffer) {
	if x := *b; x != nil {
		*b = nil
		x.Release()
	}
}

// Detach returns the unread contents, which the caller owns from then on, and
// leaves the Buffer empty. The contents of a Buffer from Get are copied if they
// fill less than a quarter of its memory, or are few bytes. Detach returns nil if
// there are none.
func (b *Buffer) Detach() []byte {
	if checked.Enabled {
		b.check("Detach")
	}
	if b.isOwn() {
		if s := b.store; s.array == nil || len(b.buf)-b.off < cap(s.array)/4 {
			data := append([]byte(nil), b.buf[b.off:]...)
			b.Reset()
			return data
		}
	}
	data := b.buf[b.off:]
	if len(data) == 0 {
		data = nil
	}
	b.detached()
	return data
}

// detached leaves b without the memory that it had, which is not the pool's any
// more.
func (b *Buffer) detached() {
	s := b.store
	switch {
	case b.isOwn():
		s.array = nil
		s.dropOld(false) // the collector knows who sees them
		s.rewind()
		b.off = 0
		b.most = 0
		b.lastRead = opInvalid
		return
	case s != nil && s.lent:
		// Neither must it become that by the Release of a copy.
		s.self.gen.CompareAndSwap(b.gen, b.gen+1)
	}
	*b = Buffer{}
}

// Bytes returns the unread contents, of length b.Len(). The slice is a part of
// the Buffer, valid until its next modification, and may be passed to the method
// that makes it. After Release it may have become memory of somebody else.
func (b *Buffer) Bytes() []byte {
	if checked.Enabled {
		b.check("Bytes")
	}
	return b.buf[b.off:]
}

// AvailableBuffer returns an empty slice of capacity b.Available(), to append
// to and to pass to a Write that follows at once. It is valid until the next
// modification of the Buffer.
func (b *Buffer) AvailableBuffer() []byte {
	if checked.Enabled {
		b.check("AvailableBuffer")
	}
	return b.buf[len(b.buf):]
}

// String returns a copy of the unread contents; "<nil>" if b is nil.
func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	if checked.Enabled {
		b.check("String")
	}
	return string(b.buf[b.off:])
}

// Len returns the number of unread bytes.
func (b *Buffer) Len() int {
	if checked.Enabled {
		b.check("Len")
	}
	return len(b.buf) - b.off
}

// Cap returns the capacity, in bytes, of the memory that the Buffer has at
// present.
func (b *Buffer) Cap() int {
	if checked.Enabled {
		b.check("Cap")
	}
	return cap(b.buf)
}

// Available returns the number of bytes that can be written without growth.
func (b *Buffer) Available() int {
	if checked.Enabled {
		b.check("Available")
	}
	return cap(b.buf) - len(b.buf)
}

// Truncate discards all but the first n unread bytes. It keeps the memory, and
// panics if n is negative or more than b.Len().
func (b *Buffer) Truncate(n int) {
	if checked.Enabled {
		b.check("Truncate")
	}
	if n == 0 {
		b.Reset()
		return
	}
	b.lastRead = opInvalid
	if n < 0 || n > len(b.buf)-b.off {
		panic("bytes.Buffer: truncation out of range")
	}
	b.most = max(b.most, uint32(len(b.buf)))
	b.buf = b.buf[:b.off+n]
}

// Reset makes the Buffer empty. It keeps the memory. Reset is Truncate(0).
func (b *Buffer) Reset() {
	if checked.Enabled {
		b.check("Reset")
	}
	b.most = max(b.most, uint32(len(b.buf)))
	b.buf = b.buf[:0]
	b.off = 0
	b.lastRead = opInvalid
}

// Grow makes room for n more bytes, so that they can be written without growth.
// It panics if n is negative, and with ErrTooLarge if there is not enough
// memory.
func (b *Buffer) Grow(n int) {
	if checked.Enabled {
		b.check("Grow")
	}
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.buf = b.buf[:b.grow(n)]
}

// grow appends n bytes of any value, and returns where they begin.
func (b *Buffer) grow(n int) int { return b.growBy(n, nil) }

// growBy appends n bytes, which begin with those of p, and returns where they
// begin. p may be memory of b itself.
//
// Nothing in it, nor in the methods that write, appends to b.buf: the compiler
// would have to assume that the array of buf gets to the heap.
//
//go:noinline
func (b *Buffer) growBy(n int, p []byte) int {
	unread := len(b.buf) - b.off
	if unread == 0 && b.off != 0 {
		b.Reset()
	}
	end := len(b.buf)
	size := cap(b.buf)
	switch {
	case n <= size-end:
		b.buf = b.buf[:end+n]
		copy(b.buf[end:], p)
		return end
	case b.buf == nil && n <= minSize:
		b.buf = make([]byte, n, minSize)
		copy(b.buf, p)
		return 0
	case n <= size/2-unread:
		// Move the contents down, but only if they fill less than half, so that
		// the cost is paid for by as many bytes that were read. Then off is
		// beyond the half, and what is appended ends before it: p can be copied
		// first, while nothing has been written over it.
		all := b.buf[:size]
		copy(all[unread:unread+n], p)
		copy(all[:unread], all[b.off:end])
	case size > math.MaxInt-size-n:
		panic(ErrTooLarge)
	default:
		b.moveTo(max(2*size, unread+n), p)
	}
	b.off = 0
	b.buf = b.buf[:unread+n]
	return unread
}

// Write appends p. It returns len(p) and nil, and panics with ErrTooLarge if
// there is not enough memory.
func (b *Buffer) Write(p []byte) (n int, err error) {
	write(b, p, (*Buffer).growWrite)
	return len(p), nil
}

// WriteString appends s. It returns len(s) and nil, and panics with ErrTooLarge
// if there is not enough memory.
func (b *Buffer) WriteString(s string) (n int, err error) {
	writeString(b, s, (*Buffer).growWriteString)
	return len(s), nil
}

// WriteByte appends c. It returns nil, and panics with ErrTooLarge if there is
// not enough memory.
func (b *Buffer) WriteByte(c byte) error {
	writeByte(b, c, (*Buffer).grow)
	return nil
}

// The three functions below are inlined, and so are their callers, up to the
// code that uses the Buffer. The compiler does not do that for a function of
// this size that calls another; but it does if the other is a parameter, in the
// expectation that it turns out to be constant, as it does. Escape analysis
// comes later, and sees through it. A test reads the compiler's output for
// both.

func write(b *Buffer, p []byte, growWrite func(*Buffer, []byte)) {
	if checked.Enabled {
		b.check("Write")
	}
	b.lastRead = opInvalid
	end := len(b.buf)
	free := b.buf[end:cap(b.buf)]
	if len(p) > len(free) {
		growWrite(b, p)
		return
	}
	b.buf = b.buf[:end+len(p)]
	copy(free[:len(p)], p)
}

func writeString(b *Buffer, s string, growWrite func(*Buffer, string)) {
	if checked.Enabled {
		b.check("WriteString")
	}
	b.lastRead = opInvalid
	end := len(b.buf)
	free := b.buf[end:cap(b.buf)]
	if len(s) > len(free) {
		growWrite(b, s)
		return
	}
	b.buf = b.buf[:end+len(s)]
	copy(free[:len(s)], s)
}

// growWrite is the end of Write where the Buffer has to grow.
func (b *Buffer) growWrite(p []byte) { b.growBy(len(p), p) }

// growWriteString is growWrite for WriteString.
//
// Sound: growBy only reads p.
func (b *Buffer) growWriteString(s string) {
	b.growBy(len(s), unsafe.Slice(unsafe.StringData(s), len(s)))
}

func writeByte(b *Buffer, c byte, grow func(*Buffer, int) int) {
	if checked.Enabled {
		b.check("WriteByte")
	}
	b.lastRead = opInvalid
	end := len(b.buf)
	if end < cap(b.buf) {
		b.buf = b.buf[:end+1]
	} else {
		end = grow(b, 1)
	}
	b.buf[end] = c
}

// WriteRune appends the UTF-8 encoding of r, or of U+FFFD if r is no valid code
// point. It returns the number of bytes and nil, and panics with ErrTooLarge if
// there is not enough memory.
func (b *Buffer) WriteRune(r rune) (n int, err error) {
	if uint32(r) < utf8.RuneSelf {
		b.WriteByte(byte(r))
		return 1, nil
	}
	if checked.Enabled {
		b.check("WriteRune")
	}
	b.lastRead = opInvalid
	end := len(b.buf)
	if utf8.UTFMax <= cap(b.buf)-end {
		b.buf = b.buf[:end+utf8.UTFMax]
	} else {
		end = b.grow(utf8.UTFMax)
	}
	n = utf8.EncodeRune(b.buf[end:], r)
	b.buf = b.buf[:end+n]
	return n, nil
}

// ReadFrom appends what r returns until io.EOF, which is no error, and returns
// the number of bytes. The bytes are read into the Buffer's own memory. If r
// has a method Len() int, as those of package bytes and strings have, the
// Buffer grows at most once as long as Len is right. ReadFrom panics with
// ErrTooLarge if there is not enough memory.
func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	if checked.Enabled {
		b.check("ReadFrom")
	}
	b.lastRead = opInvalid
	// What Len says is not believed if it would cost much.
	if r, ok := r.(interface{ Len() int }); ok {
		if l := r.Len(); l > 0 && l <= maxHint {
			b.buf = b.buf[:b.grow(l+MinRead)]
		}
	}
	for {
		end := b.grow(MinRead)
		b.buf = b.buf[:end]
		m, err := r.Read(b.buf[end:cap(b.buf)])
		if m < 0 {
			panic(errNegativeRead)
		}
		b.buf = b.buf[:end+m]
		n += int64(m)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// maxHint is the largest Len of a reader for which ReadFrom makes room before
// it has seen the bytes.
const maxHint = 64 << 20

// WriteTo writes the unread contents to w, with one call of Write, and returns
// the number of bytes that w accepted and w's error. What w did not accept
// remains unread.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	if checked.Enabled {
		b.check("WriteTo")
	}
	b.lastRead = opInvalid
	unread := b.buf
	if b.off != 0 {
		unread = unread[b.off:]
	}
	if len(unread) > 0 {
		m, err := w.Write(unread)
		n = int64(m)
		if m != len(unread) || err != nil {
			if m > len(unread) {
				panic("bytes.Buffer.WriteTo: invalid Write count")
			}
			b.off += m
			if err == nil {
				err = io.ErrShortWrite
			}
			return n, err
		}
	}
	b.Reset()
	return n, nil
}
