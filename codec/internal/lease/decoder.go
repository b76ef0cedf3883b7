// SPDX-License-Identifier: BSD-3-Clause

package lease

import (
	"fmt"
	"io"
)

// A Decoder is the part of a pooled decoder that does not depend on the format: it
// reads within a limit, and knows whether what it reads from is still whole.
type Decoder struct {
	z     io.Reader // gives io.EOF at the end of the stream, and then again
	errs  *Errors
	limit int64
	left  int64 // bytes until the limit
	one   [1]byte

	busy   bool // in a call, or left it by a panic
	failed bool // z is not to be reused
	err    error
}

// Init sets what does the work.
func (d *Decoder) Init(z io.Reader, errs *Errors) { d.z, d.errs = z, errs }

// Whole reports whether d may serve another user.
func (d *Decoder) Whole() bool { return !d.failed && !d.busy }

// Fail says that what does the work is not to be reused, and makes all further
// calls return err.
func (d *Decoder) Fail(err error) { d.failed, d.err = true, err }

// Err returns the error of the stream.
func (d *Decoder) Err() error { return d.err }

// Begin says that a new stream begins, of at most limit bytes.
func (d *Decoder) Begin(limit int64) {
	d.limit = max(limit, 0)
	d.left = d.limit
	d.err = nil
}

// Limit returns the limit of the stream.
func (d *Decoder) Limit() int64 { return d.limit }

// Left returns how many bytes are left until the limit.
func (d *Decoder) Left() int64 { return d.left }

// TooLarge returns the error for a stream beyond the limit.
func (d *Decoder) TooLarge() error { return fmt.Errorf("%w of %d bytes", d.errs.TooLarge, d.limit) }

// Enter says that a call begins in which the user's reader may panic. Leave, with
// the call's error, says that it did not.
func (d *Decoder) Enter() { d.busy = true }

// Leave ends what Enter began. io.EOF is the end of the stream, and no fault.
func (d *Decoder) Leave(err error) {
	d.busy = false
	if err != nil {
		d.failed = d.failed || err != io.EOF
		d.err = err
	}
}

// Read reads within the limit.
func (d *Decoder) Read(p []byte) (int, error) {
	switch {
	case d.busy:
		return 0, d.errs.Panicked
	case d.err != nil:
		return 0, d.err
	case len(p) == 0:
		return 0, nil
	case d.left == 0:
		if n, err := d.readOn(d.one[:]); n == 0 {
			return 0, err
		}
		d.err = d.TooLarge()
		return 0, d.err
	case int64(len(p)) > d.left:
		p = p[:d.left]
	}
	n, err := d.readOn(p)
	d.left -= int64(n)
	return n, err
}

func (d *Decoder) readOn(p []byte) (int, error) {
	d.Enter()
	n, err := d.z.Read(p)
	d.Leave(err)
	return n, err
}

// AppendTo appends the rest of the stream to dst. On error dst comes back longer than
// it was.
func (d *Decoder) AppendTo(dst []byte) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			// dst is often as large as it has to be. Ask before it grows.
			n, err := d.Read(d.one[:])
			dst = append(dst, d.one[:n]...)
			if err == io.EOF {
				return dst, nil
			}
			if err != nil {
				return dst, err
			}
		}
		n, err := d.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}
