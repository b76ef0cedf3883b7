// SPDX-License-Identifier: BSD-3-Clause

package a

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Errors that are joined make one if one of them is one.

var joinedBufs sync.Pool

func freeJoined(b []byte) { joinedBufs.Put(&b) } // want `the address of the local variable b is put`

type joinedPart struct {
	b   []byte
	err error
}

func nextJoined(ctx context.Context, in <-chan joinedPart) ([]byte, error) {
	select {
	case p, ok := <-in:
		if !ok {
			return nil, io.EOF
		}
		return p.b, p.err
	case <-ctx.Done():
		return nil, errors.Join(io.ErrUnexpectedEOF, ctx.Err())
	}
}

// Right: without an error there is a buffer.
func useJoined(ctx context.Context, in <-chan joinedPart, use func([]byte)) error {
	b, err := nextJoined(ctx, in)
	if err != nil {
		return err
	}
	use(b)
	freeJoined(b)
	return nil
}

func nextMaybe(ctx context.Context, in <-chan joinedPart, first, second error) ([]byte, error) {
	select {
	case p, ok := <-in:
		if !ok {
			return nil, io.EOF
		}
		return p.b, p.err
	case <-ctx.Done():
		return nil, errors.Join(first, second)
	}
}

// Wrong: where both are nil, there is neither.
func useMaybe(ctx context.Context, in <-chan joinedPart, first, second error, use func([]byte)) error {
	b, err := nextMaybe(ctx, in, first, second)
	if err != nil {
		return err
	}
	use(b)
	freeJoined(b) // want `b, which is nil, is put in joinedBufs \(line 16\) on this path`
	return nil
}
