// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"encoding/binary"
	"io"
	"math/bits"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// A source is what a decoder of the library reads from. It lets go of the user's reader
// or bytes behind it, and it follows the frames as they pass, for two reasons.
//
// The library makes a history of the size of the window that a frame declares, before it
// decodes the first byte. 20 bytes of input can so ask for 64 MiB, whatever the
// limit. But nobody sees more than limit bytes, and no match reaches back
// beyond the beginning, so that a window of limit and one block is as good: where a frame
// declares a larger one, source says this one in its place. It gives the same
// bytes and the same errors, since blocks of more than 128 KiB are
// wrong in any case, and since the first block that might reach further back begins
// beyond the limit. A frame that says its length needs no larger window than that either.
//
// And the library does not tell how much it holds. What it makes depends on
// the headers of frames and blocks alone, all of which pass here.
type source struct {
	r io.Reader
	b []byte // where r is nil

	limit     int64 // the bytes that the user may see
	maxWindow uint64

	part  part
	rest  int64 // bytes of a block or of a skippable frame that are still to pass
	err   error // that came with the bytes of head
	head  [18]byte
	n     int // bytes of head that were read
	ready int // that may be passed on
	given int // that were passed on

	window   int64 // of the frame
	checksum int64 // bytes of that behind the frame
	ring     int64 // the largest history of this stream

	held held
}

// A part is what head is, or will be.
type part uint8

const (
	frameHeader part = iota
	blockHeader
	unknown // the library will say what is wrong
)

// held is what a decoder has made so far, of each kind the largest.
type held struct{ ring, data, literals, out, sequences int64 }

// begin makes s the source of a new stream.
func (s *source) begin(r io.Reader, b []byte, limit int64, maxWindow uint64) {
	*s = source{r: r, b: b, limit: limit, maxWindow: maxWindow, held: s.held}
}

// Read implements io.Reader. It reads headers as a whole, which the library does in pieces.
func (s *source) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		switch {
		case s.given < s.ready:
			n := copy(p, s.head[s.given:s.ready])
			if s.given += n; s.given == s.ready {
				s.n, s.ready, s.given = 0, 0, 0
			}
			return n, nil
		case s.err != nil:
			err := s.err
			s.err = nil
			return 0, err
		case s.part == unknown:
			return s.fetch(p)
		case s.rest > 0:
			n, err := s.fetch(p[:min(int64(len(p)), s.rest)])
			s.rest -= int64(n)
			return n, err
		}
		n, err := s.fetch(s.head[s.n:s.need()])
		if n == 0 && err == nil {
			return 0, nil
		}
		s.n += n
		s.err = err
		if s.n == s.need() {
			s.parse()
		}
		if err != nil && s.n > 0 && s.ready == 0 {
			s.part, s.ready = unknown, s.n // the library will miss the rest
		}
	}
}

func (s *source) fetch(p []byte) (int, error) {
	if s.r != nil {
		return s.r.Read(p)
	}
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.b)
	s.b = s.b[n:]
	return n, nil
}

const (
	frameMagic    = 0xfd2fb528
	skipMagic     = 0x184d2a50 // and the 15 behind it
	singleSegment = 1 << 5     // in the fifth byte of a frame, and these two
	hasChecksum   = 1 << 2
	reserved      = 1 << 3
	maxBlock      = 128 << 10
	overAlloc     = 16 // that the library adds to its blocks
)

// need returns how long head has to be to be parsed or to see how long it has to be.
func (s *source) need() int {
	switch {
	case s.part == blockHeader:
		return 3
	case s.n < 4:
		return 4
	case s.skippable():
		return 8
	case s.n == 4:
		return 5
	}
	flags := s.head[4]
	n := 5 + [4]int{0, 1, 2, 4}[flags&3] + [4]int{0, 2, 4, 8}[flags>>6]
	if flags&singleSegment == 0 || flags>>6 == 0 {
		n++ // the window, or a length of one byte
	}
	return n
}

func (s *source) magic() uint32   { return binary.LittleEndian.Uint32(s.head[:]) }
func (s *source) skippable() bool { return s.magic()&^15 == skipMagic }

