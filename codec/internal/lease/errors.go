// SPDX-License-Identifier: BSD-3-Clause

package lease

import "errors"

// Errors are those of one package.
type Errors struct {
	Closed   error // use of a handle whose turn is over
	Busy     error // use of a handle within another call, or from two goroutines
	Panicked error // use of a codec whose user's reader or writer panicked
	TooLarge error // what decompresses to more than the limit
}

// NewErrors returns the errors of the named package.
func NewErrors(pkg string) *Errors {
	return &Errors{
		Closed:   errors.New(pkg + ": use after Close or Put"),
		Busy:     errors.New(pkg + ": use during another call"),
		Panicked: errors.New(pkg + ": use after a panic"),
		TooLarge: errors.New(pkg + ": decompressed data exceed the limit"),
	}
}

// Refused returns the error for a handle whose Enter returned nil.
func (e *Errors) Refused(over bool) error {
	if over {
		return e.Closed
	}
	return e.Busy
}
