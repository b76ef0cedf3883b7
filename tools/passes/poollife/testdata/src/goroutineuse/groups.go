// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"errors"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"
)

var groupPages = sync.Pool{New: func() any { return new([]byte) }}

func groupReturnsEarly(ws []io.Writer, text string) error {
	var g errgroup.Group
	b := groupPages.Get().(*[]byte)
	defer groupPages.Put(b) // want `b is put in groupPages while the goroutine started at line 22 may still use it`
	*b = append((*b)[:0], text...)
	for _, w := range ws {
		g.Go(func() error {
			_, err := w.Write(*b)
			return err
		})
		if w == nil {
			return errors.New("no writer")
		}
	}
	return g.Wait()
}

func groupAwaited(ws []io.Writer, text string) error {
	var g errgroup.Group
	b := groupPages.Get().(*[]byte)
	defer groupPages.Put(b)
	*b = append((*b)[:0], text...)
	for _, w := range ws {
		g.Go(func() error {
			_, err := w.Write(*b)
			return err
		})
	}
	return g.Wait()
}

func groupPutsIts(ws []io.Writer, text string) error {
	var g errgroup.Group
	for _, w := range ws {
		b := groupPages.Get().(*[]byte)
		*b = append((*b)[:0], text...)
		g.Go(func() error {
			defer groupPages.Put(b)
			_, err := w.Write(*b)
			return err
		})
	}
	return g.Wait()
}

func groupPutsBoth(w io.Writer, text string) error {
	var g errgroup.Group
	b := groupPages.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	g.Go(func() error {
		defer groupPages.Put(b)
		_, err := w.Write(*b)
		return err
	})
	n := len(*b) // want `the value is read after it was handed to a goroutine that puts it back`
	if n == 0 {
		return nil
	}
	return g.Wait()
}

func groupOrDone(ctx context.Context, w io.Writer, text string) error {
	var wg sync.WaitGroup
	b := groupPages.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	wg.Go(func() { w.Write(*b) })
	if err := ctx.Err(); err != nil {
		groupPages.Put(b) // want `b is put in groupPages while the goroutine started at line 81 may still use it`
		return err
	}
	wg.Wait()
	groupPages.Put(b)
	return nil
}

func groupPasses(w io.Writer, text string) {
	var wg sync.WaitGroup
	b := groupPages.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	wg.Go(func() {
		w.Write(*b)
		groupPages.Put(b)
	})
	wg.Wait()
}