// parse looks at a head of the length that it needs, or of which that was not known.
func (s *source) parse() {
	switch {
	case s.part == blockHeader:
		s.block()
	case s.n == 8 && s.skippable():
		s.rest = int64(binary.LittleEndian.Uint32(s.head[4:]))
	case s.n == 4 && (s.skippable() || s.magic() == frameMagic):
		return // there is more of it
	case s.n == 4 || s.head[4]&reserved != 0:
		s.part = unknown
	case s.n == 5:
		return
	default:
		s.frame()
	}
	s.ready = s.n
}

// frame looks at the header of a frame and, if that asks for more than what can be of
// use, changes it.
func (s *source) frame() {
	var h zstd.Header
	if h.Decode(s.head[:s.n]) != nil {
		s.part = unknown
		return
	}
	s.part = blockHeader
	s.checksum = 0
	if h.HasCheckSum {
		s.checksum = 4
	}
	declared := h.WindowSize
	if h.SingleSegment {
		declared = max(h.FrameContentSize, zstd.MinWindowSize)
	}
	enough := uint64(s.limit)
	if h.HasFCS {
		enough = min(enough, h.FrameContentSize)
	}
	if declared > s.maxWindow || enough > declared || declared-enough <= maxBlock {
		s.window = int64(min(declared, s.maxWindow)) // the library refuses a larger one
		return
	}
	descriptor, window := windowOfAtLeast(enough + maxBlock)
	if window >= declared {
		s.window = int64(declared)
		return
	}
	s.window = int64(window)
	if h.SingleSegment { // such a frame has no window in its header
		copy(s.head[6:], s.head[5:s.n])
		s.n++
		s.head[4] &^= singleSegment
	}
	s.head[5] = descriptor
}

// windowOfAtLeast returns how a header says the smallest window of at least n bytes, which are
// some.
func windowOfAtLeast(n uint64) (descriptor byte, window uint64) {
	exp := bits.Len64(n) - 1
	eighth := uint64(1) << exp / 8
	eighths := (n - 1<<exp + eighth - 1) / eighth
	if eighths == 8 {
		exp, eighths = exp+1, 0
		eighth *= 2
	}
	return byte(exp-10)<<3 | byte(eighths), (8 + eighths) * eighth
}

// block looks at the header of a block.
func (s *source) block() {
	h := int64(s.head[0]) | int64(s.head[1])<<8 | int64(s.head[2])<<16
	size, most := h>>3, min(s.window, maxBlock)
	switch h >> 1 & 3 {
	case 0: // as it is
		s.rest = size
		s.hold(size, 0, 0)
	case 1: // one byte, repeated
		s.rest = 1
		s.hold(1, 0, min(size, maxBlock))
	case 2: // compressed
		s.rest = size
		s.hold(size, most, most)
	default:
		s.part = unknown
		return
	}
	if h&1 != 0 {
		s.rest += s.checksum
		s.part = frameHeader
	}
}

// hold notes what the library makes for a block.
func (s *source) hold(data, literals, out int64) {
	// History, and room for two blocks more.
	s.ring = max(s.ring, s.window+2*(min(s.window, maxBlock)+overAlloc))
	s.held.ring = max(s.held.ring, s.ring)
	s.held.data = max(s.held.data, min(data, maxBlock))
	s.held.literals = max(s.held.literals, literals)
	s.held.out = max(s.held.out, out)
	if runtime.GOARCH == "arm64" && literals > 0 && s.window >= 1<<20 {
		s.held.sequences = maxBlock / 3 * 24 // it decodes such blocks in two steps
	}
}

// size returns the bytes of all of it.
func (h held) size() int {
	n := 0
	for _, part := range [...]int64{h.ring, h.data, h.literals, h.out, h.sequences} {
		if part > 0 {
			n += allocated(int(part) + 2*overAlloc)
		}
	}
	return n
}

// allocated returns what the allocator takes for n bytes, or somewhat more.
func allocated(n int) int {
	if n <= 32<<10 {
		return n + n/8
	}
	return (n + 8<<10 - 1) &^ (8<<10 - 1)
}
