// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"encoding/binary"
	"io"
	"math/bits"
	"runtime"
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
	want  int // how many it has to have to be parsed
	ready int // that may be passed on
	given int // that were passed on

	window   int64 // of the frame
	checksum int64 // bytes of that behind the frame
	ring     int64 // the largest history of this stream

	held held
	size int // the bytes of held
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
func (s *source) begin(r io.Reader, b []byte, limit int64) {
	s.r, s.b, s.limit, s.err = r, b, limit, nil
	s.part, s.rest, s.ring = frameHeader, 0, 0
	s.n, s.want, s.ready, s.given = 0, 4, 0, 0
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
				s.n, s.want, s.ready, s.given = 0, 4, 0, 0
				if s.part == blockHeader {
					s.want = 3
				}
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
		n, err := s.fetch(s.head[s.n:s.want])
		if n == 0 && err == nil {
			return 0, nil
		}
		s.n += n
		s.err = err
		if s.n == s.want {
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
	minWindow     = 1 << 10
	maxBlock      = 128 << 10
	overAlloc     = 16 // that the library adds to its blocks
)

// parse looks at a head of the length that was wanted. It wants more of it, or has it
// passed on.
func (s *source) parse() {
	switch {
	case s.part == blockHeader:
		s.block()
	case s.n == 4:
		switch magic := binary.LittleEndian.Uint32(s.head[:]); {
		case magic == frameMagic:
			s.want = 5
			return
		case magic&^15 == skipMagic:
			s.want = 8
			return
		}
		s.part = unknown
	case s.n == 8 && s.head[0]&^15 == skipMagic&0xff:
		s.rest = int64(binary.LittleEndian.Uint32(s.head[4:]))
	case s.n == 5 && s.head[4]&reserved == 0:
		flags := s.head[4]
		s.want += [4]int{0, 1, 2, 4}[flags&3] + [4]int{0, 2, 4, 8}[flags>>6]
		if flags&singleSegment == 0 || flags>>6 == 0 {
			s.want++ // the window, or a length of one byte
		}
		return
	case s.n == 5:
		s.part = unknown
	default:
		s.frame()
	}
	s.ready = s.n
}

// frame looks at the header of a frame and, if that asks for more than what can be of
// use, changes it.
func (s *source) frame() {
	s.part = blockHeader
	flags := s.head[4]
	s.checksum = 0
	if flags&hasChecksum != 0 {
		s.checksum = 4
	}
	enough := uint64(s.limit)
	length, known := s.length()
	if known {
		enough = min(enough, length)
	}
	var declared uint64
	if flags&singleSegment != 0 {
		declared = max(length, minWindow)
	} else {
		base := uint64(1) << (10 + s.head[5]>>3)
		declared = base + base/8*uint64(s.head[5]&7)
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
	if flags&singleSegment != 0 { // such a frame has no window in its header
		copy(s.head[6:], s.head[5:s.n])
		s.n++
		s.head[4] &^= singleSegment
	}
	s.head[5] = descriptor
}

// length returns the length of its contents that a frame says, if it does. It stands at the end of the
// header.
func (s *source) length() (n uint64, known bool) {
	end := s.head[:s.n]
	switch s.head[4] >> 6 {
	case 0:
		return uint64(end[s.n-1]), s.head[4]&singleSegment != 0
	case 1:
		return uint64(binary.LittleEndian.Uint16(end[s.n-2:])) + 256, true
	case 2:
		return uint64(binary.LittleEndian.Uint32(end[s.n-4:])), true
	}
	return binary.LittleEndian.Uint64(end[s.n-8:]), true
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
	h := held{
		max(s.held.ring, s.ring),
		max(s.held.data, min(data, maxBlock)),
		max(s.held.literals, literals),
		max(s.held.out, out),
		s.held.sequences,
	}
	if runtime.GOARCH == "arm64" && literals > 0 && s.window >= 1<<20 {
		h.sequences = maxBlock / 3 * 24 // it decodes such blocks in two steps
	}
	if h != s.held {
		s.held, s.size = h, h.size()
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
