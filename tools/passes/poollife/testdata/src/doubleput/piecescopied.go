// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"net"
	"slices"
)

// Pieces of one buffer that are put out of a copy of the list, for the list itself is used up by who writes it.

func framesShort(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(shortCut, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

// Wrong: 4096 - 15*256 is 256.
func sendShort(w io.Writer, b []byte) error {
	bufs := framesShort(b)
	all := slices.Clone(bufs)
	_, err := bufs.WriteTo(w)
	for _, p := range all {
		giveBlock(p) // want `slices of one buffer \(p\) are put one by one: they were cut at line 16`
	}
	return err
}

func framesLater(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

// Wrong: copied by hand, and put when the function ends.
func sendLater(w io.Writer, b []byte) error {
	bufs := framesLater(b)
	all := make([][]byte, len(bufs))
	copy(all, bufs)
	defer func() {
		for i := range all {
			giveAny(all[i]) // want `slices of one buffer \(all\[i\]\) are put one by one`
		}
	}()
	_, err := bufs.WriteTo(w)
	return err
}

func framesEach(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

// Wrong: a function puts what it is given.
func giveEach(list net.Buffers) {
	for _, p := range list {
		giveAny(p) // want `slices of one buffer \(p\) are put one by one`
	}
}

func sendEach(w io.Writer, b []byte) error {
	bufs := framesEach(b)
	defer giveEach(slices.Clone(bufs))
	for len(bufs) > 0 {
		if _, err := w.Write(bufs[0]); err != nil {
			return err
		}
		bufs = bufs[1:]
	}
	return nil
}

func framesOdd(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

// Right: no number of cuts leaves a block of another class.
func sendOdd(w io.Writer, b []byte) error {
	bufs := framesOdd(b)
	all := slices.Clone(bufs)
	_, err := bufs.WriteTo(w)
	for _, p := range all {
		giveBlock(p)
	}
	return err
}

func framesApart(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k:k])
		b = b[k:]
	}
	return out
}

// Right: each piece has no more capacity than it needs.
func sendApart(w io.Writer, b []byte) error {
	bufs := framesApart(b)
	all := make([][]byte, len(bufs))
	copy(all, bufs)
	defer func() {
		for i := range all {
			giveAny(all[i])
		}
	}()
	_, err := bufs.WriteTo(w)
	return err
}

func framesFirst(b []byte) (out net.Buffers) {
	for len(b) > 0 {
		k := min(100, len(b))
		out = append(out, b[:k])
		b = b[k:]
	}
	return out
}

// Right: only the first, which has all of the buffer, goes back.
func sendFirst(w io.Writer, b []byte) error {
	bufs := framesFirst(b)
	all := slices.Clone(bufs)
	_, err := bufs.WriteTo(w)
	if len(all) > 0 {
		giveAny(all[0])
	}
	return err
}
